#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The HTML page of hwlat results in a real browser: every picture is there and shows what the result has,
nothing is wrong on the console, nothing sticks out, at two widths in both themes.

Prints TAP. Usage: hwlat_pages.py HADAL DATA [FOLDER-FOR-PICTURES].
"""
import json
import os
import subprocess
import sys

import chromium
from tap import ok

HADAL, DATA = sys.argv[1:3]
PICTURES = sys.argv[3] if len(sys.argv) > 3 else None

# The headings; every picture with its heading, what it says it shows, its size, and whether all in it has a colour.
PAGE = """({headings: [...document.querySelectorAll('h2')].map(h => h.textContent),
    charts: [...document.querySelectorAll('svg.chart')].map(svg => {
        const box = svg.getBoundingClientRect();
        const dots = [...svg.querySelectorAll('.dots')], bars = [...svg.querySelectorAll('rect.h')];
        return {section: svg.closest('section').querySelector('h2').textContent, label: svg.getAttribute('aria-label'),
            seen: box.width > 100 && box.height > 20 && box.left >= 0 && box.right <= innerWidth,
            dots: dots.length, bars: bars.length,
            gaps: bars.map(b => +b.querySelector('title').textContent.split(': ')[1]).reduce((a, b) => a + b, 0),
            drawn: dots.every(d => getComputedStyle(d).stroke !== 'none' && d.getBBox().height >= 0) &&
                bars.every(b => getComputedStyle(b).fill !== 'none' && b.getBBox().height > 0)}}),
    rows: [...document.querySelectorAll('section')].map(s => s.querySelectorAll('tr').length - 1)})"""


def hadal(fmt, data):
    return subprocess.run([HADAL, "hwlat", "-q", "-i", "-", f"--format={fmt}"], input=data, capture_output=True,
                          check=False, env={"LC_ALL": "C.UTF-8"}).stdout


def periodic(recorded):
    """Four CPUs, all watched for 30 s: an SMI a second on CPU 2, more and more from nobody knows where on CPU 3."""
    doc = json.loads(recorded)
    gap = {**doc["gaps"][0], "nmi": 0, "nmi_ns": 0}
    doc["run"].update(cpus=[0, 1, 2, 3], duration_ns=30_000_000_000)
    doc["windows"] = [{**doc["windows"][0], "cpu": cpu, "start_ns": 0, "duration_ns": 30_000_000_000,
                       "watched_ns": 30_000_000_000} for cpu in range(4)]
    doc["gaps"] = [{**gap, "cpu": 2, "start_ns": 500_000_000 + i * 1_000_000_000, "duration_ns": 150_000, "cause": "smi",
                    "smi": 1} for i in range(30)]
    doc["gaps"] += [{**gap, "cpu": 3, "start_ns": 700_000_000 + i * i * 30_000_000, "duration_ns": 20_000 + i * 900,
                     "cause": "unexplained", "smi": 0} for i in range(30)]
    return json.dumps(doc).encode()


def check_page(page, name, data, folder, periods):
    doc = json.loads(hadal("json", data))
    path = os.path.join(folder, "page.html")
    with open(path, "wb") as file:
        file.write(hadal("html", data))
    gaps = [g for g in doc["gaps"] if g["cause"]]
    wanted = ["Gaps over time", "Lengths", "Causes", *["Periods"] * bool(periods), "CPUs"]
    ok(len(doc["periods"]) == periods, f"{name}: the periods are found", doc["periods"])
    page.open(path)
    for look in chromium.looks(page, name, PICTURES):
        seen = page.run(PAGE)
        times = [c for c in seen["charts"] if c["section"] == "Gaps over time"]
        lengths = [c for c in seen["charts"] if c["section"] == "Lengths"]
        ok(seen["headings"] == wanted, f"{look}: every part is there", seen["headings"], wanted)
        ok(all(c["seen"] and c["drawn"] for c in seen["charts"]), f"{look}: every picture is shown", *seen["charts"])
        ok([c["label"].split()[0] for c in times] == [str(sum(g["cpu"] == cpu for g in gaps)) for cpu in doc["run"]["cpus"]]
           and all((c["dots"] > 0) == (c["label"][:2] != "0 ") for c in times), f"{look}: every CPU has its gaps", *times)
        ok([c["gaps"] for c in lengths] == [len(gaps)], f"{look}: every gap is in the histogram", *lengths)
        ok(all(count > 0 for heading, count in zip(seen["headings"], seen["rows"])
               if heading in ("Causes", "Periods", "CPUs")), f"{look}: the tables have rows", seen["rows"])
    ok(not page.console, f"{name}: nothing on the console", *page.console)


def check(page, folder):
    with open(os.path.join(DATA, "expected.json"), "rb") as recorded:
        data = recorded.read()
    check_page(page, "recorded", data, folder, 0)
    check_page(page, "a period", periodic(data), folder, 1)


chromium.run(check)
