# SPDX-License-Identifier: BSD-3-Clause
"""The frame builder: byte for byte what scapy builds, headers where the contract expects them."""

import itertools
import random
from typing import Any

import pytest
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Packet, Raw

from cocotb_tests.env import packets
from cocotb_tests.env.tm_pkg import Ecn


def link(*, tags: int = 0, service_tag: bool = False) -> Packet:
    """Return scapy's Ethernet II with that many VLAN tags."""
    header = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")
    for index in range(tags):
        header = header / Dot1Q(vlan=100 + index)
    if tags and service_tag:
        header.type = 0x88A8
    return header


def network(*, ecn: Ecn, version: int, dscp: int) -> Packet:
    """Return scapy's base header of IPv4 or IPv6."""
    if version == 6:
        return IPv6(src="fd00::1", dst="fd00::2", tc=dscp << 2 | ecn)
    return IP(src="10.0.0.1", dst="10.0.0.2", tos=dscp << 2 | ecn)


def remarked(frame: bytes) -> bytes:
    """Return a frame as scapy reads it and writes it again with CE set."""
    packet = Ether(frame)
    if IPv6 in packet:
        packet[IPv6].tc |= Ecn.CE
    else:
        packet[IP].tos |= Ecn.CE
        del packet[IP].chksum
    return bytes(packet)


@pytest.mark.parametrize("version", [4, 6])
@pytest.mark.parametrize(("tags", "service_tag"), [(0, False), (1, False), (1, True), (2, True), (3, False)])
def test_as_scapy_writes_it(version: int, tags: int, service_tag: bool) -> None:
    rng = random.Random(f"{version}/{tags}/{service_tag}")
    for ecn, size in itertools.product(Ecn, (0, 1, 6, 18, 255, 256, 1446)):
        dscp, flags = rng.randrange(64), "".join(letter for letter in "FSRPAUECN" if rng.random() < 0.4)
        ports = {"source_port": rng.getrandbits(16), "destination_port": rng.getrandbits(16)}
        sequence, body = (
            rng.getrandbits(32),
            rng.choice((rng.randbytes(size), bytes(index & 255 for index in range(size)))),
        )
        segment = TCP(sport=ports["source_port"], dport=ports["destination_port"], seq=sequence, ack=1, flags=flags)
        below = link(tags=tags, service_tag=service_tag) / network(ecn=ecn, version=version, dscp=dscp)
        layers: dict[str, Any] = {"ecn": ecn, "version": version, "dscp": dscp, "tags": tags}
        frame = packets.tcp(payload=body, flags=flags, service_tag=service_tag, sequence=sequence, **layers, **ports)
        assert frame == bytes(below / segment / Raw(body))
        assert packets.marked(frame) == remarked(frame)
        assert packets.padded(packets.marked(frame)) == packets.marked(packets.padded(frame)) == remarked(padded(frame))
        if not service_tag:
            assert packets.udp(payload=body, **layers) == bytes(below / UDP(sport=1, dport=2) / Raw(body))


def padded(frame: bytes) -> bytes:
    """Return a frame of at least 60 bytes."""
    return frame + bytes(max(0, 60 - len(frame)))


def test_a_checksum_that_is_zero() -> None:
    """UDP says 0xFFFF where the sum is zero: 0 means that there is none."""
    plain = packets.udp(payload=bytes(2))[-4:-2]
    frame = packets.udp(payload=plain)
    assert frame[-4:-2] == b"\xff\xff"
    assert frame == bytes(link() / network(ecn=Ecn.NOT_ECT, version=4, dscp=0) / UDP(sport=1, dport=2) / Raw(plain))


def test_not_ip() -> None:
    assert packets.non_ip(90) == bytes(
        link(),
    )[:12] + b"\x08\x06" + bytes(76)
    with pytest.raises(ValueError, match="0806"):
        packets.marked(packets.non_ip())


def test_marked_with_options() -> None:
    frame = bytes(link(tags=2) / IP(src="10.0.0.1", dst="10.0.0.2", options=b"\x01" * 8) / TCP())
    assert packets.marked(frame) == remarked(frame)


def ones_complement_sum(data: bytes) -> int:
    """Return the Internet checksum's sum: 0xFFFF over a header whose checksum is right."""
    total = sum(int.from_bytes(data[i : i + 2], "big") for i in range(0, len(data), 2))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


@pytest.mark.parametrize("tags", range(4))
@pytest.mark.parametrize("version", [4, 6])
@pytest.mark.parametrize("ecn", list(Ecn))
def test_ecn_field_is_where_it_belongs(tags: int, version: int, ecn: Ecn) -> None:
    frame = packets.tcp(tags=tags, version=version, ecn=ecn, payload=10)
    field = frame[15 + 4 * tags]
    assert (field >> 4 & 3 if version == 6 else field & 3) == ecn
    if version == 4:
        assert ones_complement_sum(frame[14 + 4 * tags : 34 + 4 * tags]) == 0xFFFF


@pytest.mark.parametrize("version", [4, 6])
def test_marking_changes_nothing_else(version: int) -> None:
    frame = packets.tcp(version=version, tags=1, payload=100, dscp=46)
    after = packets.marked(frame)
    changed = {index for index in range(len(frame)) if frame[index] != after[index]}
    assert changed <= ({19} if version == 6 else {19, 28, 29})
    assert len(after) == len(frame)


@pytest.mark.parametrize("length", [54, 60, 64, 1514, 9216])
def test_exact_length(length: int) -> None:
    assert len(packets.of_length(length)) == length


def test_flags() -> None:
    frame = packets.tcp(flags="SEC")
    assert frame[14 + 20 + 13] == 0xC2
    assert packets.tcp(flags="AN")[14 + 20 + 12] & 1
