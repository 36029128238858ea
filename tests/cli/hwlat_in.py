#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Recordings of gaps in every form that tools print them in: the real `hadal hwlat -i` reads the right gaps.

Prints TAP. Usage: hwlat_in.py HADAL DATA SCHEMA-FOLDER
"""
import json
import pathlib
import subprocess
import sys

import jsonschema

from tap import finish, ok

HADAL, DATA, SCHEMA = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
VALIDATOR = jsonschema.Draft7Validator(json.loads((SCHEMA / "hwlat.json").read_text(encoding="utf-8")))

RECORD = "inner/outer(us):    0/152   ts:1704067298.356474384"
# What may be before a tracer's record, and the CPU that it names.
PREFIXES = {
    "6.1-rt, seven flags": ("           <...>-101     [000] d......    26.368067: #1     ", 0),
    "6.12-rt, five flags": ("           <...>-148     [002] d....    33.423752: #1     ", 2),
    "four flags": ("          hwlatd-148     [011] d...    33.423752: #1     ", 11),
    "per-cpu thread": ("        hwlatd/3-148     [003] d....    33.423752: #1     ", 3),
    "latency format, mark glued": ("   <...>-102       0d...... 514375us$: #1     ", 0),
    "latency format, mark apart": ("   <...>-102       5d...... 514375us : #1     ", 5),
    "latency format, no flag set": ("   <...>-102      12....... 514375us+: #1     ", 12),
    "record-tgid": ("           <...>-102     (-------) [000] d......    45.853302: #20    ", 0),
    "record-tgid, known": ("          hwlatd-102     (    102) [001] d......    45.853302: #20    ", 1),
    "noirq-info": ("           <...>-102     [004]     45.853302: #20    ", 4),
    "nocontext-info": ("#19    ", None),
    "clock counter": ("           <...>-102     [006] d....  4711: #20    ", 6),
    "quoted in a mail": ("> >           <...>-102     [007] d....    45.853302: #20    ", 7),
}


def read(text, *args):
    """The finished tool and its document."""
    done = subprocess.run([HADAL, "hwlat", "-i", "-", "--json", *args], input=text, capture_output=True,
                          text=True, check=False, timeout=60)
    document = json.loads(done.stdout) if done.stdout else None
    if document:
        errors = [error.message for error in VALIDATOR.iter_errors(document)]
        if errors:
            ok(False, "follows the schema", text, *errors)
    return done, document


def gap(**other):
    """A gap of the record above, but for what is named."""
    return {"cpu": 0, "start_ns": 0, "duration_ns": 152000, "cause": "unexplained", "smi": None, "nmi": 0,
            "nmi_ns": None, "inner_us": 0, "outer_us": 152, "count": 1} | other


def check_gaps(name, text, *gaps, origin="2024-01-01T00:01:38.356322384Z"):
    done, document = read(text)
    ok(done.returncode == 0 and not done.stderr and document["gaps"] == list(gaps),
       f"{name}: the right gaps", done.stderr, done.stdout)
    if origin:
        ok(document and document["origin"] == origin, f"{name}: when it was", done.stdout)


def check_tracer():
    for name, (prefix, cpu) in PREFIXES.items():
        check_gaps(name, prefix + RECORD + " count:1\n", gap(cpu=cpu))
    prefix = PREFIXES["6.1-rt, seven flags"][0]
    check_gaps("before 5.10, no count", prefix + RECORD + "\n", gap())
    check_gaps("count", prefix + RECORD + " count:12\r\n", gap(count=12))
    check_gaps("NMIs and their time", prefix + RECORD + " count:1 nmi-total:25 nmi-count:2\n",
               gap(cause="nmi", nmi=2, nmi_ns=25000))
    check_gaps("NMIs without time", prefix + RECORD + " count:1 nmi-count:1\n", gap(cause="nmi", nmi=1))
    check_gaps("raw", "102 3 43805302476 0 152 1704067298 356474384 19\n", gap(cpu=3, nmi=None))
    check_gaps("inner is longer", prefix + RECORD.replace("0/152", "152/2") + "\n",
               gap(inner_us=152, outer_us=2))
    later = RECORD.replace("298.356474384", "299.5")
    check_gaps("two in the middle of other lines",
               "# tracer: hwlat\n#\n#  TASK-PID CPU#\n" + prefix + RECORD + " count:1\n"
               "  bash-77  [000] d....  27.1: sched_switch: prev_comm=bash ==> next_comm=swapper/0\n"
               "[   12.345678] hwlat: something ts: else\n"
               + prefix + later.replace("299.5", "299.500000000") + " count:2",
               gap(), gap(start_ns=1143525616, count=2))
    done, document = read(prefix + RECORD.replace("0/152", "18446744073709551/1") + "\n")
    ok(done.returncode == 0 and not document["gaps"] and len(document["backward_steps"]) == 1,
       "the clock went back", done.stderr, done.stdout)
    done, document = read("# tracer: hwlat\n#\n# entries-in-buffer/entries-written: 0/0   #P:1\n")
    ok(done.returncode == 0 and document["gaps"] == [] and document["verdict"] == "quiet",
       "a trace without a record", done.stderr, done.stdout)
    done, document = read("# tracer: hwlat\n# entries-in-buffer/entries-written: 1/3   #P:1\n" +
                          prefix + RECORD + "\nCPU:0 [LOST 12 EVENTS]\n")
    ok(done.returncode == 0 and document["totals"]["dropped"] == 14, "what the buffer lost", done.stdout)


def check_module():
    line = ("     hadal_hwlat/1-321   [001] .....   12.345678: hwlat_{}: cpu=1 seq=4 start_ns={} "
            "start_tsc=1 duration_ns={} smi={} nmi={} {}\n")
    text = (line.format("window", 10 ** 10, 10 ** 9, 1, 0, "watched_ns=950000000 slices=238 dropped=0") +
            line.format("gap", 10 ** 10 + 500, 150704, 1, 0, "nmi_ns=0 flags=0x5") +
            line.format("gap", 10 ** 10 + 900500, 40000, 0, 1, "nmi_ns=31000 flags=0x4"))
    done, document = read(text)
    ok(done.returncode == 0 and document["gaps"] == [
        gap(cpu=1, start_ns=500, duration_ns=150704, cause="smi", smi=1, nmi=0, nmi_ns=0, inner_us=None,
            outer_us=None),
        gap(cpu=1, start_ns=900500, duration_ns=40000, cause="nmi", smi=None, nmi=1, nmi_ns=31000,
            inner_us=None, outer_us=None)], "events of the module: the right gaps", done.stderr, done.stdout)
    ok(document["run"]["watched_ns"] == 950000000 and document["run"]["backend"] == "module" and
       document["origin"] is None and document["windows"][0]["duration_ns"] == 10 ** 9,
       "events of the module: the window", done.stdout)
    done, document = read(text + PREFIXES["6.1-rt, seven flags"][0] + RECORD + "\n")
    ok(done.returncode == 4 and "line 4: its time is on another clock" in done.stderr and
       len(document["gaps"]) == 2, "two clocks in one log", done.stderr)


def check_hwlatdetect():
    head = ("hwlatdetect:  test duration 120 seconds\n   detector: tracer\n   parameters:\n"
            "        CPU list:          None\n        Latency threshold: 10us\n"
            "        Sample window:     2000000us\n        Sample width:      900000us\n"
            "     Non-sampling period:  1100000us\n        Output File:       None\n\nStarting test\n"
            "test finished\nMax Latency: 152us\nSamples recorded: 1\nSamples exceeding threshold: 1\n")
    sample = "ts: 1704067298.356474384, inner:0, outer:152"
    for name, text, wanted in [
            ("rt-tests 2.4", sample, gap(cpu=None, nmi=None)),
            ("rt-tests 2.6", sample + ", cpu:3", gap(cpu=3, nmi=None)),
            ("rt-tests 2.10", sample + ", cpu:3, count:7", gap(cpu=3, nmi=None, count=7))]:
        check_gaps(f"hwlatdetect of {name}", head + text + "\n", wanted)
        check_gaps(f"hwlatdetect of {name}, --report", text + "\n", wanted)
    _, document = read(head + sample + "\n")
    run = document["run"]
    ok((run["width_us"], run["window_us"], run["threshold_ns"], run["duration_ns"]) ==
       (900000, 2000000, 10000, 120 * 10 ** 9), "hwlatdetect: how it was watched", run)
    done, document = read(head.replace("152us", "Below threshold"))
    ok(done.returncode == 0 and document["verdict"] == "quiet", "hwlatdetect: nothing found", done.stderr)


def check_json():
    """What was written is read back: the same gaps, windows, periods and sums."""
    text = (DATA / "expected.json").read_text(encoding="utf-8")
    before = json.loads(text)
    done, after = read(text)
    for key in ["origin", "complete", "gaps", "backward_steps", "windows", "periods"]:
        ok(after[key] == before[key], f"JSON: {key} as before", after[key])
    kept = {key: value for key, value in before["run"].items() if key not in ("source", "watched_ns")}
    ok(kept.items() <= after["run"].items(), "JSON: the run as before", after["run"])
    ok(after["totals"]["smi"] == before["totals"]["smi"], "JSON: sums of SMIs", after["totals"]["smi"])
    ok(done.returncode == 0 and not done.stderr, "JSON: nothing to complain about", done.stderr)
    lines = (DATA / "expected.watch").read_text(encoding="utf-8")
    done, after = read(lines)
    # The document keeps twelve records; the lines are all of them.
    ok(after["gaps"][:len(before["gaps"])] == before["gaps"] and after["windows"] == before["windows"] and
       after["complete"], "JSON lines: the same", done.stderr)
    done, after = read("".join(line + "\n" for line in lines.splitlines()[:-1]))
    ok(done.returncode == 0 and not after["complete"], "JSON lines that were cut off", done.stderr)


def check_period():
    """A log of the tracer, a source of 1.2 s: found although nobody knows when it was watched."""
    prefix, text = PREFIXES["6.1-rt, seven flags"][0], ""
    for n in range(60):
        at = 1704067200 * 10 ** 9 + n * 1200000000 + 1000000
        if (n * 1200) % 1024 < 512:
            text += f"{prefix}inner/outer(us):    0/150   ts:{at // 10**9}.{at % 10**9:09} count:1\n"
    done, document = read(text)
    ok(done.returncode == 0 and len(document["periods"]) == 1 and
       abs(document["periods"][0]["period_ns"] - 1200000000) < 1000000, "the period of a log", done.stdout)
    ok("every 1.200 s" in document["sentence"] or "every 1.199 s" in document["sentence"],
       "the sentence says so", document["sentence"])
    text = "".join(f"{prefix}inner/outer(us):    0/150   ts:{1704067200 + n}.{n * 24:03}000000 count:9\n"
                   for n in range(40))
    _, document = read(text)
    ok(document["periods"] == [], "the tracer's own cycle is no period", document["periods"])


def check_bad():
    prefix = PREFIXES["6.1-rt, seven flags"][0]
    good = prefix + RECORD + " count:1\n"
    for name, line, words in [
            ("no lengths", prefix + "inner/outer(us):  x/1 ts:1.000000000", "no two lengths"),
            ("one length", prefix + "inner/outer(us):  12", "no two lengths"),
            ("cut in the time", prefix + RECORD[:-3], "no whole time"),
            ("cut after count:", prefix + RECORD + " count:", "a name without a number"),
            ("too large", prefix + RECORD.replace("152", "99999999999999999999"), "no two lengths"),
            ("a time past all time", prefix + RECORD.replace("1704067298", "99999999999"), "no whole time"),
            ("a CPU past all", good.replace("[000]", "[99999]").strip(), "no machine has that CPU"),
            ("hwlatdetect, cut", "ts: 1704067298.356474384, inner:0, out inner:", "no lengths named"),
            ("module, cut", "hwlat_gap: cpu=1 seq=4 start_ns=77", "hwlat_gap: a field is missing")]:
        done, document = read(good + line + "\n")
        ok(done.returncode == 4 and f"standard input: line 2: {words}" in done.stderr and
           document and document["gaps"] == [gap()], f"{name}: said, and the rest kept", done.stderr)
    for name, text, words in [
            ("nothing", "", "no record of a gap"),
            ("prose", "Dear list,\nmy machine hangs.\n", "no record of a gap"),
            ("zeros", "\0" * 100, "no record of a gap"),
            ("no JSON", "{ \"hadal\": ", "ends too early, byte"),
            ("foreign JSON", "{}", "not a document of hadal"),
            ("another verb", '{"hadal": {"format": 1}, "verb": "boot"}', "of 'hadal boot'"),
            ("another format", '{"hadal": {"format": 2}, "verb": "hwlat"}', "another format")]:
        done, document = read(text)
        ok(done.returncode == 4 and not document and words in done.stderr, f"{name}: refused", done.stderr)
    done, document = read('{"hadal":{"format":1},"verb":"hwlat","gaps":[{"cpu":0},{"cpu":-1},' +
                          json.dumps(gap()) + ']}')
    ok(done.returncode == 4 and "gaps[0]: " in done.stderr and "gaps[1]: " in done.stderr and
       document["gaps"] == [gap()], "JSON with bad gaps: said, and the rest kept", done.stderr)
    done = subprocess.run([HADAL, "hwlat", "-i", "/nowhere"], capture_output=True, text=True, check=False)
    ok(done.returncode == 4 and "/nowhere: cannot be read" in done.stderr, "no such file", done.stderr)


def check_cuts():
    """Cut at every byte: never a crash, never another answer than 0 or 4."""
    text = (PREFIXES["latency format, mark glued"][0] + RECORD + " count:1 nmi-total:25 nmi-count:1\n"
            "ts: 1704067298.356474384, inner:0, outer:152, cpu:3, count:7\n")
    worse = [n for n in range(len(text)) if read(text[:n])[0].returncode not in (0, 4)]
    ok(not worse, "a log cut at every byte", worse)


def check_status():
    text = PREFIXES["6.1-rt, seven flags"][0] + RECORD + "\n"
    ok(read(text, "--limit", "152us")[0].returncode == 0, "a limit that is kept")
    ok(read(text, "--limit", "151us")[0].returncode == 1, "a limit that is not")
    for form, words in [("table", "exceeded, 1 time."), ("hist", "1 gap, "), ("html", ">1 gap<")]:
        done = subprocess.run([HADAL, "hwlat", "-i", "-", "--limit=1us", f"--format={form}"], input=text,
                              capture_output=True, text=True, check=False, timeout=60)
        ok(words in done.stdout and "1 gaps" not in done.stdout, f"{form}: one is one", done.stdout)


check_tracer()
check_module()
check_hwlatdetect()
check_json()
check_period()
check_bad()
check_cuts()
check_status()
finish()
