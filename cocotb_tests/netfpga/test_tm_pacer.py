# SPDX-License-Identifier: BSD-3-Clause
"""tm_pacer: frames start as far apart as the line needs, exactly in the long run, and at once when it is off."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import cocotb
import pytest
from cocotb.simtime import get_sim_time
from cocotb.triggers import RisingEdge
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import PERIOD_NS, randomness, start

OVERHEAD = 24
FRACTION = 1 << 16
# Bytes per cycle: 10G at 200 MHz, 100G at 340 MHz, 1G at 200 MHz, and one that is no round number.
RATES = (Fraction(25, 4), Fraction(100_000, 8 * 340), Fraction(5, 8), Fraction(123_457, FRACTION))


class Port:
    """A port with a backlog: takes its next frame when it may, and shows it from the next cycle on."""

    def __init__(self, dut: Any, lengths: list[int], beat: int) -> None:
        self.dut, self._lengths, self._beat = dut, lengths, beat
        self.starts: list[tuple[int, int]] = []  # cycle of the first beat, length
        self.cycle = 0
        self._left = 0  # beats of the frame on the output, this one included

    async def step(self, *, ready: bool = True, backlog: bool = True) -> None:
        """Let one cycle end."""
        dut = self.dut
        dut.ready_i.value = int(ready)
        await RisingEdge(dut.clk_i)
        self.cycle += 1
        taken = self._left > 0 and ready
        if taken:
            self._left -= 1
        if self._left == 0 and backlog and dut.tx_en_o.value == 1 and self._lengths:
            length = self._lengths.pop(0)
            self._left = -(-length // self._beat)
            dut.len_i.value = length
            self.starts.append((self.cycle, length))
        dut.valid_i.value = int(self._left > 0)
        dut.last_i.value = int(self._left == 1)

    async def until_free(self) -> None:
        """Let the cycles end in which no frame is on the output and none may be taken, without looking at each."""
        if self._left == 0 and self.dut.tx_en_o.value == 0:
            begun = get_sim_time("ns")
            await RisingEdge(self.dut.tx_en_o)
            self.cycle += round((get_sim_time("ns") - begun) / PERIOD_NS)


async def begin(dut: Any, rate: Fraction) -> int:
    """Reset with a rate; return it as the register has it."""
    setting = round(rate * FRACTION)
    await start(dut, {"rate_i": setting, "valid_i": 0, "ready_i": 1, "last_i": 0, "len_i": 60})
    return setting


@cocotb.test()
async def spaced_by_the_line(dut: Any) -> None:
    """
    Stimulus: at four rates, 300 frames of 60 to 9216 bytes from a backlog, on 64-byte beats.
    Checks: from the first to the n-th frame the cycles are those the line needs, to less than one cycle late and five
        early (what the first frame may have had to give back); so no error adds up.
    """
    rng = randomness("spaced_by_the_line")
    for rate in RATES:
        setting = await begin(dut, rate)
        lengths = [rng.choice((60, 61, 64, 577, 1518, 9216)) for _ in range(300)]
        port = Port(dut, list(lengths), 64)
        while len(port.starts) < len(lengths):
            await port.until_free()
            await port.step()
        needed = Fraction(0)
        for (cycle, length), (following, _) in zip(port.starts, port.starts[1:], strict=False):
            needed += Fraction((length + OVERHEAD) * FRACTION, setting)
            taken = following - port.starts[0][0]
            assert needed - 5 <= taken < needed + 1, f"{float(rate)}: {taken} cycles, {float(needed)} needed at {cycle}"
        dut.valid_i.value = 0


@cocotb.test()
async def late_frames(dut: Any) -> None:
    """
    Stimulus: frames that come now and then, a sink that is not always ready, then a backlog.
    Checks: an idle line lets a frame go at once; two frames are never nearer than the line needs less five cycles,
        however long it was idle.
    """
    rng = randomness("late_frames")
    setting = await begin(dut, RATES[0])
    port = Port(dut, [rng.choice((60, 300, 1518)) for _ in range(300)], 32)
    at_once = 0
    while len(port.starts) < 300:
        before = len(port.starts)
        idle = dut.tx_en_o.value == 1
        await port.step(ready=rng.random() < 0.8, backlog=rng.random() < 0.05 or before > 200)
        at_once += idle and len(port.starts) > before
    for (cycle, length), (following, _) in zip(port.starts, port.starts[1:], strict=False):
        needed = Fraction((length + OVERHEAD) * FRACTION, setting)
        assert following - cycle > needed - 6, (
            f"{following - cycle} cycles after {length} bytes: {float(needed)} needed"
        )
    assert at_once > 50


@cocotb.test()
async def switched_off(dut: Any) -> None:
    """
    Stimulus: rate 0; a rate that is switched off in the middle of a long wait.
    Checks: the port may always send; the wait ends with the switch.
    """
    await begin(dut, Fraction(0))
    port = Port(dut, [60] * 50, 64)
    for _ in range(50):
        await port.step()
        assert dut.tx_en_o.value == 1
    assert len(port.starts) == 50
    await begin(dut, RATES[2])
    port = Port(dut, [9216, 60], 64)
    for _ in range(300):
        await port.step()
    assert len(port.starts) == 1
    dut.rate_i.value = 0
    for _ in range(5):
        await port.step()
    assert len(port.starts) == 2


@pytest.mark.parametrize("listing", ["rtl/netfpga/netfpga.f"])
def test_tm_pacer(listing: str) -> None:
    build_and_test("tm_pacer", __name__, listing=listing)
