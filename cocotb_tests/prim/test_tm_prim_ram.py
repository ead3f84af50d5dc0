# SPDX-License-Identifier: BSD-3-Clause
"""tm_prim_ram: rows go in, the word asked for comes out one cycle later, and stays until the next read, or is 0."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotbext.truemark.source import settle
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.breaches import Breach, breaches

IDLE = {"wr_en_i": 0, "rd_en_i": 0, "wr_addr_i": 0, "rd_addr_i": 0, "wr_data_i": 0}
SMALL = {"WIDTH": 72, "DEPTH": 64}


@cocotb.test()
async def reads_what_was_written(dut: Any) -> None:
    """Reads follow writes.

    Stimulus: with ZERO a read before any write; every row once, then 2000 random writes and reads of different rows,
    reads with pauses, of any word.
    Checks: a word comes one cycle after its read and is the newest written, or 0 before any; it does not change until
    the next read, or is 0 where GATED.
    """
    rng = randomness("tm_prim_ram")
    coverage = Coverage("tm_prim_ram")
    width, depth, words = (getattr(dut, name).value.to_unsigned() for name in ("WIDTH", "DEPTH", "WORDS"))
    gated, zero = bool(dut.GATED.value), bool(dut.ZERO.value)
    rows = [[0] * words for _ in range(depth)]
    await start(dut, IDLE, reset=None)
    expected: int | None = None
    warm_up = 20 if zero else 0
    for step in range(warm_up + depth + 2000):
        place = step - warm_up
        write = None if place < 0 else place if place < depth else rng.choice((None, rng.randrange(depth)))
        read = rng.choice((None, rng.randrange(depth))) if place < 0 or place >= depth else None
        read = None if read == write else read
        word = rng.randrange(words)
        if write is not None:
            rows[write] = [rng.getrandbits(width) for _ in range(words)]
            dut.wr_addr_i.value = write
            dut.wr_data_i.value = sum(bits << width * w for w, bits in enumerate(rows[write]))
        dut.wr_en_i.value, dut.rd_en_i.value = write is not None, read is not None
        if read is not None:
            dut.rd_addr_i.value = read * words + word
        await cycle(dut)
        if expected is not None:
            assert int(dut.rd_data_o.value) == expected, f"step {step}"
        coverage.hit("without a read", expected is not None and read is None)
        coverage.hit("another word than the first", read is not None and word != 0)
        coverage.hit("read beside a write", read is not None and write is not None)
        if read is not None:
            expected = rows[read][word]
        elif gated:
            expected = 0
    coverage.check(
        {
            "without a read": 200,
            "another word than the first": 200 if words > 1 else 0,
            "read beside a write": 200 if depth > 1 else 0,
        }
    )


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


@pytest.mark.parametrize(
    "parameters",
    [
        pytest.param(SMALL, id="72x64"),
        pytest.param({"WIDTH": 9, "DEPTH": 13, "STYLE": "auto"}, id="9x13", marks=pytest.mark.slow),
        pytest.param({"WIDTH": 36, "DEPTH": 1}, id="36x1", marks=pytest.mark.slow),
        pytest.param({"WIDTH": 80, "DEPTH": 64, "WORDS": 2}, id="pairs"),
        pytest.param({"WIDTH": 18, "DEPTH": 13, "WORDS": 2}, id="pairs-13", marks=pytest.mark.slow),
        pytest.param(
            {"WIDTH": 36, "DEPTH": 64, "GATED": "1'h1", "ZERO": "1'h1"}, id="gated-zero", marks=pytest.mark.slow
        ),
        pytest.param({"WIDTH": 32, "DEPTH": 4, "WORDS": 16, "GATED": "1'h1"}, id="view"),
    ],
)
def test_tm_prim_ram(parameters: dict[str, int | str]) -> None:
    build_and_test("tm_prim_ram", __name__, parameters=parameters)


def test_power_up() -> None:
    build_and_test("tm_prim_ram", __name__, testcase="powers_up_with_anything", parameters=SMALL)


COLLISION = Breach("Collision_A", "write and read one row in one cycle", [1, {"wr_en_i": 1, "rd_en_i": 1}])
test_assertion_fires = breaches("tm_prim_ram", COLLISION, WIDTH=72, DEPTH=64)
test_rows_collide = breaches(
    "tm_prim_ram",
    Breach(
        "Collision_A",
        "read the last word of the row before, then of the row that is written",
        [{"wr_en_i": 1, "rd_en_i": 1, "rd_addr_i": 1}, 1, {"rd_addr_i": 3}],
        idle={"wr_addr_i": 1},
    ),
    WIDTH=72,
    DEPTH=64,
    WORDS=2,
)
