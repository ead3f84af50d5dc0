# SPDX-License-Identifier: BSD-3-Clause
"""tm_codel and tm_codel_times: their assertions, each seen to fire.

What they and tm_departure_laws decide is compared with Linux through tm_egress and the whole of tm_core,
in cocotb_tests/top/test_codel.py.
"""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from truemark_dev.mutants import mutant
from truemark_dev.runner import build_and_fail

from cocotb_tests.env.bench import cycle, start
from cocotb_tests.env.tm_pkg import CODEL, PULL

IDLE = dict.fromkeys(
    [
        "unit_i", "stored_i", "stored_len_i", "bytes_i", "head_i", "pull_i", "pending_i", "available_i", "cfg_i",
        "protect_i", "reset_i", "law_i",
    ],
    0,
)  # fmt: skip


@cocotb.test(skip=True)
async def pause_of_its_own(dut: Any) -> None:
    """Let a frame pause that nobody asked to (PauseLookedAt_A).

    Stimulus: `pull_i.pauses` without `fate_o.pause`.
    Checks: the assertion fires.
    """
    await start(dut, IDLE)
    dut.pull_i.value = PULL.pack(pauses=1)
    await cycle(dut, 3)


@cocotb.test(skip=True)
async def signal_again(dut: Any) -> None:
    """A signal for a frame with CE (RequestServed_A, OneFate_A).

    Stimulus: a frame that paused and is ok to drop, six cycles long.
    Checks: the mutants ask the law while it is at work, or drop the frame and deliver it.
    """
    await start(dut, IDLE | {"cfg_i": CODEL.pack(on=1, ecn=1)})
    dut.pending_i.value = 1
    for _ in range(6):
        dut.ok_q.value = dut.ready_q.value = 1
        dut.entered_q.value = dut.decided_q.value = dut.dropping_q.value = 0
        dut.code_q.value = 15
        await cycle(dut)


def test_pause_looked_at_fires() -> None:
    build_and_fail("tm_codel", __name__, assertion="PauseLookedAt_A", testcase="pause_of_its_own")


@cocotb.test(skip=True)
async def mark_unforetold(dut: Any) -> None:
    """A signal for an ECT frame (Foretold_A).

    Stimulus: a frame that paused and is to be marked.
    Checks: the mutant does not say so a cycle before it is.
    """
    await start(dut, IDLE | {"cfg_i": CODEL.pack(on=1, ecn=1)})
    dut.pending_i.value = dut.available_i.value = 1
    dut.ok_q.value = dut.ready_q.value = 1
    dut.entered_q.value = dut.decided_q.value = dut.dropping_q.value = dut.busy_q.value = 0
    dut.code_q.value = 14
    await cycle(dut, 3)


def test_foretold_fires() -> None:
    broken = mutant("law/codel/tm_codel.sv", "mark || (code_q == HeadEct && take)", "mark")
    build_and_fail("tm_codel", __name__, assertion="Foretold_A", testcase="mark_unforetold", extra_sources=[broken])


@pytest.mark.parametrize(
    ("assertion", "change"),
    [
        ("RequestServed_A", ("!entered_q && !busy_q && (!dropping_q", "!entered_q && (!dropping_q")),
        ("OneFate_A", ("drop    = !deliver;", "drop    = 1'b1;")),
    ],
)
def test_assertion_fires(assertion: str, change: tuple[str, str]) -> None:
    broken = mutant("law/codel/tm_codel.sv", *change)
    build_and_fail("tm_codel", __name__, assertion=assertion, testcase="signal_again", extra_sources=[broken])
