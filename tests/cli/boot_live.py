#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The real `hadal boot` on trees that stand for whole machines: every source, and every way to
be without it. Needs no privilege.

Prints TAP. Usage: boot_live.py HADAL DATA SCHEMA-FOLDER FAKE-SYSTEMD DENY-LIBRARY.
"""
import contextlib
import errno
import fcntl
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile

import jsonschema

from lbio import lbio
from preload import preload
from tap import finish, ok, skip

HADAL, DATA, SCHEMA, FAKE_SYSTEMD, DENY = sys.argv[1:6]

PRELOAD = preload(HADAL, DENY)
NOBODY = 65534
JOURNAL_REMOTE = "/lib/systemd/systemd-journal-remote"
STARTUP_FINISHED = "b07a249cd024414a82dd00cd181378ff"
BOOT_ID, OTHER_BOOT = "2e8ebf13295b4c438839df2f8ae3dd93", "00000000000000000000000000000001"
MACHINE_ID = "686164616c00000000000000000001ab"
VENDOR = "4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"


def read(*path):
    with open(os.path.join(DATA, *path), "rb") as file:
        return file.read()


class Tree:
    """Files of a machine that is not there, in a folder with a short name (sockets want that)."""

    def __init__(self):
        self.root = tempfile.mkdtemp(prefix="hadal-", dir="/tmp")
        os.chmod(self.root, 0o755)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.root)

    def put(self, path, data, mode=0o644):
        full = self.root + path
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
        os.chmod(full, mode)

    def folder(self, path):
        os.makedirs(self.root + path, exist_ok=True)

    def memory(self, folder, size=0x40000000, skip=()):
        """A sparse /dev/mem with the dumps of one machine where they were."""
        self.put("/dev/mem", b"")
        with open(self.root + "/dev/mem", "r+b") as mem:
            mem.truncate(size)
            for line in read(folder, "regions.txt").decode().splitlines():
                if not line.startswith("#") and line.split()[0] not in skip:
                    name, address, _ = line.split()
                    mem.seek(int(address, 16))
                    mem.write(read(folder, name))

    def poke(self, address, data):
        with open(self.root + "/dev/mem", "r+b") as mem:
            mem.seek(address)
            mem.write(data)

    def sysfs(self, folder, stamps="timestamps.bin", mode=0o644):
        """The coreboot bus with its contents."""
        for entry, address, name in ((0x54494d45, 0x1fedd000, stamps), (0x43425442, 0x1fd84000, "cbtable.bin")):
            path = f"/sys/bus/coreboot/devices/cbmem-{entry:08x}/"
            data = read(folder, name)
            self.put(path + "address", f"{address:#x}\n")
            self.put(path + "size", f"{len(data):#x}\n")
            self.put(path + "mem", data, mode)

    def session(self, name, usec, kind="user"):
        self.put("/run/systemd/sessions/" + name,
                 f"# This is private data. Do not parse.\nUID=1000\nCLASS={kind}\nREALTIME=1790000000000000\n"
                 f"MONOTONIC={usec}\n")

    def loader(self, **times):
        for name, usec in times.items():
            self.put(f"/sys/firmware/efi/efivars/LoaderTime{name}USec-{VENDOR}",
                     struct.pack("<I", 6) + f"{usec}\0".encode("utf-16-le"))

    def fpdt_files(self, *times):
        names = ("firmware_start", "bootloader_load", "bootloader_launch", "exitbootservice_start",
                 "exitbootservice_end")
        for name, value in zip(names, times):
            self.put(f"/sys/firmware/acpi/fpdt/boot/{name}_ns", f"{value}\n")

    def journal(self, *entries, folder="/run/log/journal", name="system"):
        """Entries of systemd's journal, each a dictionary of fields, made by systemd's own tool."""
        path = f"{self.root}{folder}/{MACHINE_ID}"
        os.makedirs(path, exist_ok=True)
        text = "".join("".join(f"{key}={value}\n" for key, value in {
            "__REALTIME_TIMESTAMP": 1790000000000000 + i, "__MONOTONIC_TIMESTAMP": 9000000 + i, "_BOOT_ID": BOOT_ID,
            "_PID": 1, "MESSAGE_ID": STARTUP_FINISHED, **fields}.items()) + "\n" for i, fields in enumerate(entries))
        subprocess.run([JOURNAL_REMOTE, "-o", f"{path}/{name}.journal", "-"], input=text.encode(), capture_output=True,
                       check=True)

    @contextlib.contextmanager
    def systemd(self, firmware=0, loader=0, initrd=0, userspace=0, finish=0, path="/run/dbus/system_bus_socket",
                **details):
        self.folder(os.path.dirname(path))
        marks = {"Firmware": firmware, "Loader": loader, "InitRD": initrd, "Userspace": userspace, "Finish": finish,
                 **details}
        bus = subprocess.Popen([FAKE_SYSTEMD, self.root + path,
                                *(f"{k}={v}" for k, v in marks.items() if v is not None)], stdout=subprocess.PIPE)
        bus.stdout.readline()
        try:
            yield
        finally:
            bus.kill()
            bus.wait()
            bus.stdout.close()
            os.unlink(self.root + path)


def run(tree, *args, env=None, **more):
    return subprocess.run([HADAL, "boot", *args, f"--root={tree.root}"], capture_output=True, check=False,
                          env={"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"], **(env or {})}, **more)


def document(tree, *args):
    """The JSON of a run, checked against the schema."""
    done = run(tree, "--json", "-q", *args)
    doc = json.loads(done.stdout)
    jsonschema.validate(doc, json.load(open(os.path.join(SCHEMA, "boot.json"), encoding="utf-8")))
    return doc, done


def why(doc, name):
    return next(s for s in doc["sources"] if s["name"] == name)


def spans(doc, *sources):
    return [(s["name"], s["start_ns"], s["duration_ns"]) for s in doc["spans"] if s["source"] in sources]


def refused(name, tree, source, *words, env=None, **more):
    """A source that gives nothing: status 3 and a message with these words."""
    done = run(tree, f"--source={source}", env=env, **more)
    err = done.stderr.decode()
    ok(done.returncode == 3 and not done.stdout and err.startswith(f"hadal boot: {source}: ") and
       all(w in err for w in words), name, done.returncode, err)


def same_stamps(done, folder, stamps="timestamps.bin", khz=()):
    want = subprocess.run([HADAL, "boot", "-i", os.path.join(DATA, folder, stamps), "--format=parseable", *khz],
                          capture_output=True, check=False).stdout
    return done.returncode == 0 and done.stdout == want and len(want) > 100


def check_sysfs():
    with Tree() as tree:
        refused("no bus", tree, "sysfs", "no /sys/bus/coreboot/devices")
        tree.folder("/sys/bus/coreboot/devices")
        refused("a bus on other firmware", tree, "sysfs", "no devices", "not coreboot")
        shutil.rmtree(tree.root + "/sys/bus")
        tree.folder("/sys/bus/acpi/devices/BOOT0000:00")
        refused("coreboot firmware without a driver", tree, "sysfs", "driver", "modprobe coreboot_table")
        tree.folder("/sys/bus/coreboot/devices")
        refused("a bus without devices", tree, "sysfs", "no devices", "left no table")
        tree.put("/sys/bus/coreboot/devices/coreboot0/uevent", "MODALIAS=coreboot:t00000001\n")
        refused("a kernel before 6.2", tree, "sysfs", "does not tell CBMEM entries apart", "6.2")
        tree.folder("/sys/bus/coreboot/devices/cbmem-434f4e53")
        refused("firmware that keeps no stamps", tree, "sysfs", "keeps no timestamps", "CONFIG_COLLECT_TIMESTAMPS")
        tree.put("/sys/bus/coreboot/devices/cbmem-54494d45/uevent", "MODALIAS=coreboot:t00000031\n")
        refused("names without contents", tree, "sysfs", "no contents", "modprobe cbmem", "CONFIG_GOOGLE_CBMEM")
    with Tree() as tree:
        tree.sysfs("q35-tsc")
        ok(same_stamps(run(tree, "--format=parseable"), "q35-tsc"), "the bus with contents")
        ok(same_stamps(run(tree, "--source=sysfs", "--format=parseable"), "q35-tsc"), "the same by name")
        doc, done = document(tree)
        ok(done.returncode == 0 and why(doc, "sysfs")["used"] and doc["tick_khz"] == 2100000 and
           "another" not in doc["apart"] and doc["kernel_zero_ns"] is None, "it is in the document", done)
        done = run(tree, "list")
        ok(done.returncode == 0 and b"TIME STAMP" in done.stdout, "list, from the machine", done)
        shutil.rmtree(tree.root + "/sys/bus/coreboot/devices/cbmem-43425442")
        ok(same_stamps(run(tree, "--format=parseable"), "q35-tsc"), "the timestamp table alone")
    with Tree() as tree:
        tree.sysfs("q35-tsc", mode=0o600)
        as_nobody = {"user": NOBODY} if os.getuid() == 0 else {}
        for name in ("54494d45", "43425442"):
            os.chmod(f"{tree.root}/sys/bus/coreboot/devices/cbmem-{name}/mem", 0o600 if as_nobody else 0)
        refused("not root", tree, "sysfs", "may be read by root only", "sudo hadal boot", **as_nobody)
        tree.put("/sys/bus/coreboot/devices/cbmem-54494d45/mem", b"short")
        refused("contents that are no table", tree, "sysfs", "is none")


def check_devmem():
    with Tree() as tree:
        refused("no /dev/mem", tree, "devmem", "there is no /dev/mem", "CONFIG_DEVMEM", "on the host")
        tree.memory("q35-tsc")
        ok(same_stamps(run(tree, "--format=parseable"), "q35-tsc"), "through a forward record at 0x500")
        done = run(tree, "list", "--format=table")
        ok(done.returncode == 0 and b"IMD SMALL" in done.stdout and b"directory" in done.stdout,
           "the directory is read as well", done)
        doc, _ = document(tree)
        ok(why(doc, "devmem")["used"] and "0x1fd84000" in why(doc, "devmem")["why"], "it says where")
        tree.sysfs("q35-tsc")
        doc, _ = document(tree)
        ok(why(doc, "sysfs")["used"] and not why(doc, "devmem")["used"] and
           "not needed" in why(doc, "devmem")["why"], "is left alone where sysfs has the same")
    with Tree() as tree:
        tree.memory("q35-2015")
        ok(same_stamps(run(tree, "--format=parseable", "--tick-khz=2100000"), "q35-2015",
                       khz=["--tick-khz=2100000"]), "firmware of 2015, without entry records")
    with Tree() as tree:
        tree.memory("q35-tsc")
        os.chmod(tree.root + "/dev/mem", 0 if os.getuid() else 0o600)
        refused("not root", tree, "devmem", "may be read by root only", "sudo hadal boot",
                **({"user": NOBODY} if os.getuid() == 0 else {}))


def check_iomem():
    """A table that only the kernel's list of memory leads to."""
    listed = read("q35/iomem.txt").decode()
    with Tree() as tree:
        tree.memory("q35-tsc", skip=("cbtable-fwd.bin",))
        refused("no first table, and no /proc/iomem", tree, "devmem", "the firmware is not coreboot")
        for name, lines in (("without the device", listed.replace("BOOT0000", "BOOT0001")),
                            ("of one without privilege", re.sub(r"[0-9a-f]+-[0-9a-f]+ ", "00000000-00000000 ", listed)),
                            ("whose address is none", "address : BOOT0000:00\n"),
                            ("that ends early", listed[:listed.index("BOOT0000") + 8]), ("without lines", ""),
                            ("of more than 1 MiB", listed + " " * 0x100000)):
            tree.put("/proc/iomem", lines)
            refused(f"a list {name}", tree, "devmem", "the firmware is not coreboot")
        for name, lines in (("coreboot", listed), ("ChromeOS", listed.replace("BOOT0000", "GOOGCB00")),
                            ("coreboot, in the first line", listed[listed.index("  1fd84000"):])):
            tree.put("/proc/iomem", lines)
            ok(same_stamps(run(tree, "--source=devmem", "--format=parseable"), "q35-tsc"),
               f"through the ACPI device of {name}")
        for address in (0x1fd83000, 0x8000000000000000, 0x10000000000000000):
            tree.put("/proc/iomem", listed.replace("1fd84000", f"{address:x}"))
            refused(f"a device at {address:#x}", tree, "devmem", f"{min(address, 2 ** 64 - 1):#x}")
    with Tree() as tree:
        tree.memory("q35-tsc")
        tree.put("/proc/iomem", listed.replace("1fd84000", "1fd83000"))
        ok(same_stamps(run(tree, "--format=parseable"), "q35-tsc"), "it is not asked where there is a first table")
    with Tree() as tree:
        tree.memory("q35", skip=("cbtable-fwd.bin",))
        tree.put("/proc/iomem", listed)
        done = add(tree, "1101")
        doc, _ = document(tree)
        ok(done.returncode == 0 and 1101 in [s["id"] for s in doc["stamps"]], "add: through /proc/iomem", done)


def check_devmem_denied():
    """What only a kernel does to a process."""
    eperm = {"LD_PRELOAD": PRELOAD, "DENY_OPEN": str(errno.EPERM)}
    with Tree() as tree:
        tree.memory("q35-tsc")
        refused("without CAP_SYS_RAWIO", tree, "devmem", "CAP_SYS_RAWIO", "sudo hadal boot", env=eperm)
        tree.put("/sys/kernel/security/lockdown", "[none] integrity confidentiality\n")
        refused("the same where lockdown is off", tree, "devmem", "CAP_SYS_RAWIO", env=eperm)
        for level in ("integrity", "confidentiality"):
            words = ("none integrity confidentiality".replace(level, f"[{level}]"))
            tree.put("/sys/kernel/security/lockdown", words + "\n")
            refused(f"lockdown, {level}", tree, "devmem", f"lockdown ({level})", "Secure Boot", env=eperm)
        eperm = {"LD_PRELOAD": PRELOAD, "DENY_MAP": str(errno.EPERM), "DENY_FROM": str(0x100000)}
        refused("CBMEM in the kernel's memory", tree, "devmem", "memory that the kernel uses",
                "CONFIG_STRICT_DEVMEM", "0x1fd84000", env=eperm)


def check_devmem_hostile():
    with Tree() as tree:
        tree.put("/dev/mem", bytes(0x200000))
        refused("memory without a table", tree, "devmem", "the firmware is not coreboot")
        tree.poke(0x500, lbio([(0x11, struct.pack("<Q", 0x500))]))
        refused("a table that forwards to itself", tree, "devmem", "forward to one another")
        tree.poke(0x500, lbio([(0x11, struct.pack("<Q", 0x7fd84000))]))
        refused("a forward to where no memory is", tree, "devmem", "0x7fd84000", "no memory")
        tree.poke(0x500, lbio([(0x11, struct.pack("<Q", 1 << 63))]))
        refused("a forward beyond any address", tree, "devmem", "0x8000000000000000", "no memory")
        tree.poke(0x500, lbio([(0x11, struct.pack("<Q", 0x100000))]))
        refused("a forward to nothing", tree, "devmem", "no coreboot table at 0x100000")
        tree.poke(0x500, lbio([(0x31, struct.pack("<QII", 0x100000, 0xffffffff, 0x54494d45))]))
        tree.poke(0x100000, read("q35-tsc/timestamps.bin"))
        ok(b"selfboot jump" in run(tree, "--source=devmem").stdout, "an entry of 4 GiB is read up to a bound")
        tree.poke(0x500, lbio([(0x31, struct.pack("<QII", 0x100000, 0x910, 0x54494d45))] * 20))
        refused("twenty tables", tree, "devmem", "cannot be mapped")
        tree.poke(0x500, lbio([(0x03, b"")]))
        refused("a table without stamps", tree, "devmem", "leads to no timestamps")
    with Tree() as tree:
        tree.put("/dev/mem", bytes(0x1000))
        refused("memory that is too short", tree, "devmem", "0xf0000", "no memory")


def check_devicetree():
    reg = "/proc/device-tree/firmware/coreboot/reg"
    with Tree() as tree:
        refused("no node", tree, "devicetree", "no coreboot node")
        tree.put(reg, read("virt-arm64/dt-firmware-coreboot-reg.bin"))
        refused("a node, but no /dev/mem", tree, "devicetree", "there is no /dev/mem")
        tree.memory("virt-arm64", 0x80000000)
        ok(same_stamps(run(tree, "--format=parseable"), "virt-arm64"), "two cells each")
        tree.put(reg, read("virt-arm64/dt-firmware-coreboot-reg-badcells.bin"))
        ok(same_stamps(run(tree, "--source=devicetree", "--format=parseable"), "virt-arm64"),
           "cells that the tree does not tell")
        tree.put(reg, struct.pack(">IIII", 0x7ffdb000, 0x220, 0x7ffdb000, 0x25000))
        ok(same_stamps(run(tree, "--format=parseable"), "virt-arm64"), "one cell each")
        for name, data in (("empty", b""), ("zeros", bytes(32)), ("odd", b"\xff" * 32)):
            tree.put(reg, data)
            refused(f"a property that is {name}", tree, "devicetree", "no address in it")
        tree.put(reg, bytes(64))
        refused("a property that is too long", tree, "devicetree", "more than two ranges")


FBPT = 0x100010
TIMES = (100_000_000, 2_000_000_000, 2_100_000_000, 3_000_000_000, 3_050_000_000)
FPDT_SPANS = [("before firmware's first code", 0, 100_000_000), ("firmware", 100_000_000, 1_900_000_000),
              ("loading the boot loader", 2_000_000_000, 100_000_000), ("boot loader", 2_100_000_000, 900_000_000),
              ("ExitBootServices", 3_000_000_000, 50_000_000)]


def compile_fpdt(folder, fbpt=FBPT, s3pt=0):
    """A table as ACPI's own compiler makes it."""
    source = os.path.join(folder, "fpdt.dsl")
    with open(source, "w", encoding="utf-8") as file:
        file.write(f"""[0004] Signature : "FPDT"
[0004] Table Length : 00000044
[0001] Revision : 01
[0001] Checksum : 00
[0006] Oem ID : "HADAL "
[0008] Oem Table ID : "TEST"
[0004] Oem Revision : 00000001
[0004] Asl Compiler ID : "INTL"
[0004] Asl Compiler Revision : 20200925
[0002] Subtable Type : 0000
[0001] Length : 10
[0001] Revision : 01
[0004] Reserved : 00000000
[0008] FPDT Boot Record Address : {fbpt:016X}
[0002] Subtable Type : 0001
[0001] Length : 10
[0001] Revision : 01
[0004] Reserved : 00000000
[0008] S3PT Record Address : {s3pt:016X}
""")
    done = subprocess.run(["iasl", "-p", os.path.join(folder, "fpdt"), source], capture_output=True, check=False)
    with open(os.path.join(folder, "fpdt.aml"), "rb") as file:
        table = file.read()
    assert done.returncode == 0 and len(table) == 68, done.stdout
    return table


def fbpt(*times, kind=2, before=b""):
    record = struct.pack("<HBBI5Q", kind, 48, 2, 0, *times)
    return struct.pack("<4sI", b"FBPT", 8 + len(before) + len(record)) + before + record


def check_fpdt():
    table_path = "/sys/firmware/acpi/tables/FPDT"
    with Tree() as tree:
        refused("no FPDT", tree, "fpdt", "has no FPDT", "Ask the firmware's makers")
        tree.fpdt_files(*TIMES)
        doc, done = document(tree)
        ok(done.returncode == 0 and spans(doc, "fpdt") == FPDT_SPANS, "the kernel's files", doc["spans"])
        tree.fpdt_files(0, 2_000_000_000, 0, 0, 0)
        doc, _ = document(tree)
        ok(spans(doc, "fpdt") == [("firmware", 0, 2_000_000_000)], "a boot without UEFI leaves zeros", doc["spans"])
        tree.fpdt_files(0, 0, 0, 0, 0)
        refused("nothing but zeros", tree, "fpdt", "only zeros")
        tree.fpdt_files(100, 50, 60, 70, 80)
        doc, _ = document(tree)
        ok(any(s["doubtful"] and "before it starts" in s["doubtful"] for s in doc["spans"]),
           "a step backwards is doubtful", doc["spans"])
        tree.fpdt_files(1_400_000_000_000, 1_402_000_000_000, 1_403_000_000_000, 0, 0)
        doc, _ = document(tree)
        ok("not reset by a warm reboot" in (doc["spans"][0]["doubtful"] or "") and not doc["spans"][1]["doubtful"],
           "a counter that a warm reboot did not reset is doubtful", doc["spans"])
        tree.fpdt_files(100, 4_000_000_000_000, 4_000_000_000_100, 0, 0)
        doc, _ = document(tree)
        ok("longer than an hour" in (doc["spans"][1]["doubtful"] or ""), "more than an hour is doubtful", doc["spans"])
    with Tree() as tree:
        table = compile_fpdt(tree.root, s3pt=0x100200)
        tree.put(table_path, table)
        refused("a table, but no /dev/mem", tree, "fpdt", "there is no /dev/mem")
        tree.put("/dev/mem", bytes(0x200000))
        refused("a table that points to nothing", tree, "fpdt", "0x100010", "no FBPT")
        tree.poke(FBPT, fbpt(*TIMES))
        doc, done = document(tree)
        ok(done.returncode == 0 and spans(doc, "fpdt") == FPDT_SPANS, "table and memory", done)
        tree.poke(FBPT, fbpt(*TIMES, before=struct.pack("<HBB12x", 0x3000, 16, 1)))
        doc, _ = document(tree)
        ok(spans(doc, "fpdt") == FPDT_SPANS, "a vendor's record before the boot's is skipped")
        tree.poke(0x100200, struct.pack("<4sIHBBIQQ", b"S3PT", 32, 0, 24, 1, 3, 412_000_000, 400_000_000))
        doc, _ = document(tree)
        ok("resumed 3 times since, the last one took 412 ms" in " ".join(doc["notes"]), "resumes are noted", doc["notes"])
        tree.poke(FBPT, fbpt(*TIMES, kind=7))
        refused("no record of the boot", tree, "fpdt", "no record of this boot")
        tree.put(table_path, table[:40])
        done = run(tree, "--source=fpdt")
        ok(done.returncode == 3 and b"cut short, 40 of 68" in done.stderr, "a table cut short", done)
        tree.poke(FBPT, fbpt(*TIMES))
        tree.put(table_path, table[:-1] + b"\1")
        doc, done = document(tree)
        ok(done.returncode == 4 and "checksum is wrong" in " ".join(doc["damage"]) and
           spans(doc, "fpdt") == FPDT_SPANS, "a wrong checksum", doc["damage"])
        tree.put(table_path, compile_fpdt(tree.root, 0xffff_0000_0010_0010))
        refused("an address with garbage in its high bits", tree, "fpdt", "does not point to")
        tree.put(table_path, compile_fpdt(tree.root, 0x70000000))
        refused("an address outside memory", tree, "fpdt", "0x70000000", "no memory")
        tree.put(table_path, table, 0)
        if os.getuid() == 0:
            refused("not root", tree, "fpdt", "root only", "sudo hadal boot", user=NOBODY)


def check_loader():
    with Tree() as tree:
        refused("no UEFI", tree, "loader", "not booted through UEFI")
        tree.folder("/sys/firmware/efi/efivars")
        refused("no efivarfs", tree, "loader", "not mounted", "mount -t efivarfs")
        tree.put("/sys/firmware/efi/efivars/BootOrder-8be4df61-93ca-11d2-aa0d-00e098032b8c", b"\0" * 6)
        refused("a loader that leaves no times", tree, "loader", "left no times", "systemd-boot")
        tree.loader(Init=5_000_000, Exec=7_500_000)
        doc, done = document(tree)
        want = [("firmware", 0, 5_000_000_000), ("boot loader", 5_000_000_000, 2_500_000_000)]
        ok(done.returncode == 0 and spans(doc, "loader") == want, "two times", doc["spans"])
        tree.loader(Menu=6_000_000)
        doc, _ = document(tree)
        ok([s[2] for s in spans(doc, "loader")] == [5_000_000_000, 1_000_000_000, 1_500_000_000], "and a menu")
        tree.loader(Init=1_980_000_000_000)
        doc, _ = document(tree)
        ok("longer than an hour" in (doc["spans"][0]["doubtful"] or ""), "half a year is doubtful", doc["spans"])
        for bad in ("x", "", "12x", "99999999999999999999999"):
            tree.loader(Init=bad, Exec=bad, Menu=bad)
            done = run(tree, "--source=loader")
            ok(done.returncode == 3 and b"hold no times" in done.stderr, f"a time of {bad!r}", done)


def check_systemd():
    with Tree() as tree:
        refused("no bus", tree, "systemd", "there is no system bus")
        with tree.systemd(8_000_000, 2_500_000, 1_000_000, 3_000_000, 9_000_000):
            doc, done = document(tree)
        ok(done.returncode == 0 and
           [(s["name"], s["start_ns"], s["duration_ns"], s["clock"]) for s in doc["spans"]] ==
           [("firmware", 0, 5_500_000_000, "counter"), ("boot loader", 5_500_000_000, 2_500_000_000, "counter"),
            ("kernel", 0, 1_000_000_000, "kernel"), ("initrd", 1_000_000_000, 2_000_000_000, "kernel"),
            ("user space", 3_000_000_000, 6_000_000_000, "kernel")], "all its marks", doc["spans"], done)
    with Tree() as tree:
        with tree.systemd(0, 0, 0, 3_000_000, 0):
            doc, done = document(tree)
        ok(done.returncode == 3 and [s["name"] for s in doc["spans"]] == ["kernel"] and
           "not finished" in why(doc, "systemd")["why"], "a machine that is still booting", done)
    with Tree() as tree:
        with tree.systemd(userspace=None):
            refused("a manager without the properties", tree, "systemd", "no systemd manager answers")
    with Tree() as tree:
        with tree.systemd(0, 0, 5_000_000, 3_000_000, 0):
            doc, done = document(tree)
        ok(done.returncode == 4 and "cannot be" in " ".join(doc["damage"]), "marks that go backwards", doc["damage"])
    details = {"SecurityStart": 3_000_100, "SecurityFinish": 3_000_200, "GeneratorsStart": 3_001_000,
               "GeneratorsFinish": 3_005_000, "UnitsLoadStart": 3_005_000, "UnitsLoadFinish": 3_009_000}
    early = {"InitRD" + name: usec - 2_000_000 for name, usec in details.items()}
    inside = [("loading the security policy", 100_000, 100_000), ("running generators", 1_000_000, 4_000_000),
              ("loading units", 5_000_000, 4_000_000)]
    with Tree() as tree:
        with tree.systemd(0, 0, 1_000_000, 3_000_000, 9_000_000, **details, **early):
            doc, done = document(tree)
        ok(done.returncode == 3 and spans(doc, "systemd") ==
           [("kernel", 0, 1_000_000_000), ("initrd", 1_000_000_000, 2_000_000_000),
            *((name, 1_000_000_000 + start, length) for name, start, length in inside),
            ("user space", 3_000_000_000, 6_000_000_000),
            *((name, 3_000_000_000 + start, length) for name, start, length in inside)] and
           [s["depth"] for s in doc["spans"]] == [0, 0, 1, 1, 1, 0, 1, 1, 1], "what the manager did meanwhile",
           doc["spans"])
        with tree.systemd(0, 0, 0, 3_000_000, 9_000_000, **{**details, "UnitsLoadStart": 20_000_000,
                                                            "UnitsLoadFinish": 21_000_000}):
            doc, _ = document(tree)
        ok([s["name"] for s in doc["spans"]][-1] == "running generators", "what it did later is no part of the boot")
    with Tree() as tree:
        with tree.systemd(0, 0, 0, 3_000_000, 9_000_000, path="/run/systemd/private"):
            doc, done = document(tree)
        ok(spans(doc, "systemd") == [("kernel", 0, 3_000_000_000), ("user space", 3_000_000_000, 6_000_000_000)] and
           "its own socket" in why(doc, "systemd")["why"], "no bus, but the manager's own socket", done, doc)


def check_journal():
    if not os.path.exists(JOURNAL_REMOTE):
        skip("the journal", "no systemd-journal-remote")
        return
    boot = {"KERNEL_USEC": 1_000_000, "INITRD_USEC": 2_000_000, "USERSPACE_USEC": 6_000_000}
    three = [("kernel", 0, 1_000_000_000), ("initrd", 1_000_000_000, 2_000_000_000),
             ("user space", 3_000_000_000, 6_000_000_000)]
    for folder in ("/run/log/journal", "/var/log/journal"):
        with Tree() as tree:
            tree.journal(boot, folder=folder)
            doc, _ = document(tree)
            ok(spans(doc, "systemd") == three and "told the journal" in why(doc, "systemd")["why"],
               f"no bus, but a journal in {folder}", doc["spans"], doc["sources"])
    with Tree() as tree:
        tree.journal({**boot, "FIRMWARE_USEC": 5_500_000, "LOADER_USEC": 2_500_000, "INITRD_USEC": 0})
        doc, done = document(tree)
        ok(done.returncode == 0 and spans(doc, "systemd") ==
           [("firmware", 0, 5_500_000_000), ("boot loader", 5_500_000_000, 2_500_000_000),
            ("kernel", 0, 1_000_000_000), ("user space", 1_000_000_000, 6_000_000_000)],
           "with the time before the kernel, without an initrd", doc["spans"])
    with Tree() as tree:
        tree.put("/proc/sys/kernel/random/boot_id", "2e8ebf13-295b-4c43-8839-df2f8ae3dd93\n")
        tree.journal({**boot, "KERNEL_USEC": 7}, boot, {**boot, "_BOOT_ID": OTHER_BOOT, "KERNEL_USEC": 8},
                     {**boot, "_PID": 4711, "KERNEL_USEC": 9}, {**boot, "MESSAGE_ID": OTHER_BOOT, "KERNEL_USEC": 10})
        doc, _ = document(tree)
        ok(spans(doc, "systemd") == three, "another boot, another process and another message are not taken",
           doc["spans"])
        with tree.systemd(0, 0, 0, 3_000_000, 9_000_000):
            doc, _ = document(tree)
        ok(len(spans(doc, "systemd")) == 2 and "over the bus" in why(doc, "systemd")["why"], "the bus comes first")
        with tree.systemd(userspace=None):
            doc, _ = document(tree)
        ok(spans(doc, "systemd") == three, "a bus without a manager is no end")
        tree.put("/proc/sys/kernel/random/boot_id", "00000000-0000-0000-0000-000000000002\n")
        refused("a journal without this boot", tree, "systemd", "nothing of this boot in a journal")
        if os.getuid() == 0:
            os.chmod(f"{tree.root}/run/log/journal/{MACHINE_ID}/system.journal", 0o600)
            refused("not root", tree, "systemd", "journal", "sudo hadal boot", user=NOBODY)
    for name, fields in (("of a container", {"USERSPACE_USEC": 5}), ("with words", {**boot, "KERNEL_USEC": "soon"}),
                         ("with nothing", {**boot, "INITRD_USEC": ""}), ("below zero", {**boot, "KERNEL_USEC": -5}),
                         ("of 600000 years", {**boot, "USERSPACE_USEC": 2**64 - 1})):
        with Tree() as tree:
            tree.journal(fields)
            refused(f"a message {name}", tree, "systemd", "no times of a kernel")
    with Tree() as tree:
        tree.put(f"/run/log/journal/{MACHINE_ID}/system.journal", b"LPKSHHRH" + bytes(300))
        refused("a damaged journal", tree, "systemd", "nothing of this boot in a journal")


def check_login():
    with Tree() as tree:
        refused("nobody", tree, "login", "nobody is logged in")
        tree.session("c1", 5_000_000, "greeter")
        refused("a greeter is no login", tree, "login", "nobody is logged in")
        tree.session("2", 20_000_000)
        tree.session("1", 12_345_678)
        doc, _ = document(tree)
        ok(spans(doc, "login") == [("until the first login", 0, 12_345_678_000)], "the first user", doc["spans"])


def check_together():
    with Tree() as tree:
        done = run(tree)
        err = done.stderr.decode()
        ok(done.returncode == 3 and not done.stdout and
           all(f"\n  {s} " in err for s in ("sysfs", "devmem", "devicetree", "fpdt", "loader", "kernel", "systemd",
                                            "login")),
           "nothing at all: each source says why", err)
        doc, done = document(tree) if done.stdout else (None, run(tree, "--json"))
        ok(done.returncode == 3, "and the status says so in JSON too", done)
        done = run(tree, "--format=cbmem")
        ok(done.returncode == 3 and b"which this format is for" in done.stderr, "coreboot's formats need stamps", done)
    with Tree() as tree:
        tree.sysfs("q35-tsc")
        tree.session("1", 12_000_000)
        with tree.systemd(0, 0, 1_000_000, 3_000_000, 9_000_000):
            done = run(tree, "-v")
        out = done.stdout.decode()
        ok(done.returncode == 0 and "selfboot jump" in out and "From the kernel's own zero, since" in out and
           out.index("kernel (systemd)") < out.index("initrd (systemd)") < out.index("user space (systemd)") <
           out.index("until the first login (login)") and b"used: 26 stamps" in done.stderr,
           "coreboot and systemd, in order", out, done.stderr.decode())
    with Tree() as tree:
        tree.fpdt_files(*TIMES)
        tree.loader(Init=2_100_000, Exec=2_990_000)
        with tree.systemd(2_990_000, 890_000, 0, 3_000_000, 9_000_000):
            doc, done = document(tree)
        names = [(s["source"], s["name"]) for s in doc["spans"]]
        ok(done.returncode == 0 and spans(doc, "fpdt") == FPDT_SPANS and len(spans(doc, "loader")) == 2 and
           names[-2:] == [("systemd", "kernel"), ("systemd", "user space")],
           "FPDT, loader and systemd; what systemd has from them is not told twice", names)
        again = subprocess.run([HADAL, "boot", "-i", "-", "--json"], input=json.dumps(doc).encode(),
                               capture_output=True, check=False)
        back = json.loads(again.stdout)
        ok(again.returncode == 0 and back["spans"] == doc["spans"] and back["apart"] == doc["apart"],
           "a document reads back to the same spans", again)
        again = subprocess.run([HADAL, "boot", "-i", "-", "--format=cbmem"], input=json.dumps(doc).encode(),
                               capture_output=True, check=False)
        ok(again.returncode == 4 and b"no timestamps" in again.stderr, "and has no stamps", again)


def add(tree, *args, env=None):
    return subprocess.run([HADAL, "boot", "add", *args, f"--root={tree.root}"], capture_output=True, check=False,
                          env={"LC_ALL": "C.UTF-8", **(env or {})})


def stored(data):
    """The (ID, ticks) that a table holds."""
    number = struct.unpack_from("<I", data, 12)[0]
    return [struct.unpack_from("<Iq", data, 16 + 12 * i) for i in range(number)]


def check_add():
    mem = "/sys/bus/coreboot/devices/cbmem-54494d45/mem"
    with Tree() as tree:
        done = add(tree, "1101")
        ok(done.returncode == 3 and b"no /dev/mem" in done.stderr, "add: no table", done)
        tree.sysfs("q35")
        before = read("q35", "timestamps.bin")
        for word, number in (("1101", 1101), ("0x44d", 1101), ("TS_KERNEL_START", 1101), ("TS_START_KERNEL", 1101),
                             ("TS_COPYRAM_DONE", 9), ("4294967295", 0xffffffff)):
            tree.sysfs("q35")
            done = add(tree, word)
            after = open(tree.root + mem, "rb").read()
            ok(done.returncode == 0 and not done.stdout and len(after) == len(before) and
               stored(after)[:-1] == stored(before) and stored(after)[-1][0] == number and
               after[:12] == before[:12] and after[16 + 12 * 27:] == before[16 + 12 * 27:],
               f"add {word}", done)
        tree.sysfs("q35")
        add(tree, "1")
        add(tree, "2")
        one, two = stored(open(tree.root + mem, "rb").read())[-2:]
        base = struct.unpack_from("<Q", before)[0]
        ok(one[0] == 1 and two[0] == 2 and one[1] < two[1] and one[1] + base > 0, "two, one after the other", one, two)
        for mhz in (1, 100, 60000):
            # A table with ticks of another length gets the same time in those.
            tree.put(mem, struct.pack("<QHHI", 0, 192, 0, 0) + bytes(2304))
            add(tree, "1")
            raw = stored(open(tree.root + mem, "rb").read())[0][1]
            tree.put(mem, struct.pack("<QHHI", 0, 192, mhz, 0) + bytes(2304))
            add(tree, "1")
            ticks = stored(open(tree.root + mem, "rb").read())[0][1]
            rate = raw / (ticks / mhz)
            ok(10 < rate < 10000, f"a table at {mhz} MHz", raw, ticks, rate)
        for bad in ("", "TS_", "-1", "4294967296", "kernel", "1 2"):
            ok(add(tree, bad).returncode == 2, f"add {bad!r} is refused")
        ok(add(tree).returncode == 2 and add(tree, "1", "2").returncode == 2, "add takes one")
    with Tree() as tree:
        for name, data, status, word in (
                ("a full table", read("q35-full", "timestamps.bin"), 3, b"full: 192 of 192"),
                ("a table that counts too many", struct.pack("<QHHI", 0, 30, 1, 31) + bytes(360), 4, b"damaged"),
                ("a header alone", struct.pack("<QHHI", 0, 30, 1, 0), 4, b"cannot be written"),
                ("less than a header", bytes(8), 4, b"cannot be read"),
                ("zeros", bytes(2320), 4, b"damaged")):
            tree.put(mem, data)
            done = add(tree, "1101")
            ok(done.returncode == status and word in done.stderr and open(tree.root + mem, "rb").read() == data,
               f"add: {name} stays as it is", done)
    for folder, number in (("q35", 26), ("q35-2015", None)):
        with Tree() as tree:
            tree.memory(folder)
            count_before = len(stored(read(folder, "timestamps.bin")))
            done = add(tree, "1101")
            doc, _ = document(tree, "--tick-khz=2100000")
            stamps = [s for s in doc["stamps"] if not s["is_base"]]
            ok(done.returncode == 0 and len(stamps) == count_before + 1 and
               1101 in [s["id"] for s in stamps] and number in (None, count_before),
               f"add: through /dev/mem, {folder}", done, len(stamps))
    with Tree() as tree:
        tree.memory("virt-arm64", 0x80000000)
        tree.put("/proc/device-tree/firmware/coreboot/reg", read("virt-arm64/dt-firmware-coreboot-reg-badcells.bin"))
        done = add(tree, "1101")
        doc, _ = document(tree)
        ok(done.returncode == 0 and 1101 in [s["id"] for s in doc["stamps"]], "add: through a device tree", done)
        os.chmod(tree.root + "/dev/mem", 0o400)
        denied = {"LD_PRELOAD": PRELOAD, "DENY_OPEN": str(errno.EPERM)}
        done = add(tree, "1101", env=denied)
        ok(done.returncode == 3 and b"CAP_SYS_RAWIO" in done.stderr, "add: /dev/mem that is closed", done)


def capabilities(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return {line.split()[1] for line in status if line.startswith(("CapPrm", "CapEff", "CapInh"))}


def check_privilege():
    """A bus that accepts and says nothing holds the tool where it reads."""
    with Tree() as tree, socket.socket(socket.AF_UNIX) as bus:
        tree.folder("/run/dbus")
        tree.sysfs("q35-tsc")
        bus.bind(tree.root + "/run/dbus/system_bus_socket")
        bus.listen(1)
        tool = subprocess.Popen([HADAL, "boot", f"--root={tree.root}"], stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
        connection, _ = bus.accept()
        connection.recv(1)
        ok(capabilities(tool.pid) == {"0" * 16}, "no capability is left when it reads", capabilities(tool.pid))
        connection.close()
        ok(tool.wait() == 0, "and it goes on without the bus")


    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    tool = subprocess.Popen([HADAL, "doctor", "--json"], stdout=writer)
    os.close(writer)
    # What it writes is more than a pipe of this size holds.
    text = os.read(reader, 1)
    ok(capabilities(tool.pid) == {"0" * 16}, "nor when doctor has read", capabilities(tool.pid))
    with os.fdopen(reader, "rb") as rest:
        ok(json.loads(text + rest.read())["verb"] == "doctor" and tool.wait() == 0, "and it tells all")


def check_usage():
    with Tree() as tree:
        ok(run(tree, "--source=magic").returncode == 2, "an unknown source")
        ok(run(tree, "-i", "x").returncode == 2, "a recording in a tree")
        ok(run(tree, "--base=0x1000").returncode == 2, "an address without a recording")
        ok(run(tree, "--source=auto").returncode == 3, "auto is a source")
    done = subprocess.run([HADAL, "boot", "--root=/no/such/folder"], capture_output=True, check=False)
    ok(done.returncode == 4 and b"No such file" in done.stderr, "a tree that is not there", done)
    with Tree() as tree:
        os.makedirs(tree.root + "/proc/device-tree/firmware/coreboot")
        os.symlink("/etc/passwd", tree.root + "/proc/device-tree/firmware/coreboot/reg")
        refused("a link out of the tree stays inside it", tree, "devicetree", "no coreboot node")


def main():
    check_sysfs()
    check_devmem()
    check_iomem()
    check_devmem_denied()
    check_devmem_hostile()
    check_devicetree()
    check_fpdt()
    check_loader()
    check_systemd()
    check_journal()
    check_login()
    check_together()
    check_add()
    check_privilege()
    check_usage()
    finish()


main()
