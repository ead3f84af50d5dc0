# SPDX-License-Identifier: BSD-3-Clause
"""Why parser and decoder may disagree: rules, not file names.

Each rule recognises a kind of frame by what scapy made of it or by one plain fact of its bytes, and says what the
parser has to answer then. A disagreement that no rule explains fails the test; so does a rule that explains none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from scapy.layers.inet import IP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrHopByHop
from scapy.layers.ipsec import AH
from scapy.packet import bind_layers, split_layers

from cocotb_tests.env.tm_pkg import L3, Class
from cocotb_tests.parser_truth.decoder import Decoded, Said, decode

NOTHING = Said()


@dataclass(frozen=True)
class Rule:
    """One kind of disagreement."""

    name: str
    why: str
    applies: Callable[[Decoded], bool]
    answer: Callable[[Decoded], Said]


def _other_ip(seen: Decoded) -> Said:
    return replace(seen.said, class_id=Class.OTHER_IP, flags=0, payload=False)


def _nothing(_: Decoded) -> Said:
    return NOTHING


def _header(seen: Decoded, kind: type) -> int:
    """Where the IP header begins."""
    return len(seen.frame) - len(seen.packet[kind].original)


def _is(seen: Decoded, l3: L3) -> bool:
    return seen.said.l3 == l3


def _short_ipv4(seen: Decoded) -> bool:
    return _is(seen, L3.IPV4) and len(seen.frame) < _header(seen, IP) + 4 * seen.packet[IP].ihl


def _unbound_hop(seen: Decoded) -> bool:
    last = seen.extensions[-1] if seen.extensions else None
    return isinstance(last, AH) and last.nh == 0 and seen.tcp is None


def _bound_hop(seen: Decoded) -> Said:
    split_layers(AH, IP, nh=0)
    bind_layers(AH, IPv6ExtHdrHopByHop, nh=0)
    try:
        return decode(seen.frame).said
    finally:
        split_layers(AH, IPv6ExtHdrHopByHop, nh=0)
        bind_layers(AH, IP, nh=0)


RULES = (
    Rule(
        "hop-by-hop options behind AH",
        "scapy takes protocol 0 behind an authentication header for IPv4; told better, it says what the parser says.",
        _unbound_hop,
        _bound_hop,
    ),
    Rule(
        "version",
        "scapy goes by the ethertype; the parser wants the version that belongs to it, or the frame is NON_IP.",
        lambda seen: (
            (_is(seen, L3.IPV4) and seen.packet[IP].version != 4)
            or (_is(seen, L3.IPV6) and seen.packet[IPv6].version != 6)
        ),
        _nothing,
    ),
    Rule(
        "header length below five words",
        "scapy reads 20 bytes whatever the IHL says; to the parser such a header is not readable.",
        lambda seen: _is(seen, L3.IPV4) and seen.packet[IP].ihl < 5,
        _nothing,
    ),
    Rule(
        "IPv4 header cut off",
        "scapy reads the options that are there; the parser wants the whole header in the frame.",
        _short_ipv4,
        _nothing,
    ),
    Rule(
        "more than three tags",
        "scapy follows any number of VLAN tags, the parser three.",
        lambda seen: seen.said.l3 != L3.NONE and (seen.said.tags or 0) > 3,
        _nothing,
    ),
    Rule(
        "third extension header",
        "scapy follows any number of IPv6 extension headers, the parser two.",
        lambda seen: seen.tcp is not None and len(seen.extensions) > 2,
        _other_ip,
    ),
    Rule(
        "behind byte 127",
        "the parser looks for the TCP flags within the first 128 bytes only.",
        lambda seen: seen.tcp is not None and seen.tcp_at + 13 > 127,
        _other_ip,
    ),
    Rule(
        "data offset below five words",
        "scapy reads 20 bytes whatever the data offset says; to the parser such a TCP header is not readable.",
        lambda seen: seen.tcp is not None and seen.tcp.dataofs < 5,
        _other_ip,
    ),
    Rule(
        "negative payload",
        "scapy ignores an IP length that ends within the headers; to the parser such a TCP header is not readable.",
        lambda seen: seen.tcp is not None and seen.payload_size < 0,
        _other_ip,
    ),
)


def explain(seen: Decoded, got: Said) -> Rule | None:
    """Return the rule that explains what the parser said, if there is one."""
    for rule in RULES:
        if rule.applies(seen) and same(rule.answer(seen), got):
            return rule
    return None


def same(want: Said, got: Said) -> bool:
    """Compare field by field; tags mean nothing without an L3 header."""
    return replace(want, tags=None) == replace(got, tags=None) and (want.l3 == L3.NONE or want.tags == got.tags)
