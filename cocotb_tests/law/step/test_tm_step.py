# SPDX-License-Identifier: BSD-3-Clause
"""tm_step: a signal exactly when the queue holds more than K bytes."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from cocotb.triggers import Timer
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness


@cocotb.test()
async def signals_above_k(dut: Any) -> None:
    """The compare, strict.

    Stimulus: every pair at six bits; at more, 500 random K with B at both ends, at K, and one byte to each side.
    Checks: signal exactly if B > K.
    """
    rng = randomness("tm_step")
    coverage = Coverage("tm_step")
    width = dut.W.value.to_unsigned()
    top = (1 << width) - 1
    if width == 6:
        pairs = [(b, k) for b in range(top + 1) for k in range(top + 1)]
    else:
        ks = [0, 1, top - 1, top, *(rng.randint(0, top) for _ in range(500))]
        pairs = [(b, k) for k in ks for b in (0, max(k - 1, 0), k, min(k + 1, top), top, rng.randint(0, top))]
    for b, k in pairs:
        dut.bytes_i.value, dut.k_i.value = b, k
        await Timer(1, unit="ns")
        assert bool(dut.signal_o.value) == (b > k), f"B {b}, K {k}"
        coverage.hit("B = K", b == k)
        coverage.hit("B = K + 1", b == k + 1)
    coverage.check({"B = K": 60, "B = K + 1": 60})


@pytest.mark.parametrize("width", [24, *slow(6)])
def test_tm_step(width: int) -> None:
    build_and_test("tm_step", __name__, parameters={"W": width})
