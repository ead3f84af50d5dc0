# SPDX-License-Identifier: BSD-3-Clause
"""tm_pfc_level: xoff and xon of each class of a source are where SAI's inequality has them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness, start
from cocotb_tests.env.breaches import Breach, breaches

SOURCES, CELLS, MOST = 3, 4096, 12
FIELD = 18  # bits of a field of the threshold
GROUPS = SOURCES * 8
ALL = (1 << GROUPS) - 1
SEEN = 6  # cycles from an event to its xoff
PARAMETERS = {"SOURCES": SOURCES, "CELLS": CELLS, "MOST_CELLS": MOST}


@dataclass
class Event:
    """What happens in a cycle, and what the classes hold then."""

    taker: int | None
    walker: int | None
    held: list[int]


@cocotb.test()
async def follows_the_inequality(dut: Any) -> None:
    """A memory shared by classes of three sources.

    Stimulus: limits that are fixed or follow what is free, with any xon and offset; cells taken one by one, given back,
    and let go of frame by frame, more of some classes, often of one class in one cycle; each configuration for 1500
    cycles.
    Checks: a cell that brings a class above the limit raises xoff six cycles later, a walk that leaves it at or below
    xon lowers it then; it rises only above the limit, and falls only at or below max(xon, limit - offset) and not
    above the limit; a class that is not lossless never pauses; none is late by more than four rounds; a cell is told
    as overrun when its class holds more than at xoff and the headroom, and never otherwise.
    """
    rng = randomness("tm_pfc_level")
    coverage = Coverage("tm_pfc_level")
    events = "take", "back", "walk"
    await begin(dut, 0)
    held = [0] * GROUPS
    for _ in range(20):
        dynamic, alpha = rng.random() < 0.5, rng.randint(-7, 3)
        limit = rng.randint(5, 40)
        free = (limit << 7 >> alpha + 7) + rng.randint(0, 5)
        # What is more than a count of cells holds is more than any limit.
        most = 1 << CELLS.bit_length()
        xon = rng.choice((limit, rng.randint(0, limit), most + limit // 2 if dynamic else limit))
        offset = rng.choice((rng.randint(0, limit), rng.randint(0, limit), most + limit // 2, 0xFFFF))
        share = free << alpha if alpha >= 0 else free >> -alpha
        pins = int(dynamic) << 4 | alpha & 15
        for value in (limit, xon, offset):
            pins = pins << FIELD | value
        limit = share if dynamic else limit
        falls = min(limit, max(xon, limit - offset, 0))
        headroom = [rng.randint(0, 20) for _ in range(SOURCES)]
        lossless = rng.choice((ALL, rng.randrange(1 << GROUPS)))
        for name in events:
            getattr(dut, f"{name}_i").value = 0
        dut.threshold_i.value, dut.free_i.value, dut.lossless_i.value = pins, free, lossless
        dut.headroom_i.value = sum(each << FIELD * source for source, each in enumerate(headroom))
        for _ in range(3 * GROUPS):
            await RisingEdge(dut.clk_i)
        before, late = int(dut.xoff_o.value), [0] * GROUPS
        mark: dict[int, int] = {}  # what a class held when xoff rose, under this configuration
        on_its_way = deque([Event(None, None, list(held))] * SEEN)
        overruns: deque[bool | None] = deque([False, False])  # seen two cycles after the level
        busy = [rng.choice((1, 1, 1, 20)) for _ in range(GROUPS)]
        walked = False
        for cycle in range(1500):
            take, walk = rng.random() < (0.9 if cycle % 300 < 150 else 0.2), not walked and rng.random() < 0.3
            walked = walk
            taker = rng.choices(range(GROUPS), busy)[0]
            back = not take and held[taker] > 0 and rng.random() < 0.3
            some = [each for each in range(GROUPS) if held[each]]
            walker = rng.choice(some) if some else 0
            if held[taker] and rng.random() < 0.3:
                walker = taker
            less = rng.randint(1, min(MOST, held[taker])) if back else 0
            most = min(MOST, held[walker] - (less if walker == taker else 0))
            walk = walk and most > 0
            gone = rng.randint(1, most) if walk else 0
            for name, on in zip(events, (take, back, walk), strict=True):
                getattr(dut, f"{name}_i").value = int(on)
            for name, of in ("frame", taker), ("walk", walker):
                getattr(dut, f"{name}_source_i").value = of // 8
                getattr(dut, f"{name}_class_i").value = of % 8
            dut.back_cells_i.value, dut.walk_cells_i.value = less, gone
            await RisingEdge(dut.clk_i)
            now = int(dut.xoff_o.value)
            if (overrun := overruns.popleft()) is not None:
                assert bool(dut.overrun_o.value) == overrun, f"cycle {cycle}"
                coverage.hit("overrun", overrun)
            # What is seen now was decided by what was held at that event.
            event = on_its_way.popleft()
            for each in range(GROUPS):
                was, is_off, has = before >> each & 1, now >> each & 1, event.held[each]
                counts = bool(lossless >> each & 1)
                if is_off and not was:
                    assert counts, f"cycle {cycle}: class {each} is not lossless"
                    assert has > limit, f"cycle {cycle}: class {each} holds {has} of {limit}"
                    mark[each] = has - (event.taker == each)
                    coverage.hit("xoff")
                if was and not is_off:
                    assert has <= falls or not counts, f"cycle {cycle}: class {each} holds {has}, xon is {falls}"
                    coverage.hit("xon")
                coverage.hit("both in a cycle", event.taker == event.walker == each)
                above, low = counts and has > limit, has <= falls or not counts
                if event.taker == each and above:
                    assert is_off, f"cycle {cycle}: class {each} took a cell, and holds {has} of {limit}"
                if event.walker == each and low:
                    assert not is_off, f"cycle {cycle}: class {each} let go of a frame, and holds {has}"
                    coverage.hit("walked to xon", bool(was))
                late[each] = late[each] + 1 if (above and not is_off) or (low and is_off) else 0
                assert late[each] <= 4 * GROUPS, f"cycle {cycle}: class {each} holds {has}"
            overruns.append(False)
            if (taken := event.taker) is not None and before >> taken & 1:
                measure = mark.get(taken, 0) + headroom[taken // 8]
                overruns[-1] = event.held[taken] > measure if taken in mark else None
            mark = {each: has for each, has in mark.items() if now >> each & 1}
            before = now
            held[taker] += int(take) - less
            held[walker] -= gone
            on_its_way.append(Event(taker if take else None, walker if walk else None, list(held)))
        # Those on their way are not watched: what is seen next belongs to another configuration.
    coverage.check({"xoff": 60, "xon": 50, "overrun": 25, "both in a cycle": 200, "walked to xon": 40})


PINS = (
    *("take", "back", "walk", "frame_source", "frame_class", "back_cells", "walk_source", "walk_class", "walk_cells"),
    *("free", "threshold", "headroom"),
)


async def begin(dut: Any, limit: int) -> None:
    """Reset the level, with a fixed limit for all classes and xon at 0."""
    await start(dut, {f"{each}_i": 0 for each in PINS} | {"threshold_i": limit << 2 * FIELD, "lossless_i": ALL})


async def take(dut: Any, each: int) -> None:
    """Let a class take one cell."""
    dut.take_i.value, dut.frame_source_i.value, dut.frame_class_i.value = 1, each // 8, each % 8
    await RisingEdge(dut.clk_i)
    dut.take_i.value = 0


async def seen(dut: Any) -> int:
    """Return the classes that must pause once all that was told has had its effect."""
    for _ in range(SEEN + 1):
        await RisingEdge(dut.clk_i)
    return int(dut.xoff_o.value)


@cocotb.test()
async def starts_from_nothing_after_a_reset(dut: Any) -> None:
    """Memories keep what they had when the level is reset.

    Stimulus: every class takes cells beyond the limit; a reset of one cycle; every class takes as many as the limit,
    then one more.
    Checks: no class pauses while it holds the limit, and each does with the next cell.
    """
    await begin(dut, 3)
    for each in range(GROUPS):
        for _ in range(5 + each):
            await take(dut, each)
    assert await seen(dut) == (1 << GROUPS) - 1
    dut.rst_i.value = 1
    await RisingEdge(dut.clk_i)
    dut.rst_i.value = 0
    assert await seen(dut) == 0
    for each in list(range(GROUPS)) * 3:
        await take(dut, each)
    for _ in range(2 * GROUPS):
        await RisingEdge(dut.clk_i)
    assert await seen(dut) == 0
    for each in range(GROUPS):
        await take(dut, each)
        assert await seen(dut) == (2 << each) - 1


@cocotb.test()
async def a_limit_falls_below_what_all_hold(dut: Any) -> None:
    """Visits and cells raise xoff in the same cycles, and each class has a mark of its own.

    Stimulus: every class holds 5 cells, and the limit falls to 3 while each takes another, one a cycle; then each takes
    more than its headroom of 4.
    Checks: all pause; each cell from the 10th on is beyond the headroom, whoever raised xoff.
    """
    await begin(dut, 20)
    dut.headroom_i.value = sum(4 << FIELD * source for source in range(SOURCES))
    for each in list(range(GROUPS)) * 5:
        await take(dut, each)
    assert await seen(dut) == 0
    dut.threshold_i.value = 3 << 2 * FIELD
    for step in range(GROUPS):
        await take(dut, step * 7 % GROUPS)
    assert await seen(dut) == (1 << GROUPS) - 1
    for each in range(GROUPS):
        for holds in range(7, 12):
            await take(dut, each)
            for _ in range(SEEN + 2):
                await RisingEdge(dut.clk_i)
            assert bool(dut.overrun_o.value) == (holds > 5 + 4), f"class {each} holds {holds}"


def test_tm_pfc_level() -> None:
    build_and_test("tm_pfc_level", __name__, parameters=PARAMETERS)


test_assertion_fires = breaches(
    "tm_pfc_level",
    Breach("Held_A", "give back cells that nobody took", [{"back_i": 1, "back_cells_i": 2}]),
    Breach("Walked_A", "let go of a frame that the class does not hold", [{"walk_i": 1, "walk_cells_i": 1}]),
    Breach("OneChange_A", "take a cell and give one back", [{"take_i": 1, "back_i": 1}]),
    Breach("Threshold_A", "put xon above a fixed limit", [{"threshold_i": 1 << FIELD}]),
)
