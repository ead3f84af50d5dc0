# SPDX-License-Identifier: BSD-3-Clause
"""Frames and captures that the tests of the host tool share."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from pathlib import Path

from scapy.layers.inet import IP, TCP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether

from truemark.replay.capture import Frame, Writer

START = 1_700_000_000 * 10**9 + 123_456_789  # nanoseconds since 1970

NOT_ECT, ECT1, ECT0, CE = range(4)


def tcp_frame(length: int, ecn: int = ECT0, flags: str = "A", ipv6: bool = False, dscp: int = 10) -> bytes:
    """Return a TCP frame of `length` bytes, or as long as its headers, whose checksums are right."""
    octet = dscp << 2 | ecn
    network = IPv6(src="fd00::1", dst="fd00::2", tc=octet) if ipv6 else IP(src="10.0.0.1", dst="10.0.0.2", tos=octet)
    headers = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02") / network / TCP(sport=4, dport=5, flags=flags)
    return bytes(headers / (b"payload." * 2000)[: max(0, length - len(headers))])


def write_capture(path: Path, frames: Iterable[tuple[int, bytes]]) -> Path:
    """Return a capture of frames at nanoseconds after its start."""
    with Writer(path) as writer:
        for time_ns, data in frames:
            writer.write(START + time_ns, data, len(data))
    return path


def frames_of(frames: Iterable[tuple[int, bytes]]) -> list[Frame]:
    """Return the same as a list in memory."""
    return [Frame(START + time_ns, data, len(data)) for time_ns, data in frames]


def pcap_header(link: int = 1, magic: int = 0xA1B2C3D4, order: str = "<") -> bytes:
    """Return the file header of a pcap."""
    return struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, 65535, link)


Command = Callable[..., tuple[int, str, str]]  # arguments to exit code, stdout, stderr
