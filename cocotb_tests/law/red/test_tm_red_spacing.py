# SPDX-License-Identifier: BSD-3-Clause
"""tm_red_spacing: when signals come, for every spacing, one step a cycle."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import cocotb
import pytest
from truemark_dev.golden import golden
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.breaches import Breach, breaches
from cocotb_tests.env.packed import packed
from cocotb_tests.env.red import ONE, WORD, Region
from cocotb_tests.env.tm_pkg import Spacing

pytestmark = pytest.mark.builds("golden")

PINS = ("step_i", "slot_i", "reset_i", "settling_i", "word_i", "spacing_i", "between_i", "beyond_i", "probability_i")
IDLE = dict.fromkeys(PINS, 0)


@dataclass
class Slot:
    """One slot: its spacing, the golden model's count, and what the curve said in the cycle before."""

    spacing: Spacing = Spacing.MEMORYLESS
    count: Any = None
    region: Region = Region.BELOW
    chance: int = 0
    following: Region = Region.BELOW
    probability: int = 0

    def change(self, rng: Random, often: float) -> None:
        """Draw what the curve says."""
        if rng.random() < often:
            self.probability = rng.choice((0, 1, ONE - 1, rng.randrange(ONE), ONE // 10, ONE // 100))
        self.following = rng.choices(list(Region), (1, 40, 1))[0]


@cocotb.test()
async def spaces_signals(dut: Any) -> None:
    """Signals.

    Stimulus: 9000 cycles, each pair of spacings in turn from law resets on, of both slots or one: steps in most cycles,
    of either slot, probabilities from 0 to 2^24 - 1 that stay or change in every cycle, all regions, times of settling,
    words at both ends.
    Checks: in every cycle the answer that a frame would get, in both slots.
    """
    rng = randomness("tm_red_spacing")
    coverage = Coverage("tm_red_spacing")
    await start(dut, IDLE, reset=None)
    slots = Slot(), Slot()
    for now in range(9000):
        resets = [now == 0 or (now % 300 == 0 and rng.random() < 0.7) for _ in slots]
        for s, slot in enumerate(slots):
            if resets[s]:
                slot.spacing = Spacing(now // 300 // (1, 3)[s] % 3)
            slot.change(rng, 0.02 if now // 1000 % 2 else 0.5)
        settling = any(resets) or rng.random() < 0.01
        step = not any(resets) and rng.random() < 0.8
        speaks = rng.randrange(2)
        word = rng.choice((0, WORD - 1, rng.randrange(WORD), rng.randrange(WORD)))
        dut.reset_i.value, dut.settling_i.value = packed(resets, 1), settling
        dut.step_i.value, dut.slot_i.value, dut.word_i.value = step, speaks, word >> 8
        dut.spacing_i.value = packed([slot.spacing for slot in slots], 2)
        dut.probability_i.value = packed([slot.probability for slot in slots], 24)
        dut.between_i.value = packed([slot.following is Region.BETWEEN for slot in slots], 1)
        dut.beyond_i.value = packed([slot.following is Region.FORCED for slot in slots], 1)
        await cycle(dut)
        for s, slot in enumerate(slots):
            steps = step and s == speaks
            if now:
                hits = slot.count.signals(slot.region.value, slot.chance)
                where = f"cycle {now} slot {s}: {slot}"
                forced = slot.region is Region.FORCED
                assert bool(int(dut.signal_o.value) >> s & 1) == (hits or forced), where
                assert bool(int(dut.forced_o.value) >> s & 1) == forced, where
                coverage.hit(f"{slot.spacing.name} {s}", steps and hits)
                coverage.hit("carries on", steps and slot.region is Region.BETWEEN and not hits)
            if steps:
                slot.count.step(slot.region.value, slot.chance, word)
            if resets[s]:
                slot.count = golden().SlotSpacing(slot.spacing)
            slot.region, slot.chance = (Region.BELOW, 0) if settling else (slot.following, slot.probability)
    floors = {f"{name} {s}": 100 for name in ("MEMORYLESS", "UNIFORM", "WAIT") for s in range(2)}
    coverage.check(floors | {"carries on": 2000})


def test_tm_red_spacing() -> None:
    build_and_test("tm_red_spacing", __name__)


test_assertion_fires = breaches(
    "tm_red_spacing", Breach("OneRegion_A", "say between and beyond at once", [{"between_i": 2, "beyond_i": 2}])
)
