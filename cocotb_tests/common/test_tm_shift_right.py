# SPDX-License-Identifier: BSD-3-Clause
"""tm_shift_right: a shift by an amount that varies, and whether it leaves more than there is room for.

In it is tm_prim_keep.
"""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from cocotb.triggers import Timer
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import randomness


@cocotb.test()
async def shifts(dut: Any) -> None:
    """The contract.

    Stimulus: 4000 words, any, short, or of one bit, by any amount.
    Checks: the lower bits of what is left, and whether any is above them.
    """
    rng, width, room = randomness("tm_shift_right"), len(dut.data_i), len(dut.data_o)
    seen = set()
    for _ in range(4000):
        data = rng.choice((rng.getrandbits(width), rng.getrandbits(rng.randint(1, width)), 1 << rng.randrange(width)))
        amount = rng.getrandbits(len(dut.amount_i))
        dut.data_i.value, dut.amount_i.value = data, amount
        await Timer(1, unit="ns")
        left = data >> (amount << dut.UNIT.value.to_unsigned())
        where = f"{data:x} by {amount}"
        assert int(dut.data_o.value) == left % (1 << room), where
        assert bool(dut.beyond_o.value) == (left >> room != 0), where
        seen.add((amount, left >> room != 0))
    assert len(seen) > 1 << len(dut.amount_i)


@pytest.mark.parametrize(
    ("width", "room", "amount", "unit"),
    [(45, 30, 4, 0), (59, 45, 2, 4), *slow((48, 30, 2, 3), (30, 23, 3, 0), (40, 39, 4, 0))],
)
def test_tm_shift_right(width: int, room: int, amount: int, unit: int) -> None:
    parameters = {"WIDTH": width, "WIDTH_OUT": room, "AMOUNT_W": amount, "UNIT": unit}
    build_and_test("tm_shift_right", __name__, parameters=parameters)
