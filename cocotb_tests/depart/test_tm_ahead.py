# SPDX-License-Identifier: BSD-3-Clause
"""tm_ahead: what is looked at of the head is at hand from the third cycle after its push on, and not before."""

from __future__ import annotations

from collections import deque
from typing import Any

import cocotb
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.breaches import Breach, Steps, breaches

IDLE = dict.fromkeys(["push_i", "write_i", "push_data_i", "unpush_i", "newest_i", "pop_i", "head_next_i"], 0)
PARAMETERS = {"WIDTH": 20, "INDEX_W": 5}


@cocotb.test()
async def at_hand_in_time(dut: Any) -> None:
    """The contract.

    Stimulus: 8000 cycles of pushes, pops of whatever waits, also one a cycle, and takings back of the newest frame; the
    queue now nearly empty, now deep.
    Checks: in every cycle `valid_o` is set exactly if the head was pushed three cycles ago or before, and then the data
    are its own.
    """
    rng = randomness("tm_ahead")
    coverage = Coverage("tm_ahead")
    await start(dut, IDLE)
    queue: deque[tuple[int, int]] = deque()  # data, cycle of the push
    write = head = newest = 0
    can_unpush = False
    for now in range(8000):
        phase = now // 200 % 4
        pop = bool(queue) and rng.random() < (0.5, 0.6, 0.95, 1.0)[phase]
        unpush = can_unpush and bool(queue) and not (pop and len(queue) == 1) and rng.random() < 0.15
        push = not unpush and len(queue) < 28 and rng.random() < (0.9, 0.3, 0.9, 0.5)[phase]
        data = rng.getrandbits(20)
        dut.push_i.value, dut.write_i.value, dut.push_data_i.value = push, write, data
        dut.unpush_i.value, dut.newest_i.value = unpush, newest
        dut.pop_i.value, dut.head_next_i.value = pop, (head + pop) % 32
        await cycle(dut)
        valid = bool(queue) and queue[0][1] <= now - 3
        assert bool(dut.valid_o.value) == valid, f"cycle {now}: {len(queue)} wait"
        if valid:
            assert int(dut.data_o.value) == queue[0][0], f"cycle {now}"
        coverage.hit("pop of a frame not at hand", pop and not valid)
        coverage.hit("pops one a cycle, all at hand", pop and valid and len(queue) > 1 and queue[1][1] <= now - 2)
        coverage.hit("taken back beside a pop", unpush and pop)
        coverage.hit("the head taken back", unpush and len(queue) == 1)
        coverage.hit("the second taken back", unpush and len(queue) == 2)
        if pop:
            queue.popleft()
            head = (head + 1) % 32
        if unpush:
            queue.pop()
            write, can_unpush = newest, False
        if push:
            queue.append((data, now))
            newest, write, can_unpush = write, (write + 1) % 32, True
    coverage.check(dict.fromkeys(coverage.hits, 10))


def test_tm_ahead() -> None:
    build_and_test("tm_ahead", __name__, parameters=PARAMETERS)


VANISH: Steps = [{"push_i": 1}, {"push_i": 0, "write_i": 1}, 3, {"write_i": 0}]
test_assertion_fires = breaches(
    "tm_ahead", Breach("ThereIfValid_A", "let a frame vanish that is at hand", VANISH), **PARAMETERS
)
