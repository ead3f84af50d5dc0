# SPDX-License-Identifier: BSD-3-Clause
"""tm_descriptors: a queue whose head is at hand one cycle after its push, whose newest entry can be taken back."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import cocotb
import pytest
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.breaches import Breach, breaches

IDLE = {"offer_i": 0, "push_i": 0, "push_data_i": 0, "push_ahead_i": 0, "unpush_i": 0, "pop_i": 0, "flush_i": 0}


@dataclass(eq=False)
class Waiting:
    """A frame that waits."""

    data: int
    condemned: bool = False


@cocotb.test()
async def like_a_deque(dut: Any) -> None:
    """The contract, at random.

    Stimulus: 8000 cycles of pushes, pops, takings back of the newest frame, and flushes, at rates that keep the queue
    now nearly empty, now full.
    Checks: in every cycle whether a frame waits, the head's descriptor, whether it is the newest, and whether it is
    condemned; a push shows in the next cycle.
    """
    rng = randomness("tm_descriptors")
    coverage = Coverage("tm_descriptors")
    frames, width = dut.FRAMES.value.to_unsigned(), dut.WIDTH.value.to_unsigned()
    await start(dut, IDLE)
    queue: deque[Waiting] = deque()
    newest: Waiting | None = None
    for step in range(8000):
        eager = (0.9, 0.3, 0.6, 0.5)[step // 200 % 4]
        pop = bool(queue) and rng.random() < (0.5, 0.6, 0.6, 0.95)[step // 200 % 4]
        unpush = (
            newest is not None
            and bool(queue)
            and queue[-1] is newest
            and not (pop and len(queue) == 1)
            and rng.random() < 0.15
        )
        push = not unpush and len(queue) < frames and rng.random() < eager
        flush = rng.random() < 0.02
        data = rng.getrandbits(width)
        dut.push_i.value, dut.push_data_i.value, dut.unpush_i.value = push, data, unpush
        dut.offer_i.value = push or rng.random() < 0.3
        dut.pop_i.value, dut.flush_i.value = pop, flush
        await cycle(dut)
        assert bool(dut.waiting_o.value) == bool(queue), f"step {step}: {len(queue)} wait"
        flushing = bool(queue) and queue[0].condemned
        assert bool(dut.flushing_o.value) == flushing, f"step {step}: flushing"
        if queue:
            assert int(dut.head_o.value) == queue[0].data, f"step {step}: head"
            assert bool(dut.head_is_newest_o.value) == (len(queue) == 1), f"step {step}: newest"
        coverage.hit("push into an empty queue", push and not queue)
        coverage.hit("push beside the last pop", push and pop and len(queue) == 1)
        coverage.hit("pop in the cycle after the push", pop and len(queue) == 1 and queue[0] is newest)
        coverage.hit("taken back beside a pop", unpush and pop)
        coverage.hit("taken back: the only one", unpush and len(queue) == 1)
        coverage.hit("flush of several", flush and len(queue) > 1)
        coverage.hit("flush beside a push", flush and push)
        coverage.hit("full", len(queue) == frames)
        if pop:
            queue.popleft()
        if unpush:
            queue.pop()
            newest = None
        if push:
            newest = Waiting(data)
            queue.append(newest)
        if flush and not flushing:
            for frame in queue:
                frame.condemned = True
    floors = dict.fromkeys(coverage.hits, 10)
    coverage.check(floors | {"full": 20 if frames < 100 else 0, "taken back: the only one": 5})


@pytest.mark.parametrize(("width", "frames"), [(20, 12), (35, 200)])
def test_tm_descriptors(width: int, frames: int) -> None:
    build_and_test("tm_descriptors", __name__, parameters={"WIDTH": width, "FRAMES": frames})


PUSH = {"push_i": 1, "offer_i": 1}

test_assertion_fires = breaches(
    "tm_descriptors",
    Breach("PopWaiting_A", "pop an empty queue", [{"pop_i": 1}]),
    Breach(
        "HeadAtHand_A",
        "take back a frame that was popped: the ring holds what nobody pushed",
        [PUSH, {"push_i": 0, "pop_i": 1}, {"pop_i": 0, "unpush_i": 1}, {"unpush_i": 0}],
    ),
    Breach("PushOrUnpush_A", "push and take back in one cycle", [PUSH, {"unpush_i": 1}]),
    Breach("PushOffered_A", "push what was not offered", [{"push_i": 1}]),
    Breach(
        "FetchSettled_A",
        "push into an empty queue; the mutant fetches in the same cycle",
        [PUSH],
        ("(fetched_q || head_q != write_q)", "1'b1"),
    ),
    WIDTH=20,
    FRAMES=12,
)
