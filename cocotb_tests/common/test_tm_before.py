# SPDX-License-Identifier: BSD-3-Clause
"""tm_before: which of two times is the earlier, in a clock that wraps."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from cocotb.triggers import Timer
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import randomness


@cocotb.test()
async def signed_difference(dut: Any) -> None:
    """The contract.

    Stimulus: 3000 pairs: any, close together, half the clock apart give or take one, equal.
    Checks: `before_o` is the sign of a - b, and of one less where equal times count.
    """
    rng, width = randomness("tm_before"), len(dut.a_i)
    mask = (1 << width) - 1
    seen = set()
    for _ in range(3000):
        a = rng.getrandbits(width)
        apart = rng.choice((rng.getrandbits(width), rng.randint(-3, 3), (1 << width - 1) + rng.randint(-1, 1)))
        or_same = rng.randrange(2)
        dut.a_i.value, dut.b_i.value, dut.or_same_i.value = a, (a - apart) & mask, or_same
        await Timer(1, unit="ns")
        before = bool((apart - or_same & mask) >> width - 1)
        assert bool(dut.before_o.value) == before, f"{a:x} - {apart:x} {or_same}"
        seen.add((before, abs(apart) <= 3, or_same))
    assert len(seen) == 8


@pytest.mark.parametrize("width", [32, 31, 7])
def test_tm_before(width: int) -> None:
    build_and_test("tm_before", __name__, parameters={"WIDTH": width})
