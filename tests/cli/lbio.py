# SPDX-License-Identifier: MIT
"""Coreboot tables for the scripts of this folder."""
import struct


def lbio(records):
    """A coreboot table of the given (tag, payload) records, with right checksums."""
    def checksum(data):
        total = sum(int.from_bytes(data[i:i + 2].ljust(2, b"\0"), "little") for i in range(0, len(data), 2))
        while total >> 16:
            total = (total & 0xffff) + (total >> 16)
        return (~total & 0xffff).to_bytes(4, "little")
    body = b"".join(struct.pack("<II", tag, 8 + len(payload)) + payload for tag, payload in records)
    head = [b"LBIO", struct.pack("<I", 24), bytes(4), struct.pack("<I", len(body)), checksum(body),
            struct.pack("<I", len(records))]
    head[2] = checksum(b"".join(head))
    return b"".join(head) + body
