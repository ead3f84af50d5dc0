# SPDX-License-Identifier: BSD-3-Clause
"""tm_share_check and tm_pfc_check: what of a pool and of pauses a commit refuses, and what it keeps of the others."""

from __future__ import annotations

from typing import Any

import cocotb
from truemark.device import registers as reg
from truemark.device.registers import Fault
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import cycle, randomness, start
from cocotb_tests.env.config_words import place_of
from cocotb_tests.env.packed import Packed, packed
from cocotb_tests.env.tm_pkg import CELLS_W, PFC, POOL_SHARE

CELLS, SPARE, PORTS = 1024, 8, 3
BUILD = {"POOL": 1, "PFC": 1, "PORTS": PORTS, "DATA_W": 256, "ROWS": 2 * CELLS}
RESERVE, THRESHOLD = place_of(reg.POOL_RESERVE), place_of(reg.POOL_THRESHOLD)
LOSSLESS, XOFF, XON = map(place_of, (reg.PFC_CLASSES, reg.PFC_THRESHOLD, reg.PFC_XON))
INPUTS = ("port_i", "in_force_i", "drops_i", "check_i", "place_i", "word_i")
IN_FORCE = Packed(("kept", CELLS_W), ("lossless", 8), ("drops", 1))


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
    await check(dut, LOSSLESS, 0)
    await cycle(dut, 3)
    for port in [*range(PORTS)] * 30:
        others = [rng.randrange((CELLS - SPARE) // 2) for _ in range(PORTS)]
        dut.port_i.value = port
        dut.in_force_i.value = packed([IN_FORCE.pack(kept=reserve) for reserve in others], IN_FORCE.width)
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


@cocotb.test()
async def headroom_fits_beside_reserves(dut: Any) -> None:
    """Headroom.

    Stimulus: lossless classes with a headroom each, next to what others keep and to reserves, so that 8 cells of the
    pool are left, or one fewer by the reserve, by the headroom, or by the headroom of most classes there are.
    Checks: the first is kept; a reserve that fits alone is no fault, the headroom is; all of it is kept.
    """
    rng = randomness("tm_share_check/headroom")
    await start(dut, dict.fromkeys(INPUTS, 0), reset=None)
    for port in [*range(PORTS)] * 30:
        others = [rng.randrange((CELLS - SPARE) // 3) for _ in range(PORTS)]
        dut.port_i.value = port
        dut.in_force_i.value = packed([IN_FORCE.pack(kept=cells) for cells in others], IN_FORCE.width)
        await cycle(dut, 2)
        left = CELLS - SPARE - sum(others) + others[port]
        lossless = rng.randrange(1, 256)
        most = left // lossless.bit_count()
        headroom = rng.choice((most, rng.randint(0, most)))
        kept = headroom * lossless.bit_count()
        assert await check(dut, LOSSLESS, lossless << 24 | headroom) == Fault.NONE
        await cycle(dut, 3)
        assert await check(dut, RESERVE, left - kept + 1) == (Fault.PFC_HEADROOM if kept else Fault.POOL_RESERVE)
        assert await check(dut, RESERVE, left + 1) == Fault.POOL_RESERVE
        assert await check(dut, RESERVE, left - kept) == Fault.NONE
        assert POOL_SHARE.unpack(int(dut.share_o.value))["headroom"] == kept
        assert {name: PFC.unpack(int(dut.pfc_o.value))[name] for name in ("lossless", "headroom")} == {
            "lossless": lossless,
            "headroom": headroom,
        }
        for wrong in (0xFF << 24 | (1 << CELLS_W) - 1, 1 << 24 | left + 1):
            await check(dut, LOSSLESS, wrong)
            await cycle(dut, 3)
            assert await check(dut, RESERVE, 0) == Fault.PFC_HEADROOM
        await check(dut, LOSSLESS, (1 << CELLS_W) - 1)  # of no class
        await cycle(dut, 3)
        assert await check(dut, RESERVE, 0) == Fault.NONE


@cocotb.test()
async def pauses_are_of_port_0(dut: Any) -> None:
    """When classes must pause.

    Stimulus: thresholds as of a share, and xon up to the threshold and beyond, at port 0 and at others.
    Checks: a threshold is one thing, xon is not above one that is fixed, and no other port has any.
    """
    rng = randomness("tm_share_check/pauses")
    await start(dut, dict.fromkeys(INPUTS, 0), reset=None)
    for port in (0, 1, 2):
        dut.port_i.value = port
        await cycle(dut, 2)
        for dynamic in range(2):
            for bits in range(16):
                exponent = bits - 16 * (bits >> 3)
                for cells in (0, 1, CELLS, CELLS + 1):
                    good = (cells == 0 and -7 <= exponent <= 3) if dynamic else (exponent == 0 and cells <= CELLS)
                    good = good and (port == 0 or dynamic == cells == 0)
                    fault = await check(dut, XOFF, dynamic << 31 | bits << 24 | cells)
                    assert fault == (Fault.NONE if good else Fault.PFC_THRESHOLD), (
                        f"{port} {dynamic} {exponent} {cells}"
                    )
        for _ in range(60):
            limit, dynamic = rng.randint(0, CELLS), rng.getrandbits(1)
            await check(dut, XOFF, 1 << 31 if dynamic else limit)
            xon, offset = (
                rng.choice((0, limit, limit + 1, rng.randrange(1 << 16))),
                rng.choice((0, rng.randrange(1 << 16))),
            )
            wrong = (not dynamic and xon > limit) or (port > 0 and (xon, offset) != (0, 0))
            assert await check(dut, XON, offset << 16 | xon) == (Fault.PFC_XON if wrong else Fault.NONE)
            pfc = PFC.unpack(int(dut.pfc_o.value))
            assert (pfc["xon"], pfc["xon_offset"], pfc["dynamic_limit"]) == (xon, offset, dynamic)
            assert pfc["limit"] == (0 if dynamic else limit)


def test_tm_share_check() -> None:
    build_and_test("tm_share_check", __name__, parameters=BUILD)
