# SPDX-License-Identifier: BSD-3-Clause
"""tm_ram: what is written is read one cycle after it is asked for, and stays until the next read."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, settle, start
from cocotb_tests.env.breaches import Breach, breaches

PARAMETERS = [
    pytest.param({"WIDTH": 72, "DEPTH": 64}, id="72x64"),
    pytest.param({"WIDTH": 9, "DEPTH": 13, "STYLE": "block"}, id="9x13"),
    pytest.param({"WIDTH": 36, "DEPTH": 1}, id="36x1"),
]


@cocotb.test()
async def reads_what_was_written(dut: Any) -> None:
    """Reads follow writes.

    Stimulus: every word once, then 2000 random writes and reads at different addresses, reads with pauses.
    Checks: data come one cycle after the read, are the newest written, and do not change until the next read.
    """
    rng = randomness("tm_ram")
    coverage = Coverage("tm_ram")
    width, depth = dut.WIDTH.value.to_unsigned(), dut.DEPTH.value.to_unsigned()
    await start(dut, reset=None, wr_en_i=0, rd_en_i=0, wr_addr_i=0, rd_addr_i=0, wr_data_i=0)
    words = [rng.getrandbits(width) for _ in range(depth)]
    for address, word in enumerate(words):
        dut.wr_en_i.value, dut.wr_addr_i.value, dut.wr_data_i.value = 1, address, word
        await cycle(dut)
    dut.wr_en_i.value = 0
    await cycle(dut)
    expected: int | None = None
    read: int | None = None
    write: tuple[int, int] | None = None
    for _ in range(2000):
        await cycle(dut)
        if expected is not None:
            assert int(dut.rd_data_o.value) == expected
            coverage.hit("held without a read", read is None)
        if read is not None:
            expected = words[read]
        if write is not None:
            words[write[0]] = write[1]
        write = (rng.randrange(depth), rng.getrandbits(width)) if rng.random() < 0.5 else None
        read = rng.randrange(depth) if rng.random() < 0.5 else None
        if write is not None and read == write[0]:
            read = None
        coverage.hit("read beside a write", read is not None and write is not None)
        dut.wr_en_i.value = write is not None
        dut.rd_en_i.value = read is not None
        if write is not None:
            dut.wr_addr_i.value, dut.wr_data_i.value = write
        if read is not None:
            dut.rd_addr_i.value = read
    coverage.check({"held without a read": 200, "read beside a write": 200 if depth > 1 else 0})


@cocotb.test(skip=True)
async def powers_up_with_anything(dut: Any) -> None:
    """Nothing resets the ports of a RAM before the first edge: Collision_A must let that pass.

    Stimulus: at power-up a write and a read of one address, from the first edge on no more.
    Checks: the run goes on.
    """
    settle(dut, {"clk_i": 0, "wr_en_i": 1, "rd_en_i": 1, "wr_addr_i": 0, "rd_addr_i": 0})
    Clock(dut.clk_i, 10, unit="ns").start()
    await cycle(dut)
    dut.wr_en_i.value = dut.rd_en_i.value = 0
    await cycle(dut, 3)


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_tm_ram(parameters: dict[str, int | str]) -> None:
    build_and_test("tm_ram", __name__, parameters=parameters)


def test_power_up() -> None:
    build_and_test("tm_ram", __name__, testcase="powers_up_with_anything", parameters={"WIDTH": 72, "DEPTH": 64})


test_assertion_fires = breaches(
    "tm_ram",
    Breach("Collision_A", "write and read one address in one cycle", [{"wr_en_i": 1, "rd_en_i": 1}]),
    WIDTH=72,
    DEPTH=64,
)
