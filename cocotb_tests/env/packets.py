# SPDX-License-Identifier: BSD-3-Clause
"""Ethernet frames for tests, built with scapy: lengths and checksums are right unless a test spoils them."""

from __future__ import annotations

import logging
import random

logging.getLogger("scapy").setLevel(logging.ERROR)

from scapy.layers.inet import IP, TCP, UDP  # noqa: E402  (its import complains of networks a test does not need)
from scapy.layers.inet6 import IPv6  # noqa: E402
from scapy.layers.l2 import Dot1Q, Ether  # noqa: E402
from scapy.packet import Packet, Raw  # noqa: E402

from cocotb_tests.env.tm_pkg import Ecn  # noqa: E402

SOURCE_MAC, DESTINATION_MAC = "02:00:00:00:00:01", "02:00:00:00:00:02"


def link(*, tags: int = 0, service_tag: bool = False) -> Packet:
    """Return Ethernet II with that many VLAN tags; the outermost is 802.1ad's if `service_tag`."""
    header = Ether(src=SOURCE_MAC, dst=DESTINATION_MAC)
    for index in range(tags):
        header = header / Dot1Q(vlan=100 + index)
    if tags and service_tag:
        header.type = 0x88A8
    return header


def network(*, ecn: Ecn = Ecn.ECT0, version: int = 4, dscp: int = 0) -> Packet:
    """Return the base header of IPv4 or IPv6."""
    if version == 6:
        return IPv6(src="fd00::1", dst="fd00::2", tc=dscp << 2 | ecn)
    return IP(src="10.0.0.1", dst="10.0.0.2", tos=dscp << 2 | ecn)


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
    segment = TCP(sport=source_port, dport=destination_port, seq=sequence, ack=1, flags=flags)
    packet = link(tags=tags, service_tag=service_tag) / network(ecn=ecn, version=version, dscp=dscp) / segment
    return bytes(packet / Raw(body) if body else packet)


def udp(*, payload: int | bytes = 18, ecn: Ecn = Ecn.NOT_ECT, version: int = 4, dscp: int = 0, tags: int = 0) -> bytes:
    """Return a UDP datagram in a frame."""
    body = payload if isinstance(payload, bytes) else bytes(payload)
    return bytes(link(tags=tags) / network(ecn=ecn, version=version, dscp=dscp) / UDP(sport=1, dport=2) / Raw(body))


def non_ip(length: int = 60, *, ethertype: int = 0x0806, rng: random.Random | None = None) -> bytes:
    """Return a frame that is neither IPv4 nor IPv6."""
    body = rng.randbytes(length - 14) if rng else bytes(length - 14)
    return bytes(Ether(src=SOURCE_MAC, dst=DESTINATION_MAC, type=ethertype))[:14] + body


def padded(frame: bytes, length: int = 60) -> bytes:
    """Pad a frame to Ethernet's minimum, as a sender does."""
    return frame.ljust(length, b"\0")


def of_length(length: int, *, ecn: Ecn = Ecn.ECT0, version: int = 4, tags: int = 0) -> bytes:
    """Return a TCP data segment of exactly that frame length (at least its headers: 54 or 74, 4 more for each tag)."""
    headers = 14 + 4 * tags + (40 if version == 6 else 20) + 20
    if length < headers:
        raise ValueError(f"a TCP frame of {length} bytes: the headers alone take {headers}")
    return tcp(payload=length - headers, ecn=ecn, version=version, tags=tags)


def marked(frame: bytes) -> bytes:
    """Return the frame as scapy would write it with CE set: new ECN field, checksum computed from nothing."""
    packet = Ether(frame)
    if IPv6 in packet:
        packet[IPv6].tc |= Ecn.CE
    else:
        packet[IP].tos |= Ecn.CE
        del packet[IP].chksum
    return bytes(packet)
