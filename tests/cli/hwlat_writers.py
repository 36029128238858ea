#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What hwlat's writers make of recorded records, byte for byte and against the schema.

Prints TAP. Usage: hwlat_writers.py HWLAT_WRITE DATA SCHEMA-FOLDER
"""
import json
import pathlib
import subprocess
import sys

import jsonschema

from tap import finish, ok

TOOL, DATA, SCHEMA = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
FORMATS = ["table", "all", "limit", "tracer", "json", "watch", "hwlatdetect", "user", "passive",
           "passive-json"]


def written(name):
    """What the writer of that name prints."""
    with open(DATA / "records", encoding="ascii") as records:
        done = subprocess.run([TOOL, name], stdin=records, capture_output=True, text=True, timeout=60,
                              check=False)
    ok(done.returncode == 0 and not done.stderr, f"{name}: written", done.stderr)
    return done.stdout


def valid(text, name):
    """Whether one JSON text follows the schema."""
    schema = json.loads((SCHEMA / "hwlat.json").read_text(encoding="utf-8"))
    errors = list(jsonschema.Draft7Validator(schema).iter_errors(json.loads(text)))
    ok(not errors, f"{name}: follows the schema", *(error.message for error in errors))


def main():
    for name in FORMATS:
        text = written(name)
        wanted = (DATA / f"expected.{name}").read_text(encoding="utf-8")
        ok(text == wanted, f"{name}: as expected", text)
        if name == "passive-json":
            valid(text, name)
            ok(len(json.loads(text)["counts"]) == 4, "passive: what came when")
        if name == "json":
            valid(text, name)
            document = json.loads(text)
            sums = document["totals"]
            kept = len(document["gaps"]) + len(document["backward_steps"])
            ok(kept + sums["omitted"] == sums["gaps"] + sums["backward_steps"] == 13,
               "json: every record is kept or counted as omitted")
            ok(sum(sums["causes"].values()) == sums["gaps"], "json: causes add up")
        if name == "watch":
            for number, line in enumerate(text.splitlines(), 1):
                valid(line, f"watch, line {number}")
    finish()


main()
