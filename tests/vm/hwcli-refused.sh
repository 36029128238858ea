# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# A kernel that takes only signed modules and does not trust its TSC.
#
# kernel: stock
# append: module.sig_enforce=1 tsc=unstable
# modules: hadal_hwlat
# programs: hadal

# said TEXT WORDS: they are in /tmp/said.
said() {
	ok "$1" grep -q -- "$2" /tmp/said
}

mkdir -p /run
fails "the kernel refuses the module" modprobe hadal_hwlat
hadal hwlat -d 2s --backend module >/tmp/said 2>&1
equal "status" $? 3
said "the TSC is named" 'TSC is unstable'
said "what to do" 'dmesg | grep -i tsc'
# That clock takes tens of microseconds to read here.
hadal hwlat -d 2s >/tmp/said 2>&1
equal "status of a run that may choose, with a threshold near the step" $? 3
sed 's/^/# /' /tmp/said
said "the step is told" 'one step takes [0-9]* ns'
hadal hwlat -d 2s --threshold 400us >/tmp/said 2>&1
equal "status with another" $? 0
sed 's/^/# /' /tmp/said | head -n 5
said "it watches from user space" '^user on CPU 0'
said "with the kernel's clock" 'does not trust'
hadal doctor >/tmp/said
said "the signature is named" 'not signed, and module.sig_enforce is on'
said "what to do about it" 'mokutil --import'
said "the tracer is named" 'no hwlat tracer'
hadal doctor >/tmp/said
equal "doctor's status" $? 0
sed 's/^/# /' /tmp/said
said "doctor: signature" 'not signed, and module.sig_enforce is on'
said "doctor: tracer" 'tracer *absent *this kernel has no hwlat tracer'
said "doctor: TSC" 'TSC *blocked'
said "doctor: the hypervisor" 'SMI counter *blocked *a virtual machine'
