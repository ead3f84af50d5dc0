# SPDX-License-Identifier: BSD-3-Clause
"""tm_product: a product of parts, and the cycle in which it is there."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import cycle, randomness, start


@cocotb.test()
async def multiplies(dut: Any) -> None:
    """The contract.

    Stimulus: new factors in each of 4000 cycles: any, short, of one bit, or all ones.
    Checks: in each cycle the product of the factors of the cycle before.
    """
    rng = randomness("tm_product")

    def factor(width: int) -> int:
        short = rng.getrandbits(rng.randint(1, width))
        return rng.choice((rng.getrandbits(width), short, 1 << rng.randrange(width), (1 << width) - 1))

    await start(dut, reset=None, long_i=0, short_i=0)
    before = 0, 0
    for _ in range(4000):
        factors = factor(len(dut.long_i)), factor(len(dut.short_i))
        dut.long_i.value, dut.short_i.value = factors
        await cycle(dut)
        assert int(dut.product_o.value) == before[0] * before[1], f"{before[0]:x} * {before[1]:x}"
        before = factors


@pytest.mark.parametrize(
    ("long_width", "short_width"), [(42, 17), (19, 18), *slow((30, 18), (24, 16), (39, 17), (54, 3))]
)
def test_tm_product(long_width: int, short_width: int) -> None:
    build_and_test("tm_product", __name__, parameters={"LONG_W": long_width, "SHORT_W": short_width})
