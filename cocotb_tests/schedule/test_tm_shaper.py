# SPDX-License-Identifier: BSD-3-Clause
"""tm_shaper: is open when the golden model's bucket is, and lets no more through than a rate, a burst and a frame."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge
from truemark_dev.golden import golden
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness, start
from cocotb_tests.env.breaches import Breach, breaches
from cocotb_tests.env.tm_pkg import BURST_W, RATE_FRACTION_W, SHAPE

pytestmark = pytest.mark.builds("golden")

MAX_FRAME = 1518
BEAT = 32 << RATE_FRACTION_W  # 32 bytes a cycle
TOP = (1 << BURST_W) - 1


def pins(rate: int, burst: int) -> int:
    """Return what a bucket is configured with."""
    return SHAPE.pack(on=int(rate > 0), rate=rate, burst=burst)


@cocotb.test()
async def opens_as_the_model_does(dut: Any) -> None:
    """A bucket cycle by cycle.

    Stimulus: rates from 2^-20 to 128 bytes a cycle and bursts from a frame up, again every 600 cycles, some off; frames
    of all lengths whenever the bucket is open, or now and then.
    Checks: `open_o` and `next_open_o` are the golden model's in every cycle; while a configuration stands, no window of
    cycles is charged with more than its rate, a burst and a frame.
    """
    rng = randomness("tm_shaper")
    coverage = Coverage("tm_shaper")
    await start(dut, shape_i=0, charge_i=0, len_i=0)
    model, cycle = golden().Bucket(), 0
    last = False  # a frame was sent in the cycle before
    for _ in range(60):
        rate = rng.choice((0, 1, 4 * BEAT, rng.randint(1, BEAT), rng.randint(BEAT // 50, BEAT // 2)))
        burst = rng.choice((MAX_FRAME, TOP, rng.randint(MAX_FRAME, 4 * MAX_FRAME)))
        busy = rng.choice((0.02, 0.5, 1.0))
        longest = rng.choice((64, MAX_FRAME))
        above = Fraction(0)  # the most that any window up to here was charged with, beyond its rate
        model.configure(rate, burst, cycle)
        dut.shape_i.value = pins(rate, burst)
        for _ in range(600):
            is_open = model.open(cycle)
            charge = is_open and rng.random() < busy
            length = rng.choice((1, longest, rng.randint(1, longest)))
            dut.charge_i.value, dut.len_i.value = int(charge), length
            if charge:
                model.charge(length, cycle)
            await ReadOnly()
            assert bool(dut.open_o.value) == is_open, f"cycle {cycle}: rate {rate}, burst {burst}"
            assert bool(dut.next_open_o.value) == model.open(cycle + 1)
            above = max(Fraction(0), above + charge * length - Fraction(rate, 1 << RATE_FRACTION_W))
            assert not rate or above <= burst + longest
            coverage.hit("shut", not is_open)
            coverage.hit("more than a burst at once", rate > 0 and above > burst)
            coverage.hit("a frame in the cycle after another", charge and last)
            last = charge
            cycle += 1
            await RisingEdge(dut.clk_i)
    coverage.check({"shut": 2000, "more than a burst at once": 20, "a frame in the cycle after another": 500})


def test_tm_shaper() -> None:
    build_and_test("tm_shaper", __name__, parameters={"MAX_FRAME": MAX_FRAME})


test_assertion_fires = breaches(
    "tm_shaper",
    Breach("Open_A", "send on an overdrawn bucket", [
        {"shape_i": pins(1, MAX_FRAME)}, {"charge_i": 1, "len_i": MAX_FRAME}, 3]),
    Breach("LenFits_A", "send a frame of 1519 bytes", [{"charge_i": 1, "len_i": MAX_FRAME + 1}]),
    MAX_FRAME=MAX_FRAME,
)  # fmt: skip
