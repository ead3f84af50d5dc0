# SPDX-License-Identifier: BSD-3-Clause
"""The classes that docs/verdict.md gives to odd frames are those of the golden model and of the RTL."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from scapy.all import (
    AH,
    ARP,
    IP,
    LLC,
    SNAP,
    TCP,
    Dot1Q,
    Dot3,
    Ether,
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrHopByHop,
    IPv6ExtHdrRouting,
    Packet,
    PadN,
    wrpcap,
)
from sw.tests import pages
from sw.tests.frames import Command

ACK = TCP(flags="A")
SYN = TCP(flags="S")
OPTIONS, ROUTING = IPv6ExtHdrDestOpt(), IPv6ExtHdrRouting(addresses=[])
LONG = IPv6ExtHdrDestOpt(options=[PadN(optdata=bytes(68))])
FRAMES: dict[str, Packet] = {
    "two 0x88A8 tags and a 0x8100 tag, a pure ACK": (
        Ether(type=0x88A8) / Dot1Q(type=0x88A8) / Dot1Q(type=0x8100) / Dot1Q() / IP() / ACK
    ),
    "four tags": Ether() / Dot1Q() / Dot1Q() / Dot1Q() / Dot1Q() / IP() / ACK,
    "a tag of ethertype 0x9100": Ether(type=0x9100) / Dot1Q() / IP() / ACK,
    "LLC and SNAP behind an 802.3 length": Dot3() / LLC(dsap=0xAA, ssap=0xAA, ctrl=3) / SNAP(code=0x0800) / IP() / ACK,
    "ARP": Ether() / ARP(),
    "an IPv4 header whose checksum is wrong, a pure ACK": Ether() / IP(chksum=1) / ACK,
    "IPv6 with hop-by-hop and destination options, a SYN": Ether() / IPv6() / IPv6ExtHdrHopByHop() / OPTIONS / SYN,
    "IPv6 with three extension headers, a SYN": Ether() / IPv6() / IPv6ExtHdrHopByHop() / ROUTING / OPTIONS / SYN,
    "IPv6 with an extension header of 72 bytes, a SYN": Ether() / IPv6() / LONG / SYN,
    "AH in IPv6, a pure ACK": Ether() / IPv6(nh=51) / AH(nh=6, payloadlen=4, icv=bytes(12)) / ACK,
    "AH in IPv4, a pure ACK": Ether() / IP(proto=51) / AH(nh=6, payloadlen=4, icv=bytes(12)) / ACK,
    "ESP": Ether() / IP(proto=50) / bytes(40),
    "a later fragment of TCP": Ether() / IP(frag=3, proto=6) / bytes(40),
    "a first fragment with the whole TCP header, a SYN": Ether() / IP(flags="MF") / SYN / bytes(4),
    "a first fragment of 8 bytes, a SYN": Ether() / IP(flags="MF", len=28) / SYN,
    "IPv4 length 0, as captures with offload have it": Ether() / IP(len=0) / ACK / bytes(1000),
    "FIN and ACK without payload": Ether() / IP() / TCP(flags="FA"),
}


@pytest.mark.builds("engine:both_full")
def test_odd_frames(command: Command, tmp_path: Path) -> None:
    text = (pages.ROOT / "docs/verdict.md").read_text()
    table = text.partition("| frame | class |\n|---|---|\n")[2].partition("\n\n")[0]
    said = dict(re.findall(r"^\| (.+) \| `(\w+)` \|$", table, re.MULTILINE))
    assert said.keys() == FRAMES.keys()
    found = {}
    for name, frame in FRAMES.items():
        path = f"{tmp_path}/frame.pcap"
        wrpcap(path, [Ether(bytes(frame).ljust(60, b"\0"))])
        code, out, error = command("replay", path, "--k", "3kB", "--rate", "10G", "--engine", "both", "--json")
        assert code == 0, error
        found[name] = [each for each, counted in json.loads(out)["classes"].items() if counted["arrived"]]
    assert found == {name: [each] for name, each in said.items()}
