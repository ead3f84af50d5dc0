# SPDX-License-Identifier: BSD-3-Clause
"""tm_red: the rates that the spacings make of a probability, and ports that know nothing of each other.

That it follows the rule cycle by cycle is tested with the unit that ports share (test_tm_red_shared).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import cocotb
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import cycle, start
from cocotb_tests.env.red import Law
from cocotb_tests.env.tm_pkg import CFG, Spacing
from cocotb_tests.law.red.test_tm_red_shared import HARNESS, IDLE, load, pack

SPACINGS = (Spacing.MEMORYLESS, Spacing.UNIFORM, Spacing.WAIT)


async def count_signals(dut: Any, laws: list[Law], held: int, frames: int) -> list[list[bool]]:
    """Offer each port a frame in every cycle at a constant average; return who met a signal."""
    ports, width = len(laws), dut.COUNT_W.value.to_unsigned()
    await load(dut, [(law, law) for law in laws], [(1, 0, 0)] * ports)
    dut.cfg_i.value = sum(pack((law, law)) << CFG.width * p for p, law in enumerate(laws))
    dut.bytes_i.value = sum(held << width * p for p in range(ports))
    dut.packets_i.value = (1 << ports * dut.FRAMES_W.value.to_unsigned()) - 1
    dut.commit_i.value = (1 << ports) - 1
    dut.law_reset_i.value = (1 << 2 * ports) - 1
    await cycle(dut)
    dut.commit_i.value = dut.law_reset_i.value = 0
    await cycle(dut, 30)
    dut.step_i.value = (1 << ports) - 1
    signals: list[list[bool]] = [[] for _ in range(ports)]
    for _ in range(frames):
        await cycle(dut)
        signal = int(dut.signal_o.value)
        for p in range(ports):
            signals[p].append(bool(signal >> 2 * p & 1))
    dut.step_i.value = 0
    await cycle(dut, 3)
    return signals


@cocotb.test()
async def signals_at_its_rate(dut: Any) -> None:
    """Rates.

    Stimulus: an average that stands at a probability of 1/16, a frame in each of 40,000 cycles on each of three ports,
    each with another spacing.
    Checks: the share of signals against the exact mean distance: 16 frames without memory, 17/2 (from 1 to 16, each as
    likely) for uniform, 49/2 (17 to 32) for wait; within 3 %, or 5 % without memory, some three standard deviations.
    """
    await start(dut, IDLE, seed_i=1)
    p = Fraction(1, 16)
    laws = [Law.of(0, 16384, 1 << 24, weight=0, spacing=spacing) for spacing in SPACINGS]
    signals = await count_signals(dut, laws, 1024, 40_000)
    distances = {Spacing.MEMORYLESS: 1 / p, Spacing.UNIFORM: (1 + 1 / p) / 2, Spacing.WAIT: (1 + 3 / p) / 2}
    for spacing, seen in zip(SPACINGS, signals, strict=True):
        rate = Fraction(sum(seen), len(seen))
        print(f"{spacing.name}: {float(rate / p):.3f} p, exactly {float(1 / distances[spacing] / p):.3f} p")
        tolerance = 0.05 if spacing is Spacing.MEMORYLESS else 0.03
        assert abs(float(rate * distances[spacing]) - 1) < tolerance, f"{spacing.name}: {float(rate)}"


@cocotb.test()
async def ports_are_strangers(dut: Any) -> None:
    """Independence.

    Stimulus: three ports with one law, no memory, probability 1/4, a frame on each in 12,000 cycles.
    Checks: each pair meets a signal together as often as chance has it: in one of 16 frames, within 15 %, which is four
    standard deviations.
    """
    await start(dut, IDLE, seed_i=1)
    law = Law.of(0, 16384, 1 << 24, weight=0, spacing=Spacing.MEMORYLESS)
    signals = await count_signals(dut, [law] * 3, 4096, 12_000)
    for one, other in ((0, 1), (0, 2), (1, 2)):
        together = sum(a and b for a, b in zip(signals[one], signals[other], strict=True))
        assert 0.85 < together / (12_000 / 16) < 1.15, f"ports {one} and {other}: {together} together"


def test_tm_red() -> None:
    build_and_test(
        "red_ports", __name__, extra_sources=[HARNESS], parameters={"PORTS": 3, "COUNT_W": 15},
        testcase=["signals_at_its_rate", "ports_are_strangers"],
    )  # fmt: skip
