# SPDX-License-Identifier: BSD-3-Clause
"""tm_red_curve: the region and the probability of an average, both slots in turn."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import Any

import cocotb
import pytest
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.config_words import red_word
from cocotb_tests.env.red import ONE, WORD, Law, Region, evaluate
from cocotb_tests.env.tm_pkg import RED_RAM, Spacing


@cocotb.test()
async def follows_the_curve(dut: Any) -> None:
    """Every kind of curve.

    Stimulus: 120 pairs of laws (min = max, far thresholds beyond what B can count, gentle, slopes of every scale,
    slopes too steep, slopes of ARED), for each 60 averages: at a threshold, a fraction or a byte to either side, or
    random.
    In a build that has it, a slot is spaced as in Linux now and then.
    Checks: five cycles after its turn, region and probability as the rule has them; the other slot's stay. Of a slot
    that is spaced as in Linux, the average above min times what is counted, as it stood two cycles after its turn.
    """
    rng = randomness("tm_red_curve")
    coverage = Coverage("tm_red_curve")
    width = dut.COUNT_W.value.to_unsigned()
    top = (1 << width) - 1
    await start(dut, reset=None, turn_i=0, next_i=0, fraction_i=0, feed_i=0, linux_i=0, counted_i=0)
    has_linux = bool(dut.LINUX.value.to_unsigned())
    turn = 0
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
            laws.append(law)
            slopes.append(rng.randrange(WORD) if not linux and rng.random() < 0.3 else None)
        # The words go to the set that is not in force, then it is; a moved slope goes before a word.
        bank, writes = number % 2, list[dict[str, int]]()
        for s in range(2):
            for place, data in laws[s].words(s).items():
                word = red_word(bank, place, data)
                writes.append({"word_valid": 1, "word": word, "word_slope": 1, "slope": data >> 8})
                if (slope := slopes[s]) is not None and data == laws[s].slope:
                    writes.insert(-1, {"word_valid": 1, "word": word, "moved": 1 << s, "slope": slope >> 8})
        for write in writes:
            dut.feed_i.value = RED_RAM.pack(bank=1 - bank, **write)
            await cycle(dut)
            turn ^= 1
            dut.turn_i.value = turn
        adapted = sum((slope is not None) << s for s, slope in enumerate(slopes))
        dut.feed_i.value = RED_RAM.pack(bank=bank, adapted=adapted)
        for _ in range(2):  # until the words of this set are at hand
            dut.turn_i.value = turn
            await cycle(dut)
            turn ^= 1
        due: deque[tuple[int, Region, int, str] | None] = deque([None] * 5)
        shown: list[tuple[Region, int] | None] = [None, None]
        fractions = [0, 0]
        dut.linux_i.value = sum((law.spacing is Spacing.LINUX) << s for s, law in enumerate(laws))
        counted: deque[list[int]] = deque(maxlen=4)  # in this cycle and those before
        for step in range(65):
            law = laws[turn]
            edge = rng.choice((law.min, law.max, 2 * law.max, rng.randint(0, top), rng.randint(law.min, law.max)))
            average = min(max(edge * ONE + rng.choice((0, 1, -1, -ONE, ONE - 1, ONE)), 0), top * ONE)
            minus = -average
            nexts = [rng.getrandbits(width + 1), rng.getrandbits(width + 1)]
            nexts[turn] = (minus // ONE) % (1 << width + 1)
            dut.turn_i.value = turn
            dut.next_i.value = nexts[0] | nexts[1] << width + 1
            dut.fraction_i.value = fractions[0] | fractions[1] << 1
            counted.append([rng.choice((rng.getrandbits(rng.randint(1, 32)), WORD - 1, 1 << 24)) for _ in range(2)])
            dut.counted_i.value = counted[-1][0] | counted[-1][1] << 32
            await cycle(dut)
            # the fraction follows a cycle later
            fractions = [rng.randrange(2), rng.randrange(2)]
            fractions[turn] = minus % ONE != 0
            region, chance = evaluate(law, average, slopes[turn])
            due.append((turn, region, chance, f"{law} {slopes[turn]} average {average / ONE}") if step < 60 else None)
            result = due.popleft()
            if result is not None:
                shown[result[0]] = result[1], result[2]
            between, forced = int(dut.between_o.value), int(dut.forced_o.value)
            for s, expected in enumerate(shown):
                if expected is None:
                    continue
                got = Region.FORCED if forced >> s & 1 else Region.BETWEEN if between >> s & 1 else Region.BELOW
                assert got is expected[0], f"slot {s}: {got}, {expected}"
                if got is Region.BETWEEN and laws[s].spacing is not Spacing.LINUX:
                    assert int(dut.probability_o.value) >> 24 * s & ONE - 1 == expected[1], f"slot {s} {expected}"
            if result is not None and result[1] is Region.BETWEEN and laws[result[0]].spacing is Spacing.LINUX:
                reach, reached = result[2] * counted[0][result[0]], int(dut.reach_o.value)
                assert min(reached, WORD) == min(reach, WORD), f"{result} {counted[0]}: {reached}, expected {reach}"
                coverage.hit("reach beyond a word", reach >= WORD)
                coverage.hit("reach by the upper bits", counted[0][result[0]] >= ONE and 0 < reach < WORD)
                coverage.hit("reach", 0 < reach < WORD)
            elif result is not None:
                coverage.hit(result[1].name)
                coverage.hit("saturated", result[2] == ONE - 1)
                coverage.hit("gentle", result[1] is Region.BETWEEN and average // ONE >= law.max)
                coverage.hit("between", result[1] is Region.BETWEEN and 0 < result[2] < ONE - 1)
            turn ^= 1
    floors = {"BELOW": 300, "BETWEEN": 300, "FORCED": 300, "saturated": 30, "gentle": 60, "between": 300}
    if has_linux:
        floors |= {"gentle": 30, "reach": 100, "reach beyond a word": 200, "reach by the upper bits": 20}
    coverage.check(floors)


@pytest.mark.parametrize(("width", "linux"), [(15, 0), (24, 0), (15, 1)])
def test_tm_red_curve(width: int, linux: int) -> None:
    build_and_test("tm_red_curve", __name__, parameters={"COUNT_W": width, "LINUX": linux})
