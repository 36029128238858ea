#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""`hadal boot compare` on dumps of emulated machines, on pasted listings and on made-up tables.

Prints TAP. Usage: boot_compare.py HADAL DATA SCHEMA-FOLDER.
"""
import json
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import jsonschema

from tap import finish, ok

HADAL, DATA, SCHEMA = sys.argv[1:4]


def run(*args):
    return subprocess.run([HADAL, "boot", "compare", *args], capture_output=True, check=False,
                          env={"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]})


def document(*args):
    doc = json.loads(run("--json", *args).stdout)
    jsonschema.validate(doc, json.load(open(os.path.join(SCHEMA, "boot-compare.json"), encoding="utf-8")))
    return doc


def table(path, *stamps, base=0):
    """A timestamp table at 1 MHz, of (ID, microseconds)."""
    with open(path, "wb") as file:
        file.write(struct.pack("<QHHI", base, 192, 1, len(stamps)))
        for stamp in stamps:
            file.write(struct.pack("<Iq", *stamp))
    return path


def ranking(doc):
    return [s["name"] for s in doc["spans"] if s["change_ns"]]


def check_resume():
    """A cold boot and its resume: both went through the same stages, the resume skipped the drivers."""
    boots = [os.path.join(DATA, "q35-s3", f"timestamps-{kind}.bin") for kind in ("boot", "resume")]
    doc = document(*boots, "--tick-khz=2100000")
    changes = [s["change_ns"] for s in doc["spans"] if s["change_ns"] is not None]
    ok(ranking(doc)[:2] == ["LZMA decompress", "load ramstage"] and ranking(doc)[-1] == "device initialization" and
       changes == sorted(changes, reverse=True), "cold and resumed: what got slower first", ranking(doc))
    wake = next(s for s in doc["spans"] if s["name"] == "ACPI wake jump")
    ok(wake["duration_ns"][0] is None and wake["duration_ns"][1] > 0 and wake["change_ns"] is None,
       "what only one has is not ranked", wake)
    before = next(s for s in doc["spans"] if s["name"] == "before the first stamp")
    ok(before["duration_ns"][1] is None and doc["left_out"] == 1,
       "the time before a resume is no part of it", before, doc["left_out"])
    unknown = os.path.join(DATA, "q35/timestamps.bin")
    done = run(unknown, unknown)
    ok(done.returncode == 4 and b"frequency is unknown" in done.stderr and b"--tick-khz" in done.stderr,
       "ticks of unknown length are not compared", done)


def check_listings(scratch):
    """Three listings as people paste them, one of each kind."""
    listing = open(os.path.join(DATA, "q35-tsc/cbmem-t.txt"), encoding="utf-8").read()
    slower = listing.replace("148,020 (998)", "158,020 (10,998)")
    paths = []
    for i, (text, name) in enumerate(((listing, "plain"), ("> " + listing.replace("\n", "\n> "), "quoted"),
                                      (slower, "slower"))):
        paths.append(os.path.join(scratch, name))
        with open(paths[i], "w", encoding="utf-8") as file:
            file.write(text)
    doc = document(*paths)
    total = doc["total"]["duration_ns"]
    ok(total[0] == total[1] == total[2] - 10_000_000, "three pasted listings", total)
    ok(ranking(doc) == ["selfboot jump"] and doc["spans"][0]["change_ns"] == 5_000_000,
       "the mean of the later ones against the first", doc["spans"][0])
    values = doc["spans"][0]["duration_ns"]
    ok(doc["spans"][0]["min_ns"] == min(values) and doc["spans"][0]["max_ns"] == max(values) and
       doc["spans"][0]["mean_ns"] == int(statistics.mean(values)) and
       abs(doc["spans"][0]["deviation_ns"] - statistics.stdev(values)) < 1, "their spread", doc["spans"][0])


def check_alignment(scratch):
    old = table(os.path.join(scratch, "old"), (11, 0), (30, 100), (40, 300), (99, 400))
    new = table(os.path.join(scratch, "new"), (11, 0), (30, 50), (31, 100), (40, 350), (99, 450))
    doc = document(old, new)
    row = next(s for s in doc["spans"] if s["name"] == "device enumeration")
    ok(row["duration_ns"] == [200_000, 250_000], "ID 30 of old firmware is 31 of new", doc["spans"])
    one = table(os.path.join(scratch, "one"), (15, 0), (16, 10), (15, 20), (16, 50), base=7)
    two = table(os.path.join(scratch, "two"), (15, 0), (16, 20), (15, 30), (16, 50), base=9)
    rows = [s["duration_ns"] for s in document(one, two)["spans"] if s["name"] == "LZMA decompress"]
    ok(rows == [[10_000, 20_000], [30_000, 20_000]], "the second of an ID is compared with the second", rows)
    full = table(os.path.join(scratch, "full"), *((15, i) for i in range(192)))
    big = os.path.join(scratch, "big")
    with open(big, "wb") as file:
        file.write(struct.pack("<QHHI", 0, 65535, 1, 65535))
        file.write(b"".join(struct.pack("<Iq", 15, i) for i in range(65535)))
    start = time.monotonic()
    done = run(full, big)
    ok(done.returncode == 0 and time.monotonic() - start < 60, "65535 of one ID take no square", done.returncode)


def check_limit(scratch):
    base = table(os.path.join(scratch, "a"), (11, 0), (99, 100_000))
    more = table(os.path.join(scratch, "b"), (11, 0), (99, 110_000))
    for limit, status in (("5%", 1), ("10%", 0), ("9.9%", 1), ("20ms", 0), ("10ms", 0), ("9999us", 1), ("0.01s", 0),
                          ("9999999ns", 1), ("0%", 1)):
        done = run(base, more, f"--limit={limit}")
        word = b"exceeded" if status else b"kept"
        ok(done.returncode == status and b"The limit is " + word in done.stdout, f"--limit={limit}", done)
    ok(run(more, base, "--limit=0%").returncode == 0, "faster is within any limit")
    for bad in ("", "5", "%", "-5%", "5 %", "5m", "x", "nan%", "inf%"):
        ok(run(base, more, f"--limit={bad}").returncode == 2, f"--limit={bad!r} is refused")


def check_usage(scratch):
    base = table(os.path.join(scratch, "a"), (11, 0), (99, 100_000))
    ok(run().returncode == 2, "no boots")
    ok(run(base).returncode == 2, "one boot")
    ok(run(base, base, "--format=folded").returncode == 2, "a format that compare has not")
    ok(run(base, base, "-i", base).returncode == 2, "-i")
    done = run(base, os.path.join(scratch, "missing"))
    ok(done.returncode == 4 and b"missing" in done.stderr, "a boot that is not there", done)
    done = run(base, "live", f"--root={scratch}")
    ok(done.returncode == 3 and b"live" in done.stderr, "a machine that has nothing", done)
    stamps = os.path.join(scratch, "sys/bus/coreboot/devices/cbmem-54494d45")
    os.makedirs(stamps)
    table(os.path.join(stamps, "mem"), (11, 0), (99, 120_000))
    done = run(base, "live", f"--root={scratch}", "--limit=10%")
    ok(done.returncode == 1 and b"+20.000" in done.stdout, "a recording and a machine", done)
    damaged = os.path.join(scratch, "damaged")
    with open(damaged, "wb") as file:
        file.write(open(base, "rb").read()[:-12])
    done = run(base, damaged)
    ok(done.returncode == 4 and b"cut short" in done.stderr and b"total" in done.stdout, "a damaged one", done)


def main():
    check_resume()
    with tempfile.TemporaryDirectory() as scratch:
        check_listings(scratch)
        check_alignment(scratch)
        check_limit(scratch)
        check_usage(scratch)
    finish()


main()
