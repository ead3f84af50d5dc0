# SPDX-License-Identifier: BSD-3-Clause
"""tm_sojourn: each departure's tally names the right frame and the time it was held, modulo 2^42 ns."""

from __future__ import annotations

from collections import deque
from typing import Any

import cocotb
import pytest
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.breaches import Breach, breaches
from cocotb_tests.env.tm_pkg import LEN_W, STAMP_W, Class, Departure

IDLE = dict.fromkeys(["time_i", "push_i", "stamp_i", "class_i", "ece_i", "len_i", "depart_i", "gone_i", "kind_i"], 0)
WRAP = 1 << STAMP_W
Tally = tuple[int, int, int, int, int]


@cocotb.test()
async def names_and_times(dut: Any) -> None:
    """Records and departures, at random.

    Stimulus: 8000 cycles; frames recorded at the end of their arrival, some of them after they began to depart; frames
    of one row and longer, sent or dropped, back to back or not; time that runs, wraps and jumps in both directions.
    Checks: exactly four cycles after a frame's last row is taken its class, ECE flag, length, how it left,
    and the time between verdict and departure; no tally in any other cycle.
    """
    rng = randomness("tm_sojourn")
    coverage = Coverage("tm_sojourn")
    frames = dut.FRAMES.value.to_unsigned()
    await start(dut, IDLE)
    now = WRAP - 5000
    stamps: deque[int] = deque()  # verdicts of frames that have not departed
    arriving: deque[int] = deque()  # verdicts of frames whose record is not written yet
    records: deque[tuple[int, int, int, int]] = deque()
    due: dict[int, Tally] = {}
    left = departed = kind = 0
    is_open = False
    for step in range(8000):
        now = (now + (5 if rng.random() < 0.99 else rng.randrange(WRAP))) % WRAP
        dut.time_i.value = now
        # a verdict: at most one frame is still arriving
        if (
            not arriving
            and len(stamps) + len(records) + is_open < frames
            and rng.random() < (0.7 if step // 500 % 2 else 0.3)
        ):
            stamps.append(now)
            arriving.append(now)
        # the end of an arrival
        push = bool(arriving) and arriving[0] != now and rng.random() < 0.6
        record = (arriving[0] if push else 0, rng.choice(list(Class)), rng.getrandbits(1), rng.randrange(1 << LEN_W))
        if push:
            arriving.popleft()
            records.append(record)
        dut.push_i.value = push
        dut.stamp_i.value, dut.class_i.value, dut.ece_i.value, dut.len_i.value = record
        # a departure, one row or several
        depart = not is_open and bool(stamps) and stamps[0] != now and rng.random() < 0.5
        if depart:
            is_open, left, departed = True, rng.choice((1, 1, 2, 5)), now
            kind = rng.choice(list(Departure))
            stamps.popleft()
        gone = is_open and left <= 1 and bool(records)
        left -= is_open
        dut.depart_i.value, dut.gone_i.value, dut.kind_i.value = depart, gone, kind
        if gone:
            stamp, class_id, ece, length = records.popleft()
            due[step + 4] = ((departed - stamp) % WRAP, class_id, ece, length, kind)
            is_open = False
            coverage.hit("one row", depart)
            coverage.hit("recorded in the cycle it is gone", push and not records)
            coverage.hit("back to back", step + 3 in due)
            coverage.hit("time went backwards", departed < stamp)
        coverage.hit("departs before its record", depart and len(stamps) == 0 and bool(arriving))
        coverage.hit("full", len(records) > frames - 3)
        await cycle(dut)
        valid = bool(dut.valid_o.value)
        assert valid == (step in due), f"step {step}: tally {valid}"
        if valid:
            got = tuple(int(pin.value) for pin in (dut.sojourn_o, dut.class_o, dut.ece_o, dut.len_o, dut.kind_o))
            assert got == due.pop(step), f"step {step}"
    floors = {"one row": 100, "recorded in the cycle it is gone": 20, "back to back": 20, "time went backwards": 5}
    coverage.check(floors | {"departs before its record": 100})


@pytest.mark.parametrize("frames", [12, *slow(508)])
def test_tm_sojourn(frames: int) -> None:
    build_and_test("tm_sojourn", __name__, parameters={"FRAMES": frames})


test_assertion_fires = breaches(
    "tm_sojourn", Breach("RecordThere_A", "let a frame be gone that was never recorded", [{"gone_i": 1}]), FRAMES=12
)
