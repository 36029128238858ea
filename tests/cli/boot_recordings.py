#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every recorded run of coreboot's tool, compared byte for byte with hadal on the same bytes.

Prints TAP. Usage: boot_recordings.py HADAL DATA. Each .txt file of the data is either compared
or listed below with the reason why not, and with what hadal answers instead.
"""
import os
import subprocess
import sys
import tempfile

from tap import finish, ok

HADAL, DATA = sys.argv[1], sys.argv[2]
FORMATS = {"t": "cbmem", "T": "parseable", "S": "folded", "l": None}

# Tables without a frequency: coreboot's tool took the machine's cpuinfo_max_freq, given here.
TICK_KHZ = {"q35": 2100000, "q35-neg": 2100000, "q35-full": 2100000, "q35-s3": 2100000,
            "q35-2015": 2100000, "synth/freq0": 2100000, "synth/max30": 1000}

# Recorded runs that did not exit 0 with output, and runs of another tool.
ANSWERS = {
    "q35/cbmem-t-nocpufreq.txt": "gave up without cpufreq; hadal shows ticks and says so",
    "synth/freq0-nofile.t.txt": "gave up without cpufreq; hadal shows ticks and says so",
    "synth/freq0-nofile.T.txt": "gave up without cpufreq; hadal shows ticks and says so",
    "synth/freq0-nofile.S.txt": "gave up without cpufreq; hadal shows ticks and says so",
    "virt-arm64/cbmem-a.txt": "refused to add a stamp; no listing",
    "q35-2015/cbmem2015-l.txt": "the tool of 2015, its addresses off by 0xff8; read as text",
    "q35-2015/cbmem2015-t.txt": "the tool of 2015, with its labels; read as text",
    "q35/iomem.txt": "no output of the tool", "sysfs-linux-6.1.txt": "no output of the tool",
    "sysfs-linux-6.12-cbmem-driver.txt": "no output of the tool",
    "sysfs-linux-6.12-no-cbmem-driver.txt": "no output of the tool",
}


def run(*args):
    done = subprocess.run([HADAL, "boot", *args], capture_output=True, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def compare(name, expected, args):
    status, out, err = run(*args)
    want = open(os.path.join(DATA, expected), encoding="utf-8").read()
    same = out == want
    ok(same and status == 0, name, *([] if same and status == 0 else
                                     [" ".join(args), f"status {status}", err.strip()] +
                                     [f"want: {w!r}  have: {h!r}" for w, h in
                                      zip(want.splitlines(), out.splitlines()) if w != h][:3]))


def regions(directory):
    for line in open(os.path.join(DATA, directory, "regions.txt"), encoding="utf-8"):
        if not line.startswith("#"):
            name, address, length = line.split()
            yield name, int(address, 16), int(length, 16)


def make_image(directory, state, path):
    """A memory image with each dump at its address, as sparse as the file system has it."""
    parts = list(regions(directory))
    base = 0 if parts[0][1] < 0x100000 else min(p[1] for p in parts)
    with open(path, "wb") as image:
        for name, address, length in parts:
            if name.startswith("timestamps") and state:
                name = f"timestamps-{state}.bin"
            data = open(os.path.join(DATA, directory, name), "rb").read()
            assert len(data) == length, name
            image.seek(address - base)
            image.write(data)
        image.truncate((max(p[1] + p[2] for p in parts) + 4095 - base) // 4096 * 4096)
    return base


def frequency(key, table):
    mhz = int.from_bytes(open(table, "rb").read()[10:12], "little")
    return [] if mhz or key not in TICK_KHZ else [f"--tick-khz={TICK_KHZ[key]}"]


def check_machine(directory, name, scratch):
    """cbmem-OPTION[-STATE].txt: from the table alone, and from an image of the memory."""
    option, _, state = name[len("cbmem-"):-len(".txt")].partition("-")
    table = os.path.join(DATA, directory, f"timestamps{'-' + state if state else ''}.bin")
    if not os.path.exists(table):
        table = os.path.join(DATA, directory, "timestamps-resume.bin")
    expected = f"{directory}/{name}"
    args = frequency(directory, table)
    fmt = [f"--format={FORMATS[option]}"] if FORMATS[option] else []
    if option != "l":
        compare(f"{expected} from the table", expected, ["-i", table, *args, *fmt])
    image = os.path.join(scratch, "image")
    base = make_image(directory, state if state not in ("", "resume") else "", image)
    verb = ["list"] if option == "l" else []
    where = [f"--base={base:#x}"] if base else []
    if option == "l":
        args = []
    compare(f"{expected} from memory", expected, [*verb, "-i", image, *where, *args, *fmt])
    os.unlink(image)


def check_synth(name):
    stem, option, _ = name.rsplit(".", 2)
    table = os.path.join(DATA, "synth", stem + ".bin")
    compare(f"synth/{name}", f"synth/{name}", ["-i", table, f"--format={FORMATS[option]}",
                                               *frequency(f"synth/{stem}", table)])


def check_unknown_frequency():
    """Where the tool printed nothing for want of a frequency: ticks, a warning, status 0."""
    for table in ("q35/timestamps.bin", "synth/freq0-nofile.bin"):
        for fmt in ("cbmem", "parseable", "folded", "table"):
            status, out, err = run("-i", os.path.join(DATA, table), f"--format={fmt}")
            ok(status == 0 and out and "in ticks" in err and "--tick-khz" in err,
               f"{table} as {fmt} without a frequency", *err.splitlines())
    status, out, _ = run("-i", os.path.join(DATA, "q35/timestamps.bin"), "--format=parseable")
    ok(out.splitlines()[0] == "0\t5035364\t0\t1st timestamp", "ticks are the stored ones",
       out.splitlines()[0])


def main():
    names = sorted(os.path.relpath(os.path.join(folder, f), DATA)
                   for folder, _, files in os.walk(DATA) for f in files if f.endswith(".txt"))
    with tempfile.TemporaryDirectory() as scratch:
        for name in names:
            directory, leaf = os.path.split(name)
            if leaf == "regions.txt":
                continue
            if name in ANSWERS:
                print(f"# {name}: {ANSWERS[name]}")
            elif directory == "synth":
                check_synth(leaf)
            else:
                check_machine(directory, leaf, scratch)
    check_unknown_frequency()
    finish()


main()
