# SPDX-License-Identifier: BSD-3-Clause
"""tm_core with CoDel: how many cycles a drop takes, with one port at work or all."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import cocotb
import pytest
from truemark_dev.runner import build_and_test

from cocotb_tests.env.packets import of_length
from cocotb_tests.env.tm_pkg import Departure, Ecn
from cocotb_tests.top.codel_bench import STANDING, Bench, Settings, standing

TALLIED = 4  # cycles after a drop, or the last row taken


@cocotb.test()
async def cost_of_a_drop(dut: Any) -> None:
    """How long the drops of one departure take, one port at work.

    Stimulus: 60 frames of 64 bytes, late by far: one departure enters, the next drops until the queue is short.
    Checks: after the entering drop the next frame's first row stands 6 cycles later; from drop to drop 8 cycles once,
    then 11; from the last drop to the first row of the frame that is sent 11 at most.
    """
    bench = Bench(dut, 1, len(dut.s_keep_i))
    await bench.start([Settings(**STANDING)])
    await standing(bench, 60)
    bench.time(1200)
    await bench.tick(4)
    first, second = await bench.take()
    assert (first.kind, second.kind) == (Departure.HEAD_DROPPED, Departure.PLAIN)
    assert bench.begun[0][-1] - (first.cycle - TALLIED) == 6
    bench.time(100_000)
    await bench.tick(4)
    tallies = await bench.take()
    drops = [each.cycle - TALLIED for each in tallies if each.kind == Departure.HEAD_DROPPED]
    # 57 waited; one is sent, one stays behind it, as 64 bytes are exempt.
    assert len(drops) == 55, f"{len(drops)} drops"
    gaps = [later - earlier for earlier, later in pairwise(drops)]
    assert gaps == [8] + [11] * 53, f"cycles from drop to drop: {gaps}"
    assert bench.begun[0][-1] - drops[-1] <= 11
    assert bench.held.get("bytes") == 64


@cocotb.test()
async def one_each_cycle(dut: Any) -> None:
    """A backlog of one-beat frames.

    Stimulus: 120 frames of one beat, CoDel on and the port in each state in which nothing is dropped: the queue fresh,
    above the target but not for an interval, and dropping with the next drop in the future.
    Checks: 20 frames leave in 20 cycles in each.
    """
    bench = Bench(dut, 1, len(dut.s_keep_i))
    await bench.start([Settings(**STANDING)])
    bench.time(0)
    await bench.tick(4)
    for _ in range(120):
        await bench.send(of_length(60, ecn=Ecn.NOT_ECT))
    for now, takes in ((0, 0), (1000, 1), (1200, 1)):
        bench.time(now)
        await bench.tick(6)
        for _ in range(takes):
            await bench.take()
        before = len(bench.begun[0])
        bench.permit.set(tx_en=1)
        await bench.tick(20)
        bench.permit.set(tx_en=0)
        await bench.tick(5)
        left = bench.begun[0][before:]
        assert len(left) == 20, f"at {now}: {len(left)} frames"
        assert left[-1] - left[0] == 19, f"at {now}: {left}"


@cocotb.test()
async def others_go_on(dut: Any) -> None:
    """One port drops; another does not notice.

    Stimulus: the same frames to two ports twice; port 0 drops most of its queue the first time, and has no CoDel the
    second time. Port 1 sends all the while.
    Checks: port 1's frames stand in the same cycles both times, without a gap between them.
    """
    bench = Bench(dut, 2, len(dut.s_keep_i))
    quiet = Settings(on=0)
    runs = []
    await bench.start([quiet, quiet])
    for settings in (Settings(**STANDING), quiet):
        bench.permit.set(tx_en=0)
        dut.rst_i.value = 1
        await bench.tick(4)
        dut.rst_i.value = 0
        bench.configure([settings, quiet])
        await bench.reset()
        await standing(bench, 60)
        bench.time(1200)
        await bench.tick(4)
        await bench.take(1)
        bench.time(100_000)
        await bench.tick(4)
        bench.tallies.clear()
        began = bench.now
        bench.begun[1].clear()
        bench.permit.set(tx_en=3)
        await bench.tick(12 * 50)  # from drop to drop 12 cycles at most
        dropped = sum(each.kind == Departure.HEAD_DROPPED and each.port == 0 for each in bench.tallies)
        runs.append((dropped, [each - began for each in bench.begun[1]]))
    assert runs[0][0] >= 45
    assert runs[1][0] == 0
    assert runs[0][1] == runs[1][1]
    rows = -(-64 // bench.width)
    assert [later - earlier for earlier, later in pairwise(runs[0][1])] == [rows] * 58


@cocotb.test()
async def sixteen_ports_drop(dut: Any) -> None:
    """All ports want the engine.

    Stimulus: 16 ports with 30 frames each, which have all entered; late by far, all are allowed to send in one cycle.
    Checks: every port drops all but the one it sends and the exempt one; from drop to drop a port takes no more than
    its turn and 15 others, eleven cycles each.
    """
    ports = 16
    bench = Bench(dut, ports, len(dut.s_keep_i))
    await bench.start([Settings(**STANDING)] * ports)
    await standing(bench, 30)
    bench.time(1200)
    await bench.tick(4)
    entering = await bench.take((1 << ports) - 1, quiet=16 * 24)
    assert sum(each.kind == Departure.HEAD_DROPPED for each in entering) == ports
    bench.time(100_000)
    await bench.tick(4)
    tallies = await bench.take((1 << ports) - 1, quiet=16 * 24)
    longest = 0
    for port in range(ports):
        drops = [each.cycle - TALLIED for each in tallies if each.port == port and each.kind == Departure.HEAD_DROPPED]
        assert len(drops) == 25, f"port {port}: {len(drops)} drops"
        longest = max(longest, *(later - earlier for earlier, later in pairwise(drops)))
    print(f"longest time from drop to drop: {longest} cycles")
    assert 11 * (ports - 1) <= longest <= 11 * ports


@pytest.mark.parametrize(
    ("width", "testcases"),
    [
        (256, ["cost_of_a_drop"]),
        (512, ["one_each_cycle", "cost_of_a_drop"]),
    ],
)
def test_one_port(width: int, testcases: list[str]) -> None:
    parameters = {"PORTS": 1, "DATA_W": width, "ROWS": 300, "DESCRIPTORS": 140, "CODEL": 1}
    build_and_test("tm_core", __name__, parameters=parameters, testcase=testcases)


def test_two_ports() -> None:
    parameters = {"PORTS": 2, "DATA_W": 256, "ROWS": 300, "DESCRIPTORS": 140, "CODEL": 1}
    build_and_test("tm_core", __name__, parameters=parameters, testcase="others_go_on")


@pytest.mark.slow
def test_sixteen_ports() -> None:
    parameters = {"PORTS": 16, "DATA_W": 64, "ROWS": 400, "DESCRIPTORS": 60, "CODEL": 1}
    build_and_test("tm_core", __name__, parameters=parameters, testcase="sixteen_ports_drop")
