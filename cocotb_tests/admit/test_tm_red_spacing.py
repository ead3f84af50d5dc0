# SPDX-License-Identifier: BSD-3-Clause
"""tm_red_spacing: when signals come, for every spacing, one step a cycle."""

from __future__ import annotations

from typing import Any

import cocotb

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.red import ONE, WORD, Count, Region
from cocotb_tests.env.words import Spacing
from cocotb_tests.runner import build_and_fail, build_and_test

IDLE = dict.fromkeys(
    ["step_i", "reset_i", "settling_i", "word_i", "spacing_i", "between_i", "beyond_i", "probability_i"], 0
)


@cocotb.test()
async def spaces_signals(dut: Any) -> None:
    """Signals.

    Stimulus: 9000 cycles, each spacing in turn from a law reset on: steps in most cycles, probabilities from 0 to
    2^24 - 1 that stay or change in every cycle, all regions, times of settling, words at both ends.
    Checks: in every cycle the answer that a frame would get.
    """
    rng = randomness("tm_red_spacing")
    coverage = Coverage("tm_red_spacing")
    await start(dut, IDLE, reset=None)
    count = Count()
    region, chance, probability = Region.BELOW, 0, 0
    spacing = Spacing.MEMORYLESS
    for now in range(9000):
        reset = now % 300 == 0
        if reset:
            spacing = Spacing(now // 300 % 3)
            dut.spacing_i.value = spacing
        if rng.random() < (0.02 if now // 1000 % 2 else 0.5):
            probability = rng.choice((0, 1, ONE - 1, rng.randrange(ONE), ONE // 10, ONE // 100))
        following = rng.choices(list(Region), (1, 40, 1))[0]
        settling = reset or rng.random() < 0.01
        step = not reset and rng.random() < 0.8
        word = rng.choice((0, WORD - 1, rng.randrange(WORD), rng.randrange(WORD)))
        dut.reset_i.value, dut.settling_i.value, dut.step_i.value = reset, settling, step
        dut.word_i.value, dut.probability_i.value = word >> 8, probability
        dut.between_i.value, dut.beyond_i.value = following is Region.BETWEEN, following is Region.FORCED
        await cycle(dut)
        if now:
            hits = region is Region.BETWEEN and count.left < chance
            where = f"cycle {now} {spacing.name}: {region} {chance} {count}"
            assert bool(dut.probable_o.value) == hits, where
            assert bool(dut.forced_o.value) == (region is Region.FORCED), where
            coverage.hit(spacing.name, step and hits)
            coverage.hit("carries on", step and region is Region.BETWEEN and not hits)
        if step:
            count.step(spacing, region, chance, word)
        if reset:
            count.reset(spacing)
        region, chance = (Region.BELOW, 0) if settling else (following, probability)
    coverage.check({"MEMORYLESS": 100, "UNIFORM": 200, "WAIT": 100, "carries on": 2000})


@cocotb.test(skip=True)
async def two_regions(dut: Any) -> None:
    """Say between and beyond at once (OneRegion_A)."""
    await start(dut, IDLE, reset=None)
    dut.between_i.value = dut.beyond_i.value = 1
    await cycle(dut, 3)


def test_tm_red_spacing() -> None:
    build_and_test("tm_red_spacing", __name__)


def test_assertion_fires() -> None:
    build_and_fail("tm_red_spacing", __name__, assertion="OneRegion_A", testcase="two_regions")
