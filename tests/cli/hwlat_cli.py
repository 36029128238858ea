#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The real `hadal hwlat` and `hadal doctor` where no privilege is needed: bad options, doctor's lines,
the back ends user and passive.

Prints TAP. Usage: hwlat_cli.py HADAL SCHEMA-FOLDER
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import jsonschema

from tap import finish, ok

HADAL, SCHEMA = sys.argv[1], pathlib.Path(sys.argv[2])

# Arguments, and words of the message.
USAGE = [
    (["--width", "0"], "--width=0: it must be above 0"),
    (["--window", "0"], "--window=0: it must be above 0"),
    (["--threshold", "0"], "--threshold=0: it must be above 0"),
    (["--width", "1s"], "must be less than --window=1000000us"),
    (["--width", "500", "--window", "500"], "--width=500us must be less than --window=500us"),
    (["--width", "-5"], "not a whole number"),
    (["--width", ""], "not a whole number"),
    (["--width", " 5"], "not a whole number"),
    (["--width", "5 us"], "not a whole number"),
    (["--width", "0x10"], "not a whole number"),
    (["--window", "1e6"], "not a whole number"),
    (["--window", "1.5s"], "not a whole number"),
    (["--window", "5d"], "not a whole number"),
    (["--window", "18446744073709552"], "too long"),
    (["--window", "99999999999999999999s"], "too long"),
    (["--window", "18446744073s"], "shorter than one window"),
    (["--threshold", "1500ns"], "whole microseconds"),
    (["--threshold", "2s"], "longer than a window"),
    (["--limit", "many"], "--limit=many: not a whole number"),
    (["--hardlimit", "x"], "--limit=x: not a whole number"),
    (["-d", "60"], "shorter than one window of 1000000 us; a bare number is microseconds"),
    (["-d", "0"], "shorter than one window"),
    (["--mode", "all"], "none, round-robin or per-cpu"),
    (["--backend", "kernel"], "module, tracer, user or passive"),
    (["--backend", "passive", "--limit", "1ms"], "--limit: --backend=passive does not watch"),
    (["--backend", "passive", "--width", "1ms"], "--width: --backend=passive does not watch"),
    (["--all", "--backend", "passive"], "--all: --backend=passive does not watch"),
    (["--backend", "passive", "--format=hwlatdetect"], "--backend=passive has no samples"),
    (["--cpus", ""], "the list is empty"),
    (["--cpus", "1-0"], "not a list of CPUs"),
    (["--cpus", "0,"], "not a list of CPUs"),
    (["--cpus", "9999"], "not a list of CPUs"),
    (["--max-records", "0"], "not a number above 0"),
    (["--max-records", "-1"], "not a number above 0"),
    (["--format", "xml"], "it is table, json, hwlatdetect, hist, perfetto, openmetrics or html"),
    (["-i", "x", "-c", "0"], "--cpus: -i reads a recording"),
    (["-i", "x", "--watch"], "--watch: -i reads a recording"),
    (["-d", "5s", "-i", "x"], "--duration: -i reads a recording"),
    (["-i", "x", "--backend", "user"], "--backend: -i reads a recording"),
    (["--watch", "--format=table"], "--watch writes lines"),
    (["now"], "now: there is nothing to name here"),
]


def run(*args):
    """The finished tool."""
    return subprocess.run([HADAL, *args], capture_output=True, text=True, check=False, timeout=60)


def check_usage():
    for args, words in USAGE:
        done = run("hwlat", *args)
        lines = done.stderr.splitlines()
        ok(done.returncode == 2 and not done.stdout and len(lines) == 2 and words in lines[0],
           f"hwlat {' '.join(args)}: a usage error", done.returncode, done.stderr, done.stdout)


def check_offline():
    done = run("hwlat", "-c", "0,8191")
    ok(done.returncode == 3 and "--cpus: not online: 8191" in done.stderr and
       "Online are: " in done.stderr, "a CPU that is not there", done.stderr)


def check_doctor():
    schema = json.loads((SCHEMA / "doctor.json").read_text(encoding="utf-8"))
    done = run("doctor", "--json")
    errors = list(jsonschema.Draft7Validator(schema).iter_errors(json.loads(done.stdout)))
    ok(done.returncode == 0 and not errors, "doctor's document follows the schema",
       *(error.message for error in errors))
    lines = json.loads(done.stdout)["lines"]
    names = [line["name"] for line in lines if line["verb"] == "hwlat"]
    ok(names[:4] == ["module", "tracer", "user", "passive"], "doctor has a line for each back end", names)
    ok(all(line["next"] for line in lines if line["verb"] == "hwlat" and line["state"] != "ready"),
       "doctor says what to do about each back end that is not ready")
    table = run("doctor").stdout
    ok(all(line["reason"] in table and (line["next"] or "") in table for line in lines),
       "doctor's table says the same", table)
    done = run("doctor", "--format=xml")
    ok(done.returncode == 2 and "table or json" in done.stderr, "doctor: unknown format", done.stderr)
    done = run("doctor", "me")
    ok(done.returncode == 2 and "nothing to name" in done.stderr, "doctor: an argument", done.stderr)
    done = run("doctor", "-o", "/dev/full")
    ok(done.returncode == 3 and "No space left" in done.stderr, "doctor: a full disk", done.stderr)


def unprivileged():
    """For root: what makes the child nobody."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


def run_as_nobody(*args):
    """The finished tool, run from a place that everybody can read."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        tool = shutil.copy(HADAL, folder)
        return subprocess.run([tool, "hwlat", *args], capture_output=True, text=True, check=False,
                              timeout=120, cwd="/", preexec_fn=unprivileged)


def follows_schema(text, name):
    """The one document or each of the lines."""
    validator = jsonschema.Draft7Validator(
        json.loads((SCHEMA / "hwlat.json").read_text(encoding="utf-8")))
    documents = [text] if text.startswith("{\n") else text.splitlines()
    errors = [error.message for document in documents
              for error in validator.iter_errors(json.loads(document))]
    ok(documents and not errors, f"{name}: follows the schema", *errors)


def check_user():
    """Real runs, of which only that is asserted which does not depend on what else runs here."""
    limits = ["--backend=user", "-d", "2s", "--threshold", "1ms"]
    done = run_as_nobody(*limits, "--json")
    ok(done.returncode == 0 and not done.stderr, "user: runs without privilege", done.stderr)
    follows_schema(done.stdout, "user")
    document = json.loads(done.stdout)
    ok(document["complete"] and document["run"]["backend"] == "user" and
       document["run"]["floor_ns"] > 0 and document["totals"]["kernel"], "user: a whole answer")
    ok(not [gap for gap in document["gaps"] if gap["cause"] == "kernel"],
       "user: the kernel's gaps are not listed")
    follows_schema(run_as_nobody(*limits, "--all", "--watch", "--mode=per-cpu").stdout, "user, lines")
    for mode in ("none", "round-robin", "per-cpu"):
        done = run_as_nobody(*limits, f"--mode={mode}")
        ok(done.returncode == 0 and re.match(r"user on CPU.*, " + mode, done.stdout) and
           re.search(r"\b(1 more gap|(?!1 )\d+ more gaps), the longest ", done.stdout),
           f"user, {mode}: a table", done.stdout, done.stderr)


def check_passive():
    done = run_as_nobody("--backend=passive", "-d", "2s", "--json")
    ok(done.returncode == 0 and not done.stderr, "passive: runs without privilege", done.stderr)
    follows_schema(done.stdout, "passive")
    document = json.loads(done.stdout)
    ok(document["run"]["cost_ns"] > 0 and document["totals"]["counters"] and not document["gaps"] and
       document["run"]["width_us"] is None, "passive: counters, its cost, no gaps")
    follows_schema(run_as_nobody("--backend=passive", "-d", "2s", "--watch").stdout, "passive, lines")
    done = run_as_nobody("--backend=passive", "-d", "2s")
    ok(done.returncode == 0 and "\nCost: " in done.stdout, "passive: a table with its cost", done.stdout)


check_usage()
check_offline()
check_user()
check_passive()
check_doctor()
finish()
