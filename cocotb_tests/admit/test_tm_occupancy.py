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
    "len_i": 64,
    "store_i": 0,
    "abort_i": 0,
    "depart_i": 0,
    "depart_len_i": 0,
    "limit_bytes_i": 0,
    "limit_packets_i": 0,
}
SMALL = {"STORAGE": 4096, "DESCRIPTORS": 12}
PARAMETERS = [
    pytest.param(SMALL, id="4096x12"),
    pytest.param({"STORAGE": 40000, "DESCRIPTORS": 508}, id="40000x508"),
]


@cocotb.test()
async def counts_exactly(dut: Any) -> None:
    """Counts and compares.

    Stimulus: 6000 cycles, each with a frame to judge (1 to 2000 bytes, often exactly what is left, or one byte more;
    for a while only short ones), stored if it fits and half of the time else; departures and aborts beside it; limits
    that change every few cycles.
    Checks: in every cycle B and P are the sums over the frames held, over_bytes is B + len > limit, over_packets is P +
    1 > limit, no_descriptor is P >= DESCRIPTORS. A limit enters the byte compare one cycle after it is shown.
    """
    rng = randomness("tm_occupancy")
    coverage = Coverage("tm_occupancy")
    storage, frames = dut.STORAGE.value.to_unsigned(), dut.DESCRIPTORS.value.to_unsigned()
    await start(dut, IDLE)
    held: deque[int] = deque()
    newest_may_abort = False
    limit_bytes = next_limit = storage
    limit_packets = frames
    length = IDLE["len_i"]
    dut.limit_bytes_i.value = storage
    await cycle(dut)
    stored = aborted = departed = 0
    for step in range(6000):
        # choose this cycle's inputs
        limit_bytes, drain = next_limit, step // 700 % 2
        if rng.random() < 0.1:
            next_limit = rng.choice([rng.randint(0, storage), storage, sum(held)])
            limit_packets = rng.choice([rng.randint(0, frames), frames, len(held), len(held) + 1])
        here = sum(held)
        exact = max(1, min(next_limit - here, 9216))
        next_length = rng.choice([rng.randint(1, 2000), 64, exact, min(exact + 1, 9216)])
        if step // 350 % 2:
            next_length = rng.randint(14, 80)
            limit_packets = frames
        over_bytes, over_packets = here + length > limit_bytes, len(held) + 1 > limit_packets
        fits = here + length <= storage and len(held) < frames
        store = fits and not over_bytes and not over_packets and rng.random() < (0.4 if drain else 0.9)
        abort = not store and newest_may_abort and len(held) > 0 and rng.random() < 0.3
        depart = len(held) > abort and rng.random() < (0.8 if drain else 0.3)
        dut.len_i.value, dut.next_len_i.value = length, next_length
        if abort:
            dut.len_i.value = held[-1]
        dut.store_i.value, dut.abort_i.value, dut.depart_i.value = store, abort, depart
        dut.depart_len_i.value = held[0] if depart else rng.randint(0, 9216)
        dut.limit_bytes_i.value, dut.limit_packets_i.value = next_limit, limit_packets
        await cycle(dut)
        # compare this cycle's state with the frames held
        assert int(dut.bytes_o.value) == here, f"step {step}"
        assert int(dut.packets_o.value) == len(held), f"step {step}"
        assert bool(dut.over_bytes_o.value) == over_bytes, f"step {step}: B {here} len {length} limit {limit_bytes}"
        assert bool(dut.over_packets_o.value) == over_packets, f"step {step}: P {len(held)} limit {limit_packets}"
        assert bool(dut.no_descriptor_o.value) == (len(held) >= frames), f"step {step}"
        coverage.hit("B + len = limit", here + length == limit_bytes)
        coverage.hit("B + len = limit + 1", here + length == limit_bytes + 1)
        coverage.hit("P = limit", len(held) == limit_packets)
        coverage.hit("limit below B", limit_bytes < here)
        coverage.hit("store beside a departure", store and depart)
        coverage.hit("abort beside a departure", abort and depart)
        coverage.hit("emptied", bool(held) and len(held) == depart + abort and not store)
        coverage.hit("all descriptors", len(held) == frames)
        # what the cycle did
        if depart:
            held.popleft()
        if abort:
            held.pop()
        if store:
            held.append(length)
        newest_may_abort = store or (newest_may_abort and not abort)
        stored, aborted, departed = stored + store, aborted + abort, departed + depart
        assert stored == aborted + departed + len(held)
        length = next_length
    coverage.check(
        {
            "B + len = limit": 60,
            "B + len = limit + 1": 60,
            "P = limit": 100,
            "limit below B": 50,
            "store beside a departure": 100,
            "abort beside a departure": 50,
            "emptied": 10,
            "all descriptors": 10 if frames < 100 else 0,
        }
    )


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_tm_occupancy(parameters: dict[str, int]) -> None:
    build_and_test("tm_occupancy", __name__, parameters=parameters)


test_assertion_fires = breaches(
    "tm_occupancy",
    Breach("StoreOrAbort_A", "store and abort in one cycle", [{"store_i": 1}, {"abort_i": 1}], idle=IDLE),
    Breach("NoUnderflow_A", "let a frame depart from an empty queue", [{"depart_i": 1}], idle=IDLE),
    Breach("NoOverflow_A", "store more bytes than there are", [{"store_i": 1, "len_i": 4097}], idle=IDLE),
    Breach(
        "EmptyTogether_A",
        "let the only frame depart with one byte less than it was stored with",
        [{"store_i": 1}, {"store_i": 0, "depart_i": 1, "depart_len_i": 63}, {"depart_i": 0}],
        idle=IDLE,
    ),
    **SMALL,
)
