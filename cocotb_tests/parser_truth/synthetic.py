# SPDX-License-Identifier: BSD-3-Clause
"""Frames that the captures lack, built with scapy: CE, ECT(1), AccECN, three tags, PFC, every extension chain."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from scapy.layers.inet import IP, TCP, UDP, IPOption
from scapy.layers.inet6 import (
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrFragment,
    IPv6ExtHdrHopByHop,
    IPv6ExtHdrRouting,
    PadN,
)
from scapy.layers.ipsec import AH
from scapy.layers.l2 import Dot1AD, Dot1Q, Ether
from scapy.packet import Packet, Raw

ADDRESSES = {"dst": "02:00:00:00:00:01", "src": "02:00:00:00:00:a2"}
FLAGS = ("A", "PA", "S", "SA", "SEC", "SECN", "SAN", "SAE", "SAEN", "AE", "AEC", "FA", "F", "R", "RA", "U", "")


def extension(kind: str, size: int) -> Packet:
    """One extension header; `size` 0 is the smallest."""
    match kind:
        case "hop":
            return IPv6ExtHdrHopByHop(options=[PadN(optdata=bytes(4 + 8 * size))])
        case "destination":
            return IPv6ExtHdrDestOpt(options=[PadN(optdata=bytes(4 + 8 * size))])
        case "routing":
            return IPv6ExtHdrRouting(addresses=["fd00::9"] * (size + 1))
        case "fragment":
            return IPv6ExtHdrFragment(offset=0, m=1, id=7)
        case "later fragment":
            return IPv6ExtHdrFragment(offset=185, m=0, id=7)
        case "auth":
            return AH(spi=1, seq=1, icv=bytes(12 + 4 * size), payloadlen=4 + size)
    raise ValueError(kind)


KINDS = ("hop", "routing", "destination", "fragment", "auth", "later fragment")


def tagged(tags: int) -> Packet:
    """Ethernet with tags: service tags outside, customer tags inside."""
    packet: Packet = Ether(**ADDRESSES)
    for number in range(tags):
        packet /= Dot1AD(vlan=number + 1) if number < tags - 1 else Dot1Q(vlan=100)
    return packet


def synthetic() -> Iterator[tuple[str, bytes]]:
    """Yield (what it is, frame)."""
    for tags, six, ecn in product(range(5), (False, True), range(4)):
        for flags in FLAGS:
            for data in (b"", b"x", b"x" * 700):
                layer = IPv6(tc=0xB8 | ecn) if six else IP(tos=0xB8 | ecn)
                frame = bytes(tagged(tags) / layer / TCP(flags=flags) / Raw(data))
                yield f"{tags} tags, ECN {ecn}, flags {flags}", frame.ljust(60, b"\x5a")
    for chain in [(), *product(KINDS), *product(KINDS, KINDS), *product(KINDS[:5], KINDS[:5], KINDS[:5])]:
        for tags, size in product((0, 3), (0, 1)) if len(chain) > 2 else product(range(4), range(4)):
            packet = tagged(tags) / IPv6(tc=1)
            for kind in chain:
                packet /= extension(kind, size)
            for transport in (TCP(flags="SEC"), TCP(flags="A") / Raw(b"y"), UDP() / Raw(b"z" * 40)):
                yield f"chain {chain} size {size}", bytes(packet / transport).ljust(60, b"\0")
    for words, tags in product(range(11), range(4)):
        option = [IPOption(b"\x94\x04\0\0")] * words
        yield (
            f"{words} words of IPv4 options",
            bytes(tagged(tags) / IP(tos=2, options=option) / TCP(flags="PA") / Raw(b"d")),
        )
    for fragment in (0x2000, 0x4000, 1, 185, 0x1FFF):
        whole = bytes(tagged(0) / IP(tos=1) / TCP() / Raw(b"f" * 50))
        yield f"IPv4 fragment field {fragment:x}", whole[:20] + fragment.to_bytes(2, "big") + whole[22:]
    for value, ecn in product((0, 1, 2, 0xFFFE, 0xFFFF), range(4)):
        yield f"checksum {value:x}", bytes(tagged(3) / IP(tos=ecn, chksum=value) / TCP(flags="A") / Raw(b"w"))
    for offset in range(16):
        yield f"data offset {offset}", bytes(tagged(1) / IP(tos=2) / TCP(flags="A", dataofs=offset) / Raw(bytes(40)))
    for length in (0, 20, 39, 40, 41, 60, 65535):
        yield f"IPv4 length {length}", bytes(tagged(0) / IP(tos=2, len=length) / TCP(flags="A") / Raw(bytes(30)))
    for length in (0, 19, 20, 21, 65535):
        yield f"IPv6 length {length}", bytes(tagged(0) / IPv6(tc=2, plen=length) / TCP(flags="FA") / Raw(bytes(30)))
    sound = bytes(tagged(2) / IPv6(tc=3) / IPv6ExtHdrHopByHop() / TCP(flags="SA") / Raw(bytes(90)))
    also = bytes(tagged(1) / IP(tos=3, options=[IPOption(b"\x94\x04\0\0")]) / TCP(flags="SA") / Raw(bytes(90)))
    for frame in (sound, also):
        for length in range(14, len(frame)):
            yield f"cut at {length}", frame[:length]
    pauses = b"".join(quanta.to_bytes(2, "big") for quanta in (0xFFFF,) * 8)
    for opcode, body in ((b"\x01\x01", b"\x00\xff" + pauses), (b"\x00\x01", b"\xff\xff")):
        yield (
            "PFC" if opcode == b"\x01\x01" else "PAUSE",
            (bytes.fromhex("0180c20000010200000000a28808") + opcode + body).ljust(60, b"\0"),
        )
