#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every set of the public metric files against every generation, judged a second time here.

Usage: test_oa_matrix.py HADAL FOLDER [...]     (prints TAP)

The ranges are written once more, the XML goes through another parser, and blocks are joined by
other code; each verdict and each refusal of `hadal oa check --json` has to agree.
"""

import glob
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

COMMON7 = "91b8-91cc 9800-9888 e180"
GEN8 = COMMON7 + " 0d00-0d2c 20cc"
GEN12 = "0d00-0d04 0d0c-0d2c 9840 9884-9888 20cc"
MTL = "0d00-0d04 0d0c-0d2c 9840 9884-9888 38d100-38d114"
XE2 = ("5194 8704 b01c b1bc d0e0-d0f4 e18c e590 13000-137fc 145194 145340-14537c")
B7 = "2710-272c 2740-275c 2770-27ac"
B12 = "2b2c d900-d91c d920-d93c d940-d97c dc00-dc3c dc40 dc44"
BXEHP = B12 + " dc48 dd00-dd48"
BOAM = BXEHP + " 393000-39301c 393020-39303c 393040-39307c 393200-39323c"
BXE2 = BOAM + " 394200-39423c 394a00-394a3c"
EU = "e458 e558 e658 e758 e45c e55c e65c"

RULES = {"hsw": (COMMON7 + " 9e80-9ea4 9ec0 25100-2ff90", B7, "", False),
         "chv": (COMMON7 + " 182300-1823a4", B7, EU, False),
         "dg2": (GEN12, BXEHP, EU, False), "mtl": (MTL, BOAM, EU, False),
         "pvc": (GEN12, BOAM, EU, True)}
RULES |= {g: (GEN8, B7, EU, False) for g in "bdw skl bxt kbl glk cfl".split()}
RULES |= {g: (GEN8 + " 91c8-91dc", B7, EU, False) for g in "cnl icl ehl".split()}
RULES |= {g: (GEN12, B12, EU, False) for g in "tgl rkl dg1 adl".split()}
RULES |= {g: (XE2, BXE2, EU, True) for g in "lnl bmg ptl".split()}

OWN = {"hsw": "hsw", "bdw": "bdw", "sklgt2": "skl", "icl": "icl", "tglgt2": "tgl", "adl": "adl",
       "mtlgt2": "mtl", "acmgt1": "dg2", "bmg": "bmg"}
TYPES = ("NOA", "OA", "FLEX")
CLASSES = ("mux", "boolean", "flex")

# Sets refused and registers refused over all files, as first seen: a change here is a change of
# the rules or of the data.
TOTALS = {"hsw": (281, 5120), "skl": (226, 4946), "tgl": (240, 3325), "mtl": (86, 3036),
          "bmg": (264, 18730)}


def ranges(text):
    for word in text.split():
        first, _, last = word.partition("-")
        yield int(first, 16), int(last or first, 16)


def joined(block_list):
    """Registers of all blocks, by priority, equal ones as in the file."""
    order = sorted(block_list, key=lambda b: int(b.get("priority", "0")))
    return [int(r.get("address"), 16) for b in order for r in b]


def expect(metric_set, rules):
    """(index, address) of each refused register, per class; class "flex" alone if there is none."""
    tables = [list(ranges(t)) for t in rules[:3]]
    refused, base = [], 0
    for number, kind in enumerate(TYPES):
        addresses = joined([b for b in metric_set.iter("register_config") if b.get("type") == kind])
        if addresses and not tables[number]:
            refused.append((CLASSES[number], None, None))
            continue
        good = sum(tables, []) if rules[3] else tables[number]
        for index, address in enumerate(addresses):
            if not any(first <= address <= last for first, last in good):
                refused.append((CLASSES[number], base + index, address))
        base += len(addresses) if rules[3] else 0
    return refused


def seen(refusal):
    address = refusal["address"]
    return refusal["class"], refusal["index"], int(address, 16) if address else None


def nearest_is_right(refusal, rules):
    """The range shown is an allowed one, and no allowed one is closer."""
    if refusal["nearest"] is None:
        return refusal["reason"] == "no_class"
    address = int(refusal["address"], 16)
    good = list(ranges(" ".join(rules[:3]) if rules[3] else rules[CLASSES.index(refusal["class"])]))
    shown = (int(refusal["nearest"]["first"], 16), int(refusal["nearest"]["last"], 16))

    def distance(r):
        return max(r[0] - address, address - r[1], 0)
    # Ours are joined where they overlap (gen11).
    inside = any(shown[0] <= first and last <= shown[1] for first, last in good)
    return inside and distance(shown) == min(map(distance, good))


def check(hadal, files, gen=None):
    command = [hadal, "oa", "check", "--json", *([f"--gen={gen}"] if gen else []), *files]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                         check=False)
    return run.returncode, run.stderr, json.loads(run.stdout)


class Tap:
    """Counts and prints."""

    def __init__(self):
        self.number = 0

    def ok(self, good, name):
        self.number += 1
        print(f"{'' if good else 'not '}ok {self.number} - {name}", flush=True)


def compare(document, parsed, gen):
    """(everything agrees, sets refused, registers refused)"""
    good, refused_sets, refused_registers = True, 0, 0
    for file, metric_sets in zip(document["files"], parsed):
        good &= len(file["sets"]) == len(metric_sets)
        for have, metric_set in zip(file["sets"], metric_sets):
            rules = RULES[gen or OWN[metric_set.get("chipset").lower()]]
            want = expect(metric_set, rules)
            agree = (have["uuid"] == metric_set.get("hw_config_guid")
                     and [seen(r) for r in have["refusals"]] == want
                     and have["verdict"] == ("refused" if want else "accepted")
                     and all(nearest_is_right(r, rules) for r in have["refusals"]))
            if not agree:
                print(f"# {file['path']} {have['name']} as {gen}: {have['refusals'][:2]} {want[:2]}")
            good &= agree
            refused_sets += bool(want)
            refused_registers += len(want)
    return good, refused_sets, refused_registers


def main():
    hadal, folder = sys.argv[1:3]
    files = sorted(glob.glob(os.path.join(folder, "oa-*.xml")))
    parsed = [list(ET.parse(f).getroot().iter("set")) for f in files]
    tap = Tap()
    status, _, document = check(hadal, files)
    good, refused, _ = compare(document, parsed, None)
    tap.ok(sum(map(len, parsed)) == 292, "292 sets are there")
    tap.ok(good and refused == 0 and status == 0, "own generation: every set accepted, status 0")
    for gen in RULES:
        status, _, document = check(hadal, files, gen)
        good, refused, registers = compare(document, parsed, gen)
        tap.ok(good and status == 1, f"{gen}: {refused} sets refused for {registers} registers")
        if gen in TOTALS:
            tap.ok((refused, registers) == TOTALS[gen], f"{gen}: the totals as first seen")
    status, stderr, _ = check(hadal, [*files, os.path.join(folder, "guids-subset.xml")])
    warnings = [line for line in stderr.splitlines() if "hash" in line]
    tap.ok(status == 0 and len(warnings) == 2 and all("oa-bmg.xml" in w for w in warnings)
           and "MediaSet2" in warnings[0] and "MediaSet1" in warnings[1],
           "hashes: MediaSet1 and MediaSet2 of bmg differ, as upstream, and no other")
    print(f"1..{tap.number}")


main()
