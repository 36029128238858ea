#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `hadal oa` says and returns, down to the word, for good and for bad input.

Usage: test_oa_messages.py HADAL DATA SOURCE     (prints TAP)

DATA holds the public metric files, SOURCE is the top of the source tree.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema

HADAL, DATA, SOURCE = map(os.path.abspath, sys.argv[1:4])
UUID = "f1792f32-6db2-4b50-b4b2-557128f1688d"
OTHER = "00000000-0000-0000-0000-000000000000"
REGISTER = '<register type="NOA" address="0x00009888" value="0x1"/>'
count = 0


def metric_set(inside, uuid=UUID, name="S", chipset="SKLGT2"):
    return (f'<set name="A set" chipset="{chipset}" symbol_name="{name}" '
            f'hw_config_guid="{uuid}">\n{inside}\n</set>\n')


def block(inside=REGISTER, kind="NOA", rest=""):
    return f'<register_config type="{kind}"{rest}>\n{inside}\n</register_config>'


def metrics(*sets):
    return '<?xml version="1.0"?>\n<metrics version="1">\n' + "".join(sets) + "</metrics>\n"


GOOD = metrics(metric_set(block()))


def hadal(*args, files=None, stdin=None, env=None):
    """Runs in a fresh folder that holds @files. Returns (status, stdout, stderr)."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (files or {}).items():
            data = content if isinstance(content, bytes) else content.encode()
            (pathlib.Path(folder) / name).write_bytes(data)
        run = subprocess.run([HADAL, "oa", *args], cwd=folder, input=stdin or b"",
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                             env={**os.environ, "LC_ALL": "C.UTF-8", **(env or {})}, timeout=120)
        return run.returncode, run.stdout.decode(), run.stderr.decode()


def ok(good, name, *details):
    global count
    count += 1
    for detail in details if not good else ():
        print("# " + repr(detail))
    print(f"{'' if good else 'not '}ok {count} - {name}", flush=True)


def same(have, want, name):
    ok(have == want, name, have, want)


def test_table():
    same(hadal("check", "a.xml", files={"a.xml": GOOD}), (0, f"""\
a.xml, rules of skl (i915)
VERDICT  UUID                                 REGISTERS SET
accepted {UUID} 1/0/0     S

1 set: 1 accepted, 0 refused, 0 not judged
""", ""), "table of a good file")
    bad = metrics(metric_set(
        block(REGISTER + '\n<register address="0x2744" value="0x0"/>\n'
              '<register address="0x1000" value="0x0"/>\n'
              '<register address="0x9889" value="0x0"/>\n<register address="0xe75c" value="0x0"/>')
        + block('<register address="0xe75c" value="0x0"/>', "FLEX")),
        metric_set(block(), "f1792f32-6db2", "T"), metric_set("", OTHER, "U"))
    shared = f"""\
a.xml, rules of skl (i915)
VERDICT  UUID                                 REGISTERS SET
refused  {UUID} 5/0/1     S
         line 6: mux[1] 0x00002744: belongs to boolean; nearest 0x000020cc
         line 7: mux[2] 0x00001000: not allowed; nearest 0x00000d00-0x00000d2c
         line 8: mux[3] 0x00009889: not allowed; nearest 0x00009800-0x00009888
"""
    rest = f"""\
refused  f1792f32-6db2                        1/0/0     T
         line 14: UUID is malformed from character 14 on
refused  {OTHER} 0/0/0     U
         line 19: no registers apply: there is nothing to add

3 sets: 0 accepted, 3 refused, 0 not judged
"""
    same(hadal("check", "a.xml", files={"a.xml": bad}),
         (1, shared + "         and 2 more (-v shows all)\n" + rest, ""), "table of refusals")
    same(hadal("check", "-v", "a.xml", files={"a.xml": bad}),
         (1, shared + """\
         line 9: mux[4] 0x0000e75c: not allowed; nearest 0x0000e180
         line 11: flex[0] 0x0000e75c: not allowed; nearest 0x0000e758
""" + rest, ""), "-v shows every refusal")
    same(hadal("check", "--gen=hsw", "a.xml", files={"a.xml": metrics(metric_set(
        block() + block('<register address="0xe458" value="0x0"/>', "FLEX")))})[1].splitlines()[3],
         "         line 3: this GPU has no flex registers", "haswell has no flex")


def fits_schema(document, name):
    schema = json.loads(pathlib.Path(SOURCE, "docs/schema/oa-check.json").read_text("utf-8"))
    try:
        jsonschema.validate(document, schema)
        ok(True, name)
    except jsonschema.ValidationError as error_:
        ok(False, name, str(error_))


def test_json():
    status, out, err = hadal("check", "--json", "--slices=0x1", "a.xml", files={"a.xml": metrics(
        metric_set(block('<register address="0x2744" value="0x0"/>')),
        metric_set(block('<register address="2744" value="0x0"/>'), OTHER))})
    document = json.loads(out)
    fits_schema(document, "the document fits its schema")
    document["hadal"].pop("version")
    same((status, document), (4, {
        "hadal": {"format": 1}, "verb": "oa check", "complete": True, "gen": None,
        "revision": None, "slices": "0x1",
        "files": [{"path": "a.xml", "problem_count": 1, "problems": [
            {"severity": "error", "line": 10, "set": "S",
             "text": "register address '2744' does not begin with 0x"}], "sets": [
                 {"name": "S", "uuid": UUID, "line": 3, "chipset": "SKLGT2", "gen": "skl",
                  "driver": "i915", "verdict": "refused",
                  "registers": {"mux": 1, "boolean": 0, "flex": 0},
                  "refusals": [{"class": "mux", "index": 0, "address": "0x2744",
                                "reason": "other_class",
                                "nearest": {"first": "0x20cc", "last": "0x20cc"},
                                "allowed_class": "boolean", "line": 5}]},
                 {"name": "S", "uuid": OTHER, "line": 8, "chipset": "SKLGT2", "gen": "skl",
                  "driver": "i915", "verdict": "unjudged",
                  "registers": {"mux": 0, "boolean": 0, "flex": 0}, "refusals": []}]}]}),
         "the whole document")
    ok("does not begin with 0x" in err, "and the fault on stderr", err)


def error(where, what, hint=None):
    return f"hadal oa check: {where}: {what}\n" + (f"  {hint}\n" if hint else "")


RAW = "Get the raw file, not the page that shows it."
DOCTYPE = "Metric files have none; remove it if you trust the file."
BAD_FILES = (
    ("empty", "", error("bad.xml:1", "the file is empty")),
    ("truncated", GOOD.replace(UUID, OTHER)[:-30], error("bad.xml:6", "set S: not well-formed XML: unclosed token")),
    ("HTML", "<!DOCTYPE html>\n<html>\n<p>Not found</html>",
     error("bad.xml:1", "an HTML page, not a metric file", RAW)),
    ("old HTML", '\n<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">\n<html></html>',
     error("bad.xml:2", "an HTML page, not a metric file", RAW)),
    ("entity bomb", '<!DOCTYPE m [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>\n<metrics version="&b;"/>',
     error("bad.xml:1", "has a document type declaration", DOCTYPE)),
    ("other XML", "<svg/>", error("bad.xml:1", "the outermost element is <svg>, not <metrics>")),
    ("no sets", "<metrics/>", error("bad.xml:1", "holds no metric set")),
    ("bytes", b"\x7fELF\x00\x01", error(
        "bad.xml:1", "not well-formed XML: not well-formed (invalid token)")),
    ("address above 32 bits", metrics(metric_set(block(
        '<register address="0x100009888" value="0x1"/>'), OTHER)),
     error("bad.xml:5", "set S: register address '0x100009888' is above 32 bits")),
    ("unknown kind", metrics(metric_set(block(kind="MUX"), OTHER)),
     error("bad.xml:4", "set S: register_config has type 'MUX', which is not NOA, OA or FLEX")),
    ("equation", metrics(metric_set(
        '<counter symbol_name="C" data_type="float" equation="1 0 FDIV FADD"/>' + block(), OTHER)),
     error("bad.xml:4", "set S: equation of C has too few operands for FADD")),
    ("duplicate UUID", GOOD, error(
        "bad.xml:3", f"set S: UUID {UUID} is that of S at good.xml:3 too")),
)


def test_bad_files():
    for name, text, message in BAD_FILES:
        status, out, err = hadal("check", "good.xml", "bad.xml", "also.xml", files={
            "good.xml": GOOD, "bad.xml": text, "also.xml": GOOD.replace(UUID, "1" + UUID[1:])})
        ok(status == 4 and err == message, name, status, err, message)
        ok(out.startswith("good.xml, rules of skl (i915)\n") and "\nalso.xml, rules" in out,
           f"{name}: the other files are judged", out)
    crlf = "\ufeff" + GOOD.replace("\n", "\r\n")
    same(hadal("check", "a.xml", files={"a.xml": crlf})[::2], (0, ""), "BOM and CRLF are fine")


def test_unreadable():
    status, out, err = hadal("check", "none.xml", ".", "a.xml", files={"a.xml": GOOD})
    same((status, err), (4, error("none.xml", "cannot be read: No such file or directory",
                                  "Name a readable metric XML file.")
                         + error(".", "cannot be read: Is a directory",
                                 "Name a readable metric XML file.")), "missing file, folder")
    ok("1 accepted" in out, "the rest is judged")
    same(hadal("check", "-", stdin=b"<metrics>" + b" " * (100 << 20))[::2],
         (4, error("-", "larger than 64 MiB", "Metric files are far smaller; is this one?")),
         "100 MB on a pipe")
    same(hadal("check", "-", stdin=GOOD.encode())[::2], (0, ""), "standard input")
    same(hadal("check", "a.xml", files={"a.xml": metrics(metric_set(block(), chipset="GEN99"))}),
         (4, f"""\
a.xml, GPU not known
VERDICT  UUID                                 REGISTERS SET
unjudged {UUID} 0/0/0     S

1 set: 0 accepted, 0 refused, 1 not judged
""", "hadal oa check: warning: a.xml:3: set S: chipset 'GEN99' is not known\n"), "unknown GPU")
    same(hadal("check", "--gen=bdw", "-q", "a.xml", files={"a.xml": metrics(
        metric_set(block(), chipset="GEN99"))})[::2], (0, ""), "unknown GPU with --gen and -q")


def test_usage():
    def usage(*args):
        status, out, err = hadal(*args)
        return status, out, err.splitlines()[0]
    same(usage(), (2, "", "hadal oa: which sub-verb?"), "no sub-verb")
    same(usage("fly"), (2, "", "hadal oa: there is no sub-verb 'fly'"), "unknown sub-verb")
    same(usage("check"), (2, "", "hadal oa check: which FILE?"), "no file")
    same(usage("show"), (2, "", "hadal oa show: which SET?"), "no set")
    same(usage("show", "S"), (2, "", "hadal oa show: which FILE?"), "no file to show from")
    same(usage("check", "--gen=x"), (2, "", "hadal oa: --gen=x: it is one of hsw bdw chv skl "
                                     "bxt kbl glk cfl cnl icl ehl tgl rkl dg1 adl dg2 mtl pvc lnl "
                                     "bmg ptl"), "--gen")
    for value in ("-1", "0x100", "", "two"):
        same(usage("check", f"--revision={value}"), (2, "", "hadal oa: --revision="
                                                     f"{value}: it is a number up to 0xff"),
             f"--revision={value}")
    for value in ("0", "0x100", "-1"):
        same(usage("check", f"--slices={value}"), (2, "", "hadal oa: --slices="
                                                   f"{value}: it is a mask from 0x1 to 0xff"),
             f"--slices={value}")
    same(usage("check", "--format=xml", "f"),
         (2, "", "hadal oa check: --format=xml: it is table or json"), "--format")


def test_show():
    xml = metrics(metric_set(
        '<counter name="The clock" symbol_name="Clock" data_type="uint64" units="cycles" '
        'semantic_type="event" equation="GPU_CLOCK 0 READ" max_equation="$GpuMaxFrequency" '
        'availability="true $QueryMode &amp;&amp;" description="Ticks."/>'
        + block('<register address="0xe180" value="0x20002003"/>', rest=' priority="2"')
        + block(rest=' priority="1" availability="$SliceMask 2 AND"')
        + block('<register address="0x2744" value="0x5"/>', "OA")))
    status, out, err = hadal("show", UUID.upper(), "a.xml", files={"a.xml": xml})
    same((status, out, err), (0, f"""\
S
  name       A set
  file       a.xml:3
  chipset    SKLGT2
  uuid       {UUID}
  verdict    accepted, rules of skl (i915)
registers, in the order they are written
  mux, 1 register, priority 1, if $SliceMask 2 AND
    0x00009888 0x00000001
  mux, 1 register, priority 2
    0x0000e180 0x20002003 (written as 0x00000003)
  boolean, 1 register
    0x00002744 0x00000005
counters
  Clock: The clock
    uint64, cycles, event
    Ticks.
    value GPU_CLOCK 0 READ
    maximum $GpuMaxFrequency
    available if true $QueryMode &&
""", ""), "show a set by its UUID")
    status, out, err = hadal("show", "S", "a.xml", "--slices=1", files={"a.xml": xml})
    ok("left out, for not applying to this GPU: 1 of 3 blocks" in out
       and "0x00009888" not in out, "show leaves out what does not apply", out)
    status, out, err = hadal("show", "S", "a.xml", "--json", files={"a.xml": xml})
    shown = json.loads(out)["sets"][0]
    ok([b["priority"] for b in shown["blocks"]] == [1, 2, 0]
       and shown["blocks"][1]["registers"] == [
           {"address": "0xe180", "value": "0x20002003", "written": "0x3"}]
       and shown["counters"][0]["equation"] == "GPU_CLOCK 0 READ"
       and shown["title"] == "A set", "show as JSON", shown)
    same(hadal("show", "T", "a.xml", files={"a.xml": xml}),
         (4, "", "hadal oa show: T: no set has that UUID or symbol name\n"
          "  'hadal oa check FILE...' lists the sets of a file.\n"), "no such set")
    ok(hadal("show", "TestOa", os.path.join(DATA, "oa-hsw.xml"),
             os.path.join(DATA, "oa-bdw.xml"))[1].count("\ncounters\n") == 1,
       "one name in two files: those that have it")


def test_output():
    status, out, _ = hadal("check", "--color=always", "a.xml", files={"a.xml": GOOD})
    ok(status == 0 and "\033[32maccepted\033[0m" in out, "--color=always")
    status, out, _ = hadal("check", "--color=always", "--json", "a.xml", files={"a.xml": GOOD})
    ok("\033" not in out, "JSON is never coloured")
    same(hadal("check", "-o", "/dev/full", "a.xml", files={"a.xml": GOOD})[0], 3, "a full disk")
    same(hadal("check", "-o", "/nonexistent/x", "a.xml", files={"a.xml": GOOD})[0], 3,
         "an output that cannot be made")


def test_schema_on_public_files():
    files = sorted(str(p) for p in pathlib.Path(DATA).glob("*.xml"))
    for gen in ("hsw", "bmg"):
        fits_schema(json.loads(hadal("check", "--json", f"--gen={gen}", *files)[1]),
                    f"all public files as {gen} fit the schema")


def test_readme_shows_what_is_printed():
    run = subprocess.run([HADAL, "oa", "check", "--gen=tgl", "tests/data/oa-xml/oa-hsw.xml"],
                         cwd=SOURCE, stdout=subprocess.PIPE, text=True, check=False)
    lines = run.stdout.splitlines()
    shown = pathlib.Path(SOURCE, "README.md").read_text("utf-8").splitlines()
    at = shown.index("    $ hadal oa check --gen=tgl tests/data/oa-xml/oa-hsw.xml") + 1
    same(shown[at:at + 9], ["    " + line for line in [*lines[:7], "...", lines[-1]]],
         "README.md shows what is printed")


def test_generations_are_listed_everywhere():
    generations = hadal("check", "--gen=?")[2].splitlines()[0].split("one of ")[1].split()
    for name in ("completion/hadal", "man/hadal-oa.1.scd"):
        words = re.findall(r"[a-z0-9]+", pathlib.Path(SOURCE, name).read_text("utf-8"))
        at = words.index("bdw") - 1
        ok(words[at:at + len(generations)] == generations, f"{name} lists the generations",
           words[at:at + len(generations)])


def main():
    for test in (test_table, test_json, test_bad_files, test_unreadable, test_usage, test_show,
                 test_output, test_schema_on_public_files, test_readme_shows_what_is_printed,
                 test_generations_are_listed_everywhere):
        test()
    print(f"1..{count}")


main()
