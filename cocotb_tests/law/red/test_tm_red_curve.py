# SPDX-License-Identifier: BSD-3-Clause
"""tm_red_curve: the region and the probability of an average, two slots in turn."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import Any

import cocotb
import pytest
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.config_words import red_word
from cocotb_tests.env.red import ONE, WORD, Law, Region, evaluate
from cocotb_tests.env.tm_pkg import RED_CHANCE, Spacing

pytestmark = pytest.mark.builds("golden")


@cocotb.test()
async def follows_the_curve(dut: Any) -> None:
    """Every kind of curve.

    Stimulus: 120 pairs of laws (min = max, far thresholds beyond what B can count, gentle, slopes of every scale,
    slopes too steep, slopes of ARED), for each 60 averages: at a threshold, a fraction or a byte to either side, or
    random.
    In a build that has it, a slot is spaced as in Linux now and then.
    Checks: three cycles after an average, region and probability as the rule has them. Of a slot that is spaced as in
    Linux, the average above min times what was counted a cycle before it came; its slope. The weight
    and what counts, as shown.
    """
    rng = randomness("tm_red_curve")
    coverage = Coverage("tm_red_curve")
    width = dut.COUNT_W.value.to_unsigned()
    top = (1 << width) - 1
    pins = ("word_valid_i", "word_i", "bank_i", "may_move_i", "moves_i", "moves_place_i", "moves_slope_i", "adapted_i",
            "adapted_set_i", "next_i", "counted_i", "place_i")  # fmt: skip
    await start(dut, dict.fromkeys(pins, 0), reset=None)
    has_linux = bool(dut.LINUX.value.to_unsigned())
    now = 0
    for number in range(120):
        laws, slopes = [], []
        for _ in range(2):
            low = rng.choice((0, rng.randint(0, top), rng.randint(0, top // 4), rng.randint(0, (1 << 24) - 1)))
            gap = rng.choice((0, 1, rng.randint(0, top // 3), rng.randint(0, 1 << 23)))
            high = min(max(low + gap, 1), (1 << 24) - 1)
            law = Law.of(low, high, rng.choice((ONE, 1, rng.randint(1, ONE))), gentle=rng.random() < 0.5)
            if rng.random() < 0.2:
                law = replace(law, slope=WORD - 1, gentle_slope=WORD - 1, gentle_scale=rng.randrange(4))
            if rng.random() < 0.2:
                law = replace(law, slope_scale=rng.randrange(4))
            if linux := has_linux and rng.random() < 0.5:
                law = replace(law, spacing=Spacing.LINUX, gentle=False, slope=law.slope % ONE, slope_scale=0)
            laws.append(replace(law, packets=rng.random() < 0.5))
            slopes.append(rng.randrange(WORD) if not linux and rng.random() < 0.3 else None)
        # The words go to the set that is not in force, then it is; a moved slope goes before a word.
        bank = number % 2
        dut.bank_i.value = 1 - bank
        await cycle(dut, 10)  # until no slot on its way is of the set before
        slope_sets = rng.getrandbits(2)
        dut.adapted_i.value, dut.adapted_set_i.value = 0, ~slope_sets & 3
        for s in range(2):
            if (slope := slopes[s]) is not None:
                dut.moves_place_i.value, dut.moves_slope_i.value = s, slope >> 8
                await cycle(dut)
                dut.may_move_i.value, dut.moves_i.value = 1, 1
                await cycle(dut)
                dut.may_move_i.value, dut.moves_i.value = 0, 0
            for place, data in laws[s].words(s).items():
                dut.word_valid_i.value, dut.word_i.value = 1, red_word(bank, place, data)
                if rng.random() < 0.2:  # one may move: the word is shown again
                    dut.may_move_i.value = 1
                    await cycle(dut)
                    dut.may_move_i.value = 0
                await cycle(dut)
            dut.word_valid_i.value = 0
        dut.bank_i.value, dut.adapted_set_i.value = bank, slope_sets
        dut.adapted_i.value = sum((slope is not None) << s for s, slope in enumerate(slopes))
        due: deque[tuple[int, Region, int, int, str] | None] = deque([None] * 3)
        reached: tuple[int, int] | None = None
        counted = [0, 0]
        for step in range(75):
            # the slot in stage k began k cycles ago
            dut.place_i.value = sum(((now - k) % 2) << 4 * k for k in range(10))
            turn = (now - 6) % 2
            now += 1
            law = laws[turn]
            edge = rng.choice((law.min, law.max, 2 * law.max, rng.randint(0, top), rng.randint(law.min, law.max)))
            average = min(max(edge * ONE + rng.choice((0, 1, -1, -ONE, ONE - 1, ONE)), 0), top * ONE)
            dut.next_i.value = average // ONE
            count = counted[turn]  # of the cycle before
            counted = [rng.choice((rng.getrandbits(rng.randint(1, 32)), WORD - 1, 1 << 24)) for _ in range(2)]
            dut.counted_i.value = counted[0] | counted[1] << 32
            await cycle(dut)
            begun = laws[(now - 2) % 2]
            shown = int(dut.weight_o.value), bool(int(dut.by_packets_o.value))
            assert shown == (begun.weight, begun.packets) or step < 12
            region, chance = evaluate(law, average, slopes[turn])
            what = f"{law} {slopes[turn]} average {average / ONE}"
            due.append((turn, region, chance if law.spacing is not Spacing.LINUX else chance * count, count, what))
            if reached is not None:
                assert min(int(dut.reach_o.value), WORD) == min(reached[0], WORD), f"{reached}"
                coverage.hit("reach beyond a word", reached[0] >= WORD)
                coverage.hit("reach by the upper bits", reached[1] >= ONE and 0 < reached[0] < WORD)
                coverage.hit("reach", 0 < reached[0] < WORD)
            reached = None
            result = due.popleft()
            if result is None or step < 14:  # the words of this set are on their way
                continue
            slot, expected, number, count, what = result
            got = RED_CHANCE.unpack(int(dut.chance_o.value))
            region = Region.FORCED if got["forced"] else Region.BETWEEN if got["between"] else Region.BELOW
            assert region is expected, f"{what}: {region}, {expected}"
            coverage.hit(region.name)
            coverage.hit("gentle", region is Region.BETWEEN and "gentle=True" in what and number > 0)
            if region is not Region.BETWEEN:
                continue
            if laws[slot].spacing is Spacing.LINUX:
                assert got["slope"] == laws[slot].slope, what
                reached = number, count
                continue
            probability = ONE - 1 if got["over"] else got["probability"]
            assert probability == number, f"{what}: {probability}, {number}"
            coverage.hit("saturated", number == ONE - 1)
            coverage.hit("between", 0 < number < ONE - 1)
    floors = {"BELOW": 300, "BETWEEN": 300, "FORCED": 300, "saturated": 30, "gentle": 60, "between": 300}
    if has_linux:
        floors |= {"gentle": 30, "reach": 100, "reach beyond a word": 200, "reach by the upper bits": 20}
    coverage.check(floors)


@pytest.mark.parametrize(("width", "linux"), [(24, 0), (15, 1), *slow((15, 0))])
def test_tm_red_curve(width: int, linux: int) -> None:
    build_and_test("tm_red_curve", __name__, parameters={"COUNT_W": width, "LINUX": linux})
