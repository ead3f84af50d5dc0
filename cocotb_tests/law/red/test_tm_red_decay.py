# SPDX-License-Identifier: BSD-3-Clause
"""tm_red_decay: what an idle time leaves of an average, bit for bit and against exact arithmetic."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import cocotb
import pytest
from truemark_dev.golden import golden
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.red import Law

pytestmark = pytest.mark.builds("golden")

IDLE = dict.fromkeys(["elapsed_i", "reciprocal_i", "shift_i", "weight_i", "average_i"], 0)


@cocotb.test()
async def decays_by_the_rule(dut: Any) -> None:
    """One idle time a cycle.

    Stimulus: 6000 idle times from 0 to 2^42 - 1 ns, among them 10^9, with packet times from 1 ns to milliseconds, every
    weight, averages from 0 to the largest.
    Checks: 13 cycles later the decayed average, bit for bit by the rule; and within 2^-14 of avg * (1 - 2^-W)^m in
    exact arithmetic, or within two units of an average.
    """
    rng = randomness("tm_red_decay")
    coverage = Coverage("tm_red_decay")
    width = dut.COUNT_W.value.to_unsigned()
    top = (1 << width + 24) - 1
    await start(dut, IDLE, reset=None)
    cases: list[tuple[int, int, int, int, int]] = []
    for now in range(6000):
        scale = rng.randrange(43)
        elapsed = rng.choice((rng.getrandbits(scale), rng.getrandbits(scale), 10**9, 0, (1 << 42) - 1))
        weight = rng.randrange(25)
        # a shift with which some of the average is left, more often than not
        shift = rng.randrange(64)
        if rng.random() < 0.7 and elapsed:
            shift = min(max(elapsed.bit_length() + 16 - weight - rng.randint(-2, 3), 0), 63)
        average = rng.choice((top, rng.randint(0, top), rng.getrandbits(rng.randint(1, width + 24)), 0))
        cases.append((elapsed, rng.choice((131071, rng.randint(1, 131071))), shift, weight, average))
        dut.elapsed_i.value, dut.reciprocal_i.value = cases[now][:2]
        dut.shift_i.value = cases[max(now - 2, 0)][2]
        dut.weight_i.value = cases[max(now - 4, 0)][3]
        dut.average_i.value = cases[max(now - 10, 0)][4]
        await cycle(dut)
        if now < 13:
            continue
        elapsed, reciprocal, shift, weight, average = cases[now - 13]
        expected = golden().faded(vars(Law(weight)), average, elapsed, reciprocal, shift)
        got = int(dut.decayed_o.value)
        assert got == expected, f"{cases[now - 13]}: {got}, expected {expected}"
        m = min(elapsed * reciprocal >> shift, 2**30 - 1)  # packet times
        exact = average * (1 - Decimal(2) ** Decimal(-weight)) ** m if weight else Decimal(0)
        assert abs(got - exact) <= exact / 2**14 + 2, f"{cases[now - 13]}: {got}, exactly {exact}"
        coverage.hit("some left", 0 < got < average * 0.99)
        coverage.hit("gone", average > 0 and got == 0)
        coverage.hit("saturated", m == 2**30 - 1)
        coverage.hit("a second", elapsed == 10**9 and got > 0)
    coverage.check({"some left": 1000, "gone": 500, "saturated": 100, "a second": 100})


@pytest.mark.parametrize("width", [15, *slow(22)])
def test_tm_red_decay(width: int) -> None:
    build_and_test("tm_red_decay", __name__, parameters={"COUNT_W": width})
