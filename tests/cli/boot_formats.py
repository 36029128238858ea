#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Formats of `hadal boot` that other programs read, checked with parsers that are not ours.

Prints TAP. Usage: boot_formats.py HADAL DATA.
"""
import html.parser
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree

import prometheus_client.openmetrics.parser
import prometheus_client.parser

from tap import finish, ok

HADAL, DATA = sys.argv[1:3]
DUMPS = sorted(os.path.join(folder, name) for folder, _, files in os.walk(DATA) for name in files
               if name.startswith("timestamps") or "synth" in folder and name.endswith(".bin"))
EVIL = "<script>alert('&\\\"')</script>"
VOID = {"meta", "link", "br"}


def run(fmt, data, *args):
    done = subprocess.run([HADAL, "boot", "-q", "-i", "-", f"--format={fmt}", *args], input=data,
                          capture_output=True, check=False, env={"LC_ALL": "C.UTF-8"})
    return done.stdout.decode()


def document():
    """A boot with all there can be: stamps, other sources, both clocks, doubt, damage, bad words."""
    doc = json.loads(run("json", open(os.path.join(DATA, "q35-tsc/timestamps.bin"), "rb").read()))
    for name, source, clock, doubtful in (("firmware", "fpdt", "counter", EVIL), (EVIL, "loader", "counter", None),
                                          ("kernel", "systemd", "kernel", None)):
        doc["spans"].append({"name": name, "source": source, "clock": clock, "start_ns": 1000, "duration_ns": 2345678,
                             "doubtful": doubtful, "depth": 0, "of_stamps": False})
    doc["apart"] = EVIL
    doc["damage"] = [EVIL]
    return doc


class Page(html.parser.HTMLParser):
    """Tags that nest, and the text and attributes between them."""

    def __init__(self, text):
        super().__init__()
        self.stack, self.tags, self.bars, self.words, self.problem = [], [], [], [], None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.stack.append(tag)
        if "row " in (dict(attrs).get("class") or ""):
            self.bars.append(dict(attrs))

    def handle_endtag(self, tag):
        if not self.stack or self.stack.pop() != tag:
            self.problem = f"</{tag}> at {self.getpos()}"

    def handle_data(self, data):
        if self.stack and self.stack[-1] not in ("script", "style"):
            self.words.append(data)


def check_html():
    for path in DUMPS:
        data = open(path, "rb").read()
        page = Page(run("html", data))
        doc = json.loads(run("json", data))
        starts = [int(b["data-start"]) for b in page.bars]
        want = [s["start_ns"] for s in doc["spans"]]
        ok(not page.problem and not page.stack and len(starts) == len(want) and
           (not doc["tick_khz"] or starts == want), f"html: every span of {os.path.relpath(path, DATA)}", page.problem)
    text = run("html", json.dumps(document()).encode())
    page = Page(text)
    ok(not page.problem and [t for t, _ in page.tags].count("script") == 1 and text.count("alert") >= 5,
       "html: names are text, whatever they are", page.problem)
    ok(EVIL in page.words and f"doubtful: {EVIL}" in "".join(page.words), "html: and are shown as they are")
    ok(not re.search(r"(src|href)=\"(?!data:,)", text) and "url(" not in text and "http" not in text and
       "@import" not in text, "html: nothing is fetched")
    ok([t for t, _ in page.tags].count("h2") == 4, "html: the clocks that cannot be related are apart")


def check_svg():
    svg = "{http://www.w3.org/2000/svg}"
    for path in [*DUMPS, None]:
        data = open(path, "rb").read() if path else json.dumps(document()).encode()
        name = os.path.relpath(path, DATA) if path else "all there can be"
        root = xml.etree.ElementTree.fromstring(run("svg", data))
        width, height = (float(root.get(key)) for key in ("width", "height"))
        rows = root.findall(f"{svg}g")
        bars = [{k: float(v) for k, v in row.find(f"{svg}rect").attrib.items() if k != "class"} for row in rows]
        ok(len(rows) == len(json.loads(run("json", data))["spans"]) and
           all(b["x"] + b["width"] < width and b["y"] + b["height"] < height for b in bars) and
           len({b["y"] for b in bars}) == len(bars), f"svg: every span of {name}, inside the picture", bars)
    doc = document()
    doc["spans"][-1]["name"] = "€" * 300
    texts = [t.text for t in xml.etree.ElementTree.fromstring(run("svg", json.dumps(doc).encode())).iter(f"{svg}text")]
    ok(any(set(t) == {"€"} for t in texts), "svg: a name that is cut off ends with a whole character")
    ok(any(EVIL in title.text for title in root.iter(f"{svg}title")), "svg: names are text, whatever they are")


def nests(events):
    """Slices of one thread lie in one another or apart."""
    threads = {}
    for event in events:
        if event["ph"] == "X":
            start = round(event["ts"] * 1000)
            threads.setdefault((event["pid"], event["tid"]), []).append((start, -round(event["dur"] * 1000)))
    for slices in threads.values():
        ends = []
        for start, length in sorted(slices):
            while ends and ends[-1] <= start:
                ends.pop()
            # Each time is rounded to a nanosecond by itself.
            if ends and start - length > ends[-1] + 1:
                return False
            ends.append(start - length)
    return True


def check_perfetto():
    for path in DUMPS:
        data = open(path, "rb").read()
        doc = json.loads(run("perfetto", data))
        spans = [s for s in json.loads(run("json", data))["spans"] if s["start_ns"] is not None]
        slices = [e for e in doc["traceEvents"] if e["ph"] == "X"]
        ok(nests(doc["traceEvents"]) and [round(e["ts"] * 1000) for e in slices] == [s["start_ns"] for s in spans] and
           [e["name"] for e in slices] == [s["name"] for s in spans],
           f"perfetto: slices of {os.path.relpath(path, DATA)}")
    events = json.loads(run("perfetto", json.dumps(document()).encode()))["traceEvents"]
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    ok(sorted(names.values()) == ["firmware", "fpdt", "loader", "systemd"] and
       len({pid for pid, _ in names}) == 2, "perfetto: a thread for each source, a process for each clock", names)
    ok(sum("doubtful" in e.get("args", {}) for e in events) == 1, "perfetto: doubt is told")


def check_openmetrics():
    for path in [*DUMPS, None]:
        data = open(path, "rb").read() if path else json.dumps(document()).encode()
        text = run("openmetrics", data)
        name = os.path.relpath(path, DATA) if path else "all there can be"
        try:
            new = list(prometheus_client.openmetrics.parser.text_string_to_metric_families(text))
            old = list(prometheus_client.parser.text_string_to_metric_families(text))
        except ValueError as error:
            ok(False, f"openmetrics: {name}", error, text)
            continue
        samples = [s for family in new for s in family.samples if s.name == "hadal_boot_span_seconds"]
        spans = [s for s in json.loads(run("json", data))["spans"] if s["duration_ns"] is not None]
        ok(sorted(round(s.value * 1e9) for s in samples) == sorted(s["duration_ns"] for s in spans) and
           len({tuple(sorted(s.labels.items())) for s in samples}) == len(samples) and
           sorted(len(f.samples) for f in new) == sorted(len(f.samples) for f in old),
           f"openmetrics: {name}, for the new parser and the old", text)
    ok(any(s.labels["span"] == EVIL for s in samples), "openmetrics: names are escaped")


def main():
    check_html()
    check_svg()
    check_perfetto()
    check_openmetrics()
    finish()


main()
