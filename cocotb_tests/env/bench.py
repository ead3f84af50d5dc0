# SPDX-License-Identifier: BSD-3-Clause
"""What every bench does: start the clock, reset, step by cycles, and measure what random stimulus hit.

The rule of all benches here: `await cycle(dut)` returns just before a rising edge takes effect. What is read then are
the values of the cycle that ends; what is written holds in the cycle that begins.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from cocotbext.truemark.source import settle

PERIOD_NS = 10


def randomness(name: str) -> random.Random:
    """Return the generator of the test `name`: the same seed gives the same stimulus, whatever else runs."""
    seed = os.environ.get("TRUEMARK_SEED", "1")
    print(f"{name}: seed {seed}")
    return random.Random(f"{name}/{seed}")


async def start(
    dut: Any,
    pins: Mapping[str, int] | None = None,
    *,
    clock: str = "clk_i",
    reset: str | None = "rst_i",
    **idle: int,
) -> None:
    """Start the clock, drive `pins` and `idle` values, reset for three cycles, return in the first one after."""
    clk = getattr(dut, clock)
    settle(dut, {clock: 0, **(pins or {}), **idle, **({reset: 1} if reset else {})})
    Clock(clk, PERIOD_NS, unit="ns").start()
    for _ in range(3):
        await RisingEdge(clk)
    if reset:
        getattr(dut, reset).value = 0


async def cycle(dut: Any, count: int = 1) -> None:
    """Let `count` cycles end."""
    for _ in range(count):
        await RisingEdge(dut.clk_i)


class Coverage:
    """Counts what random stimulus hit and fails below the stated floors."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.hits: Counter[str] = Counter()

    def hit(self, what: str, when: bool = True) -> None:
        """Count `what` once if `when`."""
        self.hits[what] += bool(when)

    def check(self, floors: Mapping[str, int] | Iterable[str]) -> None:
        """Print all counts; fail when one is below its floor (1 where only names are given)."""
        wanted = dict(floors) if isinstance(floors, Mapping) else dict.fromkeys(floors, 1)
        print(f"{self.name} hit: " + ", ".join(f"{what} {count}" for what, count in sorted(self.hits.items())))
        missed = [f"{what}: {self.hits[what]} of {floor}" for what, floor in wanted.items() if self.hits[what] < floor]
        assert not missed, f"{self.name} missed its floors: {'; '.join(missed)}"
