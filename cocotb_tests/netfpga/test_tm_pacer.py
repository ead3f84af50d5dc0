# SPDX-License-Identifier: BSD-3-Clause
"""tm_pacer: frames start as far apart as the line needs, exactly in the long run, and at once when it is off."""

from __future__ import annotations

from collections.abc import Callable
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
# Four cycles given back and the two between the nearest frames are as long as the shortest frame.
FAST = (60 + OVERHEAD) * FRACTION // 6


class Port:
    """
    A port with a backlog: takes its next frame when it may, and shows it from the next cycle on or `pause()` later; a
    further beat waits `gap()` cycles for the one before.
    """

    def __init__(
        self,
        dut: Any,
        lengths: list[int],
        beat: int,
        pause: Callable[[], int] = lambda: 0,
        gap: Callable[[], int] = lambda: 0,
    ) -> None:
        self.dut, self._lengths, self.beat, self._pause, self._gap = dut, lengths, beat, pause, gap
        self.starts: list[tuple[int, int]] = []  # cycle of the first beat, length
        self.cycle = 0
        self.let = [False, False]  # it might have taken a frame and had none: the last two cycles
        self._left = 0  # beats of the frame on the output, this one included
        self._paused = 0  # cycles until the next beat is shown

    async def step(self, *, ready: bool = True, backlog: bool = True) -> None:
        """Let one cycle end."""
        dut = self.dut
        dut.ready_i.value = int(ready)
        await RisingEdge(dut.clk_i)
        self.cycle += 1
        taken = self._left > 0 and not self._paused and ready
        dut.taken_i.value, dut.last_i.value = int(taken), int(self._left <= 1)
        if taken:
            self._left -= 1
            self._paused = self._gap() + 1
        self.let = [self.let[1], self._left == 0 and dut.tx_en_o.value == 1]
        if self.let[1] and backlog and self._lengths:
            self.let = [False, False]
            self._paused = self._pause() + 1
            length = self._lengths.pop(0)
            self._left = -(-length // self.beat)
            dut.len_i.value = length
            self.starts.append((self.cycle + self._paused - 1, length))
        self._paused = max(self._paused - 1, 0)
        dut.valid_i.value = int(self._left > 0 and not self._paused)

    async def until_free(self) -> None:
        """Let the cycles end in which no frame is on the output and none may be taken, without looking at each."""
        if self._left == 0 and self.dut.tx_en_o.value == 0:
            begun = get_sim_time("ns")
            await RisingEdge(self.dut.tx_en_o)
            self.cycle += round((get_sim_time("ns") - begun) / PERIOD_NS)


async def begin(dut: Any, rate: Fraction) -> int:
    """Reset with a rate; return it as the register has it."""
    setting = round(rate * FRACTION)
    await start(dut, {"rate_i": setting, "valid_i": 0, "ready_i": 1, "taken_i": 0, "last_i": 0, "len_i": 60})
    return setting


def apart(port: Port, setting: int) -> None:
    """Fail if two frames are nearer than the line needs less five cycles; on a fast line a short one counts as 60."""
    for (cycle, length), (following, _) in zip(port.starts, port.starts[1:], strict=False):
        counted = 60 if setting > FAST and length <= 2 * port.beat else length
        needed = Fraction((counted + OVERHEAD) * FRACTION, setting)
        assert following - cycle > max(needed - 6, Fraction(1)), (
            f"{following - cycle} cycles after {length} bytes: {float(needed)} needed"
        )


@cocotb.test()
async def spaced_by_the_line(dut: Any) -> None:
    """
    Stimulus: at four rates, frames of 60 to 9216 bytes from a backlog, on 64-byte beats: 300, or 100 where a byte takes
        more than a cycle.
    Checks: from the first to the n-th frame the cycles are those the line needs, to less than one cycle late and five
        early (what the first frame may have had to give back); so no error adds up.
    """
    rng = randomness("spaced_by_the_line")
    for rate in RATES:
        setting = await begin(dut, rate)
        lengths = [rng.choice((60, 61, 64, 577, 1518, 9216)) for _ in range(300 if rate > 1 else 100)]
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
    Stimulus: frames that come now and then and whose beats have gaps, a sink that is not always ready, then a backlog;
        a slow and a fast line.
    Checks: an idle line lets a frame go in two cycles; two frames are never nearer than the line needs less five
        cycles, however long it was idle.
    """
    rng = randomness("late_frames")
    for rate, beat, lengths in ((RATES[0], 32, (60, 300, 1518)), (Fraction(200_000, 8 * 340), 128, (300, 9216))):
        setting = await begin(dut, rate)
        frames = [rng.choice(lengths) for _ in range(300)]
        port = Port(dut, frames, beat, gap=lambda: rng.choice((0, 0, 0, 1, 3)))
        at_once = 0
        for _ in range(200):
            for _ in range(rng.randrange(60)):
                await port.step(ready=rng.random() < 0.8, backlog=False)
            before, idle, asked = len(port.starts), any(port.let), port.cycle
            while len(port.starts) == before:
                await port.step(ready=rng.random() < 0.8)
            assert not idle or port.cycle - asked <= 2, f"an idle line let a frame go in {port.cycle - asked} cycles"
            at_once += idle
        while len(port.starts) < 300:
            await port.step(ready=rng.random() < 0.8)
        apart(port, setting)
        assert at_once > 50
        dut.valid_i.value = 0


@cocotb.test()
async def frames_that_pause(dut: Any) -> None:
    """
    Stimulus: frames of one beat from a backlog, which with CODEL begin up to ten cycles after they were let go.
    Checks: two frames are never nearer than the line needs less five cycles, of a fast line less what the first frame
        has beyond 60 bytes; none is let go in the cycle in which another begins.
    """
    rng = randomness("frames_that_pause")
    codel = bool(dut.CODEL.value)
    for rate in RATES:
        setting = await begin(dut, rate)
        lengths = [rng.randint(60, 128) for _ in range(300)]
        port = Port(dut, lengths, 128, lambda: rng.choice((0, 1, 2, 3, 10)) if codel else 0)
        while len(port.starts) < 300:
            await port.until_free()
            await port.step()
        apart(port, setting)
        dut.valid_i.value = 0


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


@pytest.mark.parametrize("codel", [0, 1])
def test_tm_pacer(codel: int) -> None:
    build_and_test("tm_pacer", __name__, listing="rtl/netfpga/netfpga.f", parameters={"CODEL": codel})
