#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Recordings made to be slow: eight times as large a one must not cost the square of eight as much.

Counts instructions, which a busy machine does not change. Prints TAP.
Usage: boot_growth.py HADAL.
"""
import json
import re
import struct
import subprocess
import sys
import tempfile

from lbio import lbio
from tap import finish, ok

HADAL = sys.argv[1]
SMALL, FACTOR = 500, 8

# 8 for what grows as the recording does, 8.6 where it is sorted, and 64 for what grows as its square;
# JSON's hash tables, whose seed is drawn, make a few per cent of difference.
LIMIT = 10


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


FORMATS = ("table", "json", "perfetto", "openmetrics", "html", "svg")
STAMP_FORMATS = ("cbmem", "parseable", "folded")

SPANS = {
    "spans of many sources": spans,
    "spans of one name": lambda n: document(spans=json.loads(spans(n))["spans"][:1] * n),
    "spans of the kernel's clock": lambda n: spans(n, clock="kernel"),
    "damage": lambda n: document(spans=json.loads(spans(1))["spans"] + [{"of_stamps": False}] * n, damage=["x"] * n,
                                 notes=["y"] * n),
}
STAMPS = {"named stamps": json_stamps, "stamps": starts}
TEXT = {"text": text}
DIRECTORIES = {"a directory": lambda n: directory(4 * n), "records": records}


def instructions(*args):
    """How many the tool takes, and its exit status."""
    tool = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", HADAL, *args],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    return int(re.search(rb"Collected : (\d+)", tool.stderr)[1]), tool.returncode


# What starting the tool takes, whatever it then does.
START, _ = instructions("--version")


def cost(data, *args):
    """How many instructions @data takes, and the exit status."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        count, status = instructions("boot", *args, "-i", file.name)
    return count - START, status


def check(inputs, formats, *verb):
    for name, make in inputs.items():
        for fmt in formats:
            small, _ = cost(make(SMALL), *verb, f"--format={fmt}")
            large, status = cost(make(SMALL * FACTOR), *verb, f"--format={fmt}")
            ok(0 <= status <= 4 and small > 0 and large < LIMIT * small,
               f"{name}: {' '.join((*verb, fmt))}, {large / small:.2f} times", small, large, status)


def main():
    check(SPANS, FORMATS)
    check(STAMPS, (*FORMATS, *STAMP_FORMATS))
    check(TEXT, ("table",))
    check(DIRECTORIES, ("cbmem", "table", "json"), "list")
    finish()


main()
