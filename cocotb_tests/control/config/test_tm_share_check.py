# SPDX-License-Identifier: BSD-3-Clause
"""tm_share_check: which reserves and thresholds a commit refuses, and what it keeps of the others."""

from __future__ import annotations

from typing import Any

import cocotb
from truemark.device import registers as reg
from truemark.device.registers import Fault
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import cycle, randomness, start
from cocotb_tests.env.config_words import place_of
from cocotb_tests.env.tm_pkg import CELLS_W, POOL_SHARE

CELLS, SPARE, PORTS = 1024, 8, 3
BUILD = {"POOL": 1, "PORTS": PORTS, "DATA_W": 256, "ROWS": 2 * CELLS}
RESERVE, THRESHOLD = place_of(reg.POOL_RESERVE), place_of(reg.POOL_THRESHOLD)
INPUTS = ("port_i", "reserves_i", "check_i", "place_i", "word_i")


async def check(dut: Any, place: int, word: int) -> Fault:
    """Show a word; return what is wrong with it."""
    dut.check_i.value, dut.place_i.value, dut.word_i.value = 1, place, word
    await cycle(dut, 2)
    dut.check_i.value = 0
    return Fault(int(dut.fault_o.value))


@cocotb.test()
async def reserves_of_all_ports_fit(dut: Any) -> None:
    """Reserves.

    Stimulus: for each port, reserves in force at all three, and one that leaves 8 cells of the pool with those of the
    two others, or one cell fewer.
    Checks: the first is kept, the second refused; the port's own reserve, which goes, does not count.
    """
    rng = randomness("tm_share_check/reserves")
    await start(dut, dict.fromkeys(INPUTS, 0), reset=None)
    for port in [*range(PORTS)] * 30:
        others = [rng.randrange((CELLS - SPARE) // 2) for _ in range(PORTS)]
        dut.port_i.value = port
        dut.reserves_i.value = sum(reserve << CELLS_W * p for p, reserve in enumerate(others))
        await cycle(dut, 2)
        most = CELLS - SPARE - sum(others) + others[port]
        assert await check(dut, RESERVE, most + 1) == Fault.POOL_RESERVE
        assert await check(dut, RESERVE, most) == Fault.NONE
        assert POOL_SHARE.unpack(int(dut.share_o.value))["reserve"] == most


@cocotb.test()
async def thresholds_are_one_thing(dut: Any) -> None:
    """Thresholds.

    Stimulus: cells up to all of the pool and one more; each exponent, with `dynamic` and without, with cells and
    without.
    Checks: cells are static; 2^-7 to 2^3 is dynamic, without cells; 0 is no threshold; all else is refused.
    """
    await start(dut, dict.fromkeys(INPUTS, 0), reset=None)
    for dynamic in range(2):
        for bits in range(16):
            exponent = bits - 16 * (bits >> 3)
            for cells in (0, 1, CELLS, CELLS + 1):
                good = (cells == 0 and -7 <= exponent <= 3) if dynamic else (exponent == 0 and cells <= CELLS)
                fault = await check(dut, THRESHOLD, dynamic << 31 | bits << 24 | cells)
                assert fault == (Fault.NONE if good else Fault.POOL_THRESHOLD), f"{dynamic} {exponent} {cells}"
                kept = {"on": int(bool(dynamic or cells)), "dynamic": dynamic, "exponent": bits, "cells": cells}
                share = POOL_SHARE.unpack(int(dut.share_o.value))
                assert not good or {name: share[name] for name in kept} == kept


def test_tm_share_check() -> None:
    build_and_test("tm_share_check", __name__, parameters=BUILD)
