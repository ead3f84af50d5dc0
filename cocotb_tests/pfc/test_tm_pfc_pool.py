# SPDX-License-Identifier: BSD-3-Clause
"""tm_pfc_pool on a pool: 15 senders that obey, one line, and nothing is lost with the headroom that the tool plans.

A row is 128 bytes, and the line sends one in 16 cycles: what a cable and a sender's reaction take is counted in bytes
of line time, as the plan has it, so that cycles are those of no clock.
"""

from __future__ import annotations

import heapq
import os
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import cocotb
import pytest
from cocotb.triggers import ClockCycles, RisingEdge
from truemark.plan.pfc import OVERHEAD, SHORTEST, Link
from truemark_dev.marks import slow
from truemark_dev.mutants import mutant
from truemark_dev.paths import ROOT
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import randomness, start

PORTS, PACE, ROW, CLASS, FIELD = 16, 16, 128, 3, 18
LIMIT, XON = 60, 48  # cells
HARNESS = Path(__file__).with_name("incast.sv")
SOURCES = [HARNESS, ROOT / "rtl/pool/tm_pool.sv", ROOT / "rtl/pfc/tm_pfc_pool.sv"]


def cycles(line_bytes: int) -> int:
    """Return the cycles that so many bytes take on a line, rounded up."""
    return -(-line_bytes * PACE // ROW)


def cells(length: int) -> int:
    """Return the cells that a frame takes."""
    return -(-length // ROW)


@dataclass
class Sender:
    """One source: whether it may send, and what it has of the memory."""

    paused: bool = False
    idle: bool = False
    held: int = 0  # cells that it has put there


@dataclass
class Network:
    """Senders, their cables, and the one way into the switch, in cycles."""

    dut: Any
    link: Link
    lengths: list[int]
    rng: Any
    now: int = 0
    xoff: int = 0
    lost: int = 0
    senders: list[Sender] = field(default_factory=lambda: [Sender() for _ in range(PORTS)])
    events: list[tuple[int, int, str, int, int]] = field(default_factory=list)
    arrived: deque[tuple[int, int]] = field(default_factory=deque)
    row: int = 0  # of the first one of `arrived`, to be put in next
    ever_paused: set[int] = field(default_factory=set)

    def at(self, time: int, what: str, source: int, value: int = 0) -> None:
        """Let something happen later."""
        heapq.heappush(self.events, (time, len(self.events) + self.now, what, source, value))

    def happen(self, what: str, source: int, value: int) -> None:
        """Let it happen."""
        sender, terms = self.senders[source], self.link.terms()
        if what == "arrive":
            self.arrived.append((source, value))
        elif what == "obey":
            sender.paused = bool(value)
            if not sender.paused and sender.idle:
                sender.idle = False
                self.happen("send", source, 0)
        elif sender.paused:
            sender.idle = True
        else:
            length = self.rng.choice(self.lengths)
            done = self.now + cycles(length + OVERHEAD)
            self.at(done + cycles(terms["cable_bytes"]) // 2, "arrive", source, length)
            self.at(done, "send", source)

    def levels(self, xoff: int) -> None:
        """See levels change: a pause frame goes to the sender, behind the longest frame."""
        terms = self.link.terms()
        late = cycles(terms["own_frame_bytes"] + terms["pause_frame_bytes"] + terms["reaction_bytes"])
        for source in range(PORTS):
            level = xoff >> (8 * source + CLASS) & 1
            if level != self.xoff >> (8 * source + CLASS) & 1:
                self.at(self.now + late + cycles(terms["cable_bytes"]) // 2, "obey", source, level)
                self.ever_paused.add(source)
        self.xoff = xoff

    def drive(self) -> None:
        """Put a row in, if there is one."""
        dut = self.dut
        if self.row == 0:
            while self.arrived and int(dut.free_cells_o.value) < cells(self.arrived[0][1]) + 4:
                self.arrived.popleft()
                self.lost += 1
        if not self.arrived:
            dut.valid_i.value = 0
            return
        source, length = self.arrived[0]
        last = self.row == cells(length) - 1
        dut.valid_i.value, dut.first_i.value, dut.last_i.value = 1, int(self.row == 0), int(last)
        dut.source_i.value = source
        self.senders[source].held += 1
        self.row += 1
        if last:
            self.arrived.popleft()
            self.row = 0

    async def run(self, until: int) -> None:
        """Let so many cycles pass."""
        while self.now < until:
            while self.events and self.events[0][0] <= self.now:
                self.happen(*heapq.heappop(self.events)[2:])
            self.drive()
            await RisingEdge(self.dut.clk_i)
            self.now += 1
            if (xoff := int(self.dut.xoff_o.value)) != self.xoff:
                self.levels(xoff)


async def begin(dut: Any, link: Link, lengths: list[int], headroom: int, *, blocked: bool) -> Network:
    """Reset all; 15 senders begin, each at a time of its own."""
    pins = {
        "valid": 0,
        "first": 0,
        "last": 0,
        "source": 0,
        "class": CLASS,
        "ports": 1,
        "rewind": 0,
        "blocked": int(blocked),
    }
    config = {"threshold": (LIMIT << FIELD | XON) << FIELD, "headroom": headroom, "kept": 0, "lossless": 1 << CLASS}
    await start(dut, {f"{name}_i": value for name, value in (pins | config).items()})
    network = Network(dut, link, lengths, randomness("incast"))
    for source in range(1, PORTS):
        network.at(network.rng.randrange(cycles(link.frame)), "send", source)
    return network


def asked() -> tuple[Link, list[int], int]:
    """Return the link, the lengths of frames, and the headroom that is planned, in cells."""
    link = Link(int(os.environ["TRUEMARK_RATE"]), Fraction(os.environ["TRUEMARK_CABLE"]), 1500)
    planned, worst = link.cells(sum(link.terms().values()), ROW)
    return link, [SHORTEST, worst, 576, link.frame], planned


@cocotb.test()
async def loses_nothing(dut: Any) -> None:
    """The incast.

    Stimulus: 15 senders with frames of any length for one line of their rate, which obey as late as they may; a limit
    that is fixed, and one that is what is free for all.
    Checks: nothing is lost, and no cell is beyond the planned headroom; all pause; from the first frame on the line is
    never idle.
    """
    link, lengths, planned = asked()
    for dynamic in (False, True):
        network = await begin(dut, link, lengths, planned, blocked=False)
        if dynamic:
            dut.threshold_i.value = 1 << 3 * FIELD + 4 | XON << FIELD
            dut.kept_i.value = (PORTS - 1) * planned
        first = cycles(2 * link.frame + OVERHEAD + link.terms()["cable_bytes"])
        await network.run(first)
        idle, rows = int(dut.idle_o.value), int(dut.rows_o.value)
        around = cycles(sum(link.terms().values()))
        await network.run(first + max(4 * around, 20000))
        sent = int(dut.rows_o.value) - rows
        print(f"{sent} rows sent, {network.lost} frames lost, {int(dut.overruns_o.value)} cells beyond the headroom")
        assert network.lost == 0
        assert int(dut.overruns_o.value) == 0
        assert int(dut.idle_o.value) == idle, "the line was idle"
        assert len(network.ever_paused) == PORTS - 1
        assert int(dut.faults_o.value) == 0


@cocotb.test()
async def needs_what_is_planned(dut: Any) -> None:
    """The worst case: nothing leaves.

    Stimulus: 15 senders with the longest frames for a line that is blocked, until all obey: once with the planned
    headroom, and once with one frame less than the most that any sender needed.
    Checks: the plan suffices; with one frame less each cell beyond the headroom is counted, and no other; what
    the plan's bytes are in such frames is needed, and one more where a frame waits for its turn on the way in.
    """
    link, _, planned = asked()
    needs: list[int] = []
    for headroom in (planned, None):
        given = max(needs) - cells(link.frame) if headroom is None else headroom
        network = await begin(dut, link, [link.frame], given, blocked=True)
        await network.run(2 * cycles(sum(link.terms().values())) + cycles((LIMIT + 40) * ROW))
        assert network.lost == 0
        needs = [sender.held - LIMIT for sender in network.senders[1:]]
        assert min(needs) > 0
        assert int(dut.overruns_o.value) == sum(max(0, need - given) for need in needs)
        print(f"headroom {given}, needed {min(needs)} to {max(needs)}, {int(dut.overruns_o.value)} cells beyond it")
        assert (int(dut.overruns_o.value) > 0) == (headroom is None)
    frames = -(-sum(link.terms().values()) // (link.frame + OVERHEAD))
    assert frames <= max(needs) // cells(link.frame) <= frames + 1, "the plan's bytes are not what is needed"


@cocotb.test(skip=True)
async def tells_a_wrong_parity(dut: Any) -> None:
    """A memory that gives back another parity than it should.

    Stimulus: 15 senders, and a mutant that writes the owner of each frame with a wrong parity.
    Checks: each frame that is sent is told as a fault.
    """
    link, _, planned = asked()
    network = await begin(dut, link, [SHORTEST], planned, blocked=False)
    await network.run(2000)
    # A frame is released when it has been read: up to eight rows stand in the port (tm_pool_port).
    assert int(dut.rows_o.value) - 2 <= int(dut.faults_o.value) <= int(dut.rows_o.value) + 8
    assert int(dut.faults_o.value) > 50


@cocotb.test()
async def each_class_for_itself(dut: Any) -> None:
    """Every class of every source, with copies and frames that nobody keeps.

    Stimulus: two ports that are blocked; frames of any source and class to one of them or to both, some of which are
    let go of in mid-frame; then the ports send, one after the other.
    Checks: those pause that hold more than the limit, a frame to both ports once; until the second port has sent them
    it holds them; at the end none pauses, and a second round is as the first.
    """
    rng = randomness("incast/classes")
    await begin(dut, asked()[0], [], 0, blocked=True)
    dut.lossless_i.value = 0xFF
    dut.threshold_i.value = (20 << FIELD | 20) << FIELD
    await ClockCycles(dut.clk_i, 8)
    for _ in range(2):
        dut.blocked_i.value = 3
        held: dict[int, list[int]] = {ports: [0] * 8 * PORTS for ports in (1, 2, 3)}
        some = [rng.randrange(8 * PORTS) for _ in range(12)]
        for _ in range(80):
            group, ports, rows = rng.choice(some), rng.choice((1, 2, 3)), rng.randint(1, 12)
            kept = rng.random() < 0.7
            dut.source_i.value, dut.class_i.value, dut.ports_i.value = group // 8, group % 8, ports
            for row in range(rows):
                dut.valid_i.value, dut.first_i.value, dut.last_i.value = 1, int(row == 0), int(row == rows - 1)
                dut.rewind_i.value = int(row == rows - 1 and not kept and rows > 1)
                await RisingEdge(dut.clk_i)
            dut.valid_i.value, dut.rewind_i.value = 0, int(not kept)
            await RisingEdge(dut.clk_i)
            dut.rewind_i.value = 0
            await ClockCycles(dut.clk_i, 4)  # until the list of free cells has read on
            held[ports][group] += rows * kept
        for sent in ((), (1,), (1, 2, 3)):
            dut.blocked_i.value = {0: 3, 1: 2, 3: 0}[len(sent)]
            await ClockCycles(dut.clk_i, 12 * 80 * PACE * bool(sent) + 8 * PORTS + 20)
            now = int(dut.xoff_o.value)
            for group in range(8 * PORTS):
                holds = sum(of[group] for ports, of in held.items() if ports not in sent)
                assert bool(now >> group & 1) == (holds > 20), f"{group} holds {holds} after {sent}"
            assert bool(now) == (len(sent) < 3), "too few frames"


@pytest.mark.parametrize(("rate", "cable"), [(100 * 10**9, 300), *slow((10 * 10**9, 300))], ids=["100g", "10g"])
def test_tm_pfc_pool(rate: int, cable: int) -> None:
    run(rate, cable, SOURCES)


def test_parity() -> None:
    wrong = mutant("pfc/tm_pfc_pool.sv", "{^closed_q", "{~^closed_q")
    run(10**10, 300, [*SOURCES[:-1], wrong], testcase="tells_a_wrong_parity")


def run(rate: int, cable: int, sources: Sequence[Path], testcase: str | None = None) -> None:
    """Run the tests at a rate, with a cable of so many metres."""
    link = Link(rate, Fraction(cable), 1500)
    planned, _ = link.cells(sum(link.terms().values()), ROW)
    build_and_test(
        "incast",
        __name__,
        parameters={"CELLS": (PORTS - 1) * (LIMIT + planned + 1) + 32, "MOST_CELLS": cells(link.frame) + 1},
        extra_sources=sources,
        testcase=testcase,
        extra_env={"TRUEMARK_RATE": str(rate), "TRUEMARK_CABLE": str(cable)},
    )
