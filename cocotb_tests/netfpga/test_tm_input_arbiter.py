# SPDX-License-Identifier: BSD-3-Clause
"""tm_input_arbiter, and in it tm_input_fifo: whole frames, in turn, without an idle beat, or not at all."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from truemark_dev.mutants import mutant
from truemark_dev.paths import ROOT
from truemark_dev.runner import build_and_fail, build_and_test
from truemark_dev.sources import file_list

from cocotb_tests.env.bench import Coverage, randomness, start
from cocotb_tests.env.breaches import Breach, breaches

LISTING = "rtl/netfpga/netfpga.f"
ROWS = 64
PORTS, WIDTH, USER_W = 3, 128, 24
BEAT = WIDTH // 8


@dataclass
class Input:
    """What one input sends: frames of (beats, promise), beat by beat, with gaps."""

    port: int
    rng: random.Random
    gaps: float
    number: int = 0
    beats: list[tuple[int, bool, int]] = field(default_factory=list)  # data, last, user
    sent: list[tuple[int, int, int]] = field(default_factory=list)  # number, beats, promised bytes

    def next(self) -> tuple[int, bool, int] | None:
        """Return the beat of this cycle, if there is one."""
        if self.rng.random() < self.gaps:
            return None
        if not self.beats:
            self.number += 1
            count = self.rng.choice((1, 1, 2, 3, 9, 9)) if self.rng.random() < 0.97 else ROWS + 3
            length = count * BEAT - self.rng.randrange(BEAT)
            promise = self.rng.choice((length, length, length, length + 3 * BEAT, max(1, length - 2 * BEAT)))
            promise = min(promise, 0xFFFF)
            self.sent.append((self.number, count, promise))
            for index in range(count):
                data = self.port << 120 | self.number << 64 | index
                user = promise | 1 << self.port + 16 if index == 0 else self.rng.getrandbits(USER_W)
                self.beats.append((data, index == count - 1, user))
        return self.beats.pop(0)


async def begin(dut: Any) -> None:
    """Reset with nothing going on."""
    await start(dut, dict.fromkeys(("s_valid_i", "s_data_i", "s_keep_i", "s_last_i", "s_user_i"), 0))


@cocotb.test()
async def frames_whole_and_in_turn(dut: Any) -> None:
    """
    Stimulus: 12000 cycles of frames of 1 to 67 beats on all inputs at rates from a trickle to three times what one
        stream carries; some longer or shorter than they promise, some that the FIFO could never hold.
    Checks: each frame leaves whole, up to its promise, with its own tuser on every beat and `error` on its last beat if
        it was longer; never two mixed; in each input's order; taken or dropped, each counted once; while something
        waits there is no idle cycle; a frame that is still coming begins only while no input has a whole one; while all
        inputs have whole frames waiting, they take turns.
    """
    rng, coverage = randomness("frames_whole_and_in_turn"), Coverage("arbiter")
    await begin(dut)
    inputs = [Input(port, rng, 0.0) for port in range(PORTS)]
    waiting: list[list[tuple[int, int, int]]] = [[] for _ in range(PORTS)]  # frames taken, not yet out
    offered: list[list[tuple[int, int, int]]] = [[] for _ in range(PORTS)]  # begun, not yet told taken or dropped
    ended: dict[tuple[int, int], int] = {}  # input and number: the cycle of the frame's last beat
    counts = Counter[str]()
    frame: tuple[int, int] | None = None  # input, next beat
    quiet, turns = 0, []
    for cycle in range(12_000):
        if cycle % 1500 == 0:
            gaps = rng.choice((0.0, 0.3, 0.66, 0.9, 0.97))
            for each in inputs:
                each.gaps = gaps
        stop = cycle > 11_000  # let it drain
        beats = [None if stop and not each.beats else each.next() for each in inputs]
        for port, (each, beat) in enumerate(zip(inputs, beats, strict=True)):
            if beat and beat[0] & 0xFFFF_FFFF == 0:
                offered[port].append(each.sent[-1])
            if beat and (beat[1] or (beat[0] & 0xFFFF_FFFF) + 1 >= -(-each.sent[-1][2] // BEAT)):
                ended.setdefault((port, beat[0] >> 64 & 0xFFFF_FFFF), cycle)
        dut.s_valid_i.value = sum(1 << port for port, beat in enumerate(beats) if beat)
        dut.s_data_i.value = sum((beat[0] if beat else 0) << WIDTH * port for port, beat in enumerate(beats))
        dut.s_keep_i.value = (1 << BEAT * PORTS) - 1
        dut.s_last_i.value = sum(1 << port for port, beat in enumerate(beats) if beat and beat[1])
        dut.s_user_i.value = sum((beat[2] if beat else 0) << USER_W * port for port, beat in enumerate(beats))
        await RisingEdge(dut.clk_i)
        for port in range(PORTS):
            took, lost = int(dut.receive_o.value) >> port & 1, int(dut.drop_o.value) >> port & 1
            assert not took & lost
            if took | lost:
                told = offered[port].pop(0)
                counts["taken" if took else "dropped"] += 1
                coverage.hit("too long ever to fit", bool(lost) and told[2] > (ROWS - 1) * BEAT)
                coverage.hit("no room now", bool(lost) and told[2] <= 9 * BEAT)
                if took:
                    waiting[port].append(told)
        if dut.m_valid_o.value != 1:
            # A slow input may hold its frame up; else idle means empty, except for what came in the last two cycles.
            quiet = quiet + 1 if any(waiting) and frame is None else 0
            assert quiet <= 2, f"cycle {cycle}: idle while {waiting} wait"
            continue
        quiet = 0
        data, user = int(dut.m_data_o.value), int(dut.m_user_o.value)
        port, number, index = data >> 120, data >> 64 & 0xFFFF_FFFF, data & 0xFFFF_FFFF
        first, last = dut.m_first_o.value == 1, dut.m_last_o.value == 1
        assert first == (frame is None), f"cycle {cycle}: first is {first} in mid-frame"
        assert frame is None or frame == (port, index), f"cycle {cycle}: beat {index} of {port}, not {frame}"
        if first:
            # Whole by the cycle in which this frame was chosen.
            whole = [
                any(ended.get((each, one[0]), cycle) < cycle - 3 for one in waiting[each]) for each in range(PORTS)
            ]
            chosen_whole = ended.get((port, number), cycle) < cycle
            assert chosen_whole or not any(whole), f"cycle {cycle}: {port} begins, {whole} are whole"
            coverage.hit("still coming", not chosen_whole)
            coverage.hit("passed over", any(whole) and not all(whole) and all(waiting))
            if all(whole):
                turns.append(port)
            else:
                turns.clear()
            assert len(set(turns[-PORTS:])) == len(turns[-PORTS:]), f"cycle {cycle}: not in turn: {turns[-6:]}"
            coverage.hit("in turn", len(turns) >= PORTS)
        want = waiting[port][0]
        assert (number, index < want[1]) == (want[0], True)
        assert user == (want[2] | 1 << port + 16), f"tuser {user:#x}"
        rows = max(1, -(-want[2] // BEAT))
        ends = index == min(rows, want[1]) - 1
        assert last == ends, f"cycle {cycle}: last is {last} at beat {index} of {want}"
        assert (dut.m_error_o.value == 1) == (ends and rows < want[1])
        coverage.hit("cut at its promise", ends and rows < want[1])
        coverage.hit("shorter than promised", ends and rows > want[1])
        frame = None if last else (port, index + 1)
        if last:
            waiting[port].pop(0)
    assert not any(waiting)
    assert counts["taken"] + counts["dropped"] == sum(len(each.sent) for each in inputs)
    coverage.check(
        {
            "too long ever to fit": 20,
            "no room now": 50,
            "in turn": 50,
            "still coming": 50,
            "passed over": 50,
            "cut at its promise": 50,
            "shorter than promised": 50,
        }
    )


@cocotb.test()
async def flood_all(dut: Any) -> None:
    """Break NeverFull_A or OneAtATime_A, with a module that was broken for it: all inputs at full rate."""
    await begin(dut)
    dut.s_valid_i.value = dut.s_last_i.value = (1 << PORTS) - 1
    dut.s_user_i.value = sum(BEAT << USER_W * port for port in range(PORTS))
    for _ in range(3 * ROWS):
        await RisingEdge(dut.clk_i)


PARAMETERS = {"PORTS": PORTS, "DATA_W": WIDTH, "ROWS": ROWS}


def broken(source: str, old: str, new: str) -> list[Any]:
    """Return the arbiter's sources with one of them broken."""
    wrong = mutant(source, old, new)
    names = ("tm_prim_ram", "tm_input_fifo", "tm_input_arbiter")
    return [wrong if path.stem == wrong.stem else path for path in file_list(ROOT / LISTING) if path.stem in names]


def test_tm_input_arbiter() -> None:
    build_and_test(
        "tm_input_arbiter",
        __name__,
        listing=LISTING,
        parameters=PARAMETERS,
        testcase="frames_whole_and_in_turn",
    )


@pytest.mark.parametrize(
    ("assertion", "source", "old", "new"),
    [
        ("NeverFull_A", "netfpga/tm_input_fifo.sv", "&& free != '0;", "|| 1'b1;"),
        ("Whole_A", "netfpga/tm_input_fifo.sv", "whole_q <= whole_q + 1;", "whole_q <= whole_q;"),
        ("OneAtATime_A", "netfpga/tm_input_arbiter.sv", "open ? granted_q & available : grant", "available"),
    ],
)
def test_broken_modules(assertion: str, source: str, old: str, new: str) -> None:
    build_and_fail(
        "tm_input_arbiter",
        __name__,
        sources=broken(source, old, new),
        parameters=PARAMETERS,
        assertion=assertion,
        testcase="flood_all",
    )


test_fifo_fires = breaches("tm_input_fifo", Breach("FetchAvailable_A", "fetch from an empty FIFO", [{"fetch_i": 1}]))
