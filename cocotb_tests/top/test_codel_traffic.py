# SPDX-License-Identifier: BSD-3-Clause
"""tm_core with CoDel in the middle of things: flushes, stalls, errors and new settings while it drops."""

from __future__ import annotations

from collections import deque
from typing import Any

import cocotb
import pytest
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness
from cocotb_tests.env.packets import marked, of_length
from cocotb_tests.env.tm_pkg import Departure
from cocotb_tests.top.codel_bench import STANDING, U32, Bench, Settings, random_frame, random_settings, standing


@cocotb.test()
async def flush_while_dropping(dut: Any) -> None:
    """A flush, a reset of CoDel, a paused sink and a stopped port in the middle of a departure's drops.

    Stimulus: 60 frames, most of which one departure would drop; after 1 to 40 cycles of it a flush; twenty times.
    Checks: every frame is tallied exactly once, dropped or sent; nothing is held in the end, and the next frame passes.
    """
    rng = randomness("flush_while_dropping")
    bench = Bench(dut, 1, len(dut.s_keep_i))
    await bench.start([Settings(**STANDING)])
    for after in range(1, 41, 2):
        await standing(bench, 60)
        bench.tallies.clear()
        bench.time(1200)
        await bench.tick(4)
        gone = 1 + len(await bench.take())
        bench.time(100_000)
        await bench.tick(4)
        bench.tallies.clear()
        bench.permit.set(tx_en=1)
        await bench.tick()
        bench.permit.set(tx_en=rng.getrandbits(1))
        await bench.tick(after)
        bench.order.set(flush=1, codel_reset=rng.getrandbits(1))
        bench.ready(rng.getrandbits(1))
        await bench.tick()
        bench.order.set(flush=0, codel_reset=0)
        await bench.tick(30)
        bench.ready(1)
        bench.permit.set(tx_en=0)
        await bench.tick(30 if bench.held.get("packets") == 0 else 700)
        assert gone + len(bench.tallies) == 60, f"flush after {after} cycles: {gone} and {len(bench.tallies)}"
        assert bench.held.get("bytes") == bench.held.get("packets") == 0
        await bench.send(of_length(64))
        await bench.tick(4)
        assert [each.kind for each in await bench.take()] == [Departure.PLAIN]
        await bench.reset()


@cocotb.test()
async def any_traffic(dut: Any) -> None:
    """Arrivals, departures and drops all at once.

    Stimulus: 1500 frames at random times into a slow port, one in ten with an error at its end; sinks that stall,
    flushes, resets of CoDel, new settings, and a time that runs on, jumps and goes backwards under way.
    Checks: frames come out in order, each whole and changed in nothing but its mark; in the end nothing is held.
    """
    rng = randomness("any_traffic")
    coverage = Coverage("any_traffic")
    bench = Bench(dut, 1, len(dut.s_keep_i))
    await bench.start([random_settings(rng)])
    stored: deque[bytes] = deque()
    now = U32 - 5000
    for number in range(1500):
        if number % 50 == 0:
            bench.configure([random_settings(rng)])
            if rng.random() < 0.5:
                await bench.reset()
        frame, _, _ = random_frame(rng)
        bad = rng.random() < 0.1
        bench.permit.set(tx_en=rng.random() < 0.4)
        bench.ready(rng.random() < 0.8)
        dut.s_error_i.value = bad
        await bench.send(frame)
        dut.s_error_i.value = 0
        if rng.random() < 0.01:
            bench.order.set(flush=1)
        await bench.tick()
        bench.order.set(flush=0)
        stored.append(frame)
        if rng.random() < 0.5:
            bench.permit.set(tx_en=rng.random() < 0.5)
            now = (now + rng.choice((0, 1, 30, 60, 200, -100 if rng.random() < 0.05 else 10))) & U32
            bench.time(now)
            await bench.tick(rng.choice((1, 2, 5, 30)))
        for each in bench.tallies:
            coverage.hit(each.kind.name)
        bench.tallies.clear()
    bench.ready(1)
    bench.permit.set(tx_en=1)
    await bench.tick(3000)
    assert bench.held.get("bytes") == bench.held.get("packets") == 0, "something is held"
    frames = deque(bench.frames[0])
    for frame in stored:
        if frames and (frames[0] == frame or (frame[12:14] == b"\x08\x00" and frames[0] == marked(frame))):
            coverage.hit("sent", True)
            frames.popleft()
    assert not frames, f"{len(frames)} frames that nobody sent"
    coverage.check({"sent": 200, "HEAD_DROPPED": 100, "MARKED": 5})


@pytest.mark.parametrize(("width", "whole", "ultra"), [(256, 0, 0), *slow((64, 1, 0), (512, 0, 1))])
def test_in_the_middle(width: int, whole: int, ultra: int) -> None:
    parameters = {"PORTS": 1, "DATA_W": width, "ROWS": 900, "DESCRIPTORS": 140, "CODEL": 1, "STORE_AND_FORWARD": whole}
    parameters["ULTRA"] = ultra
    build_and_test("tm_core", __name__, parameters=parameters, testcase=["flush_while_dropping", "any_traffic"])
