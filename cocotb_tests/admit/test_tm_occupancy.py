# SPDX-License-Identifier: BSD-3-Clause
"""tm_occupancy: bytes and packets held are exact in every cycle, and so are the answers to "does it still fit?"."""

from __future__ import annotations

from collections import deque
from typing import Any

import cocotb
import pytest
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.breaches import Breach, breaches

IDLE = {
    "next_len_i": 64,
    "soon_len_i": 64,
    "next_abort_i": 0,
    "changes_i": 0,
    "abort_i": 0,
    "depart_i": 0,
    "depart_last_i": 0,
    "soon_limit_bytes_i": 0,
    "next_limit_packets_i": 0,
    "next_k_i": 0,
}
LATE = 2  # cycles of departures not yet seen
SMALL = {"STORAGE": 4096, "DESCRIPTORS": 12}
PARAMETERS = [
    pytest.param(SMALL, id="4096x12"),
    pytest.param({"STORAGE": 40000, "DESCRIPTORS": 508}, id="40000x508", marks=pytest.mark.slow),
    pytest.param(SMALL | {"CUT_SHORT": 4000}, id="4096x12+4000"),
]


@cocotb.test()
async def counts_exactly(dut: Any) -> None:
    """Counts and compares.

    Stimulus: 6000 cycles, each with a frame to judge (1 to 2000 bytes, often what is left or one more; for a while
    only short ones), stored if it fits and often then, or with an abort of the newest; departures next to it, also of
    frames that were cut short and leave room for others at once; limits and K that change every few cycles.
    Checks: in every cycle B and P are the sums over the frames held, and those that left in the last two cycles or do
    now; over_bytes is B + len > limit, over_packets is P + 1 > limit, full is either or P >= DESCRIPTORS, above is
    B > K of each slot. What is configured counts in the cycle after it is shown, the byte limit one later.
    """
    rng = randomness("tm_occupancy")
    coverage = Coverage("tm_occupancy")
    storage, frames = dut.STORAGE.value.to_unsigned(), dut.DESCRIPTORS.value.to_unsigned()
    cut_short = dut.CUT_SHORT.value.to_unsigned()
    await start(dut, {**IDLE, "soon_limit_bytes_i": storage, "next_limit_packets_i": frames})
    await cycle(dut, 3)
    held: deque[int] = deque()  # and not seen to leave
    leaving: deque[int] = deque([0] * LATE, LATE)
    shown = (storage, frames, (0, 0))
    bytes_w = len(dut.bytes_o)
    configs = deque([shown] * 3, 3)  # of this cycle, the next, and the one after
    lengths = deque([64, 64])  # of this cycle's event, and of the next one's
    aborts = next_aborts = newest_may_abort = moved = False
    for step in range(6000):
        # choose this cycle's inputs
        drain, here, count = step // 700 % 2, sum(held), len(held)
        waiting = count - sum(1 for size in leaving if size)
        if rng.random() < 0.1:
            shown = (
                rng.choice([rng.randint(0, storage), storage + cut_short, here]),
                rng.choice([rng.randint(0, frames), frames, count, count + 1]),
                (rng.choice([rng.randint(0, storage), here]), rng.choice([rng.randint(0, storage), here])),
            )
        if step // 350 % 2:
            shown = (shown[0], frames, shown[2])
        configs.append(shown)
        limit_bytes, limit_packets, thresholds = configs[0]
        exact = max(1, min(shown[0] - here, 9216))
        soon_length = rng.choice([rng.randint(1, 2000), cut_short or 64, exact, min(exact + 1, 9216)])
        if step // 350 % 2:
            soon_length = rng.randint(14, 80)
        length = lengths[0]
        over_bytes, over_packets = here + length > limit_bytes, count + 1 > limit_packets
        lacking = min(sum(leaving), cut_short)  # of a frame that has left, and was cut short
        fits = here - lacking + length <= storage and count < frames
        # the event after the next is an abort, of the frame stored last
        soon_aborts = not (aborts or next_aborts) and waiting > 0 and newest_may_abort and rng.random() < 0.2
        may_store = not (aborts or next_aborts or soon_aborts) and fits and not over_bytes and not over_packets
        store = may_store and rng.random() < (0.4 if drain else 0.9)
        abort = aborts and waiting > 0 and newest_may_abort
        lengths.append(held[-1] if soon_aborts else soon_length)
        depart = waiting > (aborts or next_aborts or soon_aborts) and rng.random() < (0.8 if drain else 0.3)
        leaves = held[count - waiting] if depart else 0
        dut.next_len_i.value, dut.soon_len_i.value = lengths[1], lengths[2]
        dut.next_abort_i.value = next_aborts
        dut.changes_i.value = 3 * (store or abort)
        dut.abort_i.value, dut.depart_i.value = abort, depart
        dut.depart_last_i.value = leaves - 1 if leaves else rng.randint(0, 9215)
        dut.soon_limit_bytes_i.value = shown[0]
        _, dut.next_limit_packets_i.value, following = configs[1]
        dut.next_k_i.value = following[1] << bytes_w | following[0]
        await cycle(dut)
        # compare this cycle's state with the frames held
        where = f"step {step}: B {here} P {count} len {length} limit {limit_bytes}, {limit_packets} K {thresholds}"
        assert int(dut.bytes_o.value) == here, where
        assert int(dut.soon_bytes_o.value) == here - leaving[0], where
        assert int(dut.packets_o.value) == count, where
        if not aborts:
            assert bool(dut.over_bytes_o.value) == over_bytes, where
            assert bool(dut.over_packets_o.value) == over_packets, where
            assert bool(dut.full_o.value) == (over_bytes or over_packets or count >= frames), where
            assert int(dut.above_o.value) == sum((here > k) << slot for slot, k in enumerate(thresholds)), where
            coverage.hit("B + len = limit", here + length == limit_bytes)
            coverage.hit("B + len = limit + 1", here + length == limit_bytes + 1)
            coverage.hit("B = K", here in thresholds)
            coverage.hit("P = limit", count == limit_packets)
            coverage.hit("limit below B", limit_bytes < here)
            coverage.hit("right behind a store or an abort", moved)
        coverage.hit("store beside a departure", store and depart)
        coverage.hit("abort beside a departure", abort and depart)
        coverage.hit("emptied", bool(held) and waiting == depart + abort and not store)
        coverage.hit("all descriptors", count == frames)
        coverage.hit("more than the storage", here > storage)
        # what the cycle did
        if abort:
            held.pop()
        if store:
            held.append(length)
        if leaving[0]:
            held.popleft()
        leaving.append(leaves)
        newest_may_abort = store or (newest_may_abort and not abort and waiting > depart)
        aborts, next_aborts, moved = next_aborts, soon_aborts, store or abort
        lengths.popleft()
    coverage.check(
        {
            "B + len = limit": 60,
            "B + len = limit + 1": 60,
            "B = K": 60,
            "P = limit": 100,
            "right behind a store or an abort": 500,
            "limit below B": 50,
            "store beside a departure": 100,
            "abort beside a departure": 50,
            "emptied": 10,
            "all descriptors": 10 if frames < 100 else 0,
            "more than the storage": 10 if cut_short else 0,
        }
    )


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_tm_occupancy(parameters: dict[str, int]) -> None:
    build_and_test("tm_occupancy", __name__, parameters=parameters)


test_assertion_fires = breaches(
    "tm_occupancy",
    Breach(
        "NextKnown_A",
        "abort a frame unannounced",
        [{"changes_i": 3}, {"changes_i": 0}, {"changes_i": 3, "abort_i": 1}],
        idle=IDLE,
    ),
    Breach("NoUnderflow_A", "let a frame depart from an empty queue", [{"depart_i": 1}], idle=IDLE),
    Breach("NoOverflow_A", "store more bytes than there are", [{"next_len_i": 4097}, {"changes_i": 3}], idle=IDLE),
    Breach(
        "EmptyTogether_A",
        "let the only frame depart with one byte less than it was stored with",
        [2, {"changes_i": 3}, {"changes_i": 0, "depart_i": 1, "depart_last_i": 62}, {"depart_i": 0}],
        idle=IDLE,
    ),
    **SMALL,
)
