#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The port of docs/porting.md compiles, links and divides, with each of its two ways to hook.

A block of code there names its file behind its language, and the variant that it belongs to if
it does not belong to both. Prints TAP.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESOURCES = subprocess.run(["clang", "-print-resource-dir"], capture_output=True, text=True,
                           check=True).stdout.strip()
FLAGS = ["-std=gnu11", "-Os", "-ffreestanding", "-nostdinc", "-isystem", f"{RESOURCES}/include",
         "-ffunction-sections", "-fdata-sections", "-Wall", "-Wextra", "-Werror", "-Wshadow",
         "-Wstrict-prototypes", "-Wmissing-prototypes", f"-I{ROOT}"]
CORE = [ROOT / "core" / name for name in ("timestamp.c", "cbmem.c", "cbmem_write.c")]
# What the port leaves to the board's other code, and the copies that compilers call.
ELSEWHERE = ["otter_memory_init", "otter_run_ramstage", "otter_woke_from_s3",
             "memcpy", "memmove", "memset", "memcmp"]

# The part of coreboot's cbmem.h that the page uses.
COREBOOT_CBMEM_H = """
#include <stddef.h>
#include <stdint.h>
struct cbmem_entry;
const struct cbmem_entry *cbmem_entry_add(uint32_t id, uint64_t size);
const struct cbmem_entry *cbmem_entry_find(uint32_t id);
void *cbmem_entry_start(const struct cbmem_entry *entry);
uint64_t cbmem_entry_size(const struct cbmem_entry *entry);
#define CBMEM_READY_HOOK(fn) void (*const fn##_hook)(int) = fn
extern void (*const sync_hook)(int);
"""

DIVIDE = """
#include <stdio.h>
#include <inttypes.h>
#define STAGE_RAMSTAGE 0
#include "port_impl.h"
int main(void)
{
	uint64_t n;
	uint32_t d;

	while (scanf("%" SCNu64 " %" SCNu32, &n, &d) == 2)
		printf("%" PRIu64 "\\n", port_div_u64(n, d));
	return 0;
}
"""

count = failed = 0


def ok(good, name, *diagnostics):
    """Prints one result."""
    global count, failed
    count += 1
    failed += not good
    if not good:
        for line in "\n".join(diagnostics).splitlines():
            print("#", line)
    print(f"{'ok' if good else 'not ok'} {count} - {name}", flush=True)


def run(*args, text=""):
    """Status and all output of a program."""
    done = subprocess.run([*map(str, args)], input=text, capture_output=True, text=True, timeout=120,
                          check=False)
    return done.returncode, done.stdout + done.stderr


def extract(folder, variant):
    """Writes the page's files, with the blocks of that variant."""
    page = (ROOT / "docs/porting.md").read_text(encoding="utf-8")
    files = {}
    for name, of, body in re.findall(r"^```c (\S+) ?(\w*)\n(.*?)^```$", page,
                                     re.MULTILINE | re.DOTALL):
        if of in ("", variant):
            files[name] = files.get(name, "") + body
    for name, body in files.items():
        (folder / name).write_text(body, encoding="utf-8")
    return sorted(files)


def build(folder, target, sources):
    """Compiles for bare metal; returns the objects, or None after a result."""
    done = subprocess.run(["clang", f"--target={target}-unknown-none-elf", *FLAGS,
                           "-DSTAGE_RAMSTAGE=0", "-I.", "-c", *map(str, sources)], cwd=folder,
                          capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        ok(False, f"the page's code compiles for {target}", done.stderr)
        return None
    return [folder / (pathlib.Path(source).stem + ".o") for source in sources]


def check_link(folder, target, variant):
    """The stage links with nothing undefined, and garbage collection leaves the hook in it."""
    objects = build(folder, target, [*CORE, folder / "port.c", folder / "romstage.c"])
    if not objects:
        return
    stage = folder / "romstage.elf"
    status, said = run("ld.lld", "--gc-sections", "-e", "romstage_main", "-o", stage,
                       *(f"--defsym={name}=0" for name in ELSEWHERE), *objects)
    ok(status == 0, f"{variant}: a romstage links for {target}", said)
    symbols = run("nm", "--defined-only", stage)[1]
    ok(" timestamp_sync" in symbols, f"{variant}: the hook is in it", symbols)
    if variant == "set":
        ends = dict(reversed(line.split()[::2]) for line in symbols.splitlines()
                    if "_cbmem_hooks" in line)
        bytes_ = int(ends["__stop_cbmem_hooks"], 16) - int(ends["__start_cbmem_hooks"], 16)
        ok(bytes_ == (4 if target == "i386" else 8), "set: it holds one hook", symbols)


def check_division(folder):
    """The division gives what Python's does."""
    (folder / "divide.c").write_text(DIVIDE, encoding="utf-8")
    cases = [(n, d) for n in (0, 1, 2**32 - 1, 2**32, 2**63 + 12345, 2**64 - 1)
             for d in (1, 3, 2100, 2**31, 2**32 - 1)]
    status, said = run("gcc-12", "-m32", "-static", "-std=gnu11", "-Wall", "-Werror", f"-I{folder}",
                       folder / "divide.c", "-o", folder / "divide")
    if status:
        ok(False, "the port's header compiles on i386", said)
        return
    status, said = run("qemu-i386", folder / "divide", text="".join(f"{n} {d}\n" for n, d in cases))
    want = "".join(f"{n // d}\n" for n, d in cases)
    ok((status, said) == (0, want), "the port divides right", said)


def check_coreboot(folder):
    """The part for coreboot compiles against its declarations."""
    (folder / "cbmem.h").write_text(COREBOOT_CBMEM_H, encoding="utf-8")
    if build(folder, "i386", [folder / "coreboot.c"]):
        ok(True, "the part for coreboot compiles")


def main():
    for variant in ("set", "table"):
        for target in ("i386", "x86_64"):
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                files = extract(folder, variant)
                ok(files == ["coreboot.c", "port.c", "port_impl.h", "romstage.c"],
                   f"{variant}: the page has the files", str(files))
                check_link(folder, target, variant)
                if (variant, target) == ("set", "i386"):
                    check_division(folder)
                    check_coreboot(folder)
    print(f"1..{count}")
    sys.exit(failed != 0)


main()
