# SPDX-License-Identifier: BSD-3-Clause
"""tm_buffer: whichever memory is chosen, it is the ring of the contract."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from truemark_dev.runner import build_and_test

from cocotb_tests.buffer.ring_model import FLOORS, Drive, phases
from cocotb_tests.env.bench import Coverage, randomness


@cocotb.test()
async def like_a_deque(dut: Any) -> None:
    """The contract of tm_ring, through the choice.

    Stimulus: that of the rings' own tests, two phases of each kind.
    Checks: those of tm_ring, in every cycle.
    """
    rows = dut.ROWS.value.to_unsigned()
    coverage = Coverage("tm_buffer")
    drive = Drive(dut, randomness("tm_buffer"), coverage, rows=rows)
    await drive.start()
    await drive.run(*phases(rows), *phases(rows))
    coverage.check(FLOORS)


@pytest.mark.parametrize("ultra", [0, 1])
def test_tm_buffer(ultra: int) -> None:
    parameters = {"ROW_W": 32, "ROWS": 150, "ULTRA": ultra, "TWICE": 0 if ultra else 0xFF}
    build_and_test("tm_buffer", __name__, parameters=parameters)
