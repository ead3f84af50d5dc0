# SPDX-License-Identifier: BSD-3-Clause
"""tm_spill_ring: the contract of tm_ring over a slow memory, as quick as tm_ring when it is empty."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from cocotb.triggers import Timer

from cocotb_tests.buffer.ring_model import FLOORS, Drive, Phase, phases, skip_frames
from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.mutant import mutant
from cocotb_tests.runner import build_and_fail, build_and_test

IDLE = dict.fromkeys(
    [
        "beat_valid_i", "beat_first_i", "beat_take_i", "beat_row_i", "rewind_i", "look_i", "fetch_i", "skip_i",
        "skip_rows_i", "end_valid_i", "leaving_i",
    ],
    0,
)  # fmt: skip
SMALL = {"ROW_W": 72, "ROWS": 45, "FRONT": 8}


@cocotb.test()
async def like_a_deque(dut: Any) -> None:
    """The contract of tm_ring, at random, with the front overflowing and running dry.

    Stimulus: that of tm_ring, and again with long stalls between short times of draining.
    Checks: those of tm_ring, but a row may be out of reach for a few cycles while it is moved; a row written to an
    empty ring is available in the next cycle.
    """
    rows = dut.ROWS.value.to_unsigned()
    coverage = Coverage("tm_spill_ring")
    drive = Drive(dut, randomness("tm_spill_ring"), coverage, rows=rows, spill=True)
    await drive.start()
    await drive.run(*phases(rows))
    for _ in range(12):
        await drive.run(Phase(2 * rows, 0.9, 0.02, 6), Phase(rows + 20, 0.3, 1.0, 6))
    assert drive.taken_out > 10 * rows, "the ring hardly wrapped"
    coverage.check(FLOORS)


@cocotb.test()
async def streams_through(dut: Any) -> None:
    """Full rate through the large memory.

    Stimulus: a full front, then frames of four rows without a pause, and a fetch in every cycle in which one is
    possible.
    Checks: after the first ten cycles a row is fetched in every cycle.
    """
    await start(dut, IDLE)
    front, fetched = dut.FRONT.value.to_unsigned(), 0
    dut.beat_valid_i.value = dut.beat_take_i.value = 1
    cycles = 4 * front + 200
    for number in range(cycles):
        dut.beat_first_i.value = number % 4 == 0
        dut.end_valid_i.value = number % 4 == 0 and number > 0
        dut.beat_row_i.value = number
        dut.fetch_i.value = dut.look_i.value = 0
        await Timer(1, unit="ns")
        if number >= front + 4:
            dut.fetch_i.value = dut.look_i.value = available = int(dut.available_o.value)
            if number > front + 14:
                assert available, f"no row in cycle {number}"
                assert int(dut.row_o.value) == fetched - 1, "out of order"
            fetched += available
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
async def fetch_from_nothing(dut: Any) -> None:
    """Fetch when no row is there (FetchAvailable_A)."""
    await start(dut, IDLE)
    dut.fetch_i.value = dut.look_i.value = 1
    await cycle(dut, 3)


@cocotb.test(skip=True)
async def fetch_unsettled(dut: Any) -> None:
    """Fetch a row in the cycle that writes it; the mutant calls it available (FetchSettled_A)."""
    await start(dut, IDLE)
    dut.beat_valid_i.value = dut.beat_first_i.value = dut.beat_take_i.value = 1
    dut.fetch_i.value = dut.look_i.value = 1
    await cycle(dut, 3)


@cocotb.test(skip=True)
async def fill_and_drain(dut: Any) -> None:
    """Random traffic, for mutants that break a rule inside (OneWriter_A, RewindInOrder_A, FrontFits_A)."""
    rows = dut.ROWS.value.to_unsigned()
    drive = Drive(dut, randomness("tm_spill_ring"), Coverage("mutant"), rows=rows, spill=True)
    drive.silent = True
    await drive.start()
    await drive.run(*phases(rows))


@pytest.mark.parametrize(("rows", "front"), [(45, 8), (64, 16), (301, 64)])
def test_tm_spill_ring(rows: int, front: int) -> None:
    build_and_test("tm_spill_ring", __name__, parameters={"ROW_W": 72, "ROWS": rows, "FRONT": front, "SKIP": 1})


def test_fetch_available_fires() -> None:
    build_and_fail(
        "tm_spill_ring", __name__, assertion="FetchAvailable_A", testcase="fetch_from_nothing", parameters=SMALL
    )


def test_fetch_settled_fires() -> None:
    broken = mutant("buffer/tm_spill_ring.sv", "available_o = landed_q != 0 && !skipping", "available_o = 1'b1")
    build_and_fail(
        "tm_spill_ring",
        __name__,
        assertion="FetchSettled_A",
        testcase="fetch_unsettled",
        parameters=SMALL,
        extra_sources=[broken],
    )


@pytest.mark.parametrize(
    ("assertion", "old", "new"),
    [
        # rows go straight to the front although others are on their way there
        ("OneWriter_A", "move_here == write_here && moving_q == 0 &&", "move_here == write_here &&"),
        # the rows of a frame that may still be rewound are moved
        ("RewindInOrder_A", "(!newest_open_q || leaving_i) ? move_q != write_q", "1'b1 ? move_q != write_q"),
        # rows are moved without regard to what the front holds
        ("FrontFits_A", "movable && !rewind_i && owed_q < (FrontW + 1)'(FRONT - 1)", "movable && !rewind_i"),
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
