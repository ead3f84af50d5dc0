# SPDX-License-Identifier: BSD-3-Clause
"""tm_descriptors: a queue whose head is always at hand, whose newest entry can be taken back while it arrives."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import cocotb
import pytest
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.breaches import Breach, breaches

IDLE = dict.fromkeys(["push_i", "push_data_i", "arriving_i", "end_i", "abort_i", "pop_i", "flush_i"], 0)


@dataclass(eq=False)
class Waiting:
    """A frame that waits."""

    data: int
    arriving: bool
    condemned: bool = False


@cocotb.test()
async def like_a_deque(dut: Any) -> None:
    """The contract, at random.

    Stimulus: 8000 cycles of pushes, of frames that have ended or still arrive, pops, also one a cycle, ends, takings
    back of the newest frame at its end, and flushes, at rates that keep the queue now nearly empty, now full.
    Checks: in every cycle whether a frame waits, the head's descriptor, whether it arrives, whether it is condemned;
    a push shows in the next cycle.
    """
    rng = randomness("tm_descriptors")
    coverage = Coverage("tm_descriptors")
    frames, width = dut.FRAMES.value.to_unsigned(), dut.WIDTH.value.to_unsigned()
    await start(dut, IDLE)
    queue: deque[Waiting] = deque()
    newest: Waiting | None = None
    for step in range(8000):
        eager = (0.9, 0.3, 0.6, 0.5, 0.67)[step // 200 % 5]
        arrives = newest is not None and newest.arriving and newest in queue
        end = rng.random() < 0.4
        abort = arrives and end and rng.random() < 0.3
        pop = (
            bool(queue)
            and not (abort and queue[0] is newest)
            and rng.random() < (0.5, 0.6, 0.6, 0.95, 1.0)[step // 200 % 5]
        )
        # The next frame is judged when the newest has ended.
        push = not (newest and newest.arriving) and len(queue) < frames and rng.random() < eager
        flush = rng.random() < 0.02
        data, arriving = rng.getrandbits(width), rng.random() < 0.5
        dut.push_i.value, dut.push_data_i.value, dut.pop_i.value = push, data, pop
        dut.arriving_i.value = arriving if push else bool(newest and newest.arriving)
        dut.end_i.value, dut.abort_i.value, dut.flush_i.value = end, abort, flush
        await cycle(dut)
        assert bool(dut.waiting_o.value) == bool(queue), f"step {step}: {len(queue)} wait"
        flushing = bool(queue) and queue[0].condemned
        assert bool(dut.flushing_o.value) == flushing, f"step {step}: flushing"
        if queue:
            assert int(dut.head_o.value) == queue[0].data, f"step {step}: head"
            assert bool(dut.head_arriving_o.value) == queue[0].arriving, f"step {step}: arriving"
        coverage.hit("push into an empty queue", push and not queue)
        coverage.hit("push beside the last pop", push and pop and len(queue) == 1)
        coverage.hit("pop in the cycle after the push", pop and len(queue) == 1 and queue[0] is newest)
        coverage.hit("taken back beside a pop", abort and pop)
        coverage.hit("taken back: the only one", abort and len(queue) == 1)
        coverage.hit("taken back: the second", abort and len(queue) == 2)
        coverage.hit("flush of several", flush and len(queue) > 1)
        coverage.hit("flush beside a push", flush and push)
        coverage.hit("full", len(queue) == frames)
        coverage.hit("deep", len(queue) > 16)
        if pop:
            queue.popleft()
        if abort:
            queue.pop()
        if newest is not None and end:
            newest.arriving = False
        if push:
            newest = Waiting(data, arriving and not end)
            queue.append(newest)
        if flush and not flushing:
            for frame in queue:
                frame.condemned = True
    floors = dict.fromkeys(coverage.hits, 10)
    coverage.check(floors | {"full": 20 if frames < 100 else 0, "deep": 0 if frames < 100 else 30})


@pytest.mark.parametrize(("width", "frames"), [(20, 12), *slow((35, 200))])
def test_tm_descriptors(width: int, frames: int) -> None:
    build_and_test("tm_descriptors", __name__, parameters={"WIDTH": width, "FRAMES": frames})


test_assertion_fires = breaches(
    "tm_descriptors",
    Breach("PopWaiting_A", "pop an empty queue", [{"pop_i": 1}]),
    Breach(
        "HeadAtHand_A",
        "push a frame; the mutant leaves the place of the head empty",
        [{"push_i": 1}, 2],
        ("free        = !head_valid_q || pop_i", "free        = pop_i"),
    ),
    Breach(
        "OneArrives_A", "push a frame behind one that still arrives", [{"push_i": 1, "arriving_i": 1}, {"push_i": 1}]
    ),
    WIDTH=20,
    FRAMES=12,
)
