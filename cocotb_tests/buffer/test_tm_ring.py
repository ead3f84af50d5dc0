# SPDX-License-Identifier: BSD-3-Clause
"""tm_ring: rows in order, rewound frames gone without trace, a full ring refused."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from truemark_dev.runner import build_and_test

from cocotb_tests.buffer.ring_model import BEAT, FETCH, FLOORS, Drive, phases, skip_frames
from cocotb_tests.env.bench import Coverage, randomness
from cocotb_tests.env.breaches import Breach, breaches


@cocotb.test()
async def like_a_deque(dut: Any) -> None:
    """The contract, at random.

    Stimulus: frames of 1 row up to more than the ring has, judged after 1 to 6 rows, refused, wrong at the end, or
    leaving while they arrive; phases of filling, stall, draining and level running.
    Checks: in every cycle the fetched row, as it came or marked, what earlier frames hold, overflow, and that a row is
    available exactly if one is held; rows in = rows out + rewound + held.
    """
    rows = dut.ROWS.value.to_unsigned()
    coverage = Coverage("tm_ring")
    drive = Drive(dut, randomness("tm_ring"), coverage, rows=rows)
    await drive.start()
    await drive.run(*phases(rows))
    assert drive.taken_out > 10 * rows, "the ring hardly wrapped"
    coverage.check(FLOORS | {"fetch of a marked row": 200 if drive.twice else 0})


@cocotb.test()
async def skips_frames(dut: Any) -> None:
    """Frames that are not read.

    Stimulus: frames of 1 to 9 rows at changing load; a third of them are skipped, the others read.
    Checks: every row that is read is the right one, however many frames were skipped before it; their rows are free.
    """
    rows = dut.ROWS.value.to_unsigned()
    coverage = Coverage("tm_ring/skip")
    await skip_frames(dut, randomness("tm_ring/skip"), coverage, rows=rows, spill=False)


@pytest.mark.parametrize(("rows", "twice"), [(32, 0x10FF_00F0), (23, 0)])
def test_tm_ring(rows: int, twice: int) -> None:
    build_and_test("tm_ring", __name__, parameters={"ROW_W": 32, "ROWS": rows, "SKIP": 1, "TWICE": twice})


test_assertion_fires = breaches(
    "tm_ring",
    Breach("FetchAvailable_A", "fetch when no row is there", [FETCH]),
    Breach(
        "FetchSettled_A",
        "fetch a row in the cycle that writes it; the mutant calls it available",
        [{**BEAT, **FETCH}],
        ("available_o = available_q", "available_o = 1'b1"),
    ),
    Breach(
        "NeverFull_A",
        "write more rows than there are; in the mutant nothing stops them",
        [BEAT, {"beat_first_i": 0}, 40],
        ("beat_take_i && !full_q;", "beat_take_i;"),
    ),
    ROW_W=72,
    ROWS=32,
)
