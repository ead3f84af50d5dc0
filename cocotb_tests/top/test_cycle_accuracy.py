# SPDX-License-Identifier: BSD-3-Clause
"""tm_core, and in it tm_port: the cycle in which each frame starts to leave is predicted, and all they say or hold.

The prediction is made of three parts written from the documents: the framing and header rules of the parser's tests,
their strobe cycles, and the queue of `queue_model.py`. Nothing of it looks at the device.
"""

from __future__ import annotations

import json
import os
import random
from dataclasses import dataclass
from typing import Any

import cocotb
import pytest
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.config_words import OFF_BYTES, OFF_PACKETS, STORED
from cocotb_tests.env.fields import Fields
from cocotb_tests.env.policy import Policy
from cocotb_tests.env.tm_pkg import (
    ARRIVAL,
    CFG,
    DEPARTURE,
    EVENT,
    HELD,
    ORDER,
    SINK,
    STAMP_W,
    TALLY,
    Class,
    Departure,
    Ecn,
    Law,
    Outcome,
)
from cocotb_tests.parse.checker import Schedule
from cocotb_tests.parse.stream import Build, Frame, frame_of
from cocotb_tests.parse.vectors import random_frame
from cocotb_tests.top.queue_model import Copy, Happened, Port, Seen

FRONT = 64  # rows of tm_spill_ring's small memories, as tm_buffer has them

CYCLES = 10_000
PHASE = 250  # cycles for which a port's policy and its sink's habits last

IDLE = {"s_valid_i": 0, "s_data_i": 0, "s_keep_i": 0, "s_last_i": 0, "s_dest_i": 0, "s_len_i": 0, "s_error_i": 0}
PINS = list(IDLE)


@dataclass(frozen=True)
class Core:
    """The parameters of the build under test."""

    ports: int
    beat_bytes: int
    rows: int
    descriptors: int
    max_frame: int = 9216
    store_and_forward: bool = False
    flags_verdict: bool = False
    ultra: bool = False
    marked_copy: bool = True

    def parameters(self) -> dict[str, int | str]:
        """Return them as the RTL names them."""
        return {
            "PORTS": self.ports,
            "DATA_W": 8 * self.beat_bytes,
            "ROWS": self.rows,
            "DESCRIPTORS": self.descriptors,
            "MAX_FRAME": self.max_frame,
            "STORE_AND_FORWARD": int(self.store_and_forward),
            "FLAGS_VERDICT": int(self.flags_verdict),
            "ULTRA": int(self.ultra),
            "MARKED_COPY": int(self.marked_copy),
        }

    def build(self) -> Build:
        """Return what the parser's rules need of them."""
        return Build(self.beat_bytes, self.max_frame, self.ports, self.store_and_forward, self.flags_verdict)


def pack(policy: Policy, flags_verdict: bool) -> int:
    """Return the policy as `cfg_t`."""
    return CFG.pack(
        enable=policy.enable,
        limit_bytes=OFF_BYTES if policy.limit_bytes is None else policy.limit_bytes,
        limit_packets=OFF_PACKETS if policy.limit_packets is None else policy.limit_packets,
        slot_of=sum(slot << ecn for ecn, slot in enumerate(policy.slot_of)),
        law=policy.law[1] << 2 | policy.law[0],
        k=policy.k[1] << 24 | policy.k[0],
        protect=sum(1 << (2 * class_id + ece) for class_id, ece in policy.protect),
        noecn=policy.noecn,
        harddrop=policy.harddrop,
        wait_flags=policy.waits(flags_verdict),
    )


def random_policy(rng: random.Random, core: Core) -> Policy:
    """Any policy a commit would accept, with limits and thresholds that traffic meets."""
    storage = core.rows * core.beat_bytes
    laws = tuple(rng.choice((Law.NONE, Law.STEP, Law.STEP)) for _ in range(2))
    protect: frozenset[tuple[Class, int]] = frozenset()
    if core.flags_verdict and rng.random() < 0.7:
        protect = frozenset((class_id, ece) for class_id in Class for ece in (0, 1) if rng.random() < 0.5)
    return Policy(
        enable=rng.random() > 0.04,
        limit_bytes=rng.choice((None, None, rng.randint(1, storage), rng.randint(storage // 4, storage))),
        limit_packets=rng.choice((None, None, None, rng.randint(1, core.descriptors))),
        slot_of=rng.choice(((0, 0, 0, 0), (1, 0, 0, 0), (1, 0, 1, 0))),
        law=(laws[0], laws[1]),
        k=(rng.randint(0, storage // 2), rng.choice((0, rng.randint(0, storage)))),
        protect=protect,
        noecn=not protect and rng.random() < 0.15,
        harddrop=rng.random() < 0.15,
    )


def spoil(frame: Frame, rng: random.Random, core: Core) -> Frame:
    """Make a frame wrong, now and then."""
    match rng.randrange(40):
        case 0:
            frame.promised = max(14, frame.promised + rng.choice((-1, 1, -core.beat_bytes, core.beat_bytes, 99)))
        case 1:
            frame.promised = rng.randrange(14, 300)
        case 2:
            rng.choice(frame.beats).keep &= ~(1 << rng.randrange(core.beat_bytes))
        case 3:
            frame.error = True
        case 4:
            frame.dest = rng.choice((0, (1 << core.ports) - 1))
        case 5:
            frame.promised = rng.choice((13, core.max_frame + 1))
    return frame


def traffic(core: Core, rng: random.Random) -> Schedule:
    """Frames of all kinds at a load that changes."""
    schedule = Schedule(core.build())
    while len(schedule.pins) < CYCLES:
        busy = rng.choice((0.0, 0.0, 0.3))
        short = rng.random() < 0.3
        for _ in range(rng.randrange(1, 12)):
            data = random_frame(rng)
            if short and len(data) > 90:
                data = data[: rng.choice((60, 64, 65, 90))]
            elif len(data) > 600 and rng.random() < 0.7:
                data = data[: rng.randrange(200, 600)]
            elif rng.random() < 0.04:
                data = data.ljust(rng.randrange(len(data), core.max_frame + 1), b"\x55")
            dest = rng.randrange(1, 1 << core.ports)
            frame = frame_of(data[: core.max_frame], core.beat_bytes, dest=dest, filler=rng)
            schedule.add(spoil(frame, rng, core), rng, busy)
        if rng.random() < 0.6:
            schedule.idle(rng.choice((1, 2, 3, 5, 20, 60)), rng)
    return schedule


class Habits:
    """How a sink and its scheduler behave for a while: each ready, or tx_en, in a cycle with some probability."""

    def __init__(self, rng: random.Random) -> None:
        self.ready = rng.choice((1.0, 1.0, 0.9, 0.5, 0.2, 0.05, 0.0))
        self.tx_en = rng.choice((1.0, 1.0, 1.0, 0.5, 0.05, 0.01, 0.0))


class Follower:
    """Compares one port with its model in every cycle."""

    def __init__(self, port: int, core: Core, coverage: Coverage) -> None:
        self.port, self.core, self.coverage = port, core, coverage
        self.model = Port(core.rows, core.descriptors, core.flags_verdict)
        self.frames: dict[int, tuple[int, ...]] = {}
        self.arrivals: dict[int, tuple[Copy, bool]] = {}  # by the cycle in which their tally must show
        self.departures: dict[int, Copy] = {}
        self.tallies: dict[Copy, tuple[Class, int, Ecn, int]] = {}
        self.marks: dict[Copy, tuple[bool, Seen]] = {}

    def output(self, dut: Pins, now: int) -> None:
        """Check what stands on the output: validity in every cycle, the row and its frame when valid."""
        model, port, width = self.model, self.port, self.core.beat_bytes
        shown = model.shown
        visible = shown is not None and not shown.copy.condemned
        where = f"cycle {now}, port {port}"
        assert (dut.valid >> port & 1) == visible, f"{where}: valid is {dut.valid >> port & 1}, predicted {visible}"
        assert dut.bytes >> 24 * port & 0xFFFFFF == model.held_bytes, f"{where}: B"
        assert dut.packets >> 20 * port & 0xFFFFF == model.held_packets, f"{where}: P"
        if not visible:
            return
        assert shown is not None
        data, keep, last, length, error = dut.shown(port)
        row = shown.value
        assert last == shown.last, f"{where}: last"
        assert keep == (row >> 8 * width) & ~1 | 1, f"{where}: keep {keep:x}"
        assert length == shown.copy.length, f"{where}: length {length}, {shown.copy.length} predicted"
        assert error == (shown.last and shown.copy.cut), f"{where}: error {error}"
        changed = data ^ row & (1 << 8 * width) - 1
        assert changed == 0 or shown.copy.outcome is Outcome.MARK, f"{where}: data changed in an unmarked frame"

    def step(self, dut: Pins, now: int, seen: Seen, policy: Policy, tx_en: bool, ready: bool, flush: bool) -> Happened:
        """Let the model do this cycle and remember what the tallies have to say later."""
        mine = seen.beat is not None and seen.beat[0] and bool(seen.beat[2] >> self.port & 1)
        happened = self.model.cycle(now, seen, policy, tx_en=tx_en, ready=ready, flush=flush, mine=mine)
        where = f"cycle {now}, port {self.port}"
        assert (dut.cut >> self.port & 1) == happened.cut, f"{where}: cut short"
        if happened.ended is not None:
            self.arrivals[now + 1] = happened.ended, seen.ambiguous and happened.judged is not None
        if happened.gone is not None:
            self.departures[now + 3] = happened.gone
        self._cover(happened, seen, now)
        return happened

    def _cover(self, happened: Happened, seen: Seen, now: int) -> None:
        hit = self.coverage.hit
        copy = happened.judged
        if copy is not None:
            assert copy.outcome is not None
            hit(copy.outcome.name)
            hit("leaves in the cycle after its verdict", copy.selected)
            hit("stored beside a departure", copy.outcome in STORED and happened.departed is not None)
        hit(
            "wrong after its verdict",
            happened.ended is not None and happened.ended.outcome is Outcome.ABORTED and copy is None,
        )
        hit("cut short", happened.cut)
        if happened.gone is not None:
            hit("flushed" if happened.gone.condemned else "left")
        hit("a row from the large memory", self.core.ultra and happened.fetched_of > FRONT)
        hit("waits for a row in mid-frame", self.model.open is not None and self.model.shown is None)


class Pins:
    """The outputs of the core in one cycle, read once."""

    def __init__(self, dut: Any, core: Core) -> None:
        self.dut, self.core = dut, core
        self.valid = self.bytes = self.packets = self.cut = 0
        self.sink, self.held = Fields(dut.m_o, SINK), Fields(dut.held_o, HELD)
        self.arrival = Fields(dut.arrival_o, ARRIVAL)
        self._wide: tuple[int, ...] | None = None

    def sample(self) -> None:
        """Read what is compared in every cycle."""
        self.valid, self.cut = self.sink.get("valid"), self.arrival.get("cut")
        self.bytes, self.packets = self.held.get("bytes"), self.held.get("packets")
        self._wide = None

    def shown(self, port: int) -> tuple[int, int, bool, int, bool]:
        """Return data, keep, last, length and error of one port's row."""
        dut, width = self.dut, self.core.beat_bytes
        if self._wide is None:
            side = (self.sink.get(name) for name in ("last", "len", "error"))
            self._wide = (int(dut.m_data_o.value), int(dut.m_keep_o.value), *side)
        data, keep, last, length, error = self._wide
        return (
            data >> 8 * width * port & (1 << 8 * width) - 1,
            keep >> width * port & (1 << width) - 1,
            bool(last >> port & 1),
            length >> 14 * port & 0x3FFF,
            bool(error >> port & 1),
        )


def seen_in(schedule: Recorder, now: int, number: int) -> Seen:
    """Return what parse says in this cycle; `number` is that of the frame that came last on the beat bus."""
    seen = Seen(beat=schedule.beats.get(now), number=number)
    for strobes, name in ((schedule.ecn, "ecn_strobe"), (schedule.flags, "flags_strobe")):
        if now in strobes:
            setattr(seen, name, True)
            seen.ecn = schedule.headers[number]
            seen.ambiguous = strobes[now][0] is None
    if now in schedule.end:
        seen.end = schedule.end[now][0]
    return seen


@cocotb.test()
async def every_cycle(dut: Any) -> None:
    """Everything a port shows, in every cycle.

    Stimulus: 10,000 cycles of sound and wrong frames to random sets of ports, at changing load; for each port sinks
    that are ready always, mostly, seldom or never, tx_en likewise, a new policy every 250 cycles, sometimes in
    mid-frame, now and then a flush.
    Checks, against a prediction: in every cycle whether each output is valid, hence the cycle in which each frame
    starts to leave; every row; bytes and packets held; every arrival's outcome, event and tally in its cycle; every
    departure's tally, with its sojourn.
    """
    core = Core(**json.loads(os.environ["CORE"]))
    rng = randomness("cycle accuracy")
    coverage = Coverage("cycle accuracy")
    schedule = Recorder.of(traffic(core, rng))
    every = range(core.ports)
    followers = [Follower(port, core, coverage) for port in every]
    policies = [Policy() for _ in every]
    next_policies = list(policies)
    habits = [Habits(rng) for _ in every]
    pins = Pins(dut, core)
    order = Fields(dut.order_i, ORDER)
    handles = [getattr(dut, name) for name in PINS]
    await start(dut, IDLE, time_i=0, tx_en_i=0, m_ready_i=0, order_i=0, cfg_i=_cfg(next_policies, core))
    times: list[int] = []
    number = -1
    clock = (1 << STAMP_W) - 20_000
    for now, values in enumerate([*schedule.pins, *[(0,) * len(PINS)] * 40]):
        # this cycle's inputs
        for handle, value in zip(handles, values, strict=True) if values[0] else [(handles[0], 0)]:
            handle.value = value
        policies, flush = next_policies, 0
        if now % PHASE == PHASE - 1:
            habits = [Habits(rng) for _ in every]
            next_policies = [random_policy(rng, core) if rng.random() < 0.7 else policy for policy in policies]
            dut.cfg_i.value = _cfg(next_policies, core)
        if rng.random() < 0.004:
            flush = rng.randrange(1 << core.ports)
        tx_en = sum((rng.random() < habit.tx_en) << port for port, habit in enumerate(habits))
        ready = sum((rng.random() < habit.ready) << port for port, habit in enumerate(habits))
        clock = (clock + rng.choice((1, 3, 3, 3, 1000))) % (1 << STAMP_W)
        times.append(clock)
        dut.time_i.value, dut.tx_en_i.value, dut.m_ready_i.value = clock, tx_en, ready
        order.set(flush=flush)
        # the prediction, beside the device
        await cycle(dut)
        pins.sample()
        seen = seen_in(schedule, now, number)
        for port, follower in enumerate(followers):
            follower.output(pins, now)
            at = (tx_en >> port & 1, ready >> port & 1, flush >> port & 1)
            follower.step(pins, now, seen, policies[port], bool(at[0]), bool(at[1]), bool(at[2]))
        if seen.beat is not None and seen.beat[0]:
            number += 1
        _arrivals(dut, now, followers, schedule, times)
        _departures(dut, now, followers, schedule, times)
    floors = {"PASS": 40, "PASS_CE": 5, "MARK": 5, "CE_SIGNALLED": 2, "EARLY_FORCED": 5, "TAIL_BYTES": 10}
    floors |= {"left": 40, "flushed": 5, "ABORTED": 1, "stored beside a departure": 1}
    if core.ultra:
        floors["a row from the large memory"] = 100
    if core.flags_verdict:
        floors |= {"PROTECTED": 3}
    if not core.store_and_forward:
        floors |= {"leaves in the cycle after its verdict": 20, "wrong after its verdict": 5, "cut short": 1}
        floors |= {"waits for a row in mid-frame": 5}
    coverage.check(floors)


class Recorder(Schedule):
    """A schedule that also names the headers of every frame that came on the beat bus, in order."""

    headers: list[Any]

    @classmethod
    def of(cls, schedule: Schedule) -> Recorder:
        """Return the schedule with its list of headers."""
        recorder = cls(**vars(schedule))
        recorder.headers = [headers for _, framed, headers in schedule.said if framed.rows]
        return recorder


def _cfg(policies: list[Policy], core: Core) -> int:
    return sum(pack(policy, core.flags_verdict) << CFG.width * port for port, policy in enumerate(policies))


def _arrivals(dut: Any, now: int, followers: list[Follower], schedule: Recorder, times: list[int]) -> None:
    """Check the arrival tallies and events of this cycle."""
    due = {port: follower.arrivals.pop(now) for port, follower in enumerate(followers) if now in follower.arrivals}
    arrival = Fields(dut.arrival_o, ARRIVAL)
    valid = arrival.get("valid")
    assert valid == sum(1 << port for port in due), f"cycle {now}: arrivals {valid:b}, predicted {sorted(due)}"
    if not due:
        return
    class_id, ece, ecn, length = schedule.tally[now]
    tally = TALLY.unpack(int(dut.tally_o.value))
    seen = (tally["class_id"], tally["ece"], tally["len"])
    assert seen == (class_id, ece, length), f"cycle {now}: tally {seen}, predicted {(class_id, ece, length)}"
    outcomes, events = arrival.get("outcome"), int(dut.event_o.value)
    for port, (copy, ambiguous) in due.items():
        followers[port].tallies[copy] = (class_id, ece, ecn, length)
        assert copy.outcome is not None
        outcome = Outcome(outcomes >> 4 * port & 15)
        allowed = {copy.outcome}
        if ambiguous and copy.outcome in (Outcome.ABORTED, Outcome.EARLY_FORCED):
            allowed = {Outcome.ABORTED, Outcome.EARLY_FORCED}
        where = f"cycle {now}, port {port}"
        assert outcome in allowed, f"{where}: {outcome.name}, predicted {copy.outcome.name}"
        event = EVENT.unpack(events >> EVENT.width * port & (1 << EVENT.width) - 1)
        expected = {
            "valid": 1,
            "stamp": times[copy.verdict_cycle],
            "len": length,
            "class_id": class_id,
            "ece": ece,
            "ecn": ecn,
            "outcome": outcome,
            "bytes": copy.verdict_bytes,
        }
        assert event == expected, f"{where}: event {event}, predicted {expected}"


def _departures(dut: Any, now: int, followers: list[Follower], schedule: Recorder, times: list[int]) -> None:
    """Check the departure tallies of this cycle."""
    due = {port: follower.departures.pop(now) for port, follower in enumerate(followers) if now in follower.departures}
    departure = Fields(dut.departure_o, DEPARTURE)
    valid = departure.get("valid")
    assert valid == sum(1 << port for port in due), f"cycle {now}: departures {valid:b}, predicted {sorted(due)}"
    if not due:
        return
    for port, copy in due.items():
        class_id, ece, _, length = followers[port].tallies.pop(copy)
        sojourn = (times[copy.depart_cycle] - times[copy.verdict_cycle]) % (1 << STAMP_W)
        got = DEPARTURE.unpack(int(dut.departure_o.value) >> DEPARTURE.width * port & (1 << DEPARTURE.width) - 1)
        kind = Departure.HEAD_DROPPED if copy.condemned else Departure.PLAIN
        expected = {"valid": 1, "kind": kind, "class_id": class_id, "ece": ece, "len": length, "sojourn": sojourn}
        assert got == expected, f"cycle {now}, port {port}: departure {got}, predicted {expected}"


# Every width, both verdicts, both memories, both ways to mark, both modes, one port and several, odd and even numbers
# of rows.
CORES = [
    Core(ports=3, beat_bytes=8, rows=301, descriptors=40, max_frame=1600),
    Core(ports=2, beat_bytes=16, rows=200, descriptors=60, flags_verdict=True, ultra=True, max_frame=1600),
    Core(ports=3, beat_bytes=32, rows=64, descriptors=508, flags_verdict=True, marked_copy=False),
    Core(ports=2, beat_bytes=32, rows=150, descriptors=30, store_and_forward=True, max_frame=1600, ultra=True),
    Core(ports=1, beat_bytes=64, rows=100, descriptors=100, ultra=True),
    Core(ports=2, beat_bytes=128, rows=37, descriptors=64),
    Core(ports=1, beat_bytes=8, rows=256, descriptors=12, store_and_forward=True, flags_verdict=True, max_frame=1600),
]


def name(core: Core) -> str:
    """Return a name for the build."""
    words = [f"{core.ports}x{8 * core.beat_bytes}", f"{core.rows}rows"]
    words += [word for word, on in (("flags", core.flags_verdict), ("ultra", core.ultra)) if on]
    words += [word for word, on in (("rewrite", not core.marked_copy), ("whole", core.store_and_forward)) if on]
    return "-".join(words)


@pytest.mark.parametrize("core", CORES, ids=name)
def test_cycle_accuracy(core: Core) -> None:
    build_and_test("tm_core", __name__, parameters=core.parameters(), extra_env={"CORE": json.dumps(vars(core))})
