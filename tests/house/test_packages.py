#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A bare machine gets all that the build links with: each library that meson asks pkg-config for, and each
that its .pc file requires in turn, comes with the packages of group `build` or what these depend on. A -dev
package need not depend on what its .pc file requires, and on a developer's machine nobody notices. Prints
TAP."""

import functools
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cli"))
import tap


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def packages_of(group):
    text = (ROOT / "scripts/packages").read_text()
    lines = text.split(f"## {group}:")[1].split("\n## ")[0].splitlines()[1:]
    return {line.split()[0] for line in lines if line and not line.startswith("#")}


def libraries():
    """What meson cannot do without, by the name that pkg-config knows."""
    files = output("git", "-C", str(ROOT), "ls-files", "*meson.build").split()
    text = "".join((ROOT / name).read_text() for name in files)
    return set(re.findall(r"dependency\('([^']+)'\)", text))


@functools.cache
def required(library):
    """The library and all that its .pc file requires, directly or not."""
    names = {library}
    for kind in ("--print-requires", "--print-requires-private"):
        for line in output("pkg-config", kind, library).splitlines():
            names |= required(line.split()[0])
    return names


def names_in(relation):
    return {part.split()[0].split(":")[0] for part in re.split("[,|]", relation) if part.strip()}


def closure(packages):
    """The installed packages that come with these, without what is only recommended."""
    depends = {}
    query = "${Package}\t${Pre-Depends}, ${Depends}\n"
    for line in output("dpkg-query", "-W", "-f", query).splitlines():
        name, relation = line.split("\t")
        depends.setdefault(name, set()).update(names_in(relation))
    found, todo = set(), set(packages)
    while todo:
        name = todo.pop()
        if name in depends and name not in found:
            found.add(name)
            todo |= depends[name]
    return found


@functools.cache
def owner(library):
    path = output("pkg-config", "--path", library).strip()
    return output("dpkg-query", "-S", path).split(":")[0]


def main():
    if not shutil.which("dpkg-query") or not shutil.which("pkg-config"):
        print("1..0 # SKIP no Debian packages to look at")
        return
    bare = closure(packages_of("build"))
    for library in sorted(libraries()):
        missing = sorted({owner(name) for name in required(library)} - bare)
        tap.ok(not missing, f"{library} comes with all that it requires", "not in group build:", *missing)
    tap.finish()


main()
