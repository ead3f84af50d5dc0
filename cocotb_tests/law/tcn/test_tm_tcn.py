# SPDX-License-Identifier: BSD-3-Clause
"""tm_tcn: a frame is marked exactly if it is ECT and waited longer than T, as the cycle before saw time and T."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import cocotb
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.breaches import Breach, breaches
from cocotb_tests.env.tm_pkg import PULL, TCN, TCN_TIME_W, TCN_W

TIMES, THRESHOLDS = 1 << TCN_TIME_W, 1 << TCN_W
AT_HAND = 3  # cycles after it was stored
IDLE = dict.fromkeys(["time_i", "stored_i", "stored_time_i", "stored_ect_i", "abort_i", "pull_i", "hold_i", "cfg_i"], 0)


@dataclass
class Waiting:
    """A frame of the queue, with the cycle in which it was stored."""

    stamp: int
    ect: bool
    stored: int


@cocotb.test()
async def marks_what_waited_longer(dut: Any) -> None:
    """The compare, strict, the frame that it is made of, and the time.

    Stimulus: 30,000 cycles of frames that wait about T, or anything, at thresholds of all sizes; queues that are
    short, long and empty; frames that leave at once, are flushed or taken back; a time that stands, runs, jumps and
    wraps; departures that go on (`hold_i`).
    Checks: `head_mark` in every cycle in which a frame waits, and `mark_o` for the frame pulled last.
    """
    rng = randomness("tm_tcn")
    coverage = Coverage("tm_tcn")
    frames = dut.FRAMES.value.to_unsigned()
    await start(dut, IDLE)
    queue: deque[Waiting] = deque()
    now = threshold = time = asked = free = 0
    marked = arriving = False  # the newest of the queue has not ended
    for step in range(30_000):
        head = queue[0] if queue else None
        often = (0.3, 0.9, 0.05)[step // 400 % 3]
        pop = head is not None and rng.random() < (0.3 if often > 0.5 else 0.6)
        stored = step >= free and len(queue) < frames and rng.random() < often
        at_once = stored and not queue and rng.random() < 0.3
        abort = ((arriving and not stored) or (stored and not at_once)) and rng.random() < 0.1
        if abort and not stored and len(queue) == 1:
            pop = False
        frame = Waiting(rng.choice((time, time, rng.getrandbits(TCN_TIME_W))), rng.random() < 0.7, step)

        # Time and T of this cycle: of the next one's head, which waits about T, or anything.
        if rng.random() < 0.02:
            asked = rng.choice((0, 1, THRESHOLDS - 1, 10**9, rng.getrandbits(TCN_W), rng.getrandbits(8)))
        follower = (queue[1] if len(queue) > 1 else None) if pop else head
        if follower and rng.random() < 0.5:
            off = rng.choice((-1, 0, 1, 2, rng.randrange(1000), rng.getrandbits(TCN_TIME_W)))
            time = (follower.stamp + asked + off) % TIMES
        else:
            time = (time + rng.choice((0, 3, 8, 8, 8, rng.getrandbits(30)))) % TIMES
        hold = rng.random() < 0.2
        sent = at_once or (pop and rng.random() < 0.8)
        dut.time_i.value, dut.hold_i.value = time, hold
        dut.cfg_i.value = TCN.pack(on=asked != 0, threshold=asked)
        dut.stored_i.value, dut.stored_time_i.value, dut.stored_ect_i.value = stored, frame.stamp, frame.ect
        dut.abort_i.value, dut.pull_i.value = abort, PULL.pack(frame=sent, head=pop)
        await cycle(dut)

        expected = False
        if head:
            excess = (now - head.stamp) % TIMES - threshold
            over = 0 < excess <= TIMES // 2
            at_hand = head.stored + AT_HAND <= step
            expected = bool(threshold) and head.ect and over and at_hand
            assert bool(dut.head_mark.value) == expected, f"cycle {step}: {head}, now {now}, T {threshold} ns"
            ect = bool(threshold) and head.ect
            coverage.hit("waited T", ect and excess == 0)
            coverage.hit("waited T + 1", ect and excess == 1 and at_hand)
            coverage.hit("beyond half the clock", ect and excess > TIMES // 2)
            coverage.hit("not at hand", ect and over and not at_hand)
            coverage.hit("no ECT", bool(threshold) and not head.ect and over)
            coverage.hit("off", not threshold and head.ect)
            coverage.hit("held over", hold and expected)
            coverage.hit("pulled marked", sent and pop and expected)
            coverage.hit("flushed", pop and not sent and expected)
            coverage.hit("100 wait", len(queue) > 100)
            coverage.hit("taken back, read", abort and not stored and step - queue[-1].stored > AT_HAND)
        coverage.hit("left at once", at_once)
        assert bool(dut.mark_o.value) == marked
        if sent:
            marked = expected and pop
        if not hold:
            now, threshold = time, asked
        if pop:
            queue.popleft()
        if stored and not at_once and not abort:
            queue.append(frame)
        elif abort and not stored:
            queue.pop()
        if abort:
            free = step + 2  # the next cannot come sooner
        arriving = not abort and bool(queue) and (stored or arriving) and not at_once and rng.random() < 0.8
    coverage.check(
        {"waited T": 500, "waited T + 1": 500, "beyond half the clock": 100, "no ECT": 500, "off": 500,
         "not at hand": 500, "held over": 500, "pulled marked": 500, "flushed": 500, "left at once": 500,
         "100 wait": 500, "taken back, read": 20}
    )  # fmt: skip


def test_tm_tcn() -> None:
    build_and_test("tm_tcn", __name__)


test_assertion_fires = breaches(
    "tm_tcn",
    Breach("BackOnce_A", "store a frame in the cycle after one was taken back",
           [{"stored_i": 1, "abort_i": 1}, {"abort_i": 0}]),
)  # fmt: skip
