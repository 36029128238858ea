#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Evaluates every equation of the public metric files a second time, on random inputs.

Usage: test_oa_equations.py OA_EVALUATE FILE...     (prints TAP)

Nothing here is shared with lib/: the XML goes through another parser, and the equations are
interpreted from their text with Python's numbers.
"""

import random
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET

ROUNDS = 12
MASK = (1 << 64) - 1
GROUPS = {"GPU_TIME": 1, "GPU_CLOCK": 1, "A": 64, "B": 8, "C": 8, "PERFCNT": 2, "PEC": 64}


def whole(x):
    """A value as a 64-bit integer: truncated, and held at the ends."""
    if isinstance(x, int):
        return x
    if not x > 0:
        return 0
    return MASK if x >= 2.0 ** 64 else int(x)


def real(x):
    return float(x)


INTEGER = {
    "UADD": lambda a, b: (a + b) & MASK,
    "USUB": lambda a, b: (a - b) & MASK,
    "UMUL": lambda a, b: (a * b) & MASK,
    "UDIV": lambda a, b: a // b if b else 0,
    "UMIN": min,
    "AND": lambda a, b: a & b,
    "<<": lambda a, b: (a << b) & MASK if b < 64 else 0,
    ">>": lambda a, b: a >> b if b < 64 else 0,
    "UGT": lambda a, b: int(a > b),
    "UGTE": lambda a, b: int(a >= b),
    "ULT": lambda a, b: int(a < b),
    "ULTE": lambda a, b: int(a <= b),
    "&&": lambda a, b: int(a != 0 and b != 0),
}
REAL = {
    "FADD": lambda a, b: a + b,
    "FSUB": lambda a, b: a - b,
    "FMUL": lambda a, b: a * b,
    "FDIV": lambda a, b: a / b if b else 0.0,
    "FMAX": lambda a, b: a if a > b else b,
}


def apply(op, a, b):
    if a is None or b is None:
        known = b if a is None else a
        return 0 if op in ("AND", "&&") and known is not None and whole(known) == 0 else None
    if op in REAL:
        return REAL[op](real(a), real(b))
    return INTEGER[op](whole(a), whole(b))


def evaluate(text, raw, variables, counters):
    """The value of an equation; None if it depends on something unknown, or is absent."""
    if text is None:
        return None
    stack = []
    words = iter(text.split())
    for word in words:
        if word in GROUPS:
            n = int(next(words))
            assert next(words) == "READ"
            stack.append(raw[word, n])
        elif word == "true":
            stack.append(1)
        elif word.startswith("$"):
            stack.append(counters[word[1:]] if word[1:] in counters else variables.get(word[1:]))
        elif word[0].isdigit():
            stack.append(int(word, 0))
        else:
            b, a = stack.pop(), stack.pop()
            stack.append(apply(word, a, b))
    assert len(stack) == 1
    return stack[0]


def typed(value, data_type):
    if value is None:
        return None
    return real(value) if data_type == "float" else whole(value)


def spell(value):
    if value is None:
        return "?"
    if isinstance(value, int):
        return f"i{value:x}"
    return "f%x" % struct.unpack("<Q", struct.pack("<d", value))[0]


def names_in(sets):
    names = set()
    for counters in sets:
        symbols = {c.get("symbol_name") for c in counters}
        for c in counters:
            for key in ("equation", "max_equation", "availability"):
                names |= {w[1:] for w in (c.get(key) or "").split() if w.startswith("$")} - symbols
    return sorted(names)


def random_number(rng):
    """Numbers of every size, zero and the largest among them."""
    kind = rng.randrange(10)
    if kind == 0:
        return 0
    if kind == 1:
        return MASK
    return rng.getrandbits(rng.choice((1, 3, 8, 20, 32, 40, 53, 64)))


def make_round(rng, names, number):
    raw = {(g, n): random_number(rng) for g, count in GROUPS.items() for n in range(count)}
    # The last rounds leave variables out.
    variables = {n: random_number(rng) for n in names
                 if number < ROUNDS - 3 or rng.random() < 0.5}
    return raw, variables


def feed(rounds):
    lines = []
    for raw, variables in rounds:
        lines += [f"raw {g} {n} {v:x}" for (g, n), v in raw.items()]
        lines += [f"var {n} {v:x}" for n, v in variables.items()]
        lines.append("go")
    return "\n".join(lines) + "\n"


def expect(sets, raw, variables):
    for counters in sets:
        values = {}
        for c in counters:
            value = typed(evaluate(c.get("equation"), raw, variables, values), c.get("data_type"))
            values[c.get("symbol_name")] = value
        # A maximum may name any counter of its set, and sees their final values.
        for c in counters:
            yield " ".join(spell(v) for v in (
                values[c.get("symbol_name")],
                evaluate(c.get("max_equation"), raw, variables, values),
                evaluate(c.get("availability"), raw, variables, values)))


def main():
    program, files = sys.argv[1], sys.argv[2:]
    seed = random.randrange(1 << 32)
    rng = random.Random(seed)
    sets = [list(s.iter("counter")) for f in files for s in ET.parse(f).getroot().iter("set")]
    names = names_in(sets)
    rounds = [make_round(rng, names, n) for n in range(ROUNDS)]
    run = subprocess.run([program, *files], input=feed(rounds), stdout=subprocess.PIPE, text=True,
                         check=False)
    have = [line.strip() for line in run.stdout.splitlines()]
    want = [line for raw, variables in rounds for line in expect(sets, raw, variables)]
    wrong = [i for i, (h, w) in enumerate(zip(have, want)) if h != w]
    counters = sum(len(s) for s in sets)
    print(f"# seed {seed}, {len(sets)} sets, {counters} counters, {len(names)} variables, "
          f"{len(have)} lines")
    for i in wrong[:10]:
        print(f"# line {i}: have {have[i]}, want {want[i]}")
    unknown = sum("?" in w.split()[0] for w in want)
    zero = sum(w.split()[0] in ("i0", "f0") for w in want)
    print(f"# {unknown} unknown values, {zero} zeros")
    checks = (
        (run.returncode == 0, "the evaluator ran"),
        (len(have) == len(want) == ROUNDS * counters, "one line per counter and round"),
        (not wrong, "all values, maxima and availabilities agree"),
        (counters == 0 or 0 < unknown < len(want) // 2, "some values are unknown, most are not"),
    )
    for number, (good, name) in enumerate(checks, 1):
        print(f"{'' if good else 'not '}ok {number} - {name}")
    print(f"1..{len(checks)}")


main()
