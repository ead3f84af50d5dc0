# SPDX-License-Identifier: BSD-3-Clause
"""RED of several ports, cycle by cycle, against the golden model.

Parts tested through it: tm_red, tm_red_shared, tm_red_turns, tm_red_round, tm_red_words, tm_red_idle, tm_red_ared,
tm_red_slot, tm_red_spacing_linux.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import cocotb
import pytest
from truemark_dev.golden import golden
from truemark_dev.marks import slow
from truemark_dev.paths import ROOT
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import cycle, randomness, start
from cocotb_tests.env.config_words import ADAPT_INTERVAL, IDLE_RECIPROCAL, IDLE_SHIFT, red_word
from cocotb_tests.env.red import ONE, ROUND, TIME, Law, Region
from cocotb_tests.env.tm_pkg import CFG, RED, RED_VIEW, Spacing
from cocotb_tests.env.tm_pkg import Law as Kind

pytestmark = pytest.mark.builds("golden")

HARNESS = ROOT / "cocotb_tests" / "law" / "red" / "red_ports.sv"
IDLE = dict.fromkeys(
    [
        "time_i", "bytes_i", "packets_i", "step_i", "slot_i", "cfg_i", "word_valid_i", "word_i", "commit_i",
        "law_reset_i", "red_load_i", "seed_load_i",
    ],
    0,
)  # fmt: skip
Clock = tuple[int, int, int]  # IDLE_RECIPROCAL, IDLE_SHIFT, ADAPT_INTERVAL
SPACINGS = (Spacing.MEMORYLESS, Spacing.UNIFORM, Spacing.WAIT)


def some_law(rng: random.Random, top: int, linux: bool = False) -> Law:
    """Return a law that a queue of up to `top` bytes meets in all its regions; `linux`: often spaced as in Linux."""
    low = rng.randint(0, top // 2)
    high = rng.choice((low, low + 1, rng.randint(low + 1, top), rng.randint(low + 1, top)))
    maxp = rng.choice((ONE, rng.randint(1, ONE), ONE // 8, ONE // 50, 1))
    gap = high - low
    if linux and rng.random() < 0.6:
        slope = rng.choice((1, 2**24 - 1, 1 + rng.getrandbits(rng.randint(12, 22))))
        weight, packets = rng.choice((0, 1, 2, 3, 5, 9, 24)), rng.random() < 0.3
        return Law(weight, low, max(high, 1), slope=slope, spacing=Spacing.LINUX, packets=packets)
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
        packets=rng.random() < 0.3,
    )


class Traffic:
    """What one port holds and when it is offered a frame: bursts, droughts, a step in every cycle, long idle times.

    Frames are of any length: P is as random as B, and both are 0 together.
    """

    def __init__(self, rng: random.Random, top: int, most: int) -> None:
        self.rng, self.top, self.most, self.held, self.packets = rng, top, most, 0, 0
        self.load, self.until = 0.5, 0

    def next(self, now: int) -> tuple[int, int, int | None]:
        """Return B, P and the slot that speaks, if one does."""
        rng = self.rng
        if now >= self.until:
            self.load = rng.choice((0.0, 0.0, 0.02, 0.3, 1.0))
            self.until = now + rng.choice((40, 120, 300))
            self.drain = rng.random() < 0.5 or self.load == 0
        step = rng.randrange(2) if rng.random() < self.load else None
        held, packets = self.held, self.packets
        if self.load == 0.02 and self.drain:  # frames that find nothing and are refused
            self.held = 0
        elif step is not None:
            self.held = min(self.held + rng.randint(14, self.top // 6), self.top)
        if self.drain and rng.random() < 0.4:
            self.held = max(self.held - rng.randint(14, self.top // 3), 0)
        if self.held != held:
            near = self.held * self.most // self.top + rng.randint(-self.most // 16, self.most // 16)
            self.packets = min(max(near, 1), self.most) if self.held else 0
        return held, packets, step


def pack(laws: tuple[Law, Law], bank: int = 0) -> int:
    """Return the configuration of a port."""
    return CFG.pack(
        law=Kind.RED | Kind.RED << 2, red=laws[0].pack() | laws[1].pack() << RED.width, red_bank=bank
    )  # fmt: skip


def words(laws: tuple[Law, Law], clock: Clock, bank: int) -> list[int]:
    """Return all words of RED of a port, on their way."""
    both = dict(zip((IDLE_RECIPROCAL, IDLE_SHIFT, ADAPT_INTERVAL), clock, strict=True))
    both |= laws[1].words(1) | laws[0].words(0)
    return [red_word(bank, place, data) for place, data in both.items()]


async def load(dut: Any, laws: list[tuple[Law, Law]], clocks: list[Clock]) -> None:
    """Bring all ports their words, into the set that is in force after a reset."""
    for port, (both, clock) in enumerate(zip(laws, clocks, strict=True)):
        dut.word_valid_i.value = 1 << port
        for word in words(both, clock, 0):
            dut.word_i.value = word
            await cycle(dut)
    dut.word_valid_i.value = 0


@dataclass
class Seen:
    """What a test does to a port in one cycle."""

    held: int
    packets: int
    time: int
    step: int | None = None  # the slot that speaks
    commit: tuple[Law, Law] | None = None
    law_reset: tuple[bool, bool] = (False, False)
    red_load: tuple[bool, bool] = (False, False)
    seed: int | None = None


class Reference:
    """The golden model of a port; `open` and `close` every cycle once. Counts what it met."""

    def __init__(self, index: int, ports: int, laws: tuple[Law, Law], clock: Clock) -> None:
        self.model = golden().RedPort(index, ports, [vars(law) for law in laws], *clock)
        self.now = 0
        self.averages = self.before = [0, 0]  # as the scan has them at the start of this cycle, and of the one before
        self.linux = [law.spacing is Spacing.LINUX for law in laws]
        self.by_packets = [law.packets for law in laws]
        self.last = Seen(0, 0, 0)
        self.hits: Counter[str] = Counter()

    def moves(self) -> list[int]:
        """Return the cycles at whose ends ARED's latest moves stand."""
        return [move[0] for move in map(self.model.move, range(2)) if move]

    def open(self, seen: Seen) -> None:
        """Begin a cycle."""
        last = self.last
        if last.commit:
            self.model.commit([vars(law) for law in last.commit], last.law_reset, last.red_load)
            self.linux = [law.spacing is Spacing.LINUX for law in last.commit]
            self.by_packets = [law.packets for law in last.commit]
        if last.seed is not None:
            self.model.seed(last.seed)
        self.model.open(self.now, seen.held, seen.packets)
        self.before, self.averages = self.averages, [self.model.kept(s) for s in range(2)]
        for s in range(2):
            if faded := self.model.faded(s):
                was, left = faded
                self.hits["decayed"] += 1
                if self.linux[s] and was:
                    self.hits["Linux: gone" if not left else "Linux: decayed" if left < was else "Linux: stays"] += 1

    def answers(self) -> list[tuple[bool, bool]]:
        """Return for each slot: signal, forced."""
        return [(answer > 0, answer > 1) for answer in map(self.model.answer, range(2))]

    def close(self, seen: Seen) -> None:
        """End the cycle."""
        model, hits, s = self.model, self.hits, seen.step
        if s is not None:
            region = Region(model.region(s))
            hits[region.name] += 1
            hits["BETWEEN, in packets"] += region is Region.BETWEEN and self.by_packets[s]
            counted, number = model.counted(s), model.number(s)
            signal = model.step(s, seen.time) == 1
            hits["Linux: signal" if self.linux[s] else "signal"] += signal
            hits["Linux: older count"] += self.linux[s] and counted not in (None, number)
        model.close(seen.time)
        for move in map(model.move, range(2)):
            if move and move[0] == self.now:
                _, was, now = move
                hits["adapted"] += not seen.commit  # which voids it
                hits["rises" if now > was else "falls" if now < was else "stays"] += 1
        self.last = seen
        self.now += 1


class Commit:
    """A commit on its way: first its words, then the cycle in which it acts."""

    def __init__(
        self, rng: random.Random, port: int, laws: tuple[Law, Law], clock: Clock, bank: int, make: Callable[[], Law]
    ) -> None:
        self.port, self.bank = port, bank
        # Some do nothing but happen, in the cycle in which ARED's result arrives or the one before or after.
        self.aim = rng.choice((0, 0, 0, 1, -1)) if rng.random() < 0.6 else None
        self.patience = 1000
        reset = (False, False) if self.aim is not None else (rng.random() < 0.5, rng.random() < 0.5)
        new = [
            make() if r or (self.aim is None and rng.random() < 0.3) else law
            for r, law in zip(reset, laws, strict=True)
        ]
        # what makes a law reset necessary is only changed with one
        for s in range(2):
            if not reset[s] and (laws[s].spacing is Spacing.LINUX or new[s].spacing is Spacing.LINUX):
                new[s] = laws[s]
            if not reset[s]:
                new[s] = replace(new[s], weight=laws[s].weight, spacing=laws[s].spacing, packets=laws[s].packets)
        self.laws, self.reset = (new[0], new[1]), reset
        self.red_load = new[0] != laws[0], new[1] != laws[1]
        self.words = deque(word for word in words(self.laws, clock, bank) for _ in range(2))

    def ready(self, port: Reference) -> bool:
        """Say whether this is its cycle."""
        self.patience -= 1
        return self.aim is None or self.patience < 0 or port.now + self.aim in port.moves()


@cocotb.test()
async def follows_the_rule(dut: Any) -> None:
    """All of RED at once.

    Stimulus: 90,000 cycles, 200,000 with Linux' spacing, counted over all ports: random laws of all kinds, steps from
    never to every cycle on both slots, queues that run empty for 40 to 300 cycles, times that run, stand, jump by up to
    2^42 ns and once backwards, commits that change everything, something or nothing, with and without law reset, some
    of them just when ARED moves a slope, seeds, among them those that give zero. In a build that has it, most laws are
    spaced as in Linux.
    Checks: in every cycle and for both slots signal, forced, and the average, as the reference has them; what the
    registers are shown: the average as the visit found it, maxp where it has stood still.
    """
    rng = randomness("tm_red_shared")
    ports, width = dut.PORTS.value.to_unsigned(), dut.COUNT_W.value.to_unsigned()
    top = (1 << width) * 5 // 8
    frames_width = dut.FRAMES_W.value.to_unsigned()
    linux = bool(dut.LINUX.value.to_unsigned())
    shifts = (1, 4, 10, 33) if linux else (20, 25, 33)
    clocks = [(rng.choice((26843, 131071)), rng.choice(shifts), rng.choice((0, 500, 4000))) for _ in range(ports)]
    make = partial(some_law, rng, top, linux)
    laws = [(make(), make()) for _ in range(ports)]
    banks = [0] * ports
    await start(dut, IDLE, seed_i=1, cfg_i=sum(pack(laws[p]) << p * CFG.width for p in range(ports)))
    dut.rst_i.value = 1
    await load(dut, laws, clocks)
    dut.rst_i.value = 0
    references = [Reference(p, ports, laws[p], clocks[p]) for p in range(ports)]
    traffic = [Traffic(rng, top, top // 64) for _ in range(ports)]
    time, pace = TIME - 5000, 4
    stands = [[(0, 0), (0, 0)] for _ in range(ports)]  # maxp, and for how many cycles
    shown = [[0, 0] for _ in range(ports)]
    before: deque[list[list[int]]] = deque(maxlen=3)  # the averages at the start of the last cycles
    total: Counter[str] = Counter()
    commit: Commit | None = None
    for now in range((200_000 if linux else 90_000) // ports):
        if rng.random() < 0.004:
            pace = rng.choice((0, 1, 4, 4, 50, 5000, 10**6))
        time += pace
        if rng.random() < 0.0005:
            time += rng.choice((10**9, -10_000, 1 << 41, (1 << 42) - 10_000))
        if commit is None and rng.random() < 0.01 * ports:
            p = rng.randrange(ports)
            commit = Commit(rng, p, laws[p], clocks[p], 1 - banks[p], make)
        loading = commit is not None and bool(commit.words)
        dut.word_valid_i.value = 1 << commit.port if commit and loading else 0
        if commit and loading:
            dut.word_i.value = commit.words.popleft()
        seens = []
        for p in range(ports):
            held, packets, step = traffic[p].next(now)
            seen = Seen(held, packets, time % TIME, step)
            if commit and commit.port == p and not loading and commit.ready(references[p]):
                laws[p], banks[p] = commit.laws, commit.bank
                seen.commit, seen.law_reset, seen.red_load = commit.laws, commit.reset, commit.red_load
                total["commit as ARED moves"] += now in references[p].moves()
                commit = None
            seens.append(seen)
        seed = rng.choice((0, 1, 0x9E3779B9, rng.randrange(1 << 32))) if rng.random() < 0.0005 else None
        for seen in seens:
            seen.seed = seed

        def by_port(values: list[int], bits: int) -> int:
            return sum(value << bits * p for p, value in enumerate(values))

        dut.time_i.value = time % TIME
        dut.bytes_i.value = by_port([seen.held for seen in seens], width)
        dut.packets_i.value = by_port([seen.packets for seen in seens], frames_width)
        dut.step_i.value = by_port([seen.step is not None for seen in seens], 1)
        dut.slot_i.value = by_port([seen.step or 0 for seen in seens], 1)
        dut.commit_i.value = by_port([seen.commit is not None for seen in seens], 1)
        dut.law_reset_i.value = by_port([seen.law_reset[0] | seen.law_reset[1] << 1 for seen in seens], 2)
        dut.red_load_i.value = by_port([seen.red_load[0] | seen.red_load[1] << 1 for seen in seens], 2)
        dut.seed_load_i.value = (1 << ports) - 1 if seed is not None else 0
        dut.seed_i.value = seed or 0
        if any(seen.commit for seen in seens):
            dut.cfg_i.value = by_port([pack(laws[p], banks[p]) for p in range(ports)], CFG.width)
        await cycle(dut)
        view = RED_VIEW.unpack(int(dut.view_o.value))
        if now > ROUND and view["valid"] and view["place"] < 2 * ports:
            p, s = divmod(view["place"], 2)
            if view["is_maxp"]:
                shown[p][s] = view["value"]
            else:
                assert view["value"] == before[0][p][s] // ONE, f"cycle {now} port {p} slot {s}: {view}, {before}"
                total["average shown"] += 1
        signal, forced = int(dut.signal_o.value), int(dut.forced_o.value)
        averages = int(dut.average_o.value)
        for p, reference in enumerate(references):
            reference.open(seens[p])
            for s, expected in enumerate(reference.answers()):
                got = bool(signal >> 2 * p + s & 1), bool(forced >> 2 * p + s & 1)
                where = f"cycle {now} port {p} slot {s} {laws[p][s]}"
                assert got == expected, f"{where}: {got}, expected {expected}"
                got_average = averages >> 24 * (2 * p + s) & (1 << 24) - 1
                if now > ROUND:
                    expected_average = reference.before[s] // ONE
                    assert got_average == expected_average, f"{where}: average {got_average}, not {expected_average}"
                (maxp, age), model_maxp = stands[p][s], reference.model.maxp(s)
                if age > 64 + 48 and maxp == model_maxp:
                    assert shown[p][s] == maxp, f"{where}: maxp {shown[p][s]}"
                    total["maxp compared"] += 1
                same = maxp == model_maxp and not seens[p].commit
                stands[p][s] = model_maxp, age + 1 if same else 0
            reference.close(seens[p])
        before.append([reference.averages for reference in references])
    for reference in references:
        total.update(reference.hits)
    print(dict(total))
    # Eight ports draw few laws in their 11,250 cycles, and meet about 220 signals; three ports meet 2800.
    floors = {"BELOW": 2000, "BETWEEN": 1000, "FORCED": 1000, "signal": 150, "decayed": 300, "maxp compared": 10_000}
    floors |= {"average shown": 1000, "rises": 5, "falls": 5, "stays": 5, "adapted": 10, "commit as ARED moves": 3}
    floors |= {"BETWEEN, in packets": 100}
    if linux:
        floors = {"signal": 50, "Linux: signal": 100, "Linux: older count": 400, "BETWEEN, in packets": 100}
        floors |= {"Linux: decayed": 100, "Linux: gone": 30}
    for what, floor in floors.items():
        assert total[what] >= floor, f"{what}: {total[what]} times, at least {floor} wanted"


@pytest.mark.parametrize(("ports", "width", "linux"), [(3, 16, 1), *slow((8, 20, 0), (3, 15, 0))])
def test_tm_red_shared(ports: int, width: int, linux: int) -> None:
    parameters = {"PORTS": ports, "COUNT_W": width, "FRAMES_W": width - 6, "LINUX": linux}
    build_and_test("red_ports", __name__, extra_sources=[HARNESS], parameters=parameters, testcase="follows_the_rule")
