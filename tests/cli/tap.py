# SPDX-License-Identifier: MIT
"""Results as TAP, for the scripts of this folder."""
import sys

_count = _failed = 0


def ok(good, name, *diagnostics):
    """Prints one result, and the diagnostics if it is not good."""
    global _count, _failed
    _count += 1
    _failed += not good
    if not good:
        for line in diagnostics:
            print("#", str(line).replace("\n", "\n# "))
    print(f"{'ok' if good else 'not ok'} {_count} - {name}", flush=True)


def skip(name, why):
    """Prints one result of a test that cannot run here."""
    global _count
    _count += 1
    print(f"ok {_count} - {name} # SKIP {why}", flush=True)


def finish():
    """Prints the plan and ends the script."""
    print(f"1..{_count}")
    sys.exit(_failed != 0)
