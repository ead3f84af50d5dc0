# SPDX-License-Identifier: BSD-3-Clause
"""tm_spill_ring: the contract of tm_ring over a slow memory, cycle for cycle."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from cocotb.triggers import Timer
from truemark_dev.marks import slow
from truemark_dev.mutants import mutant
from truemark_dev.runner import build_and_fail, build_and_test

from cocotb_tests.buffer.ring_model import BEAT, FETCH, FLOORS, Drive, Phase, idle, phases, skip_frames
from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.breaches import Breach, breaches

SMALL = {"ROW_W": 72, "ROWS": 45, "FRONT": 8}


@cocotb.test()
async def like_a_deque(dut: Any) -> None:
    """The contract of tm_ring, at random, the queue now within the small memories, now beyond.

    Stimulus: that of tm_ring, and again with long stalls between short times of draining.
    Checks: those of tm_ring: a row is available exactly if one is held, in every cycle.
    """
    rows = dut.ROWS.value.to_unsigned()
    coverage = Coverage("tm_spill_ring")
    drive = Drive(dut, randomness("tm_spill_ring"), coverage, rows=rows)
    await drive.start()
    await drive.run(*phases(rows))
    for _ in range(12):
        await drive.run(Phase(2 * rows, 0.9, 0.02, 6), Phase(rows + 20, 0.3, 1.0, 6))
    assert drive.taken_out > 10 * rows, "the ring hardly wrapped"
    coverage.check(FLOORS)


@cocotb.test()
async def streams_through(dut: Any) -> None:
    """Full rate through the large memory.

    Stimulus: frames of four rows without a pause; when they fill a small memory and more, a fetch in every cycle.
    Checks: a row is fetched in every cycle, each in turn.
    """
    await start(dut, idle(dut))
    front, fetched = dut.FRONT.value.to_unsigned(), 0
    dut.beat_valid_i.value = dut.beat_take_i.value = 1
    cycles = 4 * front + 200
    for number in range(cycles):
        dut.beat_first_i.value = number % 4 == 0
        dut.beat_row_i.value = number
        dut.fetch_i.value = dut.look_i.value = 0
        await Timer(1, unit="ns")
        if number >= front + 4:
            assert int(dut.available_o.value), f"no row in cycle {number}"
            dut.fetch_i.value = dut.look_i.value = 1
            assert fetched == 0 or int(dut.row_o.value) == fetched - 1, "out of order"
            fetched += 1
        await cycle(dut)


@cocotb.test()
async def skips_frames(dut: Any) -> None:
    """Frames that are not read.

    Stimulus: frames of 1 to 9 rows at changing load; a third of them are skipped, the others read.
    Checks: every row that is read is the right one, however many frames were skipped before it; their rows are free.
    """
    rows = dut.ROWS.value.to_unsigned()
    coverage = Coverage("tm_spill_ring/skip")
    await skip_frames(dut, randomness("tm_spill_ring/skip"), coverage, rows=rows, spill=True)


@cocotb.test(skip=True)
async def fill_and_drain(dut: Any) -> None:
    """Random traffic, for mutants that break a rule inside (NeverDry_A, Counted_A)."""
    rows = dut.ROWS.value.to_unsigned()
    drive = Drive(dut, randomness("tm_spill_ring"), Coverage("mutant"), rows=rows)
    drive.silent = True
    await drive.start()
    await drive.run(*phases(rows))


@pytest.mark.parametrize(("rows", "front"), [(45, 8), *slow((64, 16), (301, 64))])
def test_tm_spill_ring(rows: int, front: int) -> None:
    build_and_test("tm_spill_ring", __name__, parameters={"ROW_W": 72, "ROWS": rows, "FRONT": front, "SKIP": 1})


@pytest.mark.parametrize(
    ("assertion", "old", "new"),
    [
        # rows are moved without regard to what comes before them in the small memory
        ("NeverDry_A", "Linger = FRONT - LATENCY - 2", "Linger = FRONT"),
        # no row moves in the cycle of a rewind: one after another lets the small memory run dry
        ("NeverDry_A", "!(rewind_i && of_newest) &&", "!rewind_i &&"),
        ("Counted_A", "held_here - AddrW'(free);", "held_here + AddrW'(!free);"),
    ],
)
def test_mutant_fires(assertion: str, old: str, new: str) -> None:
    build_and_fail(
        "tm_spill_ring",
        __name__,
        assertion=assertion,
        testcase="fill_and_drain",
        parameters=SMALL,
        extra_sources=[mutant("buffer/tm_spill_ring.sv", old, new)],
    )


test_assertion_fires = breaches(
    "tm_spill_ring",
    Breach("FetchAvailable_A", "fetch when no row is there", [FETCH]),
    Breach(
        "FetchSettled_A",
        "fetch a row in the cycle that writes it; the mutant calls it available",
        [{**BEAT, **FETCH}],
        ("available_o = there && !skipping", "available_o = 1'b1"),
    ),
    Breach(
        "SkipArrived_A",
        "skip a frame of three rows of which one has arrived",
        [BEAT, {"beat_valid_i": 0, "skip_i": 1, "skip_rows_i": 3}, {"skip_i": 0}],
        parameters={"SKIP": 1},
    ),
    **SMALL,
)
