# SPDX-License-Identifier: BSD-3-Clause
"""tm_pfc_level: xoff and xon of each class of a source are where SAI's inequality has them."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import RisingEdge
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness, start
from cocotb_tests.env.breaches import Breach, breaches

SOURCES, CELLS = 3, 17
GROUPS = SOURCES * 8


@cocotb.test()
async def follows_the_inequality(dut: Any) -> None:
    """A memory shared by classes of three sources.

    Stimulus: limits that are fixed or follow what is free, with any xon; cells taken and released at random, more of
    some classes; each configuration for 1500 cycles.
    Checks: a cell that brings a class above the limit raises xoff in the next cycle; it rises only above the limit, and
    falls only at or below max(xon, limit - offset) and not above the limit; none is late by more than three rounds;
    a cell is told as overrun when its class holds more than at xoff and the headroom, and never otherwise.
    """
    rng = randomness("tm_pfc_level")
    coverage = Coverage("tm_pfc_level")
    names = "take", "take_source", "take_class", "release", "release_source", "release_class"
    idle = {f"{name}_i": 0 for name in names}
    await start(dut, {**idle, "free_i": 0, "threshold_i": 0, "headroom_i": 0, "lossless_i": 0xFF})
    held = [0] * GROUPS
    for _ in range(40):
        dynamic, alpha = rng.random() < 0.5, rng.randint(-7, 3)
        free = rng.randint(100, 4000) >> max(alpha, 0)
        limit = rng.randint(5, 30)
        xon, offset = rng.choice((limit, rng.randint(0, limit))), rng.randint(0, limit)
        share = free << alpha if alpha >= 0 else free >> -alpha
        pins = int(dynamic) << 4 | alpha & 15
        for value in (limit, xon, offset):
            pins = pins << CELLS | value
        limit = share if dynamic else limit
        falls = min(limit, max(xon, limit - offset, 0))
        headroom = rng.randint(0, 10)
        for name in ("take", "release"):
            getattr(dut, f"{name}_i").value = 0
        dut.threshold_i.value, dut.free_i.value = pins, free
        dut.headroom_i.value = sum(headroom << CELLS * each for each in range(SOURCES))
        for _ in range(2 * GROUPS + 4):
            await RisingEdge(dut.clk_i)
        before, late = int(dut.xoff_o.value), [0] * GROUPS
        mark = list(held)
        known = [False] * GROUPS  # xoff rose under this configuration
        taken, expected = False, False
        previous, took = list(held), 0
        busy = [rng.choice((1, 6)) for _ in range(GROUPS)]
        for cycle in range(1500):
            take, release = rng.random() < (0.7 if cycle % 500 < 300 else 0.3), rng.random() < 0.5
            taker = rng.choices(range(GROUPS), busy)[0]
            some = [each for each in range(GROUPS) if held[each]]
            releaser = rng.choice(some) if some else 0
            release = release and bool(some)
            dut.take_i.value, dut.take_source_i.value, dut.take_class_i.value = int(take), taker // 8, taker % 8
            dut.release_i.value = int(release)
            dut.release_source_i.value, dut.release_class_i.value = releaser // 8, releaser % 8
            await RisingEdge(dut.clk_i)
            now = int(dut.xoff_o.value)  # of this cycle: `held` is what its classes hold
            if taken and known[took]:
                assert bool(dut.overrun_o.value) == expected, f"cycle {cycle}"
                coverage.hit("overrun", expected)
            if taken and held[took] > max(limit, previous[took]):
                assert now >> took & 1, f"cycle {cycle}: class {took} holds {held[took]} of {limit}"
            for each in range(GROUPS):
                was, is_off = before >> each & 1, now >> each & 1
                if is_off and not was:
                    assert max(held[each], previous[each]) > limit
                    mark[each], known[each] = previous[each], True
                    coverage.hit("xoff")
                if was and not is_off:
                    assert previous[each] <= falls
                    known[each] = False
                    coverage.hit("xon")
                wrong = (held[each] > limit and not is_off) or (held[each] <= falls and is_off)
                late[each] = late[each] + 1 if wrong else 0
                assert late[each] <= 3 * GROUPS, f"cycle {cycle}: class {each} holds {held[each]}"
            before, previous = now, list(held)
            held[taker] += take
            held[releaser] -= release
            taken, took = take, taker
            expected = take and bool(now >> taker & 1) and held[taker] > mark[taker] + headroom
    coverage.check({"xoff": 60, "xon": 50, "overrun": 50})


def test_tm_pfc_level() -> None:
    build_and_test("tm_pfc_level", __name__, parameters={"SOURCES": SOURCES})


test_assertion_fires = breaches(
    "tm_pfc_level",
    Breach("Held_A", "release a cell that nobody holds", [{"release_i": 1}]),
    Breach("Threshold_A", "put xon above a fixed limit", [{"threshold_i": 1 << CELLS}]),
)
