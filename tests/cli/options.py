#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what the tool takes with what its help, man pages, completion and README say.

Verbs come from `hadal --help`, sub-verbs and options from each verb's help, so a new verb is
covered as it stands; only the commands that lead to a verb's exit statuses are listed here.

Prints TAP. Usage: options.py HADAL ROOT
"""
import os
import pathlib
import re
import string
import subprocess
import sys
import tempfile

from tap import finish, ok, skip

HADAL, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
BOOT = ROOT / "tests/data/coreboot-qemu/q35-tsc"
OA = ROOT / "tests/data/oa-xml/oa-hsw.xml"
OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
# No verb has it, so whatever stands before it, a command line that ends in it runs nothing.
UNKNOWN = "--no-such-option"

# Commands for the exit statuses that a man page lists; 0 (help) and 2 are the same for all verbs.
STATUSES = {
    "boot": {
        "0": ["-i", BOOT / "timestamps.bin"],
        "1": ["compare", BOOT / "timestamps.bin", BOOT / "timestamps-afteradd.bin", "--limit=0%"],
        "3": ["-i", BOOT / "timestamps.bin", "-o", "/nonexistent/file"],
        "4": ["-i", ROOT / "COPYING"],
    },
    "doctor": {
        "0": [],
        "3": ["-o", "/nonexistent/file"],
    },
    "oa": {
        "0": ["check", OA],
        "1": ["check", "--gen=tgl", OA],
        "3": ["check", OA, "-o", "/nonexistent/file"],
        "4": ["check", ROOT / "COPYING"],
    },
    "doctor": {"0": [], "3": ["-o", "/nonexistent/file"]},
    # What needs a detector is in tests/vm; no machine has the kernel's last possible CPU.
    "hwlat": {
        "0": ["-i", ROOT / "tests/data/hwlat/expected.json"],
        "1": ["-i", ROOT / "tests/data/hwlat/expected.json", "--limit=20us"],
        "3": ["-c", "8191"],
        "4": ["-i", ROOT / "COPYING"],
    },
}

# Runs the completion for a line given as words, the last one being typed, and prints the answers.
COMPLETE = r"""
[[ -z $1 ]] || source "$1"
source "$2"
shift 2
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
COMP_LINE=$* COMP_TYPE=9 COMP_KEY=9
COMP_LINE=${COMP_LINE// = /=} COMP_POINT=${#COMP_LINE}
"$(complete -p hadal | sed 's/.*-F \([^ ]*\).*/\1/')" hadal "$2" "$3"
printf '%s\n' "${COMPREPLY[@]}"
"""
BASH_COMPLETION = "/usr/share/bash-completion/bash_completion"
LIBRARIES = ["", *filter(os.path.exists, [BASH_COMPLETION])]


def same(name, have, want, who):
    """Two sets are equal; says who has too much and who lacks something."""
    ok(have == want, name, *(f"{who} has {x} too much" for x in sorted(have - want)),
       *(f"{who} lacks {x}" for x in sorted(want - have)))


def run(*args):
    """Status, standard output and standard error of the tool."""
    done = subprocess.run([HADAL, *map(str, args)], capture_output=True, text=True, timeout=60,
                          stdin=subprocess.DEVNULL, check=False)
    return done.returncode, done.stdout, done.stderr


def verbs():
    """The first word of each line below `Verbs:`."""
    listed = run("--help")[1].split("Verbs:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in listed.splitlines()]


def sub_verbs(verb, text):
    """What stands behind the verb in lower case in the lines of usage."""
    usage = text.split("\n\n")[0]
    found = re.findall(rf"hadal {verb} ([a-z][a-z|-]*)(?=\s|$)", usage)
    return sorted({name for group in found for name in group.split("|")})


def help_options(text):
    """Option -> whether it takes a value, from the lines that begin with one."""
    found = {}
    for line in text.splitlines():
        match = re.match(r" {2,8}(-.*)", line)
        if match:
            head = re.split(r" {2,}", match[1])[0]
            for name in OPTION.findall(head):
                found[name] = bool(re.search(r"[= ][A-Z]", head))
            # "also --other" names a second spelling, "--other is short" one without a value.
            for name in re.findall(r"\balso (--[\w-]+)", line):
                found[name] = found[OPTION.findall(head)[0]]
            found.update(dict.fromkeys(re.findall(r"(--[\w-]+) is short", line), False))
    return found


def man_section(page, name):
    """One section of a man page's source, or an empty text."""
    path = ROOT / "man" / f"{page}.1.scd"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    match = re.search(rf"^# {name}\n(.*?)(?=^# |\Z)", text, re.DOTALL | re.MULTILINE)
    return match[1] if match else ""


def man_options(page):
    """What is bold in the lines that begin with a bold option."""
    lines = [line for line in man_section(page, "OPTIONS").splitlines() if line.startswith("*-")]
    return {name for line in lines for bold in re.findall(r"\*([^*]+)\*", line)
            for name in OPTION.findall(bold)}


def complete(*words, library=""):
    """What the completion offers for `hadal WORDS...`."""
    done = subprocess.run(["bash", "-c", COMPLETE, "bash", library, ROOT / "completion/hadal", "hadal",
                           *words], capture_output=True, text=True, check=False, timeout=60,
                          cwd=ROOT)
    if done.stderr:
        print("#", done.stderr)
    return set(done.stdout.split())


def takers(verb, subs):
    """The words that options may follow: the verb, unless it wants a sub-verb, and each with one."""
    return [words for words in [[verb], *([verb, sub] for sub in subs)]
            if f"unrecognized option '{UNKNOWN}'" in run(*words, UNKNOWN)[2]]


def is_unknown(name, said):
    """True if the tool says that it has no such option."""
    return (f"unrecognized option '{name}" in said or f"invalid option -- '{name[1:]}'" in said)


def check_tool(verb, subs, options):
    """The tool takes what its help lists, with or without a value as it says."""
    refused, other = [], []
    for name, valued in options.items():
        given = f"{name}=1" if name.startswith("--") else f"{name}1"
        said = [run(*words, given, UNKNOWN)[2] for words in takers(verb, subs)]
        known = [text for text in said if not is_unknown(name, text)]
        if not known:
            refused.append(name)
        elif name.startswith("--") and any(valued == ("doesn't allow" in text) for text in known):
            other.append(name)
    ok(not refused and not other, f"{verb}: takes the options of its help",
       *(f"{name} is unknown to the tool" for name in refused),
       *(f"{name}: the help is wrong about its value" for name in other))


def hidden(words, options):
    """Options that the tool takes though its help has none such: each letter is tried."""
    for letter in string.ascii_letters:
        if f"-{letter}" not in options and not is_unknown(
                f"-{letter}", run(*words, f"-{letter}1", UNKNOWN)[2]):
            yield f"-{letter}"
        said = run(*words, f"--{letter}=1", UNKNOWN)[2].partition("\n")[0]
        if "ambiguous" in said:
            yield from set(re.findall(r"'(--[\w-]+)'", said.split("possibilities:")[1])) - set(
                options)
        elif not is_unknown(f"--{letter}=1", said):
            if not any(name.startswith(f"--{letter}") for name in options):
                yield f"--{letter}..."


def check_completion(verb, subs, options, library):
    """The completion offers each long option, the sub-verbs, colours and file names."""
    how = "with bash-completion" if library else "alone"
    long = {name for name in options if name.startswith("--")}
    for words in [[verb], *([verb, sub] for sub in subs)]:
        have = {name.rstrip("=") for name in complete(*words, "-", library=library)}
        short = {name for name in have if not name.startswith("--")} & set(options)
        same(f"{' '.join(words)}: options of the completion, {how}", have - short, long,
             "completion/hadal")
        same(f"{' '.join(words)}: --color has words, {how}",
             complete(*words, "--color", "=", "", library=library) |
             complete(*words, "--color", "", library=library),
             {"auto", "always", "never"}, "completion/hadal")
        if "--output" in options:
            ok("README.md" in complete(*words, "-o", "READ", library=library),
               f"{' '.join(words)}: -o has file names, {how}")
    offered = complete(verb, "", library=library)
    ok(set(subs) <= offered, f"{verb}: sub-verbs of the completion, {how}", f"offers {offered}")


def help_formats(text):
    """The words that the description of --format lists."""
    match = re.search(r"--format[= ][A-Z]+ +(.*\n(?: {12,}.*\n)*)", text)
    listed = re.sub(r"\(.*?\)", "", match[1]) if match else ""
    return {word.strip() for word in re.split(r"[,;:]|\bor\b", listed)
            if re.fullmatch(r"[a-z0-9]+", word.strip())}


def check_formats(verb, subs, text):
    """The formats of the help are those of the man page and of the completion."""
    formats = help_formats(text)
    output = man_section(f"hadal-{verb}", "OUTPUT") + man_section(f"hadal-{verb}", "OPTIONS")
    missing = {name for name in formats if f"*{name}*" not in output}
    ok(not missing, f"{verb}: formats of the man page", *(f"lacks {name}" for name in missing))
    offered = set()
    for words in [[verb], *([verb, sub] for sub in subs)]:
        offered |= complete(*words, "--format", "=", "") | complete(*words, "--format", "")
    same(f"{verb}: formats of the completion", offered, formats, "completion/hadal")


def readme():
    """README.md's command lines and its table rows, as (verb, option) pairs."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    said, table = {}, {}
    for verb, rest in re.findall(r"\bhadal ([a-z]+)([^`\n|>]*)", text):
        said.setdefault(verb, set()).update(OPTION.findall(rest))
    for verb, rows in re.findall(r"^\| option of `hadal (\w+)` \|.*\n\|[-|]+\n((?:\|.*\n)+)", text,
                                 re.MULTILINE):
        table[verb] = {name for row in rows.splitlines()
                       for name in OPTION.findall(row.split("|")[1])}
    return said, table


def check_usage(verb):
    """A usage error is one line, the hint, nothing on standard output, and status 2."""
    for args in ([UNKNOWN], ["--color=purple"]):
        status, out, err = run(verb, *args)
        lines = err.splitlines()
        good = (status == 2 and not out and len(lines) == 2 and args[0].split("=")[0] in lines[0] and
                lines[1] == f"  Try 'hadal {verb} --help'.")
        ok(good, f"{verb} {args[0]}: a usage error", f"status {status}", *lines)


def check_help(verb, text):
    """The help goes to standard output, in each of its three spellings."""
    for args in ([verb, "--help"], [verb, "-h"], ["help", verb]):
        ok(run(*args) == (0, text, ""), f"{' '.join(args)}: the help, status 0")
    ok(all(len(line) <= 90 for line in text.splitlines()), f"{verb}: the help is narrow enough")


def check_statuses(verb):
    """Each status of the man page occurs, and no other."""
    listed = re.findall(r"^\*(\d)\*$", man_section(f"hadal-{verb}", "EXIT STATUS"), re.MULTILINE)
    ok({"0", "2"} <= set(listed), f"{verb}: the man page has exit statuses", f"has {listed}")
    for status in listed:
        commands = {"0": ["--help"], "2": [UNKNOWN], **STATUSES.get(verb, {})}
        if status not in commands:
            skip(f"{verb}: status {status} occurs", "no command for it in this test")
            continue
        have, _, err = run(verb, *commands[status])
        ok(str(have) == status, f"{verb}: status {status} occurs", f"status {have}", err)
    extra = set(STATUSES.get(verb, {})) - set(listed)
    ok(not extra, f"{verb}: the man page has all exit statuses", f"lacks {extra}")


def check_verb(verb, said, table):
    """All of the above for one verb."""
    text = run(verb, "--help")[1]
    options, subs = help_options(text), sub_verbs(verb, text)
    ok("--help" in options, f"{verb}: the help lists options", *text.splitlines()[:3])
    check_help(verb, text)
    check_tool(verb, subs, options)
    for words in takers(verb, subs):
        same(f"{' '.join(words)}: no option is hidden", set(hidden(words, options)), set(),
             "the tool")
    ok(takers(verb, subs), f"{verb}: something takes options")
    same(f"{verb}: options of the man page", man_options(f"hadal-{verb}"), set(options),
         f"man/hadal-{verb}.1.scd")
    synopsis = man_section(f"hadal-{verb}", "SYNOPSIS")
    ok(all(re.search(rf"hadal {verb}\W+{sub}|hadal {verb} {sub}", synopsis) for sub in subs),
       f"{verb}: sub-verbs of the man page", f"want {subs}")
    for library in LIBRARIES:
        check_completion(verb, subs, options, library)
    ok(said.get(verb, set()) <= set(options), f"{verb}: options in README.md exist",
       *(said.get(verb, set()) - set(options)))
    if verb in table:
        same(f"{verb}: options of README.md's table", table[verb], set(options), "README.md")
    check_formats(verb, subs, text)
    check_usage(verb)
    check_statuses(verb)


def main():
    names = verbs()
    said, table = readme()
    ok(names, "there are verbs")
    if len(LIBRARIES) == 1:
        skip("completion with bash-completion", "the package is not here")
    same("verbs of hadal(1)", set(re.findall(r"^\*hadal ([a-z]+)\*$", man_section(
        "hadal", "DESCRIPTION"), re.MULTILINE)), set(names), "man/hadal.1.scd")
    for library in LIBRARIES:
        same("verbs of the completion", complete("", library=library),
             {*names, "help", "--help", "--version"}, "completion/hadal")
        same("verbs behind help", complete("help", "", library=library), set(names),
             "completion/hadal")
    for verb in names:
        check_verb(verb, said, table)
    for args in ([], ["no-such-verb"], ["help", "no-such-verb"]):
        status, out, err = run(*args)
        ok(status == 2 and not out and err.splitlines()[1:] == ["  Try 'hadal --help'."],
           f"hadal {' '.join(args)}: a usage error", f"status {status}", *err.splitlines())
    finish()


main()
