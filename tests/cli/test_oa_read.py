#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hadal oa read: recordings of several generations against a second decoder, formats, bad input.

Prints TAP. Usage: test_oa_read.py HADAL TESTS SCHEMAS
"""
import contextlib
import csv
import io
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

import jsonschema

import oa_decode
from tap import finish, ok, skip

HADAL, TESTS, SCHEMAS = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
RECORDINGS = TESTS / "data/oa-recordings"
XML = {gen: TESTS / f"data/oa-xml/oa-{name}.xml" for gen, name in {
    "hsw": "hsw", "bdw": "bdw", "skl": "sklgt2", "icl": "icl", "tgl": "tglgt2", "adl": "adl",
    "dg2": "acmgt1", "mtl": "mtlgt2"}.items()}
SCHEMA = json.loads((SCHEMAS / "oa-read.json").read_text(encoding="utf-8"))
READER = shutil.which("i915-perf-reader")
SKL, SKL_XML = RECORDINGS / "skl", XML["skl"]


def run(*args, data=None, verb="read"):
    """Status, standard output and standard error."""
    done = subprocess.run([HADAL, "oa", verb, *map(str, args)], input=data, capture_output=True,
                          check=False, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def read_json(*args, data=None):
    """Status, document and standard error."""
    status, out, err = run("--json", *args, data=data)
    document = json.loads(out)
    jsonschema.validate(document, SCHEMA)
    return status, document, err


def spell(value):
    """A value as the tool writes it."""
    return str(value) if isinstance(value, int) else f"{value:.6f}"


def compare_csv(name, path, xml, rows):
    """Every value of every interval."""
    status, out, err = run("--format=csv", path, xml)
    have = list(csv.reader(io.StringIO(out)))
    names = list(rows[0][3])
    want = [["start_ns", "duration_ns", "reason", "context", *names]]
    want += [[str(start), str(duration), reason, "", *(spell(values[n]) for n in names)]
             for start, duration, reason, values in rows]
    wrong = [(n, h, w) for n, (have_row, want_row) in enumerate(zip(have, want))
             for h, w in zip(have_row, want_row) if h != w]
    same = status == 0 and not err and have == want
    ok(same, f"{name}: {len(rows)} intervals of {len(names)} counters as the second decoder has them",
       f"status {status}", err, f"{len(have)} lines, wanted {len(want)}", *wrong[:5])


def compare_json(name, path, xml, rows, whole):
    """The same values as numbers, and those over the whole recording."""
    status, document, err = read_json(path, xml)
    have = [(i["start_ns"], i["duration_ns"], i["reason"], i["values"]) for i in document["intervals"]]
    want = [(start, duration, reason, {n: float(spell(v)) for n, v in values.items()})
            for start, duration, reason, values in rows]
    ok(status == 0 and have == want, f"{name}: JSON has the same", f"status {status}", err)
    ok(document["whole"] == {n: float(spell(v)) for n, v in whole.items()},
       f"{name}: and over the whole recording")
    ok(document["complete"] and document["reports"] == len(rows) + 1 and document["origin_ns"],
       f"{name}: complete, {document['reports']} reports, of a known time")


def compare_table(name, path, xml, rows, whole):
    """Whole, least and most of each counter."""
    status, out, err = run(path, xml)
    lines = [line.split() for line in out.splitlines()[4:]]
    want = [[n, spell(whole[n]), spell(min(row[3][n] for row in rows)),
             spell(max(row[3][n] for row in rows))] for n in whole]
    ok(status == 0 and [line[:4] for line in lines] == want, f"{name}: the table has the same",
       f"status {status}", err, *[f"{h} {w}" for h, w in zip(lines, want) if h[:4] != w][:5])


def compare_perfetto(name, path, xml, rows):
    """A counter event for each value."""
    status, out, _ = run("--format=perfetto", path, xml)
    events = [e for e in json.loads(out)["traceEvents"] if e["ph"] == "C"]
    want = [(start, float(spell(v))) for start, _, _, values in rows for v in values.values()]
    have = [(round(e["ts"] * 1000), e["args"]["value"]) for e in events]
    ok(status == 0 and have == want, f"{name}: trace events have the same", f"status {status}")


def other_reader(path):
    """Each interval's values as i915-perf-reader prints them, those over the whole first."""
    out = subprocess.run([READER, "-r", "-c", "all", path], capture_output=True, text=True, check=True,
                         timeout=60).stdout
    blocks = re.split(r"^ report\d+ = .*$|^hw_id=.*$", out, flags=re.MULTILINE)[1:]
    return [dict(re.findall(r"^ +(\w+): (\S+)$", block, re.MULTILINE)) for block in blocks]


def near(ours, theirs):
    """It computes in single precision, and some integers through it."""
    return abs(ours - theirs) <= 2e-6 * max(abs(ours), abs(theirs), 1)


def compare_reader(name, path, rows, whole):
    """What the distribution's tool prints, for the counters that both have."""
    if not READER:
        skip(f"{name}: as i915-perf-reader has it", "i915-perf-reader is not installed")
        return
    if name == "mtl":
        skip(f"{name}: as i915-perf-reader has it", "1.27.1 does not shift Meteor Lake's timestamps")
        return
    blocks = [block for block in other_reader(path) if block]
    wrong = [(n, key, values[key], block[key])
             for n, (block, values) in enumerate(zip(blocks, [whole, *(row[3] for row in rows)]))
             for key in block.keys() & values.keys() if not near(values[key], float(block[key]))]
    both = len(blocks[0].keys() & whole.keys())
    ok(len(blocks) == len(rows) + 1 and both > 5 and not wrong,
       f"{name}: {both} counters as i915-perf-reader has them", len(blocks), *wrong[:5],
       blocks[0].keys() ^ whole.keys())


def test_recordings():
    """All recordings there are."""
    for path in sorted(RECORDINGS.glob("[a-z]*")):
        xml = XML[path.name.split("-")[0]]
        rows, whole = oa_decode.decode(path.read_bytes(), xml)
        ok(len(rows) > 10 and len(whole) > 5, f"{path.name}: there is something to compare")
        compare_csv(path.name, path, xml, rows)
        compare_json(path.name, path, xml, rows, whole)
        compare_table(path.name, path, xml, rows, whole)
        compare_perfetto(path.name, path, xml, rows)
        compare_reader(path.name, path, rows, whole)


def split(data):
    """The records of a recording, whole."""
    at = 0
    while at < len(data):
        size = struct.unpack_from("<H", data, at + 6)[0]
        yield data[at:at + size]
        at += size


def record(kind, body=b""):
    return struct.pack("<IHH", kind, 0, 8 + len(body)) + body


def test_ways_in():
    """Pipes and spellings."""
    data = SKL.read_bytes()
    direct = run("--format=csv", SKL, SKL_XML)
    ok(run("--format=csv", "-", SKL_XML, data=data) == direct, "- is standard input")
    ok(run("--format=csv", SKL, "-", data=SKL_XML.read_bytes()) == direct,
       "the metric file may be standard input too")
    ok(run("--format=csv", SKL, XML["bdw"], XML["tgl"], SKL_XML) == direct,
       "the set is found among several files")
    ok(run("-", "-", SKL_XML)[0] == 2, "standard input twice is a usage error")
    ok(run()[0] == 2 and run(SKL)[0] == 2, "both a recording and a metric file are needed")
    ok(run("--format=xml", SKL, SKL_XML)[0] == 2, "a format nobody knows is a usage error")


def interrupted(theirs, ours, closes):
    """Status and document of a run whose input is half of a recording, a SIGINT, the rest, and an end or none."""
    data = SKL.read_bytes()
    caught = re.compile(r"^SigCgt:\s*(\w+)$", re.MULTILINE)
    with subprocess.Popen([HADAL, "oa", "read", "--json", "-", SKL_XML], stdin=theirs,
                          stdout=subprocess.PIPE) as tool:
        ours.write(data[:len(data) // 2])
        state = pathlib.Path(f"/proc/{tool.pid}/status")
        while not int(caught.search(state.read_text(encoding="utf-8"))[1], 16) >> signal.SIGINT - 1 & 1:
            time.sleep(0.01)
        tool.send_signal(signal.SIGINT)
        with contextlib.suppress(BrokenPipeError):
            ours.write(data[len(data) // 2:])
        if closes:
            ours.close()
        out = tool.stdout.read()
    return tool.returncode, json.loads(out)


def test_signals():
    """A signal ends it well; but where a recorder writes through a pipe, it is for that one to end."""
    whole = read_json(SKL, SKL_XML)[1]["intervals"]
    near_end, far_end = socket.socketpair()
    with open(far_end.detach(), "rb") as theirs, open(near_end.detach(), "wb", buffering=0) as ours:
        status, document = interrupted(theirs, ours, False)
    have = document["intervals"]
    ok(status == 0 and not document["complete"] and 0 < len(have) < len(whole) and
       have == whole[:len(have)], f"a signal: {len(have)} of {len(whole)} intervals", f"status {status}")
    out, into = os.pipe()
    with open(out, "rb") as theirs, open(into, "wb", buffering=0) as ours:
        status, document = interrupted(theirs, ours, True)
    ok(status == 0 and document["complete"] and document["intervals"] == whole,
       "through a pipe all that is recorded is read", f"status {status}", document["complete"])


def test_losses():
    """Where reports were lost nothing is counted, and it is said."""
    rows = list(split(SKL.read_bytes()))
    head = next(i for i, r in enumerate(rows) if r[:4] == b"\1\0\0\0")
    lost = b"".join(rows[:head + 5]) + record(3) + record(2) + b"".join(rows[head + 5:])
    decoded, whole = oa_decode.decode(lost, SKL_XML)
    status, document, err = read_json("-", SKL_XML, data=lost)
    ok(status == 0 and document["report_losses"] == 1 and document["buffer_losses"] == 1 and
       len(document["intervals"]) == len(decoded) == document["reports"] - 2,
       "no interval spans a loss", f"status {status}", err)
    ok(document["whole"] == {n: float(spell(v)) for n, v in whole.items()}, "nor does the sum")
    ok("lost 1 time while" in err and "--period" in err, "a warning says so", err)
    ok("reports were lost 1 time" in run("-", SKL_XML, data=lost)[1], "and the table")
    ok(run("-q", "-", SKL_XML, data=lost)[2] == "", "-q: no warning")


def test_damage():
    """What is sound is shown, the damage is named, the status is 4."""
    data = SKL.read_bytes()
    whole = read_json(SKL, SKL_XML)[1]["intervals"]
    for cut in (1, 7, 8, 200, 265, 5 * 264 + 100):
        status, document, err = read_json("-", SKL_XML, data=data[:-cut])
        intervals = document["intervals"]
        ok(status == 4 and not document["complete"] and intervals == whole[:len(intervals)] and
           len(intervals) >= len(whole) - cut // 264 - 1 and "ends within a record" in err,
           f"cut {cut} bytes short: the rest is shown", f"status {status}", err)
    status, document, err = read_json("-", SKL_XML, data=data + record(99, b"1234") * 3)
    ok(status == 0 and document["unknown_records"] == 3 and document["complete"] and
       "3 records of unknown types" in err, "unknown records are passed over and counted", err)
    status, document, err = read_json("-", SKL_XML, data=data + record(1, bytes(64)))
    ok(status == 4 and document["intervals"] == whole and document["damage"] == [
        {"offset": len(data), "text": "a report of 64 bytes where the format has 256, left out"}],
        "a report of another size is damage", err)


def test_refusals():
    """What cannot be decoded at all."""
    rows = list(split(SKL.read_bytes()))
    for name, data, said in (
            ("nothing", b"", "is empty"),
            ("a text", b"x" * 5000, "does not begin as a recording"),
            ("no device", b"".join(r for r in rows if r[:4] != b"\1\0\1\0"),
             "does not say which GPU it is of"),
            ("another format", b"".join(rows).replace(b"\x0a\0\0\0Render", b"\x0b\0\0\0Render"),
             ""),
            ("no such format", b"".join(rows).replace(b"\x0a\0\0\0Render", b"\x63\0\0\0Render"),
             "reports of format 99 are not known")):
        status, _, err = run("-", SKL_XML, data=data)
        ok(status in (0, 4) if not said else status == 4 and said in err, f"{name}: refused",
           f"status {status}", err)
    status, out, err = run(SKL, XML["bdw"])
    ok(status == 4 and not out and "RenderBasic" in err and "none of the metric files" in err,
       "a set that no file has", err)
    status, _, err = run("/nonexistent", SKL_XML)
    ok(status == 4 and "cannot be read" in err, "a file that is not there", err)
    ok(run(TESTS, SKL_XML)[0] == 4, "a folder")
    status, _, err = run(SKL, "/nonexistent")
    ok(status == 4, "a metric file that is not there", err)
    status, _, err = run(SKL, SKL_XML, "-o", "/nonexistent/x")
    ok(status == 3, "an output that cannot be", err)


def test_topology():
    """Without one, what depends on it is unknown, not wrong."""
    rows = list(split(SKL.read_bytes()))
    without = b"".join(r for r in rows if r[:4] != b"\2\0\1\0")
    status, document, err = read_json("-", SKL_XML, data=without)
    first = document["intervals"][0]["values"]
    ok(status == 0 and first["EuActive"] is None and first["GpuTime"] > 0,
       "no topology: its values are null", f"status {status}", err)
    bad = b"".join(record(65538, b"\xff" * 24) if r[:4] == b"\2\0\1\0" else r for r in rows)
    status, document, err = read_json("-", SKL_XML, data=bad)
    ok(status == 4 and document["intervals"][0]["values"]["EuActive"] is None and
       "topology is none" in err, "a topology that cannot be is damage", f"status {status}", err)


def test_record():
    """What record refuses before it looks for a GPU; the rest needs one, and is tests/vm/oa-record.sh."""
    for args in ([SKL_XML], ["--set=X"], ["--set=X", "--json", SKL_XML],
                 ["--set=X", "--max-size=4095", SKL_XML], ["--set=X", "--max-size=1T", SKL_XML],
                 ["--set=X", "--max-size=99999999999999999999", SKL_XML],
                 ["--set=X", "--max-size=", SKL_XML], ["--set=X", "--period=0", SKL_XML],
                 ["--set=X", "--period=1.5ms", SKL_XML], ["--set=X", "-d", "-1", SKL_XML],
                 ["--set=X", "--gen=skl", SKL_XML]):
        status, out, err = run(*args, verb="record")
        ok(status == 2 and not out and len(err.splitlines()) == 2, f"record {' '.join(map(str, args[:-1]))}",
           f"status {status}", err)
    status, out, err = run("--set=RenderBasic", "--device=no-such-gpu", "--max-size=4096", SKL_XML,
                           verb="record")
    ok(status == 3 and not out and "no-such-gpu" in err, "a GPU that is not there", err)
    ok(run("--period=1ms", SKL, SKL_XML)[0] == 2, "read takes no option of record")


def main():
    test_record()
    test_recordings()
    test_ways_in()
    test_signals()
    test_losses()
    test_damage()
    test_refusals()
    test_topology()
    finish()


main()
