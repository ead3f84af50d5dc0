# SPDX-License-Identifier: BSD-3-Clause
"""tm_list: a queue that never misses a word, however fast it is emptied."""

from __future__ import annotations

from collections import deque
from typing import Any

import cocotb
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.breaches import Breach, breaches

IDLE = {"push_i": 0, "push_data_i": 0, "pop_i": 0}
PARAMETERS = {"WIDTH": 12, "FRAMES": 200}
FRONT = 16


@cocotb.test()
async def always_at_hand(dut: Any) -> None:
    """The contract.

    Stimulus: 20,000 cycles of pushes and pops at rates that fill it, drain it one a cycle while few come, and keep it
    at the bound of the LUT RAM; in the end one of each in every cycle.
    Checks: in every cycle whether a word is there, and which.
    """
    rng = randomness("tm_list")
    coverage = Coverage("tm_list")
    await start(dut, IDLE)
    queue: deque[int] = deque()
    for now in range(20_000):
        phase = now // 120 % 6
        push = len(queue) < PARAMETERS["FRAMES"] and rng.random() < (0.9, 0.5, 0.67, 0.8, 0.3, 1)[phase]
        pop = (bool(queue) or push) and rng.random() < (0.1, 1, 1, 0.8, 1, 1)[phase]
        data = rng.getrandbits(12)
        dut.push_i.value, dut.push_data_i.value, dut.pop_i.value = push, data, pop
        await cycle(dut)
        assert bool(dut.any_o.value) == bool(queue), f"cycle {now}: {len(queue)} wait"
        if queue:
            assert int(dut.head_o.value) == queue[0], f"cycle {now}"
        coverage.hit("passed on at once", push and pop and not queue)
        coverage.hit("more than the LUT RAM holds", len(queue) > FRONT)
        coverage.hit("few, one a cycle", pop and 0 < len(queue) < 6)
        coverage.hit("full", len(queue) == PARAMETERS["FRAMES"])
        if push:
            queue.append(data)
        if pop:
            queue.popleft()
    coverage.check(dict.fromkeys(coverage.hits, 10) | {"full": 0})


def test_tm_list() -> None:
    build_and_test("tm_list", __name__, parameters=PARAMETERS)


PUSH = {"push_i": 1}
test_assertion_fires = breaches(
    "tm_list",
    Breach("PopThere_A", "take a word of an empty list", [{"pop_i": 1}]),
    Breach(
        "NeverDry_A",
        "take a word a cycle; the mutant asks the block RAM too late",
        [PUSH, 30, {"push_i": 0, "pop_i": 1}, 2, {"pop_i": 0}],
        ("Refill = 10", "Refill = 1"),
    ),
    Breach(
        "Alone_A",
        "push behind the last word of the block RAM, and on; the mutant asks for words while one is late",
        [PUSH, 30, {"push_i": 0, "pop_i": 1}, 12, *([PUSH, {"push_i": 0}] * 20)],
        ("ask           = waits_any_q && room_q;", "ask           = (waits_any_q || late) && room_q;"),
    ),
    Breach(
        "FrontFits_A",
        "push more than the LUT RAM holds; the mutant sees room for ever",
        [PUSH, 30],
        ("count <= PlaceW'(Refill)", "1'b1"),
    ),
    Breach("BackFits_A", "push more words than there are places", [PUSH, 280]),
    **PARAMETERS,
)
