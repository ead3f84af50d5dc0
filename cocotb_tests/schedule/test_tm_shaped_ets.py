# SPDX-License-Identifier: BSD-3-Clause
"""tm_shaped_ets: selects as the golden model's scheduler does among the queues that may send."""

from __future__ import annotations

from collections import deque
from typing import Any

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge
from truemark_dev.golden import golden
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness, start
from cocotb_tests.env.line import BEHIND, behind
from cocotb_tests.env.packed import packed
from cocotb_tests.env.tm_pkg import LEN_W, RATE_FRACTION_W, SHAPE

pytestmark = pytest.mark.builds("golden")

BEAT = 32 << RATE_FRACTION_W  # 32 bytes a cycle
IDLE = dict.fromkeys(
    ["waiting_i", "len_i", "behind_i", "strict_i", "quantum_i", "shape_i", "line_shape_i", "paused_i", "ready_i"], 0
)


def pins(rate: int, burst: int) -> int:
    """Return what a bucket is configured with."""
    return SHAPE.pack(on=int(rate > 0), rate=rate, burst=burst)


@cocotb.test()
async def selects_among_those_that_may(dut: Any) -> None:
    """The order of frames, strict and shared, of queues that are paused at times, and with a line held to rates.

    Stimulus: frames for queues that stand or run dry, some strict, some held to a rate, from a fiftieth of the line's
    up, often the line as well; pauses of any queue that begin and end at random; frames that take a cycle, or ten, and
    are at hand at once, or read for some cycles when their turn comes; again every 600 cycles.
    Checks: in each cycle of a selection the queue that the golden model selects of those that are not paused and whose
    buckets are open, if the line's is: no other, and always one if one of them waits, unless its frame is read;
    `open_o` is the model's.
    """
    rng = randomness("tm_shaped_ets")
    coverage = Coverage("tm_shaped_ets")
    await start(dut, IDLE)
    count, most = dut.QUEUES.value.to_unsigned(), dut.MAX_FRAME.value.to_unsigned()
    shaping = bool(dut.SHAPING.value)
    ets = golden().Ets(count)
    buckets, line = [golden().Bucket() for _ in range(count)], golden().Bucket()
    queues: list[deque[int]] = [deque() for _ in range(count)]
    cycle = left = 0
    sending: int | None = None

    def shape(often: float) -> tuple[int, int]:
        rate = rng.choice((BEAT // 50, BEAT // 4, rng.randint(1, BEAT))) if rng.random() < often else 0
        return (rate, rng.choice((most, 2 * most, rng.randint(most, 9 * most)))) if shaping else (0, 0)

    for _ in range(30):
        strict = [rng.random() < 0.3 for _ in range(count)]
        quanta = [most * rng.choice((1, 2, 5)) + rng.randrange(most) for _ in range(count)]
        shapes, of_line = [shape(0.6) for _ in range(count)], shape(0.5)
        for queue in queues:
            queue.clear()
        # The frame that is being sent ends, a cycle after the last of before.
        dut.waiting_i.value = 0
        dut.behind_i.value = packed([behind(None, ended=True)] * count, BEHIND.width)
        ets.see([None] * count)
        await RisingEdge(dut.clk_i)
        cycle, sending = cycle + 1, None
        dut.strict_i.value = packed([int(one) for one in strict], 1)
        dut.quantum_i.value = packed(quanta, len(dut.quantum_i) // count)
        dut.shape_i.value = packed([pins(*each) for each in shapes], SHAPE.width)
        dut.line_shape_i.value = pins(*of_line)
        for number in range(count):
            ets.configure(number, strict[number], quanta[number])
            buckets[number].configure(*shapes[number], cycle)
        line.configure(*of_line, cycle)
        lasts, paused = rng.choice((1, 10)), [False] * count
        changes = rng.choice((0, 0.02, 0.2))
        reads, left_unread = rng.choice((0, 0.5)), [0] * count
        for turn in range(600):
            for queue in queues:
                if turn and len(queue) < 9 and rng.random() < 0.2:
                    queue.append(rng.choice((64, most, rng.randint(1, most))))
            ends = sending is not None and left == 1
            select = sending is None or ends
            unread = [bool(queue) and each > 0 for queue, each in zip(queues, left_unread, strict=True)]
            left_unread = [each - unread_one for each, unread_one in zip(left_unread, unread, strict=True)]
            waiting = [bool(queue) and not each for queue, each in zip(queues, unread, strict=True)]
            dut.waiting_i.value = packed([int(each) for each in waiting], 1)
            dut.len_i.value = packed([queue[0] if queue else 0 for queue in queues], LEN_W)
            said = [
                behind(queue[0] if queue else None, ended=ends, unread=each)
                for queue, each in zip(queues, unread, strict=True)
            ]
            dut.behind_i.value = packed(said, BEHIND.width)
            paused = [each != (rng.random() < changes) for each in paused]
            dut.paused_i.value = packed([int(each) for each in paused], 1)
            is_open = [bucket.open(cycle) for bucket in buckets]
            may_send = [each and not held for each, held in zip(is_open, paused, strict=True)]
            heads = [queue[0] if queue and may else None for queue, may in zip(queues, may_send, strict=True)]
            if sending is not None and not ends:
                heads[sending] = 64  # its place is kept
            ets.see(heads)
            late = [each and number != (None if ends else sending) for number, each in enumerate(unread)]
            expected = ets.select(heads, late) if select and line.open(cycle) else None
            await ReadOnly()
            assert int(dut.open_o.value) == packed([int(one) for one in is_open], 1)
            assert int(dut.sending_o.value) == (0 if sending is None else 1 << sending), f"cycle {cycle}"
            assert expected is not None or not (select and line.open(cycle) and any(heads)) or any(late)
            coverage.hit("the line waits for a read", expected is None and select and line.open(cycle) and any(heads))
            waits = [bool(queue) and not may for queue, may in zip(queues, is_open, strict=True)]
            coverage.hit("a queue waits for its rate, another sends", any(waits) and expected is not None)
            coverage.hit(
                "a strict queue waits, one that shares sends",
                expected is not None
                and not strict[expected]
                and any(one and is_strict for one, is_strict in zip(waits, strict, strict=True)),
            )
            stands = [bool(queue) and held for queue, held in zip(queues, paused, strict=True)]
            coverage.hit("a queue is paused, another sends", any(stands) and expected is not None)
            coverage.hit(
                "the queue that sent is paused",
                ends and sending is not None and stands[sending] and select and line.open(cycle),
            )
            coverage.hit("the line waits", select and not line.open(cycle) and any(heads))
            left -= 1
            if select:
                sending = expected
            if expected is not None:
                left = lasts
                for bucket in (buckets[expected], line):
                    bucket.charge(queues[expected][0], cycle)
                queues[expected].popleft()
                left_unread[expected] = rng.randint(1, 9) if rng.random() < reads else 0
            cycle += 1
            await RisingEdge(dut.clk_i)
    pauses = [name for name in coverage.hits if "paused" in name or "read" in name]
    coverage.check(dict.fromkeys(list(coverage.hits), 50 if shaping else 0) | dict.fromkeys(pauses, 50))


@pytest.mark.parametrize(("queues", "shaping"), [(2, 1), *slow((8, 1), (4, 0))])
def test_tm_shaped_ets(queues: int, shaping: int) -> None:
    parameters = {"QUEUES": queues, "MAX_FRAME": 1518, "SHAPING": shaping}
    build_and_test("tm_shaped_ets", __name__, parameters=parameters)
