# SPDX-License-Identifier: BSD-3-Clause
"""tm_lossless_check: which commit would let a law drop frames of a lossless class, by queue and class."""

from __future__ import annotations

import random
from typing import Any

import cocotb
import pytest
from truemark.device import registers as reg
from truemark.device.registers import QueueMode
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.config_words import place_of
from cocotb_tests.env.packed import Packed, packed
from cocotb_tests.env.tm_pkg import CELLS_W

IN_FORCE = Packed(("kept", CELLS_W), ("lossless", 8), ("drops", 1))
INPUTS = ("port_i", "in_force_i", "lossless_i", "drops_i", "check_i", "place_i", "word_i")
SETTINGS, PCP = place_of(reg.QUEUE_SETTINGS), place_of(reg.QUEUE_PCP)
CLASSES = range(8)


def queues_of(priority: int, queues: int, mode: int, default: int, table: list[int]) -> set[int]:
    """Return the queues that a frame of a class can come to: with a tag, or as one of class 0 without."""
    if mode == QueueMode.FIXED:
        return {default}
    if mode == QueueMode.PCP:
        return {table[priority]} | ({default} if priority == 0 else set())
    return set(range(queues))


async def show(dut: Any, place: int, word: int) -> None:
    """Show a word, and others behind it that are not looked at."""
    dut.check_i.value, dut.place_i.value, dut.word_i.value = 1, place, word
    await cycle(dut)
    dut.check_i.value, dut.word_i.value = 0, word ^ 0xFFFFFF
    await cycle(dut)


@cocotb.test()
async def what_is_reached_may_not_be_dropped(dut: Any) -> None:
    """Commits at any port.

    Stimulus: classes that are lossless at no port, at one or at several, ports whose laws drop, each mode of the queues
    with any tables; at the port itself something else is in force than what is committed.
    Checks: it is told exactly if a frame of a class that is lossless for any source can come to a queue whose law
    drops, once the commit has taken effect: what it takes away does not count.
    """
    rng = randomness("tm_lossless_check")
    coverage = Coverage("tm_lossless_check")
    ports, queues = len(dut.in_force_i) // IN_FORCE.width, len(dut.reached_q)
    await start(dut, dict.fromkeys(INPUTS, 0), reset=None)
    for _ in range(4000):
        port, mode, default = rng.randrange(ports), rng.randrange(5), rng.randrange(queues)
        table = [rng.randrange(queues) for _ in CLASSES]
        quiet = rng.random() < 0.15  # nothing pauses
        before = [some_port(rng, quiet) for _ in range(ports)]
        own = some_port(rng, quiet)
        dut.port_i.value = port
        dut.in_force_i.value = packed([IN_FORCE.pack(**each) for each in before], IN_FORCE.width)
        dut.lossless_i.value, dut.drops_i.value = own["lossless"], own["drops"]
        if queues > 1:
            await show(dut, SETTINGS, reg.QUEUE_SETTINGS.pack(mode=mode, default_queue=default))
            await show(dut, PCP, packed(table, 3))
        await cycle(dut, 4)
        after = [own if p == port else each for p, each in enumerate(before)]
        lossless = [c for c in CLASSES if any(each["lossless"] >> c & 1 for each in after)]
        reached = {queue for c in lossless for queue in queues_of(c, queues, mode, default, table)}
        hit = [p for p, each in enumerate(after) if each["drops"] and (queues == 1 or p % queues in reached)]
        if queues == 1 and not lossless:
            hit = []
        assert bool(int(dut.dropped_o.value)) == bool(hit), f"port {port} of {after}, mode {mode}, {default}, {table}"
        coverage.hit("dropped", bool(hit))
        coverage.hit("its own law", hit == [port])
        coverage.hit("another's law", bool(hit) and port not in hit)
        coverage.hit("not reached", bool(lossless) and not hit and any(each["drops"] for each in after))
        coverage.hit("no class", not lossless)
    floors = {"dropped": 300, "its own law": 50, "another's law": 100, "no class": 300}
    coverage.check(floors | ({"not reached": 100} if queues > 1 else {}))


def some_port(rng: random.Random, quiet: bool) -> dict[str, int]:
    """Return what a port has: seldom a class, often one alone; seldom a law that drops."""
    lossless = 0 if quiet else rng.choice((0, 0, 0, 0, 1, 1 << rng.randrange(8), rng.randrange(256)))
    return {"kept": rng.randrange(1 << CELLS_W), "lossless": lossless, "drops": int(rng.random() < 0.2)}


@pytest.mark.parametrize(("ports", "queues"), [(3, 1), (2, 2), *slow((8, 4))])
def test_tm_lossless_check(ports: int, queues: int) -> None:
    build = {"POOL": 1, "PFC": 1, "PORTS": ports, "QUEUES": queues, "ROWS": 2048}
    build_and_test("tm_lossless_check", __name__, parameters=build)
