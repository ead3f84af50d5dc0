# SPDX-License-Identifier: BSD-3-Clause
"""tm_arith_pkg: each function says what its plain form says."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from cocotb.triggers import Timer
from truemark_dev.marks import slow
from truemark_dev.paths import ROOT
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import randomness


@cocotb.test()
async def plain_forms(dut: Any) -> None:
    """The contract.

    Stimulus: 3000 pairs: any, close together, half the clock apart give or take one, equal; with the flag and without.
    Checks: sum or difference, borrow, compare, and compare in a clock that wraps.
    """
    rng, width = randomness("tm_arith_pkg"), len(dut.a_i)
    mask = (1 << width) - 1
    seen = set()
    for _ in range(3000):
        a = rng.getrandbits(width)
        apart = rng.choice((rng.getrandbits(width), rng.randint(-3, 3), (1 << width - 1) + rng.randint(-1, 1)))
        flag, b = rng.randrange(2), (a - apart) & mask
        dut.a_i.value, dut.b_i.value, dut.flag_i.value = a, b, flag
        await Timer(1, unit="ns")
        before = bool((apart - flag & mask) >> width - 1)
        expected = {
            "add_or_sub": (a - b if flag else a + b) & mask,
            "sub_borrow": a - b - flag & mask,
            "less_than": a < b + flag,
            "is_before": before,
        }
        told = {name: int(getattr(dut, f"{name}_o").value) for name in expected}
        assert told == expected, f"{a:x} {b:x} {flag}"
        seen.add((before, a < b, flag))
    assert len(seen) == 8


@pytest.mark.parametrize("width", [62, *slow(32, 31, 7)])
def test_tm_arith_pkg(width: int) -> None:
    harness = ROOT / "cocotb_tests" / "common" / "arith.sv"
    build_and_test("arith", __name__, extra_sources=[harness], parameters={"WIDTH": width})
