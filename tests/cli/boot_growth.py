#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Recordings made to be slow: eight times as large a one must not cost the square of eight as much.

Compares processor time with processor time of the same machine, never with a clock. Prints TAP.
Usage: boot_growth.py HADAL.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

from lbio import lbio
from tap import finish, ok

HADAL = sys.argv[1]
SMALL, FACTOR = 5000, 8

# Between 8 for what grows as the recording does and 64 for what grows as its square.
LIMIT = 16

# Below this the machine's own doings count for more than the tool's.
FLOOR_SECONDS = 0.05


def document(**parts):
    doc = {"hadal": {"version": "0", "format": 1}, "verb": "boot", "tick_khz": 1000, "base_tick": "0x0", "stamps": []}
    return json.dumps({**doc, **parts}).encode()


def spans(n, name="span", source="source", clock="counter"):
    return document(spans=[{"name": f"{name}{i}", "source": f"{source}{i}", "clock": clock, "start_ns": i % 977,
                            "duration_ns": i, "of_stamps": False, "doubtful": None, "depth": i} for i in range(n)])


def json_stamps(n):
    return document(stamps=[{"id": 5000 + i, "name": f"stamp {i}", "tick": hex(i * 7919 % 65521)} for i in range(n)])


def table(n, ids):
    return struct.pack("<QHHI", 0, n, 1, n) + b"".join(
        struct.pack("<Iq", ids[i % len(ids)], i * 7919 % 65521) for i in range(n))


def starts(n):
    """Every range's start again and again, and every end."""
    return table(n, [1, 2, 30, 40, 50, 60, 70, 75, 80, 85, 15, 16, 100, 101, 500, 501, 950, 951, 3, 4])


def text(n):
    return b"".join(b"%4d:stamp %d   %d\n" % (5000 + i, i, i * 3) for i in range(n)) + b"\nTotal Time: 5\n"


def directory(n):
    """A CBMEM directory far larger than one is, each entry another."""
    entry = [struct.pack("<IiII", 0x3fc76b7e, 0, 16, 0x10000000 + i) for i in range(n)]
    room = (20 + 16 * n + 8 + 4095) // 4096 * 4096
    root = struct.pack("<IIIIi", n, n, 0, 4096, 0) + b"".join(entry)
    return root.ljust(room - 8, b"\0") + struct.pack("<Ii", 0xc0389481, -(room - 8))


def records(n):
    """A coreboot table of entry records."""
    return lbio([(0x31, struct.pack("<QII", i * 64, 16, 0x10000000 + i)) for i in range(n)])


INPUTS = {
    "spans of many sources": spans,
    "spans of one name": lambda n: document(spans=json.loads(spans(n))["spans"][:1] * n),
    "spans of the kernel's clock": lambda n: spans(n, clock="kernel"),
    "named stamps": json_stamps,
    "stamps": starts,
    "text": text,
    "a directory": lambda n: directory(4 * n),
    "records": records,
    "damage": lambda n: document(spans=[{"of_stamps": False}] * n, damage=["x"] * n, notes=["y"] * n),
}
FORMATS = ("table", "cbmem", "parseable", "folded", "json", "perfetto", "openmetrics", "html", "svg")


def seconds(data, *args):
    """Processor time that the tool takes for @data."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        tool = subprocess.Popen([HADAL, "boot", *args, "-i", file.name], stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(tool.pid, 0)
        tool.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, tool.returncode


def check(name, make, *args):
    small, _ = seconds(make(SMALL), *args)
    large, status = seconds(make(SMALL * FACTOR), *args)
    ok(0 <= status <= 4 and large < LIMIT * max(small, FLOOR_SECONDS), f"{name}: {' '.join(args)}", small, large, status)


def main():
    for name, make in INPUTS.items():
        for fmt in FORMATS:
            check(name, make, f"--format={fmt}")
    for name in ("a directory", "records"):
        check(name, INPUTS[name], "list")
    finish()


main()
