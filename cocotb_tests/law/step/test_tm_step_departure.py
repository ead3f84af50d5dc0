# SPDX-License-Identifier: BSD-3-Clause
"""tm_step_departure: a deferred frame is marked exactly if it leaves more than K bytes behind."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import cocotb
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.breaches import Breach, breaches
from cocotb_tests.env.tm_pkg import PULL

SEEN = 2  # cycles from the one in which it is stored, or the one after it was taken back, until it counts
IDLE = dict.fromkeys(
    ["stored_i", "stored_last_i", "abort_i", "pull_i", "head_last_i", "head_deferred_i", "on_i", "k_i"], 0
)


@dataclass
class Waiting:
    """A frame of the queue."""

    length: int
    deferred: bool


@cocotb.test()
async def marks_what_leaves_more_behind(dut: Any) -> None:
    """The compare, strict, the bytes that it is made of, and when they count.

    Stimulus: 30,000 cycles of frames of all lengths, at K of all sizes, often what is behind or a byte next to it;
    queues that are short, long and empty; frames that leave at once, are flushed or taken back.
    Checks: `head_mark` in every cycle in which a frame waits, and `mark_o` for the frame pulled last.
    """
    rng = randomness("tm_step_departure")
    coverage = Coverage("tm_step_departure")
    most = (1 << dut.COUNT_W.value.to_unsigned()) - 1
    await start(dut, IDLE)
    queue: deque[Waiting] = deque()
    stored: deque[int] = deque([0] * SEEN)  # bytes so far, by cycle
    pulled = k = free = 0
    on = marked = arriving = False
    back = 0  # length of the frame taken back a cycle ago
    for step in range(30_000):
        head = queue[0] if queue else None
        often = (0.3, 0.9, 0.05)[step // 400 % 3]
        pop = head is not None and rng.random() < (0.3 if often > 0.5 else 0.6)
        frame = Waiting(rng.choice((1, 60, 64, 1514, rng.randint(1, 9000))), rng.random() < 0.7)
        room = sum(each.length for each in queue) + back + frame.length <= most
        comes = step >= free and room and rng.random() < often
        at_once = comes and not queue and rng.random() < 0.3
        abort = ((arriving and not comes) or (comes and not at_once)) and rng.random() < 0.1
        if abort and not comes and len(queue) == 1:
            pop = False
        sent = at_once or (pop and rng.random() < 0.8)

        # K of this cycle is for the next one's head.
        follower = (queue[1] if len(queue) > 1 else None) if pop else head
        asked = rng.choice((0, most, rng.randint(0, most), k))
        if follower and rng.random() < 0.7:
            behind = stored[-1] - pulled - (head.length if pop and head else 0) - follower.length
            asked = min(max(behind + rng.choice((-1, -1, 0, 0, 1, 60)), 0), most)
        turned = rng.random() < 0.9
        dut.on_i.value, dut.k_i.value = turned, asked
        dut.stored_i.value, dut.abort_i.value = comes, abort
        dut.stored_last_i.value = (back or frame.length) - 1
        dut.head_last_i.value = head.length - 1 if head else 0
        dut.head_deferred_i.value = head.deferred if head else 0
        dut.pull_i.value = PULL.pack(frame=sent, head=pop)
        await cycle(dut)

        expected = False
        if head:
            behind = stored[0] - pulled - head.length
            expected = on and head.deferred and behind > k
            assert bool(dut.head_mark.value) == expected, f"cycle {step}: {head}, {behind} bytes behind, K {k}"
            coverage.hit("K behind", on and head.deferred and behind == k)
            coverage.hit("K + 1 behind", on and head.deferred and behind == k + 1)
            coverage.hit("not deferred", on and not head.deferred and behind > k)
            coverage.hit("off", not on and head.deferred and behind > k)
            coverage.hit("not counted", behind < 0)
            coverage.hit("pulled marked", sent and pop and expected)
            coverage.hit("flushed", pop and not sent and expected)
            coverage.hit("taken back", abort)
        coverage.hit("left at once", at_once)
        assert bool(dut.mark_o.value) == marked
        if sent:
            marked = expected and pop
        on, k = turned, asked
        # What is taken back counts as a frame that came a cycle later, and less.
        stored.append(stored[-1] + (frame.length if comes and not at_once else 0) - back)
        stored.popleft()
        back = 0
        if pop:
            pulled += queue.popleft().length
        if comes and not at_once and not abort:
            queue.append(frame)
        elif abort:
            back = frame.length if comes else queue.pop().length
            free = step + 2  # the next cannot come sooner
        arriving = not abort and bool(queue) and (comes or arriving) and not at_once and rng.random() < 0.8
    coverage.check(
        {"K behind": 500, "K + 1 behind": 500, "not deferred": 500, "off": 300, "not counted": 500,
         "pulled marked": 500, "flushed": 100, "left at once": 100, "taken back": 100}
    )  # fmt: skip


def test_tm_step_departure() -> None:
    build_and_test("tm_step_departure", __name__)


test_assertion_fires = breaches(
    "tm_step_departure",
    Breach("BackOnce_A", "store a frame in the cycle after one was taken back",
           [{"stored_i": 1, "abort_i": 1}, {"abort_i": 0}]),
)  # fmt: skip
