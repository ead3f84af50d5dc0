# SPDX-License-Identifier: BSD-3-Clause
"""tm_red_slot: what makes its assertions fire. Its rule is tested with the unit it is part of (test_tm_red_shared)."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from truemark_dev.runner import build_and_fail

from cocotb_tests.env.bench import cycle, start

IDLE = dict.fromkeys(
    [
        "visited_i", "averaged_i", "learns_i", "ends_i", "empty_i", "judged_i", "red_i", "commit_i", "law_reset_i",
        "red_load_i", "due_i", "adapts_i",
    ],
    0,
)  # fmt: skip


@cocotb.test(skip=True)
async def filled_without_a_step(dut: Any) -> None:
    """Let a queue fill without a verdict while its average decays (DecayQuiet_A)."""
    await start(dut, IDLE)
    dut.visited_i.value = dut.empty_i.value = 1
    await cycle(dut)
    dut.visited_i.value = dut.empty_i.value = 0
    dut.ends_i.value = 1
    await cycle(dut, 3)


@cocotb.test(skip=True)
async def reset_without_commit(dut: Any) -> None:
    """Reset a law without a commit (ResetWithCommit_A)."""
    await start(dut, IDLE)
    dut.law_reset_i.value = 1
    await cycle(dut, 3)


@pytest.mark.parametrize(
    ("assertion", "testcase"),
    [("DecayQuiet_A", "filled_without_a_step"), ("ResetWithCommit_A", "reset_without_commit")],
)
def test_assertion_fires(assertion: str, testcase: str) -> None:
    build_and_fail("tm_red_slot", __name__, assertion=assertion, testcase=testcase)
