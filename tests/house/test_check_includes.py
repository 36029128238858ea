#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows scripts/check-includes small trees, right and wrong, and compares all that it says."""

import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/check-includes"

# A tree in which every allowed direction occurs once.
RIGHT = {
    "core/port.h": "#include <stdint.h>\n#include <stddef.h>\n#include <port_impl.h>\n",
    "core/gap.h": '#include "core/port.h"\n#include <limits.h>\n',
    "core/gap.c": '#include "gap.h"\n#include <stdbool.h>\n/*\n#include <stdio.h>\n*/\n',
    "board/port/port_impl.h": "#include <stdint.h>\n",
    "board/main.c": '#include "core/gap.h"\n#include "serial.h"\n',
    "board/serial.h": "",
    "board/start.S": '#include "serial.h"\n',
    "kernel/port/port_impl.h": "#include <linux/types.h>\n",
    "kernel/port/stdint.h": "#include <linux/types.h>\n",
    "kernel/compat.h": "#include <linux/version.h>\n",
    "kernel/hwlat/gap.c": '#include "../../core/gap.c"\n',
    "kernel/hwlat/main.c": '#include "../compat.h"\n#include <uapi/hadal_hwlat.h>\n'
                           "#include TRACE_INCLUDE(TRACE_INCLUDE_FILE)\n",
    "include/uapi/hadal_hwlat.h": "#include <linux/types.h>\n",
    "include/hadal/boot.h": '#include "core/gap.h"\n#include "uapi/hadal_hwlat.h"\n',
    "lib/port/port_impl.h": "#include <string.h>\n",
    "lib/boot_cbmem.c": '#include <hadal/boot.h>\n#include "core/gap.h"\n#include "boot_priv.h"\n',
    "lib/boot_priv.h": '#include "hadal/boot.h"\n#include <errno.h>\n',
    "report/out.c": '#include "hadal/boot.h"\n#include "report/report.h"\n',
    "report/report.h": "",
    "cli/main.c": '#include "report/report.h"\n#include "hadal/boot.h"\n#include "version.h"\n',
    "lab/inject.c": '#include <uapi/hadal_hwlat.h>\n#include <stdio.h>\n',
    "tests/unit/test_boot.c": '#include "lib/boot_cbmem.c"\n#include "kernel/compat.h"\n',
}

# name: (files to add to the right tree, what must be said about them)
WRONG = {
    "core includes lib": (
        {"core/bad.c": '\n#include "lib/boot_priv.h"\n'},
        "core/bad.c:2: core may not include lib/boot_priv.h"),
    "core includes the public header": (
        {"core/bad.h": "#include <hadal/boot.h>\n"},
        "core/bad.h:1: core may not include include/hadal/boot.h"),
    "core includes libc": (
        {"core/bad.c": "#include <string.h>\n"},
        "core/bad.c:1: core may not include <string.h>"),
    "core includes libc after a comment": (
        {"core/bad.c": "/* two\n * lines */ # include <stdio.h>\n"},
        "core/bad.c:2: core may not include <stdio.h>"),
    "core includes a port": (
        {"core/bad.c": "#include <port_impl.h>\n"},
        "core/bad.c:1: only core/port.h includes port_impl.h"),
    "core includes a port by its path": (
        {"core/bad.c": '#include "../lib/port/port_impl.h"\n'},
        "core/bad.c:1: core may not include lib/port/port_impl.h"),
    "core includes by macro": (
        {"core/bad.c": "#include HEADER\n"},
        "core/bad.c:1: a computed include in core"),
    "core includes what is not there": (
        {"core/bad.c": '#include "config.h"\n'},
        "core/bad.c:1: no such file in the tree: config.h"),
    "core includes uapi": (
        {"core/bad.c": '#include "uapi/hadal_hwlat.h"\n'},
        "core/bad.c:1: core may not include include/uapi/hadal_hwlat.h"),
    "board includes libc": (
        {"board/bad.c": "#include <stdio.h>\n"},
        "board/bad.c:1: board may not include <stdio.h>"),
    "board includes lib": (
        {"board/bad.S": '#include "../lib/boot_priv.h"\n'},
        "board/bad.S:1: board may not include lib/boot_priv.h"),
    "board includes kernel": (
        {"board/bad.c": '#include "compat.h"\n'},
        "board/bad.c:1: board may not include kernel/compat.h"),
    "kernel includes lib": (
        {"kernel/oa/bad.c": '#include "../../lib/boot_priv.h"\n'},
        "kernel/oa/bad.c:1: kernel may not include lib/boot_priv.h"),
    "kernel includes the public header": (
        {"kernel/oa/bad.c": "#include <hadal/boot.h>\n"},
        "kernel/oa/bad.c:1: kernel may not include include/hadal/boot.h"),
    "lib includes kernel": (
        {"lib/bad.c": '#include "kernel/compat.h"\n'},
        "lib/bad.c:1: lib may not include kernel/compat.h"),
    "lib includes report": (
        {"lib/bad.c": '#include "report/report.h"\n'},
        "lib/bad.c:1: lib may not include report/report.h"),
    "report includes cli": (
        {"cli/cli.h": "", "report/bad.c": '#include "cli/cli.h"\n'},
        "report/bad.c:1: report may not include cli/cli.h"),
    "cli includes kernel": (
        {"cli/bad.c": '#include "../kernel/compat.h"\n'},
        "cli/bad.c:1: cli may not include kernel/compat.h"),
    "cli includes tests": (
        {"tests/tap.h": "", "cli/bad.c": '#include "tests/tap.h"\n'},
        "cli/bad.c:1: cli may not include tests/tap.h"),
    "the public header includes lib": (
        {"include/hadal/bad.h": '#include "lib/boot_priv.h"\n'},
        "include/hadal/bad.h:1: include/hadal may not include lib/boot_priv.h"),
    "uapi includes the public header": (
        {"include/uapi/bad.h": '#include "hadal/boot.h"\n'},
        "include/uapi/bad.h:1: include/uapi may not include include/hadal/boot.h"),
    "uapi includes libc": (
        {"include/uapi/bad.h": "#include <string.h>\n"},
        "include/uapi/bad.h:1: include/uapi may not include <string.h>"),
    "lab includes lib": (
        {"lab/bad.c": '#include "lib/boot_priv.h"\n'},
        "lab/bad.c:1: lab may not include lib/boot_priv.h"),
}


def run(files):
    """Writes a tree, checks it, returns (exit status, what was said)."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        result = subprocess.run([SCRIPT, folder], stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True, check=False)
    return result.returncode, result.stdout.strip()


def main():
    cases = [("everything allowed is accepted", RIGHT, (0, ""))]
    cases += [(name, {**RIGHT, **files}, (1, said)) for name, (files, said) in WRONG.items()]
    cases += [("a tree without sources is an error", {"README.md": ""}, (1, ""))]
    print(f"1..{len(cases)}")
    failed = 0
    for number, (name, files, expected) in enumerate(cases, 1):
        have = run(files)
        if have != expected:
            failed += 1
            print(f"# expected {expected}, have {have}")
        print(f"{'ok' if have == expected else 'not ok'} {number} - {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
