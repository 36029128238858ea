# SPDX-License-Identifier: MIT
"""Decodes recordings of OA reports a second time, from the layouts of reports and the XML alone.

Nothing here is shared with lib/: records, layouts, topology and equations are read by this code only.
"""
import struct
import xml.etree.ElementTree as ET

MASK = (1 << 64) - 1

# Layouts by format; Haswell's have their own. Counters: group, first, count, bits, dword.
B_C = (("B", 0, 8, 32, 48), ("C", 0, 8, 32, 56))
A32U40 = (("GPU_CLOCK", 0, 1, 32, 3), ("A", 0, 32, 40, 4), ("A", 32, 4, 32, 36)) + B_C
HASWELL = {5: (("A", 0, 45, 32, 3),) + B_C}
LATER = {
    10: A32U40,
    11: A32U40,
    12: (("GPU_CLOCK", 0, 1, 32, 3), ("A", 0, 4, 32, 4), ("A", 4, 20, 40, 8), ("A", 24, 4, 32, 28),
         ("A", 28, 4, 40, 32), ("A", 32, 5, 32, 36), ("A", 37, 1, 32, 46)) + B_C,
}
REASONS = ("timer", "trigger1", "trigger2", "context-switch", "go-transition", "clock-ratio",
           "mmio-trigger")
OLDER_THAN_GEN9 = ("BDW", "CHV")
OLDER_THAN_GEN11 = ("HSW", "BDW", "CHV", "SKL", "BXT", "KBL", "GLK", "CFL", "CNL")


def records(data):
    """Type and body of each record."""
    at = 0
    while at < len(data):
        kind, _, size = struct.unpack_from("<IHH", data, at)
        yield kind, data[at + 8:at + size]
        at += size


class Recording:
    """What a recording holds: `runs` are rows of reports without a loss between them."""

    def __init__(self, data):
        self.runs, self.topology = [[]], b""
        for kind, body in records(data):
            if kind == 1:
                self.runs[-1].append(body)
            elif kind in (2, 3):
                self.runs.append([])
            elif kind == 65537:
                (self.hz, self.device, self.revision, self.min_hz, self.max_hz, _, _,
                 self.format) = struct.unpack_from("<QIIIIIII", body)
                self.name = body[36:292].split(b"\0")[0].decode()
                self.uuid = body[292:332].split(b"\0")[0].decode()
            elif kind == 65538:
                self.topology = body


def find_set(path, uuid):
    """The element of the set with that UUID."""
    for element in ET.parse(path).getroot().iter("set"):
        if element.get("hw_config_guid") == uuid:
            return element
    raise KeyError(f"no set {uuid} in {path}")


def bit(mask, n):
    return mask[n // 8] >> n % 8 & 1


def variables(recording, chipset):
    """Device variables of equations, from the topology."""
    (_, slices, subslices, eus, ss_offset, ss_stride, eu_offset,
     eu_stride) = struct.unpack_from("<8H", recording.topology)
    data = recording.topology[16:]
    per_slice = 3 if chipset[:3] in OLDER_THAN_GEN11 else 8
    # From Xe_HP on the kernel shows all cores as those of slice 0; a slice has four.
    flat = 4 if chipset[:3] in ("ACM", "DG2", "MTL") else 0
    places, eu_count = [], 0
    for s in range(slices):
        for ss in range(subslices):
            if bit(data, s) and bit(data[ss_offset + s * ss_stride:], ss):
                places.append(divmod(ss, flat) if flat else (s, ss))
                at = eu_offset + (s * subslices + ss) * eu_stride
                eu_count += sum(bit(data[at:], eu) for eu in range(eus))
    slice_mask = sum(1 << s for s in {s for s, _ in places})
    subslice_mask = sum(1 << s * (flat or per_slice) + ss for s, ss in places)
    threads = {"BXT": 6, "GLK": 6, "ACM": 8, "DG2": 8, "MTL": 8}.get(chipset[:3], 7)
    found = {"SliceMask": slice_mask, "EuSlicesTotalCount": bin(slice_mask).count("1"),
             "SliceTotalCount": bin(slice_mask).count("1"),
             "EuCoresTotalCount": eu_count, "VectorEngineTotalCount": eu_count,
             "EuSubslicesTotalCount": len(places), "XeCoreTotalCount": len(places),
             "EuThreadsCount": threads, "VectorEngineThreadsCount": threads,
             "GpuTimestampFrequency": recording.hz, "SkuRevisionId": recording.revision,
             "GpuMinFrequency": recording.min_hz, "GpuMaxFrequency": recording.max_hz,
             "QueryMode": 0}
    for name in ("SubsliceMask", "DualSubsliceMask", "XeCoreMask"):
        found[name] = subslice_mask
    for s in range(8):
        found[f"GtSlice{s}"] = slice_mask >> s & 1
        for ss in range(16):
            found[f"GtSlice{s}XeCore{ss}"] = found[f"GtSlice{s}DualSubslice{ss}"] = int(
                (s, ss) in places)
    return found


def counters_of(report, layout):
    """Raw values of one report: (group, number) -> (value, bits)."""
    values = {}
    for group, first, count, bits, dword in layout:
        for n in range(count):
            value = struct.unpack_from("<I", report, 4 * (dword + n))[0]
            if bits == 40:
                value |= report[160 + first + n] << 32
            values[group, first + n] = value, bits
    return values


def difference(layout, shift, start, end):
    """Raw differences of two reports, the unshifted ticks between them first."""
    before, after = counters_of(start, layout), counters_of(end, layout)
    raw = {key: (after[key][0] - before[key][0]) % (1 << bits) for key, (_, bits) in before.items()}
    ticks = (struct.unpack_from("<I", end, 4)[0] - struct.unpack_from("<I", start, 4)[0]) % (1 << 32)
    raw["GPU_TIME", 0] = ticks >> shift
    return ticks, raw


def whole(x):
    if isinstance(x, int):
        return x
    return min(int(x), MASK) if x > 0 else 0


OPERATORS = {
    "UADD": lambda a, b: (a + b) & MASK, "USUB": lambda a, b: (a - b) & MASK,
    "UMUL": lambda a, b: (a * b) & MASK, "UDIV": lambda a, b: a // b if b else 0,
    "UMIN": min, "AND": lambda a, b: a & b,
    "<<": lambda a, b: a << b & MASK, ">>": lambda a, b: a >> b,
    "UGT": lambda a, b: int(a > b), "UGTE": lambda a, b: int(a >= b),
    "ULT": lambda a, b: int(a < b), "ULTE": lambda a, b: int(a <= b),
    "&&": lambda a, b: int(bool(a and b)),
    "FADD": lambda a, b: a + b, "FSUB": lambda a, b: a - b, "FMUL": lambda a, b: a * b,
    "FDIV": lambda a, b: a / b if b else 0.0, "FMAX": max,
}


def evaluate(text, raw, known):
    """The value of an equation; KeyError if the reports do not hold what it reads."""
    stack, words = [], iter(text.split())
    for word in words:
        if word in OPERATORS:
            b, a = stack.pop(), stack.pop()
            typed = float if word.startswith("F") else whole
            stack.append(OPERATORS[word](typed(a), typed(b)))
        elif word.startswith("$"):
            stack.append(known[word[1:]])
        elif word[0].isdigit():
            stack.append(int(word, 0))
        elif word == "true":
            stack.append(1)
        else:
            stack.append(raw[word, int(next(words))])
            next(words)
    return stack[0]


def decode_raw(metric_set, raw, device):
    """Symbol name -> value, of the counters that there are on this GPU."""
    values, known = {}, dict(device)
    for counter in metric_set.iter("counter"):
        name = counter.get("symbol_name")
        try:
            value = evaluate(counter.get("equation"), raw, known)
        except KeyError:
            continue
        known[name] = float(value) if counter.get("data_type") == "float" else whole(value)
        if evaluate(counter.get("availability") or "1", raw, known):
            values[name] = known[name]
    return values


def decode(data, xml):
    """The decoded recording: (rows, values over the whole), each row (start, duration, reason, values)."""
    recording = Recording(data)
    metric_set = find_set(xml, recording.uuid)
    chipset = metric_set.get("chipset")
    haswell = chipset.startswith("HSW")
    layout = (HASWELL if haswell else LATER)[recording.format]
    shift = 1 if recording.format >= 11 else 0
    device = variables(recording, chipset)
    rows, sums, counted, passed, last = [], {}, 0, 0, None

    def ns(ticks):
        return ticks * 10 ** 9 // (recording.hz << shift)

    for run in recording.runs:
        for n, report in enumerate(run):
            if last is None:
                last = report
                continue
            ticks, raw = difference(layout, shift, last, report)
            last = report
            if n:
                bits = 0 if haswell else struct.unpack_from("<I", report)[0] >> 19
                reason = "+".join(word for i, word in enumerate(REASONS) if bits >> i & 1
                                  and (i < 6 or chipset[:3] not in OLDER_THAN_GEN11))
                rows.append((ns(passed), ns(passed + ticks) - ns(passed), reason,
                             decode_raw(metric_set, raw, device)))
                for key, value in raw.items():
                    sums[key] = sums.get(key, 0) + value
                counted += ticks
            passed += ticks
    sums["GPU_TIME", 0] = counted >> shift
    return rows, decode_raw(metric_set, sums, device) if rows else {}
