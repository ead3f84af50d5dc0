# SPDX-License-Identifier: BSD-3-Clause
"""What scapy sees in a frame, put into the words of parse.

The headers are found by scapy's dissection, with no help from here: its layers are asked for their fields, and nothing
is bounded the way the parser is bounded. Where the two then disagree, `rules.py` has to say why.
"""

from __future__ import annotations

from dataclasses import dataclass

from scapy.config import conf
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.inet6 import (
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrFragment,
    IPv6ExtHdrHopByHop,
    IPv6ExtHdrRouting,
    IPv6ExtHdrSegmentRouting,
)
from scapy.layers.ipsec import AH
from scapy.layers.l2 import LLC, SNAP, Dot1AD, Dot1Q, Dot3, Ether
from scapy.packet import Packet, Raw

from cocotb_tests.env.tm_pkg import L3, Class, Ecn

EXTENSIONS = (
    IPv6ExtHdrHopByHop,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrRouting,
    IPv6ExtHdrSegmentRouting,
    IPv6ExtHdrFragment,
    AH,
)
# Nothing above TCP matters here, and a fuzzed payload need not be understood.
conf.layers.filter([Ether, Dot3, LLC, SNAP, Dot1Q, Dot1AD, IP, IPv6, TCP, UDP, Raw, *EXTENSIONS])


@dataclass(frozen=True)
class Said:
    """The fields that are compared."""

    l3: L3 = L3.NONE
    tags: int | None = None  # compared where there is an L3 header
    ecn: Ecn = Ecn.NOT_ECT
    class_id: Class = Class.NON_IP
    flags: int = 0  # AE .. FIN, nine bits
    payload: bool = False


@dataclass(frozen=True)
class Decoded:
    """A frame with scapy's layers, and what follows from them."""

    frame: bytes
    packet: Packet
    said: Said
    extensions: tuple[Packet, ...] = ()
    tcp: Packet | None = None
    payload_size: int = 0

    @property
    def tcp_at(self) -> int:
        """Where the TCP header begins in the frame."""
        assert self.tcp is not None
        before = self.packet
        at = 0
        while before is not self.tcp:
            at += len(before.original) - len(before.payload.original)
            before = before.payload
        return at


def decode(frame: bytes) -> Decoded:
    """Let scapy dissect a frame."""
    packet = Ether(frame)
    layer = packet.payload
    tags = 0
    while isinstance(layer, Dot1Q):  # Dot1AD is one
        tags += 1
        layer = layer.payload
    if not isinstance(layer, (IP, IPv6)):
        return Decoded(frame, packet, Said())
    extensions = []
    if isinstance(layer, IP):
        l3, ecn = L3.IPV4, Ecn(layer.tos & 3)
        room = layer.len - 4 * layer.ihl
        transport = layer.payload
    else:
        l3, ecn = L3.IPV6, Ecn(layer.tc & 3)
        room = layer.plen
        transport = layer.payload
        while isinstance(transport, EXTENSIONS):
            extensions.append(transport)
            room -= len(transport.original) - len(transport.payload.original)
            transport = transport.payload
    if not isinstance(transport, TCP):
        said = Said(l3, tags, ecn, Class.OTHER_IP)
        return Decoded(frame, packet, said, tuple(extensions))
    flags = int(transport.flags)
    payload = room - 4 * transport.dataofs
    class_id = classify(transport, payload > 0)
    said = Said(l3, tags, ecn, class_id, flags, payload > 0)
    return Decoded(frame, packet, said, tuple(extensions), transport, payload)


def classify(tcp: Packet, payload: bool) -> Class:
    """Return the class of a TCP packet, asked letter by letter."""
    letters = str(tcp.flags)
    if "S" in letters:
        return Class.SYN_ACK if "A" in letters else Class.SYN
    if "R" in letters or ("F" in letters and not payload):
        return Class.TCP_CTRL
    if payload:
        return Class.DATA
    return Class.ACK if "A" in letters else Class.TCP_CTRL


def header_words_sum(frame: bytes, tags: int) -> int:
    """Return the one's complement sum of an IPv4 header, checksum included: 0xFFFF when it is right."""
    at = 14 + 4 * tags
    header = frame[at : at + 4 * (frame[at] & 15)]
    return sum(int.from_bytes(header[i : i + 2], "big") for i in range(0, len(header), 2)) % 0xFFFF
