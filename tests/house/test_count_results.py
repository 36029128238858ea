#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gives scripts/count-results logs whose sums are known. Prints TAP."""

import json
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/count-results"

TAP_MIXED = "1..4\nok 1 - a\nnot ok 2 - b\n# not ok\n  ok 9 - nested\nok 3 - c # SKIP why\nok 4\n"


def meson(*tests):
    """A testlog.json: one object a line."""
    return "".join(json.dumps({"name": "t", "result": result, "stdout": stdout}) + "\n"
                   for result, stdout in tests)


# name, {file: text}, exit status, sum
CASES = [
    ("a test without TAP is one", {"a.json": meson(("OK", "hello"))}, 0, "1 passed, 0 failed, 0 skipped"),
    ("each result of TAP counts", {"a.json": meson(("FAIL", TAP_MIXED))}, 1,
     "2 passed, 1 failed, 1 skipped"),
    ("a skipped test", {"a.json": meson(("OK", ""), ("SKIP", ""))}, 0, "1 passed, 0 failed, 1 skipped"),
    ("only skipped tests are no success", {"a.json": meson(("SKIP", ""))}, 1,
     "0 passed, 0 failed, 1 skipped"),
    ("a crash after good results is a failure", {"a.json": meson(("FAIL", "ok 1 - a\n"))}, 1,
     "1 passed, 1 failed, 0 skipped"),
    ("a time-out is a failure", {"a.json": meson(("TIMEOUT", ""))}, 1, "0 passed, 1 failed, 0 skipped"),
    ("an expected failure is good, an unexpected success is not",
     {"a.json": meson(("EXPECTEDFAIL", ""), ("UNEXPECTEDPASS", ""))}, 1,
     "1 passed, 1 failed, 0 skipped"),
    ("'not ok' in a test that meson took for good", {"a.json": meson(("OK", "not ok 1 - a\n"))}, 1,
     "0 passed, 1 failed, 0 skipped"),
    ("files add up", {"a.json": meson(("OK", "ok 1\nok 2\n")), "b.log": "x\n3 passed, 0 failed, 2 skipped\n"},
     0, "5 passed, 0 failed, 2 skipped"),
    ("a log that does not end in a sum is a failure", {"a.log": "3 passed, 0 failed, 0 skipped\nkilled\n"},
     1, "0 passed, 1 failed, 0 skipped"),
    ("a missing file is a failure", {"a.json": meson(("OK", "")), "missing.json": None}, 1,
     "1 passed, 1 failed, 0 skipped"),
    ("damaged JSON is a failure", {"a.json": "{"}, 1, "0 passed, 1 failed, 0 skipped"),
]


def run(files):
    """Writes the files, counts them, returns (exit status, what was said)."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder, name) for name in files]
        for path, text in zip(paths, files.values()):
            if text is not None:
                path.write_text(text, encoding="utf-8")
        result = subprocess.run([SCRIPT, *paths], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                text=True, check=False)
    return result.returncode, result.stdout.strip()


def main():
    print(f"1..{len(CASES)}")
    failed = 0
    for number, (name, files, status, said) in enumerate(CASES, 1):
        have = run(files)
        good = have == (status, said)
        if not good:
            failed += 1
            print(f"# expected {(status, said)}, have {have}")
        print(f"{'ok' if good else 'not ok'} {number} - {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
