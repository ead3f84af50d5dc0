# SPDX-License-Identifier: BSD-3-Clause
"""tm_watermarks: the highest occupancy and the longest sojourn since the last clear."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import RisingEdge
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness, start


@cocotb.test()
async def keeps_the_highest(dut: Any) -> None:
    """Random walks.

    Stimulus: occupancies that climb slowly, peak for single cycles and fall; sojourn times of all magnitudes in most
    cycles, also with upper and lower halves in conflict; clears, also in the cycle of a peak or of a departure.
    Checks: in each cycle the maximum since the last clear, which itself counts the occupancy of its cycle but no
    frame.
    """
    await start(dut, clear_i=0, bytes_i=0, packets_i=0, depart_valid_i=0, depart_sojourn_i=0)
    await RisingEdge(dut.clk_i)
    rng = randomness("tm_watermarks")
    coverage = Coverage("tm_watermarks")
    top = {"bytes": 0, "packets": 0, "sojourn": 0}
    limits = {"bytes": (1 << 15) - 1, "packets": (1 << 9) - 1}
    for _ in range(12000):
        clear = rng.random() < 0.01
        now = {}
        for name, limit in limits.items():
            change = rng.choice((-300, -1, 0, 1, 2, rng.randint(-limit, 40)))
            now[name] = min(limit, max(0, top[name] + change))
        valid = rng.random() < 0.7
        longest = top["sojourn"]
        near = (longest, longest + 1, max(0, longest - 1), longest ^ (1 << rng.randrange(42)))
        sojourn = rng.choice((*near, rng.getrandbits(rng.randint(1, 42)))) % (1 << 42)
        dut.clear_i.value, dut.depart_valid_i.value, dut.depart_sojourn_i.value = clear, valid, sojourn
        dut.bytes_i.value, dut.packets_i.value = now["bytes"], now["packets"]
        await RisingEdge(dut.clk_i)
        for name, value in top.items():
            assert getattr(dut, f"{name}_o").value.to_unsigned() == value, name
        coverage.hit("clear at a departure", clear and valid)
        coverage.hit("equal", valid and sojourn == longest)
        coverage.hit("one more", valid and sojourn == longest + 1)
        for name in limits:
            top[name] = now[name] if clear else max(top[name], now[name])
        top["sojourn"] = 0 if clear else max(longest, sojourn if valid else 0)
    coverage.check({"clear at a departure": 20, "equal": 100, "one more": 100})


def test_tm_watermarks() -> None:
    build_and_test("tm_watermarks", __name__, parameters={"BYTES_W": 15, "PACKETS_W": 9})
