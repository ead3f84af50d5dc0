# SPDX-License-Identifier: BSD-3-Clause
"""The header rules of docs/verdict.md in Python: what the parser has to say of a frame, and after which byte.

A cursor moves over the bytes, one header at a time, and keeps track of the last byte it had to look at; there is no
word, lane or row in here. The bytes are those the parser can see: a frame may be padded behind its end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cocotb_tests.env.tm_pkg import L3, Class, Ecn

TAGS = (0x8100, 0x88A8)
WINDOW = 128
LONGEST = 68  # behind a longer extension header there is no room for TCP flags in the window
EXTENSIONS = {0: "options", 43: "options", 60: "options", 44: "fragment", 51: "auth"}
FLAG_NAMES = ("ae", "cwr", "ece", "urg", "ack", "psh", "rst", "syn", "fin")


@dataclass(frozen=True)
class Headers:
    """What parse says of a frame."""

    l3: L3
    tags: int
    ecn: Ecn
    class_id: Class
    flags: dict[str, int]
    payload: bool
    marked_checksum: int | None  # only where marking is possible
    ecn_byte: int  # the last byte the ECN strobe waits for
    class_byte: int  # the last byte the class waits for

    @property
    def ece(self) -> int:
        """The flag the counters split classes by."""
        return self.flags["ece"]


def fold(total: int) -> int:
    """Add the carries of a one's complement sum back in."""
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def marked_checksum(old: int, ecn: Ecn) -> int:
    """RFC 1624, equation 3, for the word that holds the ECN field."""
    return ~fold((~old & 0xFFFF) + (Ecn.CE - ecn)) & 0xFFFF


def read_headers(frame: bytes, length: int) -> Headers:
    """Read the headers of a frame of `length` bytes."""
    data = frame + bytes(256)

    def word(at: int) -> int:
        return int.from_bytes(data[at : at + 2], "big")

    tags = 0
    while tags < 3 and word(12 + 4 * tags) in TAGS:
        tags += 1
    ethertype = word(12 + 4 * tags)
    l3_at = 14 + 4 * tags
    ecn_byte = {0x0800: 25, 0x86DD: 15}.get(ethertype, 13) + 4 * tags

    def answer(l3: L3, ecn: Ecn, class_id: Class, class_byte: int, flags: int = 0, payload: bool = False) -> Headers:
        values = {name: flags >> (8 - i) & 1 for i, name in enumerate(FLAG_NAMES)}
        markable = l3 == L3.IPV4 and ecn in (Ecn.ECT0, Ecn.ECT1)
        checksum = marked_checksum(word(l3_at + 10), ecn) if markable else None
        last = max(class_byte, ecn_byte)
        return Headers(l3, tags, ecn, class_id, values, payload, checksum, ecn_byte, last)

    version, low = data[l3_at] >> 4, data[l3_at] & 15
    if ethertype == 0x0800 and version == 4 and low >= 5 and length >= l3_at + 4 * low:
        ecn = Ecn(data[l3_at + 1] & 3)
        l4_at = l3_at + 4 * low
        ip_end = l3_at + word(l3_at + 2)
        if data[l3_at + 9] != 6 or word(l3_at + 6) & 0x1FFF:
            return answer(L3.IPV4, ecn, Class.OTHER_IP, 0)
        return tcp(data, length, l4_at, ip_end, lambda *rest: answer(L3.IPV4, ecn, *rest))
    if ethertype == 0x86DD and version == 6 and length >= l3_at + 40:
        ecn = Ecn(data[l3_at + 1] >> 4 & 3)
        at, ip_end = l3_at + 40, l3_at + 40 + word(l3_at + 4)
        header, seen = data[l3_at + 6], l3_at + 6
        for _ in range(2):
            if header not in EXTENSIONS or at + 1 >= WINDOW:
                break
            kind = EXTENSIONS[header]
            fragment = kind == "fragment" and word(at + 2) & 0xFFF8
            seen = at + (3 if kind == "fragment" else 1)
            header = data[at]
            size = {"options": 8 * (data[at + 1] + 1), "fragment": 8, "auth": 4 * (data[at + 1] + 2)}[kind]
            at += size
            if fragment or size > LONGEST:
                header = 59  # nothing follows
        if header != 6 or at + 13 >= WINDOW:
            return answer(L3.IPV6, ecn, Class.OTHER_IP, seen)
        return tcp(data, length, at, ip_end, lambda *rest: answer(L3.IPV6, ecn, *rest))
    return answer(L3.NONE, Ecn.NOT_ECT, Class.NON_IP, 0)


def tcp(data: bytes, length: int, at: int, ip_end: int, answer: Callable[..., Headers]) -> Headers:
    """Read a TCP header whose flags are within the window."""
    offset, flags = data[at + 12] >> 4, (data[at + 12] & 1) << 8 | data[at + 13]
    payload = ip_end - at - 4 * offset
    if length < at + 20 or offset < 5 or payload < 0:
        return answer(Class.OTHER_IP, at + 13)
    syn, ack, rst, fin = flags >> 1 & 1, flags >> 4 & 1, flags >> 2 & 1, flags & 1
    if syn:
        class_id = Class.SYN_ACK if ack else Class.SYN
    elif rst or (fin and payload == 0):
        class_id = Class.TCP_CTRL
    elif payload:
        class_id = Class.DATA
    else:
        class_id = Class.ACK if ack else Class.TCP_CTRL
    return answer(class_id, at + 13, flags, payload > 0)
