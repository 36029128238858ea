#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The real `hadal oa record` with a library in front of the kernel that answers as i915's driver and
streams the reports of a recording: what it asks for, what it writes, how it ends.

Prints TAP. Usage: oa_record_live.py HADAL TESTS FAKE_I915
"""
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import time

import oa_decode
from oa_gpus import Tree
from preload import preload
from tap import finish, ok

HADAL, TESTS, FAKE = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
XML = TESTS / "data/oa-xml/oa-tglgt2.xml"
RECORDING = TESTS / "data/oa-recordings/tgl"
PRELOAD = preload(HADAL, FAKE)
EACCES, EBUSY, EINVAL = 13, 16, 22
SAMPLE, REPORT_LOST, BUFFER_LOST = 1, 2, 3
VERSION, DEVICE, TOPOLOGY, CORRELATION = range(65536, 65540)


def split(data):
    """The records of a recording, whole, by their types."""
    at = 0
    while at < len(data):
        kind, _, size = struct.unpack_from("<IHH", data, at)
        yield kind, data[at:at + size]
        at += size


REPORTS = b"".join(record for kind, record in split(RECORDING.read_bytes()) if kind == SAMPLE)
UUID = oa_decode.Recording(RECORDING.read_bytes()).uuid


def make_tree(stream=REPORTS):
    """A Tiger Lake whose streams give these bytes."""
    tree = Tree()
    tree.gpu("card0", "i915", "0x9a49")
    tree.paranoid(1)
    tree.write("sys/class/drm/card0/gt_min_freq_mhz", "300\n")
    tree.write("sys/class/drm/card0/gt_max_freq_mhz", "1300\n")
    (tree.root / "stream").write_bytes(stream)
    return tree


def start(tree, *args, verb="record", **fake):
    """The tool, running."""
    env = {**os.environ, "LD_PRELOAD": PRELOAD, "FAKE_ROOT": str(tree.root),
           "FAKE_STREAM": str(tree.root / "stream"),
           **{f"FAKE_{name}": str(value) for name, value in fake.items()}}
    return subprocess.Popen([HADAL, "oa", verb, "--root", tree.root, *map(str, args)], env=env,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def run(tree, *args, verb="record", **fake):
    """Status, standard output as bytes, standard error of a whole run."""
    tool = start(tree, *args, verb=verb, **fake)
    out, err = tool.communicate(timeout=120)
    return tool.returncode, out, err.decode()


def test_recording():
    """Head, clocks, the very bytes of the stream, clocks."""
    with make_tree() as tree:
        status, out, err = run(tree, "--set=RenderBasic", XML, "-d", "300ms")
        parts = list(split(out))
        kinds = [kind for kind, _ in parts]
        ok(status == 0 and not err, "record", f"status {status}", err)
        ok(kinds[:4] == [VERSION, DEVICE, TOPOLOGY, CORRELATION] and kinds[-1] == CORRELATION and
           set(kinds[4:-1]) == {SAMPLE}, "its records stand in order", kinds)
        ok(b"".join(r for k, r in parts if k == SAMPLE) == REPORTS, "the stream is there byte by byte")
        have = oa_decode.Recording(out)
        ok((have.hz, have.device, have.revision, have.min_hz, have.max_hz, have.format, have.name,
            have.uuid) == (19200000, 0x9a49, 1, 300000000, 1300000000, 10, "RenderBasic", UUID),
           "the source is what the driver tells", vars(have))
        clocks = [struct.unpack("<QQ", r[8:]) for k, r in parts if k == CORRELATION]
        ok(all(abs(cpu * 192 // 10000 - gpu) < 19200000 for cpu, gpu in clocks) and
           clocks[0][0] < clocks[-1][0], "both clocks are near each other", clocks)
        ok(not tree.sets(), "the set is not left")
        opened = dict(map(int, line.split()) for line in (tree.root / "opened").read_text().splitlines())
        ok(opened == {2: 1, 3: 2, 4: 10, 5: 13}, "the stream was asked for with what is said", opened)
        (tree.root / "recording").write_bytes(out)
        done = subprocess.run([HADAL, "oa", "read", tree.root / "recording", XML], capture_output=True,
                              check=False, timeout=60)
        ok(done.returncode == 0 and b"32 reports" in done.stdout, "read takes it", done.stderr)


def test_sets():
    """One that is there is used if its registers are the same."""
    with make_tree() as tree:
        run(tree, XML, "--set=RenderBasic", verb="add")
        before = tree.sets()
        status, out, _ = run(tree, f"--set={{{UUID.upper()}}}", XML, "-d", "1ms")
        ok(status == 0 and tree.sets() == before and len(before) == 1, "a loaded set is used and stays")
        ok(oa_decode.Recording(out).uuid == UUID, "a UUID in braces and upper case is understood")
        other = XML.read_text(encoding="utf-8")
        (tree.root / "braces.xml").write_text(other.replace(UUID, f"{{{UUID.upper()}}}"), encoding="utf-8")
        status, out, err = run(tree, f"--set={UUID}", tree.root / "braces.xml", "-d", "1ms")
        (tree.root / "recording").write_bytes(out)
        ok(status == 0 and oa_decode.Recording(out).uuid == UUID, "and so it is in a file", err)
        done = subprocess.run([HADAL, "oa", "read", tree.root / "recording", tree.root / "braces.xml"],
                              capture_output=True, check=False, timeout=60)
        ok(done.returncode == 0 and b"32 reports" in done.stdout, "by read too", done.stderr)
        start_at = other.index('symbol_name="RenderBasic"')
        other = other[:start_at] + re.sub(r'(<register .*value="0x).', r"\g<1>7", other[start_at:],
                                          count=1)
        (tree.root / "other.xml").write_text(other, encoding="utf-8")
        status, out, err = run(tree, "--set=RenderBasic", tree.root / "other.xml", "-d", "1ms")
        ok(status == 1 and not out and "other registers" in err, "with other registers it is refused",
           f"status {status}", err)
        status, out, err = run(tree, "--set=RenderBasic", XML, "-d", "1ms", OLD=1)
        ok(status == 0 and "does not tell" in err, "a kernel that cannot tell: a warning", err)
        status, _, err = run(tree, "--set=NoSuchSet", XML)
        ok(status == 4 and "NoSuchSet" in err, "a set that no file has", err)
        status, _, err = run(tree, "--set=RenderBasic", TESTS / "data/oa-xml/oa-bdw.xml")
        ok(status == 4, "a set of another GPU", err)


def test_stuck():
    """A set that the driver does not let go is recorded by, and is left with a message."""
    with make_tree() as tree:
        status, out, err = run(tree, "-q", "--set=RenderBasic", XML, "-d", "1ms", STUCK=1)
        ok(status == 0 and out.count(REPORTS) == 1 and list(tree.sets()) == [UUID] and err.splitlines() == [
            f"hadal oa record: {UUID}: added for this run, and could not be removed again: "
            "Device or resource busy", "  Remove it: hadal oa remove UUID"], "a set that stays: a message", err)
    with make_tree() as tree:
        status, out, err = run(tree, "--set=RenderBasic", XML, "-d", "1ms", STUCK=1, OPEN=EBUSY)
        ok(status == 3 and not out and "could not be removed" in err and "another program" in err,
           "and no stream: two messages", f"status {status}", err)


def test_ends():
    """Signals, sizes, outputs."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with make_tree() as tree:
            path = tree.root / "recording"
            tool = start(tree, "--set=RenderBasic", XML, "-o", path)
            while not path.exists() or path.stat().st_size < len(REPORTS):
                time.sleep(0.05)
            tool.send_signal(number)
            err = tool.communicate(timeout=60)[1].decode()
            kinds = [kind for kind, _ in split(path.read_bytes())]
            ok(tool.returncode == 0 and not err and kinds.count(SAMPLE) == 32 and
               kinds[-1] == CORRELATION, f"signal {number} ends it well", tool.returncode, err)
    with make_tree() as tree:
        status, out, err = run(tree, "--set=RenderBasic", XML, ECHO=1)
        kinds = [kind for kind, _ in split(out)]
        ok(status == 0 and not err and kinds.count(SAMPLE) == 32 and kinds[-1] == CORRELATION,
           "a signal that comes again while it ends does not cut it", f"status {status}", err)
    with make_tree() as tree:
        status, out, err = run(tree, "--set=RenderBasic", XML, "--max-size=5000")
        kinds = [kind for kind, _ in split(out)]
        ok(status == 0 and 5000 - 264 < len(out) <= 5000 and kinds[-1] == CORRELATION and
           "--max-size" in err, f"--max-size=5000: {len(out)} bytes of whole records", err)
    with make_tree(REPORTS[:16 * 264]) as tree:
        # 424 bytes in front, the reports, and the clocks at the end: nothing more.
        status, out, err = run(tree, "--set=RenderBasic", XML, "--max-size=4672", "-d", "2500ms")
        ok(status == 0 and len(out) == 4672, "clocks that are compared meanwhile count too", len(out), err)
    with make_tree() as tree:
        status, _, err = run(tree, "--set=RenderBasic", XML, "-d", "1ms", "-o", "/dev/full")
        ok(status == 3 and "not all was written" in err, "a full disk", f"status {status}", err)
        status, _, err = run(tree, "--set=RenderBasic", XML, "-o", "/nonexistent/x")
        ok(status == 3 and not tree.sets(), "an output that cannot be", f"status {status}", err)
        tool = start(tree, "--set=RenderBasic", XML, "-d", "1h")
        tool.stdout.close()
        err = tool.stderr.read().decode()
        ok(tool.wait(timeout=60) == 0 and not err, "a reader that goes away ends it", err)


def test_losses():
    """Records of losses are kept, counted and said."""
    lost = REPORTS + struct.pack("<IHH", BUFFER_LOST, 0, 8) + struct.pack("<IHH", REPORT_LOST, 0, 8)
    with make_tree(lost + REPORTS) as tree:
        status, out, err = run(tree, "--set=RenderBasic", XML, "-d", "1ms")
        ok(status == 0 and lost in out and "lost 1 time," in err and "--period" in err,
           "losses are in the recording, and a warning says so", err)
    with make_tree(b"") as tree:
        status, out, err = run(tree, "--set=RenderBasic", XML, "-d", "1ms")
        ok(status == 0 and "no report came" in err, "no report: a warning", err)
        ok(run(tree, "--set=RenderBasic", XML, "-d", "1ms", "-q")[2] == "", "-q: none")


def test_refusals():
    """What the driver refuses, by reason and next step; the set is not left."""
    with make_tree() as tree:
        for errno, said in ((EBUSY, "another program has the OA unit"),
                            (EACCES, "perf_stream_paranoid is 1"),
                            (EINVAL, "takes no such stream")):
            status, out, err = run(tree, "--set=RenderBasic", XML, OPEN=errno)
            ok(status == 3 and not out and said in err and not tree.sets(), f"opening gives {errno}",
               f"status {status}", err)
        status, _, err = run(tree, "--set=RenderBasic", XML, FAIL=f"1:{EACCES}")
        ok(status == 3 and "CAP_PERFMON" in err, "adding gives EACCES", f"status {status}", err)
        status, _, err = run(tree, "--set=RenderBasic", XML, FAIL=f"1:{EINVAL}")
        ok(status == 1 and "refuses the registers" in err, "adding gives EINVAL", f"status {status}", err)


def test_period():
    """The nearest that the GPU has."""
    with make_tree() as tree:
        for asked, exponent in (("100ns", 0), ("1ms", 13), ("10ms", 16), ("1h", 31)):
            run(tree, "--set=RenderBasic", XML, "-d", "1ms", f"--period={asked}")
            ok(f"\n5 {exponent}\n" in (tree.root / "opened").read_text(), f"--period={asked}",
               (tree.root / "opened").read_text())
        err = run(tree, "--set=RenderBasic", XML, "-d", "1ms", "-v")[2]
        ok("a report each 853333 ns" in err, "-v says which", err)


def main():
    test_recording()
    test_sets()
    test_stuck()
    test_ends()
    test_losses()
    test_refusals()
    test_period()
    finish()


main()
