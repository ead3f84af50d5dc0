# SPDX-License-Identifier: BSD-3-Clause
"""tm_sojourn_bin: the bin is how many bits the sojourn time has, from 8 to 31."""

from __future__ import annotations

from typing import Any

import cocotb
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import cycle, randomness, start


@cocotb.test()
async def finds_the_bin(dut: Any) -> None:
    """Every power of two.

    Stimulus: each power of two, one less and one more, and random numbers of every length.
    Checks: two cycles later, bin 0 under 2^8, i from 2^(7+i) to under 2^(8+i), 23 from 2^30 up.
    """
    await start(dut, reset=None, sojourn_i=0)
    rng = randomness("tm_sojourn_bin")
    edges = [value for bit in range(42) for value in ((1 << bit) - 1, 1 << bit, (1 << bit) + 1)]
    for sojourn in [*edges, *(rng.getrandbits(rng.randint(1, 42)) for _ in range(1000)), (1 << 42) - 1]:
        dut.sojourn_i.value = sojourn
        await cycle(dut)
        dut.sojourn_i.value = 0
        await cycle(dut, 2)
        assert dut.bin_o.value.to_unsigned() == min(23, max(0, sojourn.bit_length() - 8)), sojourn


def test_tm_sojourn_bin() -> None:
    build_and_test("tm_sojourn_bin", __name__)
