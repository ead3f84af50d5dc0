# SPDX-License-Identifier: BSD-3-Clause
"""tm_red_average: the recursion is exact for every weight, one step a cycle."""

from __future__ import annotations

from itertools import product
from typing import Any

import cocotb
import pytest
from truemark_dev.golden import golden
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.breaches import Breach, breaches
from cocotb_tests.env.red import ONE, Law
from cocotb_tests.env.tm_pkg import Spacing

PINS = ("bytes_i", "step_i", "reset_i", "idle_i", "linux_i", "weight_i", "decay_valid_i", "decay_i")
IDLE = dict.fromkeys(PINS, 0)


@cocotb.test()
async def averages_exactly(dut: Any) -> None:
    """Every weight.

    Stimulus: for each W from 0 to 24 a law reset and 300 cycles: B random, at both ends for long, or a small one; steps
    in every cycle, in most, or rarely; in between a queue that has run empty gets another average. Where the build has
    Linux's average, twice, first with it, and some steps find the queue idle.
    Checks: in every cycle -avg and what a step would make of it, stepped or not.
    """
    rng = randomness("tm_red_average")
    coverage = Coverage("tm_red_average")
    width = dut.COUNT_W.value.to_unsigned()
    top, minus_width = (1 << width) - 1, width + 25
    has_linux = bool(dut.LINUX.value.to_unsigned())
    await start(dut, IDLE)
    average = 0
    for linux, weight in product((True, False) if has_linux else (False,), range(25)):
        unit = ONE >> weight if linux else 1  # of an average
        law = vars(Law(weight=weight, spacing=Spacing.LINUX if linux else Spacing.UNIFORM))
        idle = next_idle = False
        # what the cycle before did: B, step; a reset acts a cycle late as well
        held, step, decay = 0, False, None
        dut.weight_i.value, dut.step_i.value, dut.reset_i.value, dut.decay_valid_i.value = weight, 0, 1, 0
        dut.bytes_i.value, dut.linux_i.value = 0, linux
        await cycle(dut)
        dut.reset_i.value = 0
        await cycle(dut)
        average, fraction_due = 0, None
        for turn in range(300):
            if turn % 60 == 0:
                level, rate = rng.choice((0, top, None, None, 1)), rng.choice((1.0, 1.0, 0.8, 0.1))
            next_held = rng.randint(0, top) if level is None else level
            next_step, next_idle = rng.random() < rate, linux and rng.random() < 0.2
            dut.bytes_i.value, dut.step_i.value, dut.idle_i.value = next_held, next_step, next_idle
            decay = None
            if not step and rng.random() < 0.2:
                decay = rng.choice((0, average, rng.randint(0, average // unit) * unit))
            dut.decay_valid_i.value = decay is not None
            if decay is not None:  # -avg + avg - new: what is taken off is new - avg
                dut.decay_i.value = (decay - average) % (1 << minus_width)
            await cycle(dut)
            where = f"W {weight} cycle {turn}: B {held}, avg {average / ONE}"
            assert int(dut.minus_o.value) == -average % (1 << minus_width), where
            after = golden().average_after(law, average, held, bool(idle))
            if linux:
                coverage.hit("Linux, with a fraction", step and not idle and average % ONE != 0)
                coverage.hit("Linux, idle", step and idle and held != average // ONE)
            if fraction_due is not None:
                assert bool(dut.fraction_o.value) == fraction_due, where
            if decay is None:
                floor = -(-after // ONE)  # -avg rounded down is avg rounded up
                assert int(dut.next_o.value) == -floor % (1 << width + 1), where
                fraction_due = after % ONE != 0
            else:
                fraction_due = None
            coverage.hit("a step in each cycle", step and next_step)
            coverage.hit("whole", after % ONE == 0 and after > 0)
            coverage.hit("another average", decay is not None and decay != average)
            if step:
                average = after
            elif decay is not None:
                average = decay
            held, step, idle = next_held, next_step, next_idle
    floors = {"a step in each cycle": 2000, "whole": 100, "another average": 20}
    if has_linux:
        floors |= {"Linux, with a fraction": 1000, "Linux, idle": 200}
    coverage.check(floors)


@pytest.mark.parametrize(("width", "linux"), [(15, 0), (22, 0), (15, 1)])
def test_tm_red_average(width: int, linux: int) -> None:
    build_and_test("tm_red_average", __name__, parameters={"COUNT_W": width, "LINUX": linux})


test_assertion_fires = breaches(
    "tm_red_average",
    Breach(
        "NeverNegative_A",
        "take off so much that the average is negative",
        [3, {"decay_valid_i": 1, "decay_i": -5 % (1 << 15 + 25)}, {"decay_valid_i": 0}],
    ),
    Breach(
        "DecayAlone_A",
        "replace the average in the cycle that follows a step",
        [3, {"step_i": 1}, {"step_i": 0, "decay_valid_i": 1}],
    ),
    COUNT_W=15,
)
