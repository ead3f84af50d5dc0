# SPDX-License-Identifier: BSD-3-Clause
"""tm_queue_map behind the header walk: which queue tm_parse says of scapy's frames, while tables change."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import cocotb
import pytest
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import ARP, Dot1Q, Ether
from scapy.packet import Packet, Raw
from truemark.device import registers
from truemark.device.registers import QueueMode
from truemark_dev import build_type
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.tm_pkg import QUEUE_WORD, STROBES, Class, Ecn

QUEUES = 4
CYCLES = 4000  # at 256 bits; narrower ones need more for a frame
FLAGS = {"S": Class.SYN, "SA": Class.SYN_ACK, "A": Class.ACK, "R": Class.TCP_CTRL, "FA": Class.TCP_CTRL}
SHADOW = (
    registers.QUEUE_SETTINGS, registers.QUEUE_PCP, registers.QUEUE_ECN, registers.QUEUE_CLASS,
    registers.QUEUE_CLASS_ECE, *(getattr(registers, f"QUEUE_DSCP{n}") for n in range(8)),
)  # fmt: skip


@dataclass
class Tables:
    """One set of tables."""

    mode: QueueMode = QueueMode.FIXED
    default: int = 0
    dscp: list[int] = field(default_factory=lambda: [0] * 64)
    pcp: list[int] = field(default_factory=lambda: [0] * 8)
    ecn: list[int] = field(default_factory=lambda: [0] * 4)
    classes: list[list[int]] = field(default_factory=lambda: [[0] * 7, [0] * 7])  # without the ECE flag, and with it

    @classmethod
    def random(cls, rng: random.Random) -> Tables:
        """Draw any."""

        def some(count: int) -> list[int]:
            return [rng.randrange(QUEUES) for _ in range(count)]

        return cls(rng.choice(list(QueueMode)), rng.randrange(QUEUES), some(64), some(8), some(4), [some(7), some(7)])

    def words(self) -> list[int]:
        """Return the words of SHADOW."""

        def word(entries: list[int]) -> int:
            return sum(queue << 3 * at for at, queue in enumerate(entries))

        settings = registers.QUEUE_SETTINGS.pack(mode=self.mode, default_queue=self.default)
        tables = [self.pcp, self.ecn, *self.classes, *(self.dscp[8 * n : 8 * n + 8] for n in range(8))]
        return [settings, *map(word, tables)]


@dataclass(eq=False)
class Sent:
    """A frame, and what scapy says of it."""

    data: bytes
    dscp: int | None  # None: not IP
    ecn: int
    pcp: int | None  # None: no tag
    class_id: Class
    ece: bool
    by_class: bool = False

    def queue(self, tables: Tables) -> int:
        """Say where these tables put it."""
        if tables.mode is QueueMode.DSCP and self.dscp is not None:
            return tables.dscp[self.dscp]
        if tables.mode is QueueMode.ECN and self.dscp is not None:
            return tables.ecn[self.ecn]
        if tables.mode is QueueMode.PCP and self.pcp is not None:
            return tables.pcp[self.pcp]
        return tables.default


def any_frame(rng: random.Random) -> Sent:
    """Draw TCP, UDP or ARP, behind up to three tags; or a frame that ends in its first tag, or right behind it."""
    packet: Packet = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")
    tags = rng.choice((0, 0, 1, 1, 2, 3))
    for _ in range(tags):
        packet /= Dot1Q(prio=rng.randrange(8), vlan=rng.randrange(1, 4095))
    if tags and rng.random() < 0.5:
        packet.type = 0x88A8
    dscp, ecn = rng.randrange(64), rng.randrange(4)
    ece, kind = rng.random() < 0.4, rng.choice(("tcp", "tcp", "udp", "arp", "cut"))
    class_id = Class.OTHER_IP
    if kind == "arp" or (kind == "cut" and not tags):
        packet /= ARP()
        class_id = Class.NON_IP
    elif kind != "cut":
        packet /= IP(tos=dscp << 2 | ecn) if rng.random() < 0.5 else IPv6(tc=dscp << 2 | ecn)
        if kind == "udp":
            packet /= UDP() / Raw(bytes(20))
        else:
            letters = rng.choice([*FLAGS, "PA"])
            packet /= TCP(flags=letters + "E" * ece)
            class_id = FLAGS.get(letters, Class.DATA)
            if letters == "PA":
                packet /= Raw(bytes(rng.randrange(1, 40)))
    data = bytes(packet)
    if kind == "cut" and tags:
        data = data[: rng.choice((14, 15, 16, 17, 18, 20))]
    read = Ether(data)
    ip = read.getlayer(IP) or read.getlayer(IPv6)
    octet = (ip.tos if IP in ip else ip.tc) if ip is not None and kind != "cut" else None
    return Sent(
        data,
        None if octet is None else octet >> 2,
        Ecn.NOT_ECT if octet is None else octet & 3,
        read.payload.prio if tags and len(data) >= 18 else None,
        Class.NON_IP if octet is None else class_id,
        ece and kind == "tcp",
    )


@cocotb.test()
async def chooses_queues(dut: Any) -> None:
    """Every frame's queue.

    Stimulus: frames of `any_frame`, noise behind their ends, with and without pauses; now and then other tables, whose
    words come in any order, some with pauses, some without a turn to them.
    Checks: one cycle after each strobe of the ECN field the queue, or that it follows from the class, and then after
    that of the flags: by the tables that were turned to two cycles before or earlier. Both stay until the next frame's.
    """
    rng = randomness("tm_queue_map")
    coverage = Coverage("tm_queue_map")
    build = build_type.of(dut)
    beat = build["DATA_W"] // 8
    await start(dut, s_valid_i=0, s_data_i=0, s_keep_i=0, s_last_i=0, s_dest_i=0, s_len_i=0, s_error_i=0, word_i=0)
    at_ecn: deque[Sent] = deque()
    at_flags: deque[Sent] = deque()
    beats: list[tuple[bytes, int, bool]] = []
    words: list[tuple[int, int]] = []
    coming = force = Tables()
    turns = False
    turned: deque[tuple[int, Tables]] = deque()
    shown: tuple[int, int] | None = None
    told = STROBES.unpack(0)  # in the cycle before
    sent = Sent(b"", None, 0, None, Class.NON_IP, False)
    for now in range(CYCLES * max(1, 256 // build["DATA_W"])):
        # tables
        word = {}
        if words and rng.random() < 0.8:
            place, data = words.pop()
            word = {"valid": 1, "place": place, "data": data}
        elif not words and turns:
            word, turns = {"turn": 1}, False
            turned.append((now + 2, coming))
        elif not words and not turned and rng.random() < 0.02:
            coming, turns = Tables.random(rng), rng.random() < 0.8
            words = [(each.place or 0, data) for each, data in zip(SHADOW, coming.words(), strict=True)]
            rng.shuffle(words)
        dut.word_i.value = QUEUE_WORD.pack(**word)
        if turned and turned[0][0] == now:
            force = turned.popleft()[1]
        # frames
        if not beats:
            sent = any_frame(rng)
            rows = [sent.data[at : at + beat] for at in range(0, len(sent.data), beat)]
            beats = [(row + rng.randbytes(beat - len(row)), (1 << len(row)) - 1, row is rows[-1]) for row in rows]
            beats.reverse()
            at_ecn.append(sent)
            at_flags.append(sent)
        valid = rng.random() < 0.8
        dut.s_valid_i.value = valid
        if valid:
            row, keep, last = beats.pop()
            dut.s_data_i.value, dut.s_keep_i.value = int.from_bytes(row, "little"), keep
            dut.s_last_i.value, dut.s_dest_i.value, dut.s_len_i.value = last, 1, len(sent.data)
        await cycle(dut)
        # what is told
        got = (int(dut.queue_o.value), int(dut.by_class_o.value))
        if told["next_ecn_valid"]:
            frame = at_ecn.popleft()
            frame.by_class = force.mode is QueueMode.CLASS_ECE
            shown = None if frame.by_class else (1 << frame.queue(force), 0)
            assert got[1] == frame.by_class, f"cycle {now}: by_class is {got[1]}"
            coverage.hit(f"by {force.mode.name}")
            coverage.hit(
                "a tag that is cut", frame.pcp is None and len(frame.data) < 18 and force.mode is QueueMode.PCP
            )
            coverage.hit("a whole tag and no more", len(frame.data) == 18 and force.mode is QueueMode.PCP)
        if told["next_flags_valid"]:
            frame = at_flags.popleft()
            if frame.by_class:
                shown = (1 << force.classes[frame.ece][frame.class_id], 1)
                coverage.hit(f"class {frame.class_id.name}{'+ECE' if frame.ece else ''}")
        if shown is not None:
            assert got == shown, f"cycle {now}: queue and by_class are {got}, by the tables {shown}"
        told = STROBES.unpack(int(dut.strobes_o.value))
    floors = {f"by {mode.name}": 100 for mode in QueueMode if build["FLAGS_VERDICT"] or mode is not QueueMode.CLASS_ECE}
    floors |= {"a tag that is cut": 3, "a whole tag and no more": 1}
    if build["FLAGS_VERDICT"]:
        floors |= {f"class {each.name}": 3 for each in Class} | {"class SYN+ECE": 2, "class ACK+ECE": 2}
    coverage.check(floors)


@pytest.mark.parametrize(("width", "whole"), [(64, 0), *slow((256, 1))])
def test_tm_queue_map(width: int, whole: int) -> None:
    parameters = {"PORTS": QUEUES, "QUEUES": QUEUES, "DATA_W": width, "STORE_AND_FORWARD": whole, "FLAGS_VERDICT": 1}
    build_and_test("tm_parse", __name__, parameters=parameters)
