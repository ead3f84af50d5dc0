# SPDX-License-Identifier: BSD-3-Clause
"""Ethernet frames for tests: lengths and checksums are right unless a test spoils them.

Each byte is as scapy writes it (test_packets_env.py), whose import takes longer than a short simulation.
"""

from __future__ import annotations

import random
from functools import cache

from cocotb_tests.env.tm_pkg import Ecn

MACS = bytes.fromhex("020000000002 020000000001")  # destination, source
ADDRESSES = {
    4: bytes.fromhex("0a000001 0a000002"),
    6: bytes.fromhex("fd00000000000000 0000000000000001 fd00000000000000 0000000000000002"),
}
ETHERTYPES = {4: 0x0800, 6: 0x86DD}
VLAN, SERVICE_VLAN = 0x8100, 0x88A8
TCP, UDP = 6, 17
FLAGS = "FSRPAUECN"  # scapy's letters, the lowest bit first; N is AE


def checksum(data: bytes) -> bytes:
    """Return the Internet checksum: 2^16 is 1 modulo 0xFFFF, so the sum of all words is the number that they are."""
    return (-int.from_bytes(data + bytes(len(data) % 2), "big") % 0xFFFF).to_bytes(2, "big")


def word(value: int) -> bytes:
    """Return 16 bits."""
    return value.to_bytes(2, "big")


def link(ethertype: int, *, tags: int = 0, service_tag: bool = False) -> bytes:
    """Return Ethernet II with that many VLAN tags; the outermost is 802.1ad's if `service_tag`."""
    shims = b"".join(word(VLAN) + word(100 + index) for index in range(tags))
    if tags and service_tag:
        shims = word(SERVICE_VLAN) + shims[2:]
    return MACS + shims + word(ethertype)


def network(protocol: int, payload: bytes, *, ecn: Ecn = Ecn.ECT0, version: int = 4, dscp: int = 0) -> bytes:
    """Return an IPv4 or IPv6 packet."""
    traffic_class, ttl = dscp << 2 | ecn, 64
    if version == 6:
        first = (6 << 28 | traffic_class << 20).to_bytes(4, "big")
        return first + word(len(payload)) + bytes([protocol, ttl]) + ADDRESSES[6] + payload
    head = bytes([0x45, traffic_class]) + word(20 + len(payload)) + word(1) + word(0) + bytes([ttl, protocol])
    return head + checksum(head + ADDRESSES[4]) + ADDRESSES[4] + payload


def over(version: int, protocol: int, segment: bytes, at: int) -> bytes:
    """Put the checksum of TCP or UDP into a segment, at a place."""
    covered = checksum(ADDRESSES[version] + word(protocol) + word(len(segment)) + segment)
    return segment[:at] + (b"\xff\xff" if protocol == UDP and covered == bytes(2) else covered) + segment[at + 2 :]


@cache
def tcp(
    *,
    payload: int | bytes = 0,
    flags: str = "A",
    ecn: Ecn = Ecn.ECT0,
    version: int = 4,
    dscp: int = 0,
    tags: int = 0,
    service_tag: bool = False,
    source_port: int = 10_000,
    destination_port: int = 20_000,
    sequence: int = 0,
) -> bytes:
    """Return a TCP segment in a frame; flags in scapy's letters (F S R P A U E C N), N being AE."""
    body = payload if isinstance(payload, bytes) else bytes(index & 0xFF for index in range(payload))
    ports = word(source_port) + word(destination_port)
    bits = sum(1 << FLAGS.index(letter) for letter in flags)
    head = ports + sequence.to_bytes(4, "big") + (1).to_bytes(4, "big") + word(5 << 12 | bits) + word(8192) + bytes(4)
    packet = network(TCP, over(version, TCP, head + body, 16), ecn=ecn, version=version, dscp=dscp)
    return link(ETHERTYPES[version], tags=tags, service_tag=service_tag) + packet


def udp(*, payload: int | bytes = 18, ecn: Ecn = Ecn.NOT_ECT, version: int = 4, dscp: int = 0, tags: int = 0) -> bytes:
    """Return a UDP datagram in a frame."""
    body = payload if isinstance(payload, bytes) else bytes(payload)
    datagram = over(version, UDP, word(1) + word(2) + word(8 + len(body)) + bytes(2) + body, 6)
    packet = network(UDP, datagram, ecn=ecn, version=version, dscp=dscp)
    return link(ETHERTYPES[version], tags=tags) + packet


def non_ip(length: int = 60, *, ethertype: int = 0x0806, rng: random.Random | None = None) -> bytes:
    """Return a frame that is neither IPv4 nor IPv6."""
    return link(ethertype) + (rng.randbytes(length - 14) if rng else bytes(length - 14))


def padded(frame: bytes, length: int = 60) -> bytes:
    """Pad a frame to Ethernet's minimum, as a sender does."""
    return frame.ljust(length, b"\0")


def of_length(length: int, *, ecn: Ecn = Ecn.ECT0, version: int = 4, tags: int = 0) -> bytes:
    """Return a TCP data segment of exactly that frame length (at least its headers: 54 or 74, 4 more for each tag)."""
    headers = 14 + 4 * tags + (40 if version == 6 else 20) + 20
    if length < headers:
        raise ValueError(f"a TCP frame of {length} bytes: the headers alone take {headers}")
    return tcp(payload=length - headers, ecn=ecn, version=version, tags=tags)


def of_priority(length: int, priority: int | None, *, service_tag: bool = False) -> bytes:
    """Return such a segment with a VLAN tag of this priority, or without a tag."""
    if priority is None:
        return of_length(length)
    frame = of_length(length, tags=1)
    return frame[:12] + word(SERVICE_VLAN if service_tag else VLAN) + bytes([priority << 5]) + frame[15:]


def marked(frame: bytes) -> bytes:
    """Return the frame with CE set: new ECN field, checksum computed from nothing."""
    at = 12
    while frame[at : at + 2] in (word(VLAN), word(SERVICE_VLAN)):
        at += 4
    ethertype, at = frame[at : at + 2], at + 2
    if ethertype == word(ETHERTYPES[6]):
        return frame[: at + 1] + bytes([frame[at + 1] | Ecn.CE << 4]) + frame[at + 2 :]
    if ethertype != word(ETHERTYPES[4]):
        raise ValueError(f"a frame of type {ethertype.hex()} has no ECN field")
    end = at + 4 * (frame[at] & 15)
    before, after = frame[at : at + 1] + bytes([frame[at + 1] | Ecn.CE]) + frame[at + 2 : at + 10], frame[at + 12 : end]
    return frame[:at] + before + checksum(before + after) + after + frame[end:]
