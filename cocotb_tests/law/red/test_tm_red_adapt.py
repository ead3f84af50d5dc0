# SPDX-License-Identifier: BSD-3-Clause
"""tm_red_adapt: one step of ARED, and the slope that follows from it."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from truemark_dev.golden import golden
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.red import ONE, Law

pytestmark = pytest.mark.builds("golden")

IDLE = dict.fromkeys(["rise_i", "fall_i", "maxp_i", "bottom_i", "reciprocal_i"], 0)


@cocotb.test()
async def adapts(dut: Any) -> None:
    """One step a cycle.

    Stimulus: 4000 steps up, down or none, maxp from 1 to 2^24, often at or next to a limit (the bottom, 1/2, 0.04 where
    the rise changes its rule, 1), any reciprocal.
    Checks: five cycles later maxp and slope as the rule has them.
    """
    rng = randomness("tm_red_adapt")
    coverage = Coverage("tm_red_adapt")
    await start(dut, IDLE, reset=None)
    cases: list[tuple[int, int, int, int]] = []
    for now in range(4000):
        bottom = rng.randint(1, ONE // 2)
        maxp = rng.choice((rng.randint(1, ONE), bottom, bottom + 1, ONE // 2, ONE // 2 - 1, ONE, 671088, 671091, 1))
        cases.append((rng.choice((-1, 0, 1, 1)), maxp, bottom, rng.choice((rng.getrandbits(32), (1 << 32) - 1, 0))))
        way = cases[now][0]
        dut.rise_i.value, dut.fall_i.value = way > 0, way < 0
        dut.maxp_i.value, dut.bottom_i.value = maxp, cases[max(now - 2, 0)][2]
        dut.reciprocal_i.value = cases[max(now - 3, 0)][3]
        await cycle(dut)
        if now < 5:
            continue
        way, maxp, bottom, reciprocal = cases[now - 5]
        # an average above, within and below a band from 10 to 20 bytes
        law = Law(reciprocal=reciprocal, bottom=bottom, band_low=10, band_high=20)
        expected = golden().adapted(vars(law), maxp, (15 + 10 * way) * ONE)
        expected = expected[0], expected[1] >> 8
        assert (int(dut.maxp_o.value), int(dut.slope_o.value)) == expected, f"{cases[now - 5]}: {expected}"
        coverage.hit("up", expected[0] > maxp)
        coverage.hit("down", expected[0] < maxp)
        coverage.hit("to the bottom", expected[0] == bottom < maxp)
        coverage.hit("at the top", way > 0 and maxp >= ONE // 2)
        coverage.hit("certain", expected[0] == ONE)
    coverage.check({"up": 500, "down": 300, "to the bottom": 50, "at the top": 300, "certain": 100})


def test_tm_red_adapt() -> None:
    build_and_test("tm_red_adapt", __name__)
