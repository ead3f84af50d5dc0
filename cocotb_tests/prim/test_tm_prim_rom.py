# SPDX-License-Identifier: BSD-3-Clause
"""tm_prim_rom: each port reads the table by itself.

tm_prim_sync is tested with tm_axil_crossing.
"""

from __future__ import annotations

from typing import Any

import cocotb
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start

TABLE = bytes.fromhex("0123456789abcdef")


@cocotb.test()
async def reads_the_table(dut: Any) -> None:
    """Reads of two ports.

    Stimulus: 500 cycles, in each of which either port reads any word or none.
    Checks: the word one cycle later, and 0 after no read.
    """
    rng = randomness("tm_prim_rom")
    coverage = Coverage("tm_prim_rom")
    await start(dut, reset=None, rd_en_i=0, rd_addr_i=0)
    expected = [0, 0]
    for _ in range(500):
        reads = [rng.choice((None, rng.randrange(8))) for _ in range(2)]
        dut.rd_en_i.value = sum((read is not None) << p for p, read in enumerate(reads))
        dut.rd_addr_i.value = sum((read or 0) << 3 * p for p, read in enumerate(reads))
        await cycle(dut)
        assert list(int(dut.rd_data_o.value).to_bytes(2, "little")) == expected
        expected = [0 if read is None else TABLE[-1 - read] for read in reads]
        coverage.hit("both", None not in reads)
        coverage.hit("neither", reads == [None, None])
    coverage.check({"both": 50, "neither": 50})


def test_tm_prim_rom() -> None:
    table = f"64'h{TABLE.hex()}"
    build_and_test("tm_prim_rom", __name__, parameters={"WIDTH": 8, "DEPTH": 8, "PORTS": 2, "WORDS": table})
