# SPDX-License-Identifier: BSD-3-Clause
"""tm_prim_lut_ram: what is written is there in the next cycle, and read at once."""

from __future__ import annotations

from typing import Any

import cocotb
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start


@cocotb.test()
async def reads_at_once(dut: Any) -> None:
    """Reads during writes.

    Stimulus: every word once, then 1000 cycles with a read, and in half of them a write, often of the same address.
    Checks: in each cycle the word as it was before what the cycle writes.
    """
    rng = randomness("tm_prim_lut_ram")
    coverage = Coverage("tm_prim_lut_ram")
    width, depth = dut.WIDTH.value.to_unsigned(), dut.DEPTH.value.to_unsigned()
    words = [rng.getrandbits(width) for _ in range(depth)]
    await start(dut, reset=None, wr_en_i=1, wr_addr_i=0, wr_data_i=0, rd_addr_i=0)
    for address, word in enumerate(words):
        dut.wr_addr_i.value, dut.wr_data_i.value = address, word
        await cycle(dut)
    for _ in range(1000):
        read, write, word = rng.randrange(depth), rng.randrange(depth), rng.getrandbits(width)
        writes = rng.random() < 0.5
        dut.rd_addr_i.value = read
        dut.wr_en_i.value, dut.wr_addr_i.value, dut.wr_data_i.value = writes, write, word
        await cycle(dut)
        assert int(dut.rd_data_o.value) == words[read]
        coverage.hit("both", writes and read == write)
        if writes:
            words[write] = word
    coverage.check({"both": 50})


def test_tm_prim_lut_ram() -> None:
    build_and_test("tm_prim_lut_ram", __name__, parameters={"WIDTH": 8, "DEPTH": 4})
