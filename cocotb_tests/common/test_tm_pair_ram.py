# SPDX-License-Identifier: BSD-3-Clause
"""tm_pair_ram: pairs go in, the word asked for comes out one cycle later, and stays until the next read."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.breaches import Breach, breaches

IDLE = {"wr_en_i": 0, "rd_en_i": 0, "wr_addr_i": 0, "rd_addr_i": 0, "wr_data_i": 0, "rd_second_i": 0}


@cocotb.test()
async def reads_either_word(dut: Any) -> None:
    """Reads follow writes.

    Stimulus: every pair once, then 2000 random writes and reads at different addresses, reads with pauses, of either
    word.
    Checks: the word comes one cycle after the read, is the newest written, and does not change until the next read.
    """
    rng = randomness("tm_pair_ram")
    coverage = Coverage("tm_pair_ram")
    width, depth = dut.WIDTH.value.to_unsigned(), dut.DEPTH.value.to_unsigned()
    await start(dut, IDLE, reset=None)
    pairs = [(rng.getrandbits(width), rng.getrandbits(width)) for _ in range(depth)]
    expected: int | None = None
    for step in range(depth + 2000):
        write = step if step < depth else rng.choice((None, rng.randrange(depth)))
        read = rng.choice((None, rng.randrange(depth))) if step >= depth else None
        read = None if read == write else read
        second = rng.getrandbits(1)
        if write is not None and step >= depth:
            pairs[write] = (rng.getrandbits(width), rng.getrandbits(width))
        dut.wr_en_i.value, dut.rd_en_i.value, dut.rd_second_i.value = write is not None, read is not None, second
        if write is not None:
            dut.wr_addr_i.value, dut.wr_data_i.value = write, pairs[write][1] << width | pairs[write][0]
        if read is not None:
            dut.rd_addr_i.value = read
        await cycle(dut)
        if expected is not None:
            assert int(dut.rd_data_o.value) == expected, f"step {step}"
        coverage.hit("held without a read", expected is not None and read is None)
        coverage.hit("second word", read is not None and bool(second))
        coverage.hit("read beside a write", read is not None and write is not None)
        if read is not None:
            expected = pairs[read][second]
    coverage.check(dict.fromkeys(coverage.hits, 200))


@pytest.mark.parametrize(("width", "depth"), [(80, 64), (18, 13)])
def test_tm_pair_ram(width: int, depth: int) -> None:
    build_and_test("tm_pair_ram", __name__, parameters={"WIDTH": width, "DEPTH": depth})


test_assertion_fires = breaches(
    "tm_pair_ram",
    Breach("Collision_A", "write and read one pair in one cycle", [{"wr_en_i": 1, "rd_en_i": 1}]),
    WIDTH=8,
    DEPTH=4,
)
