# SPDX-License-Identifier: BSD-3-Clause
"""tm_pfc_watchdog: a pause that does not end becomes a storm, and the storm ends when the pauses do."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import RisingEdge
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness, start

UNIT = 8  # cycles


@cocotb.test()
async def finds_storms(dut: Any) -> None:
    """Pauses of any length.

    Stimulus: 8 classes, paused and not for 1 cycle to four times the watchdog's times; the times change, and are 0.
    Checks: a storm begins with no gap in more than `detection_i` units of pause, and less than two later; it ends
    after more than `restoration_i` units without one, and less than two later; never otherwise. The cycle in which one
    begins is told.
    """
    rng = randomness("tm_pfc_watchdog")
    coverage = Coverage("tm_pfc_watchdog")
    await start(dut, paused_i=0, detection_i=5, restoration_i=3)
    for detection, restoration in ((5, 3), (1, 9), (9, 1), (0, 4), (4, 0)):
        dut.detection_i.value, dut.restoration_i.value, dut.paused_i.value = detection, restoration, 0
        for _ in range((restoration + 3) * UNIT):
            await RisingEdge(dut.clk_i)
        assert int(dut.storm_o.value) == 0
        paused, left, since, storm = [False] * 8, [1] * 8, [0] * 8, [False] * 8
        for _ in range(2500):
            for each in range(8):
                left[each] -= 1
                if left[each] == 0:
                    most = (restoration if paused[each] else detection) * UNIT + UNIT
                    paused[each], left[each] = not paused[each], rng.randint(1, rng.choice((2, most, 4 * most)))
            dut.paused_i.value = sum(1 << each for each in range(8) if paused[each])
            await RisingEdge(dut.clk_i)
            word = int(dut.storm_o.value)
            assert bool(dut.began_o.value) == any(word >> each & 1 and not storm[each] for each in range(8))
            for each in range(8):
                now = bool(word >> each & 1)
                if now != storm[each]:  # after `since` cycles that asked for it
                    least = (restoration if storm[each] else detection) * UNIT
                    assert detection or not now
                    assert least < since[each] <= least + 2 * UNIT, f"class {each} after {since[each]} cycles"
                    coverage.hit("began" if now else "ended")
                    since[each] = 0
                storm[each] = now
                since[each] = since[each] + 1 if paused[each] != now else 0
                assert since[each] <= (restoration if now else detection) * UNIT + 2 * UNIT or not detection
    coverage.check({"began": 30, "ended": 30})


@cocotb.test()
async def sees_a_pause_that_was_there_before_its_time(dut: Any) -> None:
    """Times that change while a class is paused.

    Stimulus: a class paused for longer than DETECTION when that is set, from 0 or from a longer time, or shortened.
    Checks: the storm begins with the next unit.
    """
    await start(dut, paused_i=0, detection_i=0, restoration_i=3)
    for before, detection in ((0, 5), (1000, 5), (1000, 1)):
        dut.detection_i.value, dut.paused_i.value = before, 0
        for _ in range(5 * UNIT):
            await RisingEdge(dut.clk_i)
        dut.paused_i.value = 1 << 3
        for _ in range(24 * UNIT):
            await RisingEdge(dut.clk_i)
            assert int(dut.storm_o.value) == 0
        dut.detection_i.value = detection
        for _ in range(UNIT + 1):
            await RisingEdge(dut.clk_i)
        assert int(dut.storm_o.value) == 1 << 3, f"DETECTION {before}, then {detection}"


@cocotb.test()
async def a_time_of_zero_ends_storms(dut: Any) -> None:
    """DETECTION set to 0 in a storm.

    Stimulus: all classes paused for good; a storm in each; then DETECTION is 0, RESTORATION long.
    Checks: every storm ends at once, though the pauses go on, and none begins.
    """
    await start(dut, paused_i=0, detection_i=2, restoration_i=1000)
    dut.paused_i.value = 0xFF
    for _ in range(5 * UNIT):
        await RisingEdge(dut.clk_i)
    assert int(dut.storm_o.value) == 0xFF
    dut.detection_i.value = 0
    for _ in range(2):
        await RisingEdge(dut.clk_i)
    for _ in range(10 * UNIT):
        assert int(dut.storm_o.value) == 0
        await RisingEdge(dut.clk_i)


def test_tm_pfc_watchdog() -> None:
    build_and_test("tm_pfc_watchdog", __name__, parameters={"UNIT_W": 3})
