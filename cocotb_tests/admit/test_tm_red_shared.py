# SPDX-License-Identifier: BSD-3-Clause
"""tm_red, tm_red_shared and tm_red_slot: RED of several ports, cycle by cycle, against docs/red.md."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import cocotb
import pytest

from cocotb_tests.env.bench import cycle, randomness, start
from cocotb_tests.env.red import ONE, TIME, Law, Port, Seen
from cocotb_tests.env.words import CFG, RED, Spacing
from cocotb_tests.env.words import Law as Kind
from cocotb_tests.runner import build_and_test
from cocotb_tests.verilate import ROOT

HARNESS = ROOT / "cocotb_tests" / "admit" / "red_ports.sv"
IDLE = dict.fromkeys(
    ["time_i", "bytes_i", "step_i", "slot_i", "cfg_i", "commit_i", "law_reset_i", "red_load_i", "seed_load_i"], 0
)
SPACINGS = (Spacing.MEMORYLESS, Spacing.UNIFORM, Spacing.WAIT)


def some_law(rng: random.Random, top: int) -> Law:
    """Return a law that a queue of up to `top` bytes meets in all its regions."""
    low = rng.randint(0, top // 2)
    high = rng.choice((low, low + 1, rng.randint(low + 1, top), rng.randint(low + 1, top)))
    maxp = rng.choice((ONE, rng.randint(1, ONE), ONE // 8, ONE // 50, 1))
    gap = high - low
    return Law.of(
        low,
        max(high, 1),
        maxp,
        gentle=rng.random() < 0.5,
        weight=rng.choice((0, 1, 2, 3, 5, 9, 24, rng.randint(0, 24))),
        spacing=rng.choice(SPACINGS),
        adaptive=rng.random() < 0.6,
        bottom=min(maxp, ONE // 100),
        band_low=low + 2 * gap // 5,
        band_high=low + 3 * gap // 5,
    )


class Traffic:
    """What one port holds and when it is offered a frame: bursts, droughts, a step in every cycle, long idle times."""

    def __init__(self, rng: random.Random, top: int) -> None:
        self.rng, self.top, self.held = rng, top, 0
        self.load, self.until = 0.5, 0

    def next(self, now: int) -> tuple[int, int | None]:
        """Return B and the slot that speaks, if one does."""
        rng = self.rng
        if now >= self.until:
            self.load = rng.choice((0.0, 0.0, 0.02, 0.3, 1.0))
            self.until = now + rng.choice((40, 120, 300))
            self.drain = rng.random() < 0.5 or self.load == 0
        step = rng.randrange(2) if rng.random() < self.load else None
        held = self.held
        if self.load == 0.02 and self.drain:  # frames that find nothing and are refused
            self.held = 0
        elif step is not None:
            self.held = min(self.held + rng.randint(14, self.top // 6), self.top)
        if self.drain and rng.random() < 0.4:
            self.held = max(self.held - rng.randint(14, self.top // 3), 0)
        return held, step


def pack(laws: tuple[Law, Law], reciprocal: int, shift: int, interval: int) -> int:
    """Return the configuration of a port."""
    return CFG.pack(
        law=Kind.RED | Kind.RED << 2,
        red=laws[0].pack() | laws[1].pack() << RED.width,
        idle_reciprocal=reciprocal,
        idle_shift=shift,
        adapt_interval=interval,
    )


@cocotb.test()
async def follows_the_rule(dut: Any) -> None:
    """All of RED at once.

    Stimulus: 72,000 cycles, counted over all ports: random laws of all kinds, steps from never to every cycle on both
    slots, queues that run empty for 40 to 300 cycles, times that run, stand, jump by up to 10^9 ns and once backwards,
    commits that change everything, something or nothing, with and without law reset, seeds, among them those that
    give zero.
    Checks: in every cycle and for both slots signal, forced, and the average, as the reference has them; maxp where it
    has stood still.
    """
    rng = randomness("tm_red_shared")
    ports, width = dut.PORTS.value.to_unsigned(), dut.CountW.value.to_unsigned()
    top = (1 << width) * 5 // 8
    clocks = [(rng.choice((26843, 131071)), rng.choice((20, 25, 33)), rng.choice((0, 500, 4000))) for _ in range(ports)]
    laws = [(some_law(rng, top), some_law(rng, top)) for _ in range(ports)]
    await start(dut, IDLE, seed_i=1, cfg_i=sum(pack(laws[p], *clocks[p]) << p * CFG.width for p in range(ports)))
    references = [
        Port(p, laws[p], reciprocal=clocks[p][0], shift=clocks[p][1], interval=clocks[p][2]) for p in range(ports)
    ]
    traffic = [Traffic(rng, top) for _ in range(ports)]
    time, pace = TIME - 5000, 4
    stands = [[(0, 0), (0, 0)] for _ in range(ports)]  # maxp, and for how many cycles
    reset_after = [[0, 0] for _ in range(ports)]
    total: Counter[str] = Counter()
    for now in range(72_000 // ports):
        if rng.random() < 0.004:
            pace = rng.choice((0, 1, 4, 4, 50, 5000, 10**6))
        time += pace
        if rng.random() < 0.0005:
            time += rng.choice((10**9, -10_000))
        seens = []
        for p in range(ports):
            held, step = traffic[p].next(now)
            seen = Seen(held, time % TIME, step)
            if rng.random() < 0.001:
                reset = (rng.random() < 0.5, rng.random() < 0.5)
                new = [
                    some_law(rng, top) if r or rng.random() < 0.3 else law
                    for r, law in zip(reset, laws[p], strict=True)
                ]
                load = tuple(law != old for law, old in zip(new, laws[p], strict=True))
                # what makes a law reset necessary is only changed with one
                for s in range(2):
                    if not reset[s]:
                        new[s] = replace(new[s], weight=laws[p][s].weight, spacing=laws[p][s].spacing)
                    else:
                        reset_after[p][s] = now + 1
                laws[p] = (new[0], new[1])
                seen.commit, seen.law_reset, seen.red_load = laws[p], reset, (load[0], load[1])
            seens.append(seen)
        seed = rng.choice((0, 1, 0x9E3779B9, rng.randrange(1 << 32))) if rng.random() < 0.0005 else None
        for seen in seens:
            seen.seed = seed

        def by_port(values: list[int], bits: int) -> int:
            return sum(value << bits * p for p, value in enumerate(values))

        dut.time_i.value = time % TIME
        dut.bytes_i.value = by_port([seen.held for seen in seens], width)
        dut.step_i.value = by_port([seen.step is not None for seen in seens], 1)
        dut.slot_i.value = by_port([seen.step or 0 for seen in seens], 1)
        dut.commit_i.value = by_port([seen.commit is not None for seen in seens], 1)
        dut.law_reset_i.value = by_port([seen.law_reset[0] | seen.law_reset[1] << 1 for seen in seens], 2)
        dut.red_load_i.value = by_port([seen.red_load[0] | seen.red_load[1] << 1 for seen in seens], 2)
        dut.seed_load_i.value = (1 << ports) - 1 if seed is not None else 0
        dut.seed_i.value = seed or 0
        if any(seen.commit for seen in seens):
            dut.cfg_i.value = by_port([pack(laws[p], *clocks[p]) for p in range(ports)], CFG.width)
        await cycle(dut)
        signal, forced = int(dut.signal_o.value), int(dut.forced_o.value)
        averages, maxps = int(dut.average_o.value), int(dut.maxp_o.value)
        for p, reference in enumerate(references):
            for s, expected in enumerate(reference.answers()):
                got = bool(signal >> 2 * p + s & 1), bool(forced >> 2 * p + s & 1)
                where = f"cycle {now} port {p} slot {s} {laws[p][s]} {reference.slots[s]}"
                assert got == expected, f"{where}: {got}, expected {expected}"
                got_average = averages >> 24 * (2 * p + s) & (1 << 24) - 1
                if now != reset_after[p][s]:  # a law reset takes the weight of the step before it along
                    assert got_average == reference.started[s] // ONE, (
                        f"{where}: average {got_average}, {reference.started}"
                    )
                got_maxp = maxps >> 25 * (2 * p + s) & (1 << 25) - 1
                maxp, age = stands[p][s]
                if age > 64 + 48 and maxp == reference.slots[s].maxp:
                    assert got_maxp == maxp, f"{where}: maxp {got_maxp}"
                    total["maxp compared"] += 1
                same = maxp == reference.slots[s].maxp and not seens[p].commit
                stands[p][s] = reference.slots[s].maxp, age + 1 if same else 0
            reference.cycle(seens[p])
    for reference in references:
        total.update(reference.hits)
    print(dict(total))
    floors = {"BELOW": 2000, "BETWEEN": 1000, "FORCED": 1000, "signal": 300, "decayed": 300, "maxp compared": 10_000}
    for what, floor in {**floors, "rises": 5, "falls": 5, "stays": 5, "adapted": 10}.items():
        assert total[what] >= floor, f"{what}: {total[what]} times, at least {floor} wanted"


@pytest.mark.parametrize(("ports", "width"), [(3, 15), (8, 20)])
def test_tm_red_shared(ports: int, width: int) -> None:
    build_and_test(
        "red_ports", __name__, extra_sources=[HARNESS], parameters={"PORTS": ports, "CountW": width},
        testcase="follows_the_rule",
    )  # fmt: skip
