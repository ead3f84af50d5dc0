# SPDX-License-Identifier: BSD-3-Clause
"""Frames written byte by byte: tags, IPv4 with options, IPv6 chains, TCP with all its flags, PFC, and what is broken.

`random_frame` draws from all of it, with a bias to the edges: lengths that end on or near a header's last byte, fields
one off, headers that reach the end of the window.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

HOP, ROUTING, FRAGMENT, AUTH, DESTINATION, TCP, UDP = 0, 43, 44, 51, 60, 6, 17
AE, CWR, ECE, URG, ACK, PSH, RST, SYN, FIN = (1 << bit for bit in range(8, -1, -1))


def ethernet(ethertype: int, payload: bytes, tags: Sequence[int] = ()) -> bytes:
    """Put Ethernet addresses, tags (their TPIDs) and the type in front."""
    shims = b"".join(tpid.to_bytes(2, "big") + b"\x20\x05" for tpid in tags)
    return bytes.fromhex("0200000000010200000000a2") + shims + ethertype.to_bytes(2, "big") + payload


def tcp(flags: int = ACK, *, options: int = 0, offset: int | None = None, data: bytes = b"") -> bytes:
    """Return a TCP header with `options` words of options, and data."""
    first = (5 + options if offset is None else offset) << 4 | flags >> 8
    head = bytes.fromhex("0050c0010000000100000002") + bytes((first, flags & 255)) + bytes.fromhex("ffff00000000")
    return head + b"\x01" * (4 * options) + data


def checksum(header: bytes) -> int:
    """Return the Internet checksum of a header whose checksum field is zero."""
    total = sum(int.from_bytes(header[i : i + 2], "big") for i in range(0, len(header), 2))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def ipv4(
    payload: bytes, *, ecn: int = 0, protocol: int = TCP, options: int = 0, total: int | None = None, fragment: int = 0
) -> bytes:
    """Return an IPv4 packet with `options` words of options and a right checksum."""
    size = 20 + 4 * options
    length = size + len(payload) if total is None else total
    head = bytearray((0x40 | 5 + options, 0xB8 | ecn)) + (length & 0xFFFF).to_bytes(2, "big") + b"\x12\x34"
    head += fragment.to_bytes(2, "big") + bytes((64, protocol, 0, 0)) + bytes.fromhex("0a0000010a000002")
    head += b"\x01" * (4 * options)
    head[10:12] = checksum(bytes(head)).to_bytes(2, "big")
    return bytes(head) + payload


def extension(kind: int, following: int, *, length: int = 0, offset: int = 0) -> bytes:
    """Return an IPv6 extension header of `kind`; `length` in the units of its own length field."""
    if kind == FRAGMENT:
        return bytes((following, 0)) + (offset << 3 | 1).to_bytes(2, "big") + b"\x00\x00\x00\x07"
    size = 4 * (length + 2) if kind == AUTH else 8 * (length + 1)
    return bytes((following, length)) + b"\x06" * (size - 2)


def ipv6(
    payload: bytes,
    *,
    ecn: int = 0,
    chain: Sequence[tuple[int, int, int]] = (),
    protocol: int = TCP,
    length: int | None = None,
) -> bytes:
    """Return an IPv6 packet; `chain` lists extension headers as (kind, length field, fragment offset)."""
    kinds = [kind for kind, _, _ in chain] + [protocol]
    headers = b"".join(
        extension(kind, kinds[i + 1], length=size, offset=offset) for i, (kind, size, offset) in enumerate(chain)
    )
    size = len(headers) + len(payload) if length is None else length
    first = 6 << 28 | 0x2E << 22 | ecn << 20 | 0xABCDE
    addresses = bytes.fromhex("fd000000000000000000000000000001fd000000000000000000000000000002")
    return (
        first.to_bytes(4, "big")
        + (size & 0xFFFF).to_bytes(2, "big")
        + bytes((kinds[0], 64))
        + addresses
        + headers
        + payload
    )


def pfc() -> bytes:
    """A priority flow control frame: MAC control, opcode 0x0101, all classes, all pauses full, padded to 60 bytes."""
    body = bytes.fromhex("010100ff") + b"\xff\xff" * 8
    return bytes.fromhex("0180c2000001") + bytes.fromhex("0200000000a2") + b"\x88\x08" + body + bytes(26)


def random_tags(rng: random.Random) -> list[int]:
    """No tag to four, more often few."""
    return [rng.choice((0x8100, 0x88A8)) for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 2, 3, 3, 4)))]


def random_flags(rng: random.Random) -> int:
    """Return flags as they occur, or any."""
    usual = (ACK, ACK, ACK | PSH, SYN, SYN | ACK, FIN | ACK, RST, RST | ACK, FIN, SYN | ECE | CWR | AE, ACK | ECE, 0)
    return rng.choice(usual) if rng.random() < 0.7 else rng.getrandbits(9)


def random_packet(rng: random.Random) -> tuple[int, bytes]:
    """Return an ethertype and an IP packet, sound or not."""
    data = rng.randbytes(rng.choice((0, 0, 0, 1, 2, 3, 4, rng.randrange(64), rng.randrange(1400))))
    segment = tcp(random_flags(rng), options=rng.choice((0, 0, 3, 10)), data=data)
    if rng.random() < 0.1:
        segment = tcp(random_flags(rng), options=2, offset=rng.randrange(16), data=data)
    protocol = TCP if rng.random() < 0.85 else rng.choice((UDP, FRAGMENT, 0, 1, 58, 50, rng.randrange(256)))
    ecn = rng.randrange(4)
    if rng.random() < 0.5:
        options = rng.choice((0, 0, 0, 1, 5, 10))
        size = 20 + 4 * options + len(segment)
        total = (
            size
            if rng.random() < 0.7
            else rng.choice((size - len(data), size - len(data) - 1, size + 40, 0, 40, rng.getrandbits(16)))
        )
        fragment = 0 if rng.random() < 0.8 else rng.choice((0x4000, 0x2000, 1 << rng.randrange(16), 0x1FFF))
        return 0x0800, ipv4(segment, ecn=ecn, protocol=protocol, options=options, total=total, fragment=fragment)
    chain = []
    for _ in range(rng.choice((0, 0, 1, 1, 2, 2, 2, 3))):
        kind = rng.choice((HOP, ROUTING, DESTINATION, FRAGMENT, AUTH))
        length = rng.choice((0, 0, 1, 2, 3, 4, rng.randrange(9), rng.randrange(256)))
        offset = rng.choice((0, 0, 1 << rng.randrange(13))) if kind == FRAGMENT else 0
        chain.append((kind, length, offset))
    size = sum({FRAGMENT: 8, AUTH: 4 * (n + 2)}.get(kind, 8 * (n + 1)) for kind, n, _ in chain) + len(segment)
    length = (
        size
        if rng.random() < 0.7
        else rng.choice((size - len(data), size - len(data) - 1, size + 9, 0, rng.getrandbits(16)))
    )
    return 0x86DD, ipv6(segment, ecn=ecn, chain=chain, protocol=protocol, length=length)


def random_frame(rng: random.Random) -> bytes:
    """Any frame of 14 bytes or more."""
    tags = random_tags(rng)
    kind = rng.random()
    if kind < 0.08:
        return ethernet(
            rng.choice((0x0806, 0x8847, 0x8864, 0x9100, 0x0801, 0x86DC, 46)), rng.randbytes(rng.randrange(90)), tags
        )
    if kind < 0.12:
        return pfc()
    ethertype, packet = random_packet(rng)
    if kind < 0.2:  # a bit of the first header turned over: version, length of the header, ethertype
        packet = bytes((packet[0] ^ 1 << rng.randrange(8),)) + packet[1:]
    if kind < 0.22:
        ethertype ^= 1 << rng.randrange(16)
    frame = ethernet(ethertype, packet, tags)
    if rng.random() < 0.25:  # a capture cut short
        frame = frame[: rng.randrange(14, min(len(frame), 160) + 1)]
    if rng.random() < 0.2:
        frame = frame.ljust(60, b"\x00")
    return frame
