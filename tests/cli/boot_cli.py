#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The real `hadal boot` on what users give it: good, bad and hostile.

Prints TAP. Usage: boot_cli.py HADAL DATA SCHEMA-FOLDER.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

import jsonschema

from lbio import lbio
from tap import finish, ok

HADAL, DATA, SCHEMA = sys.argv[1:4]
TABLE = os.path.join(DATA, "q35-tsc/timestamps.bin")
NOBODY = 65534


def run(*args, stdin=None, **more):
    return subprocess.run([HADAL, "boot", *args], input=stdin, capture_output=True, check=False,
                          env={"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]}, **more)


def expect(name, status, args, *words, stdin=None, empty=False, **more):
    """Runs it and wants a status, words in the messages, and one message (or none) of each."""
    done = run(*args, stdin=stdin, **more)
    err = done.stderr.decode()
    good = done.returncode == status and all(w in err for w in words) and \
        (not empty or not done.stdout) and "Sanitizer" not in err
    ok(good, name, f"status {done.returncode}, wanted {status}", err, done.stdout[:300])
    return done.stdout.decode()


def check_usage():
    expect("an argument too many", 2, ["-i", TABLE, "x"], "'x' is one argument too many")
    expect("an unknown option", 2, ["--frobnicate"], "hadal boot: unrecognized option '--frobnicate'", "--help")
    expect("an unknown option of list", 2, ["list", "--frobnicate"], "hadal boot: unrecognized", "--help")
    expect("an unknown format", 2, ["-i", TABLE, "--format=xml"], "no such format")
    expect("a format that list has not", 2, ["list", "-i", TABLE, "--format=folded"], "list has")
    expect("an unknown colour", 2, ["-i", TABLE, "--color=blue"], "auto, always or never")
    for bad in ("", "x", "-5", "+5", " 5", "5 ", "0", "4294967296", "1e6", "99999999999999999999"):
        expect(f"--tick-khz={bad!r}", 2, ["-i", TABLE, f"--tick-khz={bad}"], "number of kHz")
    for bad in ("", "0x", "0xg", "-1", "0x10000000000000000"):
        expect(f"--base={bad!r}", 2, ["-i", TABLE, f"--base={bad}"], "an address like")


def check_files(scratch):
    missing = os.path.join(scratch, "missing")
    expect("no such file", 4, ["-i", missing], missing, "No such file", "Name a recording")
    expect("a directory", 4, ["-i", scratch], "Is a directory", "Name a recording")
    empty = os.path.join(scratch, "empty")
    open(empty, "w").close()
    expect("an empty file", 4, ["-i", empty], "is empty", "It should be")
    expect("an empty pipe", 4, ["-i", "-"], "is empty", stdin=b"")
    expect("zeros", 4, ["-i", "-"], "no recording of a kind", stdin=bytes(4096))
    expect("prose", 4, ["-i", "-"], "no recording of a kind", stdin=b"hello\n")
    expect("a table on standard input", 0, ["-i", "-"], stdin=open(TABLE, "rb").read())
    secret = os.path.join(scratch, "secret")
    open(secret, "w").close()
    os.chmod(secret, 0)
    os.chmod(scratch, 0o755)
    if os.getuid() == 0:
        os.chmod(os.path.dirname(HADAL), 0o755)
        expect("a file that nobody may read", 3, ["-i", secret], "Permission denied", "as a user who may",
               user=NOBODY)
    else:
        expect("a file that nobody may read", 3, ["-i", secret], "Permission denied", "as a user who may")


def check_output(scratch):
    path = os.path.join(scratch, "out.json")
    out = expect("-o FILE", 0, ["-i", TABLE, "--json", "-o", path])
    ok(out == "" and json.load(open(path, encoding="utf-8"))["verb"] == "boot", "-o FILE holds the result")
    expect("-o in a folder that is not there", 3, ["-i", TABLE, "-o", missing_folder(scratch)],
           "cannot be written", "Choose another file")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([HADAL, "boot", "-i", TABLE], stdout=full, stderr=subprocess.PIPE, check=False)
    ok(done.returncode == 3 and b"not all was written: No space" in done.stderr, "a full disk", done)
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run([HADAL, "boot", "-i", TABLE], stdout=write_end, stderr=subprocess.PIPE, check=False)
    os.close(write_end)
    ok(done.returncode == 0 and not done.stderr, "a reader that went away", done)
    colored = expect("--color=always", 0, ["-i", TABLE, "--color=always"])
    plain = expect("--color=auto into a pipe", 0, ["-i", TABLE])
    machine = expect("a machine format is never coloured", 0, ["-i", TABLE, "--color=always", "--json"])
    ok("\033[" in colored and "\033" not in plain and "\033" not in machine, "colour where it is wanted")


def missing_folder(scratch):
    return os.path.join(scratch, "no/such/folder")


def check_damage(scratch):
    data = bytearray(open(TABLE, "rb").read())
    data[12:16] = (5000).to_bytes(4, "little")
    out = expect("a count beyond the table", 4, ["-i", "-", "--format=cbmem"],
                 "says it holds 5000 stamps in room for 192", stdin=bytes(data))
    ok("selfboot jump" in out and "192 entries total" in out, "sound entries are still shown")
    out = expect("a table cut short", 4, ["-i", "-", "--format=parseable"], "cut short, 3 of 26",
                 stdin=open(TABLE, "rb").read(16 + 3 * 12))
    ok(len(out.splitlines()) == 4, "the entries that are there are shown", out)
    expect("-v says what was found", 0, ["-v", "-i", TABLE], "26 stamps from a timestamp table",
           "2100000 kHz, says the timestamp table")
    expect("-q says nothing of it", 4, ["-q", "-i", "-"], stdin=bytes(data))
    forward = os.path.join(DATA, "q35/cbtable-fwd.bin")
    expect("a forward alone", 4, ["-i", forward], "0x1fd84000", "holds no timestamps")
    table = os.path.join(DATA, "q35/cbtable.bin")
    expect("a coreboot table alone", 4, ["-i", table], "0x1fedd000, which is not in this file")
    expect("its list", 0, ["list", "-i", table])
    page = b"<!DOCTYPE html><html><body>404 at 12:30 4</body></html>\n"
    expect("a web page", 4, ["-i", "-"], "no recording of a kind", stdin=page)
    names = os.path.join(scratch, "names")
    with open(names, "w", encoding="utf-8") as file:
        file.write("4242 my payload\nno number\n")
    unknown = os.path.join(DATA, "synth/unknown-id.bin")
    out = expect("a names file with a bad line", 4, ["-i", unknown, "--names", names], "line 2")
    ok("my payload" in out and "ID 1500" in out, "names are used, unknown IDs shown by number", out)
    expect("a names file that is not there", 4, ["-i", unknown, "--names", names + "x"], "No such file")


def write_image(path, folder):
    """An image of all memory, with the dumps of one machine where they were."""
    with open(path, "wb") as file:
        file.truncate(0x20000000)
        for line in open(os.path.join(DATA, folder, "regions.txt"), encoding="utf-8"):
            if not line.startswith("#"):
                name, address, _ = line.split()
                file.seek(int(address, 16))
                file.write(open(os.path.join(DATA, folder, name), "rb").read())


def check_list(scratch):
    area = os.path.join(scratch, "area")
    with open(area, "wb") as file:
        for part in ("imd-small.bin", "imd-root.bin"):
            file.write(open(os.path.join(DATA, "q35", part), "rb").read())
    out = expect("the top of a CBMEM area", 4, ["list", "-i", area, "--format=table"],
                 "is damaged or outside this file")
    ok("ROMSTG STCK" in out and "unknown" in out, "its small entries are listed", out)
    old = os.path.join(scratch, "old")
    write_image(old, "q35-2015")
    expect("entries that only the directory knows", 0, ["list", "-i", old],
           "8 entries that the coreboot table does not list", "--format=table")
    out = expect("are in our own format", 0, ["list", "-i", old, "--format=table"])
    ok("TIME STAMP            54494d45  000000001ffdd000" in out, "with their addresses", out)
    for folder in ("q35", "q35-tsc", "q35-neg", "q35-full"):
        write_image(old, folder)
        done = run("list", "-i", old)
        ok(done.returncode == 0 and not done.stderr, f"directories, which no table lists, are not missed: {folder}",
           done)


def check_where_other_readers_fail():
    """What the crafted dumps of the unit tests do not cover: frequency, rounding, addresses."""
    base = 0x123456789000
    table = open(TABLE, "rb").read()
    image = bytearray(0x3000)
    image[:0x100] = lbio([(0x31, struct.pack("<QII", base + 0x2000, len(table), 0x54494d45))]).ljust(0x100, b"\0")
    image[0x2000:0x2000 + len(table)] = table
    want = run("-i", TABLE, "--format=cbmem").stdout
    out = expect("addresses above 4 GiB", 0, ["-i", "-", f"--base={base:#x}", "--format=cbmem"], stdin=bytes(image))
    ok(out.encode() == want, "give the same stamps")
    out = expect("a counter slower than 1 MHz", 0, ["-i", "-", "--tick-khz=500", "--format=parseable"],
                 stdin=struct.pack("<QHHI", 0, 30, 0, 1) + struct.pack("<Iq", 11, 1000))
    ok(out == "0\t0\t0\t1st timestamp\n11\t2000\t2000\tstart of bootblock\n", "has its times", out)
    doc = json.loads(run("-i", os.path.join(DATA, "synth/truncated-steps.bin"), "--json").stdout)
    ok(doc["stamps"][-1]["time_ns"] == 4997 and
       [s["duration_ns"] for s in doc["spans"][1:]] == [0, 999, 999],
       "steps below a microsecond are not lost", doc["spans"])
    done = run("-i", os.path.join(DATA, "q35-full/timestamps.bin"))
    ok(done.returncode == 0 and b"192 timestamps" in done.stdout, "a full table", done)


def check_json():
    schema = json.load(open(os.path.join(SCHEMA, "boot.json"), encoding="utf-8"))
    list_schema = json.load(open(os.path.join(SCHEMA, "boot-list.json"), encoding="utf-8"))
    for folder, _, files in sorted(os.walk(DATA)):
        for name in sorted(files):
            if not name.endswith(".bin") or name.startswith("dt-"):
                continue
            path = os.path.join(folder, name)
            if name.startswith("imd-small"):
                expect(f"{name} alone, without the root it hangs on", 4, ["list", "-i", path], "is no recording")
                continue
            verb = ["list"] if name.startswith(("cbtable", "imd")) else []
            done = run(*verb, "-q", "-i", path, "--json")
            try:
                doc = json.loads(done.stdout)
                jsonschema.validate(doc, list_schema if verb else schema)
                problem = None
            except (ValueError, jsonschema.ValidationError) as error:
                problem = error
            ok(problem is None, f"{os.path.relpath(path, DATA)} fits its schema", problem, done)
    doc = json.loads(run("-i", TABLE, "--json").stdout)
    stamps = doc["stamps"]
    ok(doc["tick_khz"] == 2100000 and doc["origin"] == "counter zero" and
       stamps[-1]["id"] == 99 and int(stamps[-1]["tick"], 16) * 1000000 // 2100000 == stamps[-1]["time_ns"],
       "times are ticks over frequency")
    again = run("-i", "-", "--json", stdin=json.dumps(doc).encode())
    doc2 = json.loads(again.stdout)
    ok([(s["id"], s["time_ns"]) for s in doc2["stamps"]] == [(s["id"], s["time_ns"]) for s in stamps] and
       [s["duration_ns"] for s in doc2["spans"]] == [s["duration_ns"] for s in doc["spans"]],
       "a document reads back to the same times")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        check_usage()
        check_files(scratch)
        check_output(scratch)
        check_damage(scratch)
        check_list(scratch)
    check_where_other_readers_fail()
    check_json()
    finish()


main()
