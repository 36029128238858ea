#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every path that a document names exists: relative links and, where developers read, `paths` in
backticks that begin with a folder of the sources. The README speaks of other projects' trees, too.
Prints TAP.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)#:]+)\)")
CODE = re.compile(r"`([\w.][\w.*-]*/[\w./*-]*)`")


def documents():
    """The tracked documents, but for notes on data."""
    listed = subprocess.run(["git", "ls-files", "*.md", ":!tests/data"], cwd=ROOT, text=True,
                            capture_output=True, check=False).stdout.split()
    # A copy of the sources without its history has all its documents, too.
    return [ROOT / name for name in listed] or [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]


def broken(path):
    """The paths in a document that lead nowhere."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"),
                  flags=re.MULTILINE | re.DOTALL)
    for target in LINK.findall(text):
        if not (path.parent / target).exists():
            yield target
    for target in CODE.findall(text) if path.name != "README.md" else []:
        first = target.split("/")[0]
        if first != "build" and (ROOT / first).is_dir() and not list(ROOT.glob(target.rstrip("/"))):
            yield target


def main():
    failed = 0
    paths = sorted(documents())
    for number, path in enumerate(paths, 1):
        wrong = sorted(set(broken(path)))
        for target in wrong:
            print(f"# there is no {target}")
        failed += bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} {number} - {path.relative_to(ROOT)}")
    print(f"1..{len(paths)}")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
