# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# ACPI's table of boot times on the distribution's kernel, which has no driver for it: the firmware
# hands FPDT over, and the memory it points to is set aside as firmware would.
#
# kernel: stock rt backports
# acpi: tests/vm/boot-fpdt.dsl
# append: memmap=4K$0x10000000
# programs: hadal
# files: tests/vm/boot_words.sh

# shellcheck source=tests/vm/boot_words.sh
. /lab/files/boot_words.sh

hadal boot --source=fpdt >/dev/null 2>/tmp/said
equal "a pointer to nothing is no source" $? 3
ok "and says what is not there" grep -q "^hadal boot: fpdt: FPDT points to 0x10000000, where there is no FBPT" /tmp/said
ok "and who may read it" grep -q CONFIG_ACPI_FPDT /tmp/said

put_fbpt 0 0 0 0 0
hadal boot --source=fpdt >/dev/null 2>/tmp/said
ok "zeros are no times" grep -q "has only zeros in it" /tmp/said

put_fbpt 100000000 2000000000 2100000000 3000000000 3050000000
put_s3pt 2 450000000 400000000
ok "the table is read" hadal boot -q --json -o /results/boot.json
equal "the spans are the firmware's" "$(spans /results/boot.json fpdt)" "0 100000000 before firmware's first code
100000000 1900000000 firmware
2000000000 100000000 loading the boot loader
2100000000 900000000 boot loader
3000000000 50000000 ExitBootServices"
zero=$(sed -n 's/.*"kernel_zero_ns": *\([0-9]*\).*/\1/p' /results/boot.json)
equal "up to the kernel it is one line" "$(spans /results/boot.json kernel)" \
	"3050000000 $((zero - 3050000000)) from the last mark to the kernel"
fails "nothing of it is doubted" grep -q '"doubtful": "' /results/boot.json
hadal boot >/results/boot.txt 2>/tmp/said
ok "resumes are told" grep -q "resumed 2 times since, the last one took 450 ms" /results/boot.txt /tmp/said
hadal doctor >/results/doctor.txt
ok "doctor knows" grep -q "fpdt  *ready  *5 spans from /sys/firmware/acpi/tables/FPDT" /results/doctor.txt

put_fbpt 100000000 2000000000 2100000000 3000000000 200000000000
hadal boot --source=fpdt >/tmp/said 2>&1
ok "what ends after the kernel's start is doubted" grep -q "after the kernel's start" /tmp/said

put_fbpt 100000000 2000000000 2100000000 0 0
ok "a boot without UEFI has no ExitBootServices" hadal boot -q --source=fpdt --json -o /tmp/bios.json
equal "and so no span of it" "$(spans /tmp/bios.json fpdt | sed 's/^[0-9]* [0-9]* //')" "before firmware's first code
firmware
loading the boot loader"
