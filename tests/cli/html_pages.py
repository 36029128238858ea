#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The HTML page of every recorded boot in a real browser: every span is shown, it zooms, nothing is
wrong on the console, nothing sticks out, at two widths in both themes.

Prints TAP. Usage: html_pages.py HADAL DATA [FOLDER-FOR-PICTURES].
"""
import json
import os
import subprocess
import sys

import chromium
from tap import ok

HADAL, DATA = sys.argv[1:3]
PICTURES = sys.argv[3] if len(sys.argv) > 3 else None
DUMPS = sorted(os.path.join(folder, name) for folder, _, files in os.walk(DATA) for name in files
               if name.startswith("timestamps") or "synth" in folder and name.endswith(".bin"))

# Each bar's place on the screen, in the order of the page, and whether its row can be seen whole.
ROWS = """[...document.querySelectorAll('.row')].map(row => {
    const bar = row.querySelector('.bar').getBoundingClientRect(), track = row.querySelector('.track').getBoundingClientRect();
    const texts = [...row.querySelectorAll('.name,.time')].map(e => e.getBoundingClientRect());
    return {start: +row.dataset.start, length: +row.dataset.length, name: row.querySelector('.name').textContent,
        left: (bar.left - track.left) / track.width, width: bar.width / track.width, seen: bar.width > 0 && bar.height > 0,
        whole: texts.every(t => t.left >= 0 && t.right <= innerWidth && t.width > 0),
        apart: texts.every((a, i) => texts.every((b, j) => i >= j || a.right <= b.left || b.right <= a.left ||
            a.bottom <= b.top || b.bottom <= a.top))}})"""

RANGE = "document.querySelector('.range').textContent"


def hadal(fmt, data, *args):
    return subprocess.run([HADAL, "boot", "-q", "-i", "-", f"--format={fmt}", *args], input=data, capture_output=True,
                          check=False, env={"LC_ALL": "C.UTF-8"}).stdout


def everything():
    """A boot with all there can be, on both clocks, with doubt and damage and a long name."""
    doc = json.loads(hadal("json", open(os.path.join(DATA, "q35-tsc/timestamps.bin"), "rb").read()))
    for name, source, clock, start, length, depth, doubtful in (
            ("firmware", "fpdt", "counter", 0, 2_000_000_000, 0, None),
            ("boot loader", "loader", "counter", 2_000_000_000, 700_000_000, 0,
             "after the kernel's start, so probably ticks taken for nanoseconds"),
            ("kernel", "systemd", "kernel", 0, 1_500_000_000, 0, None),
            ("user space", "systemd", "kernel", 1_500_000_000, 8_000_000_000, 0, None),
            ("loading the security policy, which has a name that is longer than any that firmware would choose",
             "systemd", "kernel", 1_510_000_000, 90_000_000, 1, None)):
        doc["spans"].append({"name": name, "source": source, "clock": clock, "start_ns": start, "duration_ns": length,
                             "doubtful": doubtful, "depth": depth, "of_stamps": False})
    doc["apart"] = "the stamps are of a resume, not of the kernel's start"
    doc["damage"] = ["coreboot table: the checksum of its records is wrong"]
    return json.dumps(doc).encode()


def check_zoom(page, name):
    """By key, by button, by double click; and back."""
    before = page.run(ROWS)
    whole = page.run("+document.querySelector('.rows').dataset.whole")
    if not any(0 < r["length"] < whole / 2 for r in before):
        return
    first = page.run(RANGE)
    page.run("document.querySelector('.rows').focus()")
    page.key("+")
    by_key = page.run(RANGE)
    page.run("document.querySelector('button[data-key=\"+\"]').click()")
    by_button = page.run(RANGE)
    wide = [a for a, b in zip(page.run(ROWS), before) if a["width"] > b["width"] * 2]
    page.run("document.querySelector('button[data-key=\"0\"]').click()")
    back = page.run(RANGE)
    ok(len({first, by_key, by_button}) == 3 and first == back and wide and page.run(ROWS) == before,
       f"{name}: zooms and back", first, by_key, by_button, back)
    longest = max(range(len(before)), key=lambda i: before[i]["length"] if before[i]["length"] < whole / 2 else 0)
    page.run(f"document.querySelectorAll('.row')[{longest}].dispatchEvent(new MouseEvent('dblclick', {{bubbles: true}}))")
    row = page.run(ROWS)[longest]
    ok(0.85 < row["width"] < 0.95 and 0 <= row["left"] < 1.001 - row["width"],
       f"{name}: a double click fills the line with a row", row)


def check_page(page, name, path, doc):
    wanted = [s["start_ns"] for s in doc["spans"]] if doc["tick_khz"] else None
    page.open(path)
    for look in chromium.looks(page, name, PICTURES):
        rows = page.run(ROWS)
        ok(len(rows) == len(doc["spans"]) and (wanted is None or sorted(r["start"] for r in rows) == sorted(wanted)) and
           all(r["seen"] and r["whole"] and r["apart"] for r in rows), f"{look}: every span is shown",
           *[r for r in rows if not (r["seen"] and r["whole"] and r["apart"])], len(rows), len(doc["spans"]))
    check_zoom(page, name)
    ok(not page.console, f"{name}: nothing on the console", *page.console)


def check(page, folder):
    path = os.path.join(folder, "page.html")
    for dump in [None, *DUMPS]:
        data = open(dump, "rb").read() if dump else everything()
        with open(path, "wb") as file:
            file.write(hadal("html", data))
        check_page(page, os.path.relpath(dump, DATA) if dump else "all there can be", path, json.loads(hadal("json", data)))


chromium.run(check)
