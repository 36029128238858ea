#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The real `hadal oa list`, `add` and `remove` on trees of files, with a library in front of the
kernel that answers as i915's driver. What is added is compared with the XML as Python reads it.

Prints TAP. Usage: oa_live.py HADAL OA_DATA SCHEMAS FAKE_I915
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import jsonschema

from oa_gpus import Tree
from preload import preload
from tap import finish, ok, skip

HADAL, FAKE = sys.argv[1], sys.argv[4]
DATA, SCHEMAS = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
TGL = DATA / "oa-tglgt2.xml"
BASIC = "0fc397c0-4833-492c-9ccd-4929d574d5b8"
PRELOAD = preload(HADAL, FAKE)
EINTR, EACCES, ENODEV, EINVAL, ENOSPC, EADDRINUSE = 4, 13, 19, 22, 28, 98


def run(tree, *args, **fake):
    """Status, standard output, standard error of `hadal oa ...` below the tree's root."""
    env = {**os.environ, "LD_PRELOAD": PRELOAD, "FAKE_ROOT": str(tree.root),
           **{f"FAKE_{name}": str(value) for name, value in fake.items()}}
    done = subprocess.run([HADAL, "oa", *map(str, args), "--root", str(tree.root)], env=env,
                          capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, done.stdout, done.stderr


def document(tree, name, *args, **fake):
    """Status and the document of a sub-verb, which must follow its schema."""
    status, out, err = run(tree, *args, "--json", **fake)
    schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    try:
        doc = json.loads(out)
        errors = [error.message for error in jsonschema.Draft7Validator(schema).iter_errors(doc)]
    except json.JSONDecodeError as error:
        doc, errors = None, [error, out, err]
    ok(not errors, f"{' '.join(map(str, args))[:60]}: the document follows {name}.json", *errors)
    return status, doc


def outcomes(doc):
    """How many sets have each outcome."""
    found = {}
    for entry in doc["sets"]:
        found[entry["outcome"]] = found.get(entry["outcome"], 0) + 1
    return found


def same(have, want, name):
    """The two are equal."""
    ok(have == want, name, f"have {have}", f"want {want}")


def of_file(path):
    """UUID -> for each class the registers in order, as Python's parser reads the file."""
    found = {}
    for entry in ElementTree.parse(path).getroot().iter("set"):
        found[entry.get("hw_config_guid")] = tuple(
            tuple((int(reg.get("address"), 0), int(reg.get("value"), 0))
                  for reg in entry.iter("register") if reg.get("type") == kind)
            for kind in ("NOA", "OA", "FLEX"))
    return found


def changed(folder, old, new, count=1, source=TGL):
    """A copy of the file with one text in place of another, as often as told."""
    text = source.read_text(encoding="utf-8")
    assert old in text
    path = pathlib.Path(folder) / f"changed-{abs(hash((old, new)))}.xml"
    path.write_text(text.replace(old, new, count), encoding="utf-8")
    return path


def last_changed(folder, old, new):
    """The same, of the last occurrence only."""
    text = TGL.read_text(encoding="utf-8")
    head, _, tail = text.rpartition(old)
    path = pathlib.Path(folder) / "last.xml"
    path.write_text(head + new + tail, encoding="utf-8")
    return path


def tgl():
    """A Tiger Lake without sets, which anybody may use."""
    tree = Tree()
    tree.gpu("card0", "i915", "0x9a49")
    tree.paranoid(0)
    return tree


# --- list ------------------------------------------------------------------------------------


def check_empty():
    with Tree() as tree:
        status, out, err = run(tree, "list")
        same((status, out), (3, ""), "no GPU: status 3")
        same(err.splitlines()[0], "hadal oa list: no GPU of the drivers i915, xe or hadal_oa",
             "and it says which drivers it looks for")
        for words in (["add", TGL], ["remove", "all"]):
            same(run(tree, *words)[0], 3, f"{words[0]} without a GPU: status 3")


TABLE = f"""\
card0: i915, tgl (0x9a49, revision 0x01), /dev/dri/renderD128: 2 sets
    ID  UUID                                  ORIGIN    SET
     2  {BASIC}  dynamic   RenderBasic
    17  01234567-0123-0123-0123-0123456789AB  dynamic   -
card1: xe, bmg (0xe20b, revision 0x01), /dev/dri/renderD129: 1 set
    ID  UUID                                  ORIGIN    SET
     1  01234567-0123-0123-0123-0123456789ab  dynamic   -
card2: i915, unknown generation (0x0152, revision 0x01), /dev/dri/card2: no OA for it in this kernel
card10: hadal_oa, hsw (0x0412, revision 0x01), /dev/dri/renderD130: 2 sets
    ID  UUID                                  ORIGIN    SET
     1  00000000-0000-0000-0000-000000000001  built-in  -
     2  00000000-0000-0000-0000-000000000002  unknown   -
"""


def many_gpus(tree):
    tree.gpu("card0", "i915", "0x9a49")
    tree.gpu("card1", "xe", "0xe20b", node="renderD129", slot="0000:03:00.0")
    tree.gpu("card2", "i915", "0x0152", node=None, slot="0000:04:00.0", metrics=False)
    tree.gpu("card3", "nouveau", "0x1234", node=None, slot="0000:05:00.0")
    tree.gpu("card10", "hadal_oa", "0x0412", node="renderD130", slot="1000:00:00.0")
    tree.write("sys/module/hadal_oa/parameters/gen", "hsw\n")
    tree.write("sys/module/hadal_oa/parameters/builtin", "Y\n")
    (tree.root / "sys/class/drm/card0-DP-1").mkdir()
    (tree.root / "sys/class/drm/version").write_text("drm 1.1.0\n", encoding="utf-8")
    tree.loaded("card0", "01234567-0123-0123-0123-0123456789AB", 17)
    tree.loaded("card0", BASIC, 2)
    tree.loaded("card1", "01234567-0123-0123-0123-0123456789ab", 1)
    tree.loaded("card10", "00000000-0000-0000-0000-000000000001", 1)
    tree.loaded("card10", "00000000-0000-0000-0000-000000000002", 2)


def check_list():
    with Tree() as tree:
        many_gpus(tree)
        same(run(tree, "list", TGL), (0, TABLE, ""), "several GPUs, with names of a file")
        plain = run(tree, "list")[1]
        same(plain.splitlines()[-1], "Names are in metric files: hadal oa list FILE...",
             "without a file it says where names are")
        status, doc = document(tree, "oa-list", "list", TGL)
        same((status, [gpu["card"] for gpu in doc["gpus"]]), (0, ["card0", "card1", "card2", "card10"]),
             "the GPUs of the document")
        same([(entry["id"], entry["origin"], entry["name"]) for entry in doc["gpus"][0]["sets"]],
             [(2, "dynamic", "RenderBasic"), (17, "dynamic", None)], "its sets")
        same(doc["gpus"][3]["sets"][1]["origin"], None, "an origin that is not known is null")
        names = run(tree, "list", DATA / "guids-subset.xml")[1]
        ok(re.search(rf"{BASIC}  dynamic   \S*RenderBasic", names), "names from a guids.xml", names)
        for name in ("card1", "renderD129", "/dev/dri/renderD129", "/dev/dri/card1", "0000:03:00.0"):
            out = run(tree, "list", "--device", name)[1]
            ok(out.startswith("card1: ") and out.count("dev/dri") == 1, f"--device {name}", out)
        status, _, err = run(tree, "list", "--device", "card7")
        same((status, err.splitlines()[0]), (
            3, "hadal oa list: card7: no such GPU; there is card0 card1 card2 card10"), "no such GPU")
        status, _, err = run(tree, "add", TGL)
        same((status, err.splitlines()[0]),
             (3, "hadal oa add: there are several GPUs: card0 card1 card2 card10"), "which of them?")
        status, _, err = run(tree, "list", "/nonexistent.xml")
        same(status, 4, "a file that is not there: status 4, and all is listed")


def check_hostile():
    """Files that the kernel would not have: nothing crashes, what is sound is shown."""
    bad = {"id": ["", "x\n", "-1\n", "99999999999999999999999\n", "1" * 5000, "\0"],
           "device": ["", "0x\n", "0xfffffffffffffffff\n", "x" * 5000]}
    for text in bad["id"]:
        with tgl() as tree:
            tree.loaded("card0", BASIC, 2)
            tree.write(f"sys/class/drm/card0/metrics/{'f' * 8}-0000-0000-0000-{'0' * 12}/id", text)
            tree.write("sys/class/drm/card0/metrics/not-a-uuid/id", "3\n")
            status, out, _ = run(tree, "list")
            same((status, out.splitlines()[0][-5:], BASIC in out), (0, "1 set", True),
                 f"an id of {text[:10]!r}")
    for text in bad["device"]:
        with tgl() as tree:
            tree.write("sys/devices/pci0000:00/0000:00:02.0/device", text)
            status, out, _ = run(tree, "list")
            same((status, "unknown generation (0x0000" in out), (0, True), f"a device of {text[:12]!r}")
    with tgl() as tree:
        status = run(tree, "list", "--root", "x" * 400)[0]
        ok(status == 0, "a root too long, if another follows", status)


# --- add -------------------------------------------------------------------------------------


def check_add():
    want = of_file(TGL)
    with tgl() as tree:
        status, doc = document(tree, "oa-add", "add", "--dry-run", TGL)
        same((status, outcomes(doc), tree.sets()), (0, {"would-add": 26}, {}), "a dry run adds none")
        status, doc = document(tree, "oa-add", "add", TGL)
        same((status, outcomes(doc)), (0, {"added": 26}), "all are added")
        same({entry["uuid"]: entry["id"] for entry in doc["sets"]}, tree.sets(), "with these ids")
        same(tree.registers(), want, "each has the registers of the file, in order")
        status, doc = document(tree, "oa-add", "add", TGL)
        same((status, outcomes(doc)), (0, {"present": 26}), "again: they are present")
        status, doc = document(tree, "oa-remove", "remove", "all")
        same((status, outcomes(doc), tree.sets()), (0, {"removed": 26}, {}), "all are removed")
    for name in (BASIC, BASIC.upper(), f"{{{BASIC}}}", "RenderBasic"):
        with tgl() as tree:
            same((run(tree, "add", TGL, "--set", name)[0], list(tree.sets())), (0, [BASIC]),
                 f"--set {name}")
    with tgl() as tree:
        same((run(tree, "add", TGL, "--set", "Nothing")[0], tree.sets()), (4, {}),
             "--set of what is not there")


def check_refused(folder):
    bad = last_changed(folder, 'address="0x00000D04"', 'address="0x0000DEAD"')
    with tgl() as tree:
        status, doc = document(tree, "oa-add", "add", bad)
        same((status, outcomes(doc), tree.sets()), (1, {"refused": 1, "untried": 25}, {}),
             "a set that the rules refuse: none is added")
        refused = [entry for entry in doc["sets"] if entry["outcome"] == "refused"][0]
        same((refused["name"], refused["refusals"][0]["address"], refused["refusals"][0]["nearest"]),
             ("TestOa", "0xdead", {"first": "0x9884", "last": "0x9888"}), "it says which register")
        status, doc = document(tree, "oa-add", "add", "--keep-going", bad)
        same((status, outcomes(doc), len(tree.sets())), (1, {"refused": 1, "added": 25}, 25),
             "--keep-going: the others are")
        status, doc = document(tree, "oa-add", "add", "--dry-run", bad)
        same((status, outcomes(doc)), (1, {"refused": 1, "present": 25}), "a dry run says so too")
    broken = pathlib.Path(folder) / "broken.xml"
    broken.write_text(TGL.read_text(encoding="utf-8")[:200000], encoding="utf-8")
    with tgl() as tree:
        status, out, _ = run(tree, "add", broken)
        same((status, tree.sets()), (4, {}), "a file that ends early: none is added")
        ok("untried" in out, "they are listed as untried", out)
        status = run(tree, "add", "--set", BASIC, broken)[0]
        same((status, list(tree.sets())), (0, [BASIC]), "a sound set of it can be added by name")
    with tgl() as tree:
        same((run(tree, "add", TGL, TGL)[0], tree.sets()), (4, {}), "each UUID twice: none is added")
        status = run(tree, "add", "--keep-going", TGL, TGL)[0]
        same((status, len(tree.sets())), (4, 26), "--keep-going: the first of each")


def check_failures():
    """The kernel refuses the Nth: nothing is left, or with --keep-going the others."""
    for nth in (1, 2, 13, 26):
        for err in (EINVAL, ENOSPC, EADDRINUSE, 524):
            with tgl() as tree:
                status, doc = document(tree, "oa-add", "add", TGL, FAIL=f"{nth}:{err}")
                want = {"failed": 1, "taken-back": nth - 1, "untried": 26 - nth}
                same((status, outcomes(doc), tree.sets(), tree.registers()),
                     (1 if err in (EINVAL, EADDRINUSE) else 3,
                      {word: n for word, n in want.items() if n}, {}, {}),
                     f"add {nth} fails with {err}: nothing is left")
    with tgl() as tree:
        status, doc = document(tree, "oa-add", "add", "--keep-going", TGL, FAIL=f"5:{EINVAL}")
        same((status, outcomes(doc), len(tree.sets())), (1, {"added": 25, "failed": 1}, 25),
             "--keep-going goes on")
        run(tree, "remove", "all")
        status, _, err = run(tree, "add", "--keep-going", TGL, FAIL=f"5:{EACCES}")
        same((status, len(tree.sets()), err.count("not permitted")), (3, 4, 1),
             "but not where nothing more can be added")
    with tgl() as tree:
        status, doc = document(tree, "oa-add", "add", TGL, FAIL=f"3:{EINVAL}", STUCK=2)
        same((status, outcomes(doc), len(tree.sets())),
             (3, {"left": 2, "failed": 1, "untried": 23}, 2), "what cannot be taken back is told")


def check_signals():
    for nth in (1, 2, 20, 26):
        for more in ([], ["--keep-going"]):
            with tgl() as tree:
                status, doc = document(tree, "oa-add", "add", TGL, *more, SIGNAL=nth)
                same((status, doc["complete"], tree.sets()), (3, False, {}),
                     f"a signal in add {nth} {more}: nothing is left")
                same(outcomes(doc).get("taken-back"), nth, "what was added is taken back")
    for nth, left in ((1, 25), (25, 1), (26, 0)):
        with tgl() as tree:
            run(tree, "add", TGL)
            status, out, err = run(tree, "remove", "all", CUT=nth)
            same((status, err.count("interrupted"), len(tree.sets())), (3, 1, left) if left else (0, 0, 0),
                 f"a signal in removal {nth}: {left} sets stay, and that is said")
            same(out.count("untried"), left, "each of them by its name")


def check_same_uuid(folder):
    other = changed(folder, 'value="0x00000200"', 'value="0x00000300"')
    old = of_file(TGL)[BASIC]
    with tgl() as tree:
        run(tree, "add", TGL, "--set", BASIC)
        status, doc = document(tree, "oa-add", "add", other, "--set", BASIC)
        same((status, outcomes(doc), tree.registers()[BASIC]), (1, {"different": 1}, old),
             "other registers: told, and left alone")
        status, doc = document(tree, "oa-add", "add", other)
        same((status, outcomes(doc), len(tree.sets())), (1, {"different": 1, "untried": 25}, 1),
             "and the rest is not added")
        for nth in range(2, 5):
            status, doc = document(tree, "oa-add", "add", "--replace", other, FAIL=f"{nth}:{EINVAL}")
            same((status, tree.registers()), (1, {BASIC: old}), f"replaced, and add {nth} fails: put back")
        status, doc = document(tree, "oa-add", "add", "--replace", other, SIGNAL=3)
        same((status, tree.registers()), (3, {BASIC: old}), "a signal: put back")
        status, doc = document(tree, "oa-add", "add", "--replace", other, "--set", BASIC)
        same((status, outcomes(doc), tree.registers()), (0, {"replaced": 1},
                                                         {BASIC: of_file(other)[BASIC]}), "replaced")
        status, doc = document(tree, "oa-add", "add", other, "--set", BASIC, OLD=1)
        same((status, outcomes(doc)), (1, {"uncompared": 1}), "a kernel that cannot tell: not reused")
        status, doc = document(tree, "oa-add", "add", "--replace", TGL, "--set", BASIC, OLD=1)
        same((status, outcomes(doc), tree.registers()[BASIC]), (0, {"replaced": 1}, old),
             "nor in the way of --replace")
    with tgl() as tree:
        run(tree, "add", TGL, "--set", BASIC)
        status, _, err = run(tree, "add", "--replace", other, FAIL=f"1:{ENOSPC}", FOREVER=1)
        same((status, tree.sets()), (3, {}), "neither the new one nor the old one can be added")
        ok(f"{BASIC}: what was there before could not be put back" in err, "that is told", err)
    with tgl() as tree:
        upper = changed(folder, BASIC, f"{{{BASIC.upper()}}}")
        status, _, err = run(tree, "add", upper, "--set", "RenderBasic")
        same((status, list(tree.sets())), (0, [BASIC]), "braces and upper case are normalised")
        ok(f"UUID {{{BASIC.upper()}}} is taken as {BASIC}" in err, "and that is told", err)
    with tgl() as tree:
        tree.loaded("card0", BASIC.upper(), 9)
        status, doc = document(tree, "oa-add", "add", TGL, "--set", BASIC)
        same((status, doc["sets"][0]["twin"], len(tree.sets())), (0, BASIC.upper(), 2),
             "a twin in another case is pointed out")
        ok(run(tree, "remove", f"{{{BASIC}}}")[0] == 1 and len(tree.sets()) == 2,
           "which of the twins is to go?")


# --- who may, and what else can be in the way ------------------------------------------------


def check_way():
    with tgl() as tree:
        status, _, err = run(tree, "add", TGL, NAME="nouveau")
        same(status, 3, "another driver answers: status 3")
        ok("another driver than i915 answers" in err, "and it says so", err)
    with tgl() as tree:
        (tree.root / "dev/dri/renderD128").unlink()
        status, _, err = run(tree, "add", TGL)
        same((status, "/dev/dri/renderD128 is missing" in err), (3, True), "the node is missing")
    with tgl() as tree:
        tree.paranoid(1)
        status, _, err = run(tree, "add", TGL, FAIL=f"1:{EACCES}")
        same(status, 3, "not permitted: status 3")
        same(err.splitlines()[0].split(": not permitted: ")[1],
             "/proc/sys/dev/i915/perf_stream_paranoid is 1, and this process has neither "
             "CAP_PERFMON nor CAP_SYS_ADMIN", "file, value, capabilities")
        ok("sudo sysctl dev.i915.perf_stream_paranoid=0" in err, "and the command", err)
    with Tree() as tree:
        tree.gpu("card0", "i915", "0x9a49", metrics=False)
        status, _, err = run(tree, "add", TGL)
        same((status, "the kernel has no OA for any GPU here: card0" in err), (3, True), "no OA")
        status, _, err = run(tree, "add", TGL, "--device", "card0")
        same(status, 3, "no OA on the GPU that was named")
        ok("this kernel's i915 has no OA for this GPU (0x9a49)" in err, "and it says so", err)
    with tgl() as tree:
        ok(run(tree, "add", DATA / "oa-sklgt2.xml")[0] == 1 and not tree.sets(),
           "sets of another GPU are not added")
        status, doc = document(tree, "oa-add", "add", TGL, DATA / "oa-sklgt2.xml")
        same((status, outcomes(doc)), (0, {"added": 26, "other-gpu": 22}), "but passed over")
        same(run(tree, "add", "-o", "/nonexistent/file", TGL)[0], 3, "nowhere to write: status 3")


def check_xe():
    """Sets of xe; where its header was not there when this was built, it says so, plainly."""
    bmg = DATA / "oa-bmg.xml"
    with Tree() as tree:
        tree.gpu("card0", "xe", "0xe20b")
        status, _, err = run(tree, "add", bmg, NAME="xe")
        if "built without xe's interface" in err:
            same((status, run(tree, "list")[0]), (3, 0), "xe: built without its header, sets are listed")
            skip("xe: adding and removing", "no header with DRM_IOCTL_XE_OBSERVATION here")
            return
        same((status, len(tree.sets())), (0, 14), "xe: all are added")
        same(tree.registers(), {uuid: (sum(classes, ()), (), ()) for uuid, classes in of_file(bmg).items()},
             "xe: mux, boolean and flex registers in one array")
        status, doc = document(tree, "oa-add", "add", bmg, NAME="xe")
        same((status, outcomes(doc)), (1, {"uncompared": 14}), "xe: never taken for the same unseen")
        status, doc = document(tree, "oa-add", "add", "--replace", bmg, NAME="xe")
        same((status, outcomes(doc)), (0, {"replaced": 14}), "xe: replaced")
        status, doc = document(tree, "oa-remove", "remove", "all", NAME="xe")
        same((status, outcomes(doc), tree.sets()), (0, {"removed": 14}, {}), "xe: removed")


def check_remove():
    with tgl() as tree:
        run(tree, "add", TGL)
        sets = tree.sets()
        status, out, _ = run(tree, "remove", str(sets[BASIC]))
        same((status, out), (0, f"removed       {sets[BASIC]}  {BASIC}\n1 set removed\n"),
             "by id: the UUID is printed")
        uuids = [uuid for uuid in sets if uuid != BASIC]
        status, out, _ = run(tree, "remove", uuids[0].upper(), sets[uuids[0]], f"{{{uuids[1]}}}")
        same((status, out.splitlines()[-1]), (0, "2 sets removed"), "several, one named twice")
        status, out, err = run(tree, "remove", uuids[2], BASIC, "77")
        same((status, out, len(tree.sets())), (1, "", 23), "one that is not there: none is removed")
        same(err.count("no loaded set has this UUID or id"), 2, "each of them is named")
        same(run(tree, "remove")[0], 2, "what? status 2")
        status, doc = document(tree, "oa-remove", "remove", "all", "--device", "card0", STUCK=0)
        same((status, outcomes(doc), tree.sets()), (0, {"removed": 23}, {}), "all")
        status, out, _ = run(tree, "remove", "all")
        same((status, out), (0, "0 sets removed\n"), "all of none")
        for option in ("--replace", "--keep-going", "--dry-run", "--set=all", "--gen=tgl"):
            same(run(tree, "remove", "all", option)[0], 2, f"{option} is not for remove")
    with tgl() as tree:
        # What the driver shows, and denies to have when it is to go, is its own.
        run(tree, "add", TGL, "--set", BASIC)
        tree.loaded("card0", uuids[0], 1)
        tree.loaded("card0", uuids[1], 9)
        same(run(tree, "remove", uuids[0])[:2], (1, f"stays         1  {uuids[0]}  built in\n"
                                                    "0 sets removed, 1 not\n"), "a built-in set stays")
        status, doc = document(tree, "oa-remove", "remove", "all")
        same((status, outcomes(doc), tree.sets()), (0, {"removed": 1, "stays": 1}, {uuids[0]: 1, uuids[1]: 9}),
             "all but those")


def main():
    check_empty()
    check_list()
    check_hostile()
    check_add()
    with tempfile.TemporaryDirectory() as folder:
        check_refused(folder)
        check_same_uuid(folder)
    check_failures()
    check_signals()
    check_way()
    check_xe()
    check_remove()
    finish()


main()
