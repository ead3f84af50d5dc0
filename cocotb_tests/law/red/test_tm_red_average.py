# SPDX-License-Identifier: BSD-3-Clause
"""tm_red_average: the recursion is exact for every weight, one slot in each cycle."""

from __future__ import annotations

from collections import deque
from typing import Any

import cocotb
import pytest
from truemark_dev.golden import golden
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.red import ONE, Law
from cocotb_tests.env.tm_pkg import Spacing

pytestmark = pytest.mark.builds("golden")

PINS = (
    "place_i", "stored_i", "faded_i", "any_i", "power_i", "idle_i", "bytes_i", "packets_i", "weight_i", "linux_i",
    "by_packets_i", "now_idle_i", "now_i", "now_packets_i", "decay_valid_i", "decay_place_i", "decay_i",
)  # fmt: skip
IDLE = dict.fromkeys(PINS, 0)
SLOTS = 6  # the shortest round of a scan
KEPT, NEXT = 4, 6  # stages of what is kept, and of that after one more step


@cocotb.test()
async def averages_exactly(dut: Any) -> None:
    """Every weight.

    Stimulus: six slots in turn, 3000 times: each with a weight from 0 to 24 for 100 turns, from an average of 0 on;
    none to eight steps in a turn, B random, at both ends for long, or a small one; now and then what an idle time has
    left instead of an average; one slot of two as Linux averages, some of whose steps find the queue idle; P random,
    and a slot goes by B or by 64 P for 100 turns.
    Checks: what is kept, and what one more step would make of it.
    """
    rng = randomness("tm_red_average")
    coverage = Coverage("tm_red_average")
    top = (1 << dut.COUNT_W.value.to_unsigned()) - 1
    most = (1 << dut.FRAMES_W.value.to_unsigned()) - 1
    await start(dut, IDLE, reset=None)
    laws, levels, rates = [Law()] * SLOTS, [0] * SLOTS, [0.0] * SLOTS
    kept = [0] * SLOTS
    faded: list[int | None] = [None] * SLOTS
    weights = 0
    stage_1 = dict.fromkeys(
        ("any_i", "power_i", "idle_i", "bytes_i", "packets_i", "weight_i", "linux_i", "by_packets_i"), 0
    )
    stage_3 = deque([{"now_i": 0, "now_packets_i": 0, "now_idle_i": 0}] * 3)
    kept_due: deque[int | None] = deque([None] * KEPT)
    next_due: deque[int | None] = deque([None] * NEXT)
    places = deque([0] * 10, maxlen=10)
    stored = [False] * SLOTS
    for now in range(SLOTS * 3000):
        slot, turn = now % SLOTS, now // SLOTS
        if turn % 100 == 0:
            spacing = Spacing.LINUX if slot % 2 else Spacing.UNIFORM
            laws[slot] = Law(weight=weights % 25, spacing=spacing, packets=rng.random() < 0.5)
            stored[slot], faded[slot] = False, None
            weights += rng.randint(1, 3)
        if turn % 20 == 0:
            levels[slot], rates[slot] = rng.choice((0, top, -1, -1, 1)), rng.choice((1.0, 1.0, 0.5, 0.1))
        law, has_faded = laws[slot], faded[slot]
        linux = law.spacing is Spacing.LINUX
        base = has_faded if has_faded is not None else kept[slot] if stored[slot] else 0
        dut.stored_i.value, dut.faded_i.value = stored[slot] and has_faded is None, has_faded is not None
        for pins in (stage_1, stage_3.popleft()):
            for name, value in pins.items():
                getattr(dut, name).value = value
        held = levels[slot] if levels[slot] >= 0 else rng.randint(0, top)
        power, steps, idle = rng.choice((0, 0, 1, 2, 3)), rng.random() < rates[slot], linux and rng.random() < 0.2
        packets, after = rng.randint(0, most), base

        def queue(held: int, packets: int, law: Law = law) -> int:
            return 64 * packets if law.packets else held

        if steps:
            lighter = Law(weight=max(law.weight - power, 0), spacing=law.spacing)
            after = golden().average_after(vars(lighter), base, queue(held, packets), idle)
            kept[slot], stored[slot], faded[slot] = after, True, None
            coverage.hit("several steps", power > 0)
            coverage.hit("more than the weight", power > law.weight)
            coverage.hit("from what has faded", has_faded is not None)
            coverage.hit("Linux, with a fraction", linux and not idle and base % ONE != 0)
            coverage.hit("Linux, idle", idle and queue(held, packets) != base // ONE)
            coverage.hit("by packets", law.packets and after != base)
        later, later_idle = rng.choice((held, rng.randint(0, top))), rng.random() < 0.2
        later_packets = rng.choice((packets, rng.randint(0, most)))
        stage_1 = {
            "any_i": steps, "power_i": power, "idle_i": idle, "bytes_i": held, "packets_i": packets,
            "weight_i": law.weight, "linux_i": linux, "by_packets_i": law.packets,
        }  # fmt: skip
        stage_3.append({"now_i": later, "now_packets_i": later_packets, "now_idle_i": later_idle})
        kept_due.append(after)
        next_due.append(golden().average_after(vars(law), after, queue(later, later_packets), later_idle) // ONE)
        places.appendleft(slot)
        dut.place_i.value = sum(place << 4 * k for k, place in enumerate(places))
        # What an idle time has left comes while the slot is away.
        away = (slot + 3) % SLOTS
        fades = stored[away] and rng.random() < 0.1
        dut.decay_valid_i.value, dut.decay_place_i.value = fades, away
        if fades:
            unit = ONE >> laws[away].weight if laws[away].spacing is Spacing.LINUX else 1  # of an average
            faded[away] = rng.choice((0, rng.randint(0, kept[away] // unit) * unit))
            dut.decay_i.value = faded[away]
        await cycle(dut)
        for pin, due in ((dut.average_o, kept_due), (dut.next_o, next_due)):
            expected = due.popleft()
            assert expected is None or int(pin.value) == expected, f"cycle {now}: {pin._name} {law} {expected}"
    floors = {"several steps": 3000, "more than the weight": 100, "from what has faded": 300, "by packets": 3000}
    coverage.check(floors | {"Linux, with a fraction": 1000, "Linux, idle": 200})


@pytest.mark.parametrize("width", [22, *slow(15)])
def test_tm_red_average(width: int) -> None:
    build_and_test("tm_red_average", __name__, parameters={"COUNT_W": width})
