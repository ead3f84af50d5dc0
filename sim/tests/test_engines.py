# SPDX-License-Identifier: BSD-3-Clause
"""The engines behind the C interface, where a fault of theirs would look like one of RTL or model."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from fractions import Fraction

import pytest
from truemark.device import registers
from truemark.device.engine import Build, Engine, find_libraries, open_engine
from truemark.device.outcomes import DepartureKind, Outcome, Spacing
from truemark.device.registers import CAPABILITIES, Register
from truemark.errors import TruemarkError
from truemark.laws import codel, policies, red, slopes
from truemark.laws.step import Step
from truemark_dev.marks import slow
from truemark_dev.runner import seed

from sim.peers.port import ECT0, NOT_ECT, Port, frame

pytestmark = pytest.mark.builds("engine:model", "engine:both_full")

LENGTHS = (54, 60, 1514, 1514, 1514)
NS_PER_BYTE = 800  # 10 Mb/s

TWO_ENGINES = """
from truemark.device.engine import open_engine
first, second = open_engine("both"), open_engine("both")
for engine in (first, second):
    engine.advance(1000)
second.close()
first.close()
"""


def test_red_agrees_after_any_idle_time() -> None:
    """RTL and golden model see the same faded average, wherever in its round RED's shared unit is when time jumps.

    Stimulus: RED next to a step law at 10 Mb/s, phases of overload and of pauses in which the queue runs empty, so that
    frames arrive after idle times of all lengths while the average is in RED's band.
    Checks: each verdict, by the engine itself; and that such frames were met, with and without a signal.
    """
    law = red.law(8000, 24_000, Fraction(1, 10), 9, spacing=Spacing.UNIFORM)
    idle = slopes.idle(slopes.packet_time(500, 10_000_000))
    settings = policies.settings("dual-step", Step(12_000), law, limit_bytes=100_000, idle=idle)
    rng = random.Random(1)
    after_idle: Counter[Outcome] = Counter()
    with open_engine("both", features=frozenset({"red"})) as engine:
        port = Port(engine, settings)
        now, free_at = 1000, 0
        held: list[int] = []
        for number in range(4000):
            now += rng.randrange(800_000 if number // 150 % 3 else 2_800_000)
            while held and free_at <= now:
                engine.take(free_at)
                free_at += held.pop(0) * NS_PER_BYTE
            length = rng.choice(LENGTHS)
            outcome = port.put(now, length, rng.choice((NOT_ECT, NOT_ECT, NOT_ECT, ECT0)))
            if not held:
                after_idle[outcome] += 1
                free_at = max(free_at, now)
            if outcome <= Outcome.PROTECTED:
                held.append(length)
    print(dict(port.arrived), "after an idle time", dict(after_idle))
    assert port.marks > 100
    assert port.unforced_drops > 30
    assert after_idle[Outcome.PASS] > 100
    assert after_idle[Outcome.EARLY_PROBABILITY] + after_idle[Outcome.EARLY_FORCED] > 10


@pytest.mark.parametrize("weight", [1, *slow(0, 4)])
def test_ared_agrees_however_often_it_adapts(weight: int) -> None:
    """The step that finds ARED due is in the average that it goes by, and begins the next interval.

    Stimulus: ARED in one slot and RED in the other, with intervals of 1 ns to 3 ms; frames that find anything from an
    empty queue to a full one, at once, an interval or milliseconds apart, so that a frame takes the average across the
    band; and resets, each of which begins an interval.
    Checks: after each frame maxp, and each verdict, by the engine itself; and that maxp rose and fell.
    """
    rng = random.Random(seed() * 1000 + weight)
    laws = [red.law(2000, 12_000, Fraction(1, 4), weight, adaptive=True), red.law(1000, 9000, Fraction(1, 2), 2)]
    idle = slopes.idle(slopes.packet_time(1000, 10_000_000))
    moves: Counter[str] = Counter()
    with open_engine("both", features=frozenset({"red"})) as engine:
        now = 1000
        for interval in (1, 100_000, 1_000_000, 3_000_000):
            port = Port(engine, policies.settings("dual-slope", *laws, idle=idle, adapt_interval_ns=interval))
            maxp = laws[0].maxp
            for _ in range(400):
                now += rng.choice((0, 100, 1000, 400_000, interval, rng.randrange(3_000_000)))
                if rng.random() < 0.02:
                    engine.write(registers.COMMAND.address, registers.COMMAND.pack(soft_reset=1))
                    maxp = laws[0].maxp
                    continue
                if rng.random() < 0.45:
                    port.take(now)
                    continue
                port.put(now, rng.choice(LENGTHS), rng.choice((NOT_ECT, ECT0)))
                after = engine.read(registers.MAXP0.address)
                moves["rises"] += after > maxp
                moves["falls"] += after < maxp
                maxp = after
    print(dict(moves))
    assert min(moves["rises"], moves["falls"]) > 5


@pytest.mark.parametrize("leap", [1 << 41, (1 << 42) + 100_000, (1 << 43) - 1, 1 << 45])
def test_an_average_does_not_come_back(leap: int) -> None:
    """After 37 minutes without a frame nothing is left of an average, though the device's clock wraps after 73."""
    law = red.law(5000, 15_000, Fraction(1, 10), 2)
    idle = slopes.idle(slopes.packet_time(1500, 10_000_000))
    with open_engine("both", features=frozenset({"red"})) as engine:
        port = Port(engine, policies.settings("red", law, idle=idle))
        for _ in range(20):
            port.put(1000, 1514)
        while port.packets():
            port.take(1000)
        assert port.average() > 10_000
        for _ in range(2):
            engine.advance(1000 + leap)
            assert port.average() == 0
            leap += 1 << 41
        assert port.put(1000 + leap, 1514) == Outcome.PASS


VIEWS = (
    *(registers.OCCUPANCY_BYTES, registers.OCCUPANCY_PACKETS, registers.WATERMARK_BYTES, registers.WATERMARK_PACKETS),
    *(registers.WATERMARK_SOJOURN_LOW, registers.WATERMARK_SOJOURN_HIGH, registers.CUT_SHORT, registers.STATUS),
    *(registers.AVERAGE0, registers.AVERAGE1, registers.MAXP0, registers.MAXP1, registers.LOCK, registers.SEED),
)
SUMS = (registers.SUM_PACKETS_LOW, registers.SUM_BYTES_LOW, registers.SNAPSHOT_BYTES, registers.SNAPSHOT_PACKETS)
CODEL_SWITCHES = (
    *("at_once", "exempt_below", "exempt_largest", "converge", "mark_from_now", "reentry_past", "threshold_once"),
    "keep_first_above",
)


class Host:
    """Does anything to port 0 of RTL and golden model, which compare each verdict, departure and read."""

    def __init__(self, engine: Engine, rng: random.Random, now: int) -> None:
        self.engine, self.rng, self.now = engine, rng, now
        self.met: Counter[str] = Counter()

    def write(self, register: Register, value: int) -> None:
        """Write a register."""
        self.engine.write(register.address, value)

    def command(self, name: str) -> None:
        """Give one command."""
        self.write(registers.COMMAND, registers.COMMAND.pack(**{name: 1}))

    def offer(self, lengths: tuple[int, ...], errors: float) -> None:
        """Offer a frame of one of these lengths; so many of them end with an error."""
        data = frame(self.rng.choice(lengths), self.rng.randrange(4))
        self.engine.offer(self.now, data, error=self.rng.random() < errors)
        self.met.update(Outcome(event.outcome).name for event in self.engine.events())

    def take(self) -> None:
        """Take a frame, and count what CoDel dropped before it."""
        before = self.engine.read(registers.OCCUPANCY_PACKETS.address)
        departure = self.engine.take(self.now)
        after = self.engine.read(registers.OCCUPANCY_PACKETS.address)
        self.met["taken"] += departure is not None
        self.met["dropped"] += before - after - (departure is not None)
        self.met["marked"] += departure is not None and departure.kind != DepartureKind.PLAIN

    def view(self) -> None:
        """Read what registers show of the port."""
        self.engine.read(self.rng.choice(VIEWS).address)

    def snapshot(self) -> None:
        """Take a snapshot and sum up any part of it."""
        self.command("snapshot")
        self.write(registers.QUERY, self.rng.randrange(1 << 18))
        self.command("query")
        for register in SUMS:
            self.engine.read(register.address)

    def reseed(self) -> None:
        """Give another seed."""
        self.write(registers.SEED, self.rng.randrange(1 << 32))

    def lock(self) -> None:
        """Take or release the lock."""
        self.write(registers.LOCK, self.rng.choice((5, 6)) | self.rng.choice((0, 1 << 31, 1 << 16)))

    def reset(self) -> None:
        """Reset laws and queue, and look at the watermarks."""
        held = self.engine.read(registers.OCCUPANCY_PACKETS.address)
        self.met["reset while holding"] += held > 0
        self.command("soft_reset")
        self.marks()

    def clear(self) -> None:
        """Clear the watermarks and look at them."""
        self.command("clear_watermarks")
        self.marks()

    def marks(self) -> None:
        """Read the watermarks."""
        for register in VIEWS[2:6]:
            self.engine.read(register.address)

    def commit_red(self) -> None:
        """Commit none, a step or RED in each slot, with and without ARED."""
        rng = self.rng
        for slot in range(2):
            low, span, weight = rng.choice((0, 1000, 3000)), rng.choice((2000, 4000, 8000)), rng.choice((0, 1, 3, 9))
            spacing = rng.choice((Spacing.MEMORYLESS, Spacing.UNIFORM, Spacing.WAIT))
            maxp = Fraction(1, rng.choice((1, 4, 16)))
            adaptive = maxp < 1 and rng.random() < 0.5
            law = red.law(low, low + span, maxp, weight, spacing=spacing, adaptive=adaptive)
            for register, value in law.words(slot):
                self.write(register, value)
        self.write(registers.IDLE_RECIPROCAL, 55924)  # 1/1200 ns
        self.write(registers.IDLE_SHIFT, 26)
        self.write(registers.ADAPT_INTERVAL, rng.choice((1, 1000, 20_000, 1_000_000)))
        self.commit_control(3)

    def commit_codel(self) -> None:
        """Commit CoDel as no profile has it: every switch at random, a short interval, any threshold and protection."""
        rng = self.rng
        interval, ecn = rng.choice((3, 20, 200)), rng.random() < 0.6
        switches = {name: rng.random() < 0.4 for name in CODEL_SWITCHES}
        self.write(registers.CODEL_SETTINGS, registers.CODEL_SETTINGS.pack(on=rng.random() < 0.9, ecn=ecn, **switches))
        self.write(registers.CODEL_TARGET, rng.randrange(1, min(interval, 10) + 1))
        self.write(registers.CODEL_INTERVAL, interval)
        self.write(registers.CODEL_CE_THRESHOLD, rng.choice((codel.NEVER, 0, 5, 30)))
        self.write(registers.CODEL_EXEMPT_BYTES, rng.choice((1, 60, 500, 1514, 1 << 20)))
        self.write(registers.PROTECT, rng.choice((0, rng.randrange(1 << 14))) if ecn else 0)
        self.commit_control(2)

    def commit_control(self, laws: int) -> None:
        """Commit any ECN handling, one of so many laws in each slot, any K."""
        rng = self.rng
        law0, law1 = rng.randrange(laws), rng.randrange(laws)
        self.write(registers.CONTROL, 1 | rng.randrange(16) << 4 | law0 << 8 | law1 << 10)
        self.write(registers.K0, rng.randrange(9000))
        self.write(registers.K1, rng.randrange(9000))
        self.command("commit")
        assert not registers.STATUS.unpack(self.engine.read(registers.STATUS.address))["refused"]


@pytest.mark.parametrize("run", [0, 1, *slow(2, 3, 4, 5)])
def test_every_command_does_the_same(run: int) -> None:
    """RTL and golden model agree whatever a host does between frames, one thing at a time.

    Stimulus: frames at random under RED and step laws, between which the host commits, loads, resets, flushes, clears,
    gives a seed, takes a snapshot and sums it up.
    Checks: each verdict, departure and register read, by the engine itself; and that resets met a queue that holds.
    """
    rng = random.Random(seed() * 1000 + run)
    with open_engine("both", features=frozenset({"red"})) as engine:
        host = Host(engine, rng, 1000)
        host.commit_red()
        others = (host.commit_red, host.reset, host.clear, host.reseed, host.snapshot, host.lock)
        for _ in range(1000):
            host.now += rng.choice((0, 100, 1000, 5000, 200_000, 10_000_000))
            kind = rng.random()
            if kind < 0.55:
                host.offer((60, 500, 1514), errors=0.05)
            elif kind < 0.75:
                host.take()
            elif kind < 0.85:
                host.view()
            elif kind < 0.87:
                host.command(rng.choice(("flush", "load")))
            else:
                rng.choice(others)()
    print(dict(host.met))
    assert host.met["reset while holding"] > 5
    assert host.met["taken"] > 50
    assert host.met["MARK"] + host.met["EARLY_PROBABILITY"] > 20


def test_any_word_of_commands_does_the_same() -> None:
    """RTL and golden model agree on several actions in one write; a snapshot of a flush half done is left out.

    Stimulus: every such word of COMMAND, each while frames are held; a shadow with another K; a query in between.
    Checks: each verdict and register read, by the engine itself; and that the queue was never empty before.
    """
    rng = random.Random(seed())
    words = [word for word in range(1 << 7) if not (word & 0x10 and word & 0x0C)]
    rng.shuffle(words)
    with open_engine("both", features=frozenset({"red"})) as engine:
        host = Host(engine, rng, 1000)
        for word in words:
            host.commit_control(2)
            for _ in range(rng.randrange(3, 12)):
                host.now += 1000
                host.offer((60, 500, 1514), errors=0)
            for _ in range(2):
                host.now += 1000
                host.take()
            assert engine.read(registers.OCCUPANCY_PACKETS.address) > 0
            host.write(registers.K0, rng.randrange(9000))
            host.write(registers.COMMAND, word)
            for register in (*VIEWS, *SUMS, registers.K0):
                engine.read(register.address)
            host.snapshot()


@pytest.mark.parametrize("start", [(1 << 42) - 3_000_000, *slow(1000, (1 << 42) - (1 << 41) - 2_000_000)])
def test_codel_is_the_same_with_any_switch(start: int) -> None:
    """RTL and golden model agree on each departure with settings that no profile gives, which change under traffic.

    Stimulus: frames at random, more than leave, next to commits, resets, flushes and snapshots; the clock wraps.
    Checks: each departure and register read, by the engine itself; and that CoDel dropped and marked.
    """
    rng = random.Random(seed() * 1000 + start % 1000)
    with open_engine("both", features=frozenset({"red", "codel"})) as engine:
        host = Host(engine, rng, start)
        host.commit_codel()
        others = (host.commit_codel, host.reset, host.clear, host.snapshot, lambda: host.command("flush"))
        for _ in range(2000):
            host.now += rng.choice((0, 0, 1, 1, 2, 5, rng.randrange(40))) * rng.choice((1024, 1024, 1000))
            kind = rng.random()
            if kind < 0.6:
                host.offer((60, 60, 500, 1514), errors=0.03)
            elif kind < 0.95:
                host.take()
            else:
                rng.choice(others)()
    print(dict(host.met))
    assert host.met["dropped"] > 30
    assert host.met["marked"] > 100
    assert host.met["reset while holding"] > 5


@pytest.mark.parametrize(("limit", "held", "refusal"), [(300_000, 4615, "TAIL_BYTES"), (None, 4616, "NO_ROOM")])
def test_a_queue_of_shallow_meets_its_limit_before_the_rows_end(limit: int | None, held: int, refusal: str) -> None:
    """Frames that waste most of their rows, 65 bytes in three of 32: RTL and golden model keep as many rows spare."""
    with open_engine("both") as engine:
        port = Port(engine, policies.settings("droptail", limit_bytes=limit))
        outcomes = [port.put(1000 * number, 65) for number in range(1, held + 2)]
    assert outcomes == [Outcome.PASS] * held + [Outcome[refusal]]


def test_a_pool_in_which_no_frame_fits_is_refused() -> None:
    build = Build(ports=2, data_w=64, rows=7, max_frame=64, switches=CAPABILITIES.pack(pool=1))
    with pytest.raises(TruemarkError, match="rows = 7, allowed: with pool more than 8 cells"):
        Engine(find_libraries("model")[0], build)


def test_a_write_to_a_register_that_is_read_changes_nothing() -> None:
    """TIME_HIGH is what it was as TIME_LOW was read: a write to that one, which is ignored, is no read.

    Stimulus: time that goes on from 1 to 5 s between a read of TIME_LOW and a write to it, and a write to every
    register that is only read, in both engines.
    Checks: TIME_HIGH is of the read; nothing that stands still has changed.
    """
    with open_engine("both") as engine:
        engine.advance(10**9)
        assert engine.read(registers.TIME_LOW.address) == 10**9
        engine.advance(5 * 10**9)
        named = {name: each for name, each in vars(registers).items() if isinstance(each, Register)}
        fixed = [each for name, each in named.items() if each.access == "r" and each.needs == "" and "TIME" not in name]
        before = [engine.read(each.address) for each in fixed]
        for each in [*fixed, registers.TIME_LOW, registers.TIME_HIGH]:
            engine.write(each.address, 0xFFFF_FFFF)
        assert engine.read(registers.TIME_HIGH.address) == 0
        assert [engine.read(each.address) for each in fixed] == before
        assert len(fixed) > 20
        assert engine.read(registers.TIME_LOW.address) == 5 * 10**9 % 2**32
        assert engine.read(registers.TIME_HIGH.address) == 1


def test_two_engines_close_in_any_order() -> None:
    """Verilator keeps one context for a thread: that of the engine that was used last, which may be closed first."""
    subprocess.run([sys.executable, "-c", TWO_ENGINES], check=True, timeout=20)
