# SPDX-License-Identifier: BSD-3-Clause
"""CoDel against Linux's arithmetic over random traffic, and against the scenarios of ns-3's suite codel-queue-disc."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

import pytest
from truemark.device.outcomes import DepartureKind, Outcome
from truemark.laws import codel, policies
from truemark_dev.marks import slow

from sim.peers.conftest import Open
from sim.peers.linux_codel import Item, LinuxCodel, control_law, newton_step
from sim.peers.port import CE, ECT0, MS, NOT_ECT, Port

pytestmark = pytest.mark.builds("engine:model", "engine:both_full")

UNIT = 1024  # nanoseconds
KIND = {
    (False, False): DepartureKind.PLAIN,
    (True, False): DepartureKind.MARKED,
    (False, True): DepartureKind.THRESHOLD,
    (True, True): DepartureKind.MARKED_THRESHOLD,
}


def settings(law: codel.Codel, limit: int | None = None, limit_packets: int | None = None) -> policies.PortSettings:
    """Policy codel with this law."""
    return policies.settings("codel", law, limit_bytes=limit, limit_packets=limit_packets)


# ---- ns-3, codel-queue-disc: its defaults 5 ms and 100 ms, small queues of less than 1500 bytes left alone.

NS3 = codel.law(5 * MS, 100 * MS, ecn=False, variant="ns3")
NS3_ECN = codel.law(5 * MS, 100 * MS, ecn=True, variant="ns3")
LINUX = codel.law(5 * MS, 100 * MS, ecn=False)
LINUX_ECN = codel.law(5 * MS, 100 * MS, ecn=True)
LIMITS = pytest.mark.parametrize("limit", [{"limit": 1500 * 1000}, {"limit_packets": 1500}], ids=["bytes", "packets"])


@LIMITS
def test_1_2_enqueue_and_dequeue(model: Open, limit: dict[str, int]) -> None:
    """Six packets go in and come out in order, none dropped; a seventh time there is none."""
    with model() as engine:
        port = Port(engine, settings(codel.law(4 * MS, 50 * MS, ecn=False, variant="ns3", exempt_bytes=1000), **limit))
        for number in range(6):
            assert port.packets() == number
            engine.offer(0, bytes([number + 1]) * 1000)
            assert [event.outcome for event in engine.events()] == [Outcome.PASS]
        for number in range(6):
            departure = engine.take(0)
            assert departure is not None
            assert (departure.data[0], departure.kind) == (number + 1, DepartureKind.PLAIN)
            assert port.packets() == 5 - number
        assert port.take(0) == (None, 0)


@pytest.mark.parametrize("limit", [{"limit": 500 * 100}, {"limit_packets": 500}], ids=["bytes", "packets"])
def test_3_4_overflow(model: Open, limit: dict[str, int]) -> None:
    """Of 503 packets a queue of 500 takes 500 and refuses three for the limit."""
    with model() as engine:
        port = Port(engine, settings(NS3, **limit))
        for _ in range(503):
            port.put(0, 100)
        assert port.packets() == 500
        assert port.arrived == {Outcome.PASS: 500, next(iter(set(port.arrived) - {Outcome.PASS})): 3}
        assert set(port.arrived) <= {Outcome.PASS, Outcome.TAIL_BYTES, Outcome.TAIL_PACKETS}


@LIMITS
@pytest.mark.parametrize("law", [NS3, LINUX], ids=["ns3", "linux"])
def test_7_8_drops(model: Open, limit: dict[str, int], law: codel.Codel) -> None:
    """20 packets come at 0; departures at 10, 210, 210 and 420 ms: none dropped, one, none, three in one departure."""
    with model() as engine:
        port = Port(engine, settings(law, **limit))
        for _ in range(20):
            port.put(0, 1000)
        found = [(*port.take(time * MS), port.packets()) for time in (10, 210, 210, 420)]
    plain = DepartureKind.PLAIN
    assert found == [(plain, 0, 19), (plain, 1, 17), (plain, 0, 16), (plain, 3, 12)]


@dataclass(frozen=True)
class Marking:
    """A case of the suite: which packets are ECT, the CE threshold, the times, and what is held after each."""

    ect: int
    threshold_ns: int | None
    times: tuple[int, ...]
    held: tuple[int, ...]
    drops: tuple[int, ...]
    marked: tuple[int, ...]  # by the signal, in all, after each departure
    by_threshold: tuple[int, ...]  # the same for the CE threshold; ns-3
    by_threshold_linux: tuple[int, ...]


MARKING = {
    "1 nothing is ECT": Marking(0, None, (10, 210), (19, 17), (0, 1), (0, 0), (0, 0), (0, 0)),
    "2 all is ECT": Marking(
        20, None, (10, 210, 210, 420), (19, 18, 17, 16), (0, 0, 0, 0), (0, 1, 1, 2), (0, 0, 0, 0), (0, 0, 0, 0)
    ),
    "3 three are ECT, CE threshold": Marking(
        3, 2 * MS, (10, 210, 210, 420), (19, 18, 17, 13), (0, 0, 0, 3), (0, 1, 1, 1), (1, 1, 2, 2), (1, 2, 3, 3)
    ),
    "4 all is ECT, CE threshold": Marking(
        20, 2 * MS, (1, 3, 10, 210), (19, 18, 17, 16), (0, 0, 0, 0), (0, 0, 0, 1), (0, 1, 2, 2), (0, 1, 2, 3)
    ),
}


@LIMITS
@pytest.mark.parametrize("variant", ["ns3", "linux"])
@pytest.mark.parametrize("name", MARKING)
def test_9_10_marks(model: Open, limit: dict[str, int], variant: str, name: str) -> None:
    """The four cases of marking. ns-3 does not count the CE threshold for a packet that the signal has just marked."""
    case = MARKING[name]
    law = codel.law(5 * MS, 100 * MS, ecn=True, variant=variant, ce_threshold_ns=case.threshold_ns)
    with model() as engine:
        port = Port(engine, settings(law, **limit))
        for number in range(20):
            port.put(0, 1000, ECT0 if number < case.ect else NOT_ECT)
        held, drops, marked, by_threshold = [], [], [], []
        for time in case.times:
            drops.append(port.take(time * MS)[1])
            held.append(port.packets())
            both = port.left[DepartureKind.MARKED_THRESHOLD]
            marked.append(port.left[DepartureKind.MARKED] + both)
            by_threshold.append(port.left[DepartureKind.THRESHOLD] + both)
    assert (tuple(held), tuple(drops), tuple(marked)) == (case.held, case.drops, case.marked)
    assert tuple(by_threshold) == (case.by_threshold if variant == "ns3" else case.by_threshold_linux)


def next_signal(engine_open: Open, law: codel.Codel, expected: int) -> None:
    """After 10, 210, 210 and 420 ms with marks, the next one falls in this unit and not in the one before it."""
    for unit, due in ((expected - 1, False), (expected, True)):
        with engine_open() as engine:
            port = Port(engine, settings(law))
            for _ in range(20):
                port.put(0, 1000, ECT0)
            for time in (10, 210, 210, 420):
                port.take(time * MS)
            kind, _ = port.take(unit * UNIT)
            assert kind is (DepartureKind.MARKED if due else DepartureKind.PLAIN)


def test_after_a_mark_ns3_counts_from_now_and_linux_from_when_it_was_due(model: Open) -> None:
    """The same marks at the same times, and another time for the next: 458985 units in ns-3, 351561 in Linux.

    Linux's time has passed already at 420 ms (410156 units), so a further departure in the same instant is marked too.
    """
    next_signal(model, NS3_ECN, 458_985)
    with model() as engine:
        port = Port(engine, settings(LINUX_ECN))
        for _ in range(20):
            port.put(0, 1000, ECT0)
        kinds = [port.take(time * MS)[0] for time in (10, 210, 210, 420, 420, 420)]
    marked, plain = DepartureKind.MARKED, DepartureKind.PLAIN
    assert kinds == [plain, marked, plain, marked, marked, marked]


def test_the_times_of_the_next_signal_are_those_of_the_table() -> None:
    """The reference itself: drop_next after the cases above."""
    for ns3, ect, expected in (
        (True, False, 454_127),
        (False, False, 454_127),
        (True, True, 458_985),
        (False, True, 351_561),
    ):
        queue = LinuxCodel(4882, 97_656, 1500, ecn=True, ns3=ns3)
        for number in range(20):
            queue.put(Item(number, 1000, ect, False, 0))
        for time in (10, 210, 210, 420):
            queue.take(time * MS // UNIT)
        assert queue.drop_next == expected


# ---- Newton's step and the control law, seen from outside: the suite's tables, and the gaps that the device keeps.


def float_step(root: int, count: int) -> float:
    """Newton's step for 1/sqrt in real numbers, in units of 2^-16."""
    share = root / 2**16
    return share * (3 - count * share * share) / 2 * 2**16


ROOTS = [2**power - 1 for power in range(8, 0, -1)]


@pytest.mark.parametrize("root", [root << 8 for root in ROOTS])
@pytest.mark.parametrize("count", [2**power for power in range(8)])
def test_5_newton_step(root: int, count: int) -> None:
    """The reference's step is Newton's, rounded down, wherever that is a step at all (64 cases)."""
    exact = float_step(root, count)
    if 0 <= exact < 2**16:
        assert newton_step(root, count) == pytest.approx(exact, abs=3)


@pytest.mark.parametrize("root", [root << 8 for root in ROOTS])
def test_6_control_law(root: int) -> None:
    """The time of the next signal is interval * root later, for 201 times up to 20 s (1608 cases)."""
    for time in range(0, 20_001, 100):
        now = time * MS // UNIT
        assert control_law(now, 97_656, root) == now + 97_656 * root // 2**16


def test_5_6_in_the_device(model: Open) -> None:
    """Forty marks in a row: each falls in the unit that step and law give it, and none in the unit before."""
    marks_in_a_row(model, LINUX_ECN, steps=1, wait=1)


def test_a_root_that_converges(model: Open) -> None:
    """As RFC 8289: dropping begins as the interval ends, and gaps follow the real root within 1 %."""
    law = codel.law(5 * MS, 100 * MS, ecn=True, variant="rfc8289")
    gaps = marks_in_a_row(model, law, steps=4, wait=0)
    assert all(gap == pytest.approx(97_656 / count**0.5, rel=0.01) for count, gap in enumerate(gaps, 1))
    one_step = marks_in_a_row(model, LINUX_ECN, steps=1, wait=1)
    assert one_step[1] < 0.75 * gaps[1]


def marks_in_a_row(engine_open: Open, law: codel.Codel, steps: int, wait: int, signals: int = 40) -> list[int]:
    """See each mark in its unit, and give the gaps between them."""
    with engine_open() as engine:
        port = Port(engine, settings(law))
        for _ in range(2 * signals + 10):
            port.put(0, 1000, ECT0)
        now, root, gaps = 10_000 + 97_656 + wait, 0xFFFF, []
        assert port.take(10_000 * UNIT)[0] is DepartureKind.PLAIN
        assert port.take(now * UNIT)[0] is DepartureKind.MARKED
        for count in range(1, signals):
            for _ in range(steps if count > 1 else 0):
                root = newton_step(root, count)
            due = control_law(now, 97_656, root)
            gaps.append(due - now)
            now = due
            assert port.take((now - 1) * UNIT)[0] is DepartureKind.PLAIN
            assert port.take(now * UNIT)[0] is DepartureKind.MARKED
    return gaps


# ---- random traffic, decision for decision


@dataclass(frozen=True)
class Mix:
    """Traffic that keeps CoDel busy: phases in which more comes than leaves, and the other way round."""

    target: int
    interval: int
    ecn: bool
    threshold: int | None = None
    variant: str = "linux"
    start: int = 0  # units: where the clock begins


MIXES = {
    "ecn": Mix(20, 200, True),
    "drops": Mix(20, 200, False),
    "ecn and ce_threshold": Mix(20, 200, True, 100),
    "ce_threshold without ecn": Mix(20, 200, False, 100),
    "clock wraps": Mix(20, 200, True, 100, start=2**32 - 100_000),
    "clock changes its sign": Mix(20, 200, False, start=2**31 - 100_000),
    "ns3": Mix(20, 200, True, 100, "ns3"),
    "ns3 drops": Mix(20, 200, False, None, "ns3"),
}


def compare(engine_open: Open, mix: Mix, frames: int, seed: int) -> Counter[str]:
    """Offer and take at random times; every departure must be what the reference says. Gives what was met."""
    rng = random.Random(seed)
    law = codel.law(
        mix.target * UNIT,
        mix.interval * UNIT,
        ecn=mix.ecn,
        ce_threshold_ns=None if mix.threshold is None else mix.threshold * UNIT,
        variant=mix.variant,
    )
    ns3 = mix.variant == "ns3"
    threshold = codel.NEVER if mix.threshold is None else mix.threshold
    queue = LinuxCodel(mix.target, mix.interval, law.exempt_bytes, mix.ecn, threshold, ns3)
    met: Counter[str] = Counter()
    with engine_open() as engine:
        port = Port(engine, settings(law, limit=290_000))
        now = mix.start * UNIT
        put = taken = 0
        arrivals = departures = 1.0
        while put < frames:
            if rng.random() < 0.004:
                arrivals, departures = rng.choice(((1, 2), (2, 1), (3, 1), (1, 1), (1, 1), (1.1, 1), (1, 1.3)))
            now += int(rng.expovariate(1 / 6000))
            if rng.random() < 0.0005:
                now += rng.choice((1, 10, 100)) * mix.interval * UNIT
            if rng.random() < arrivals / (arrivals + departures):
                length = rng.choice((54, 60, 64, 576, 1000, 1500, 1514, 1514, 9000))
                ecn = rng.choice((NOT_ECT, ECT0, ECT0, 1, CE))
                outcome = port.put(now, length, ecn)
                if outcome in (Outcome.PASS, Outcome.PASS_CE):
                    queue.put(Item(put, length, ecn in (1, ECT0), ecn == CE, now // UNIT & 0xFFFFFFFF))
                else:
                    assert outcome is Outcome.TAIL_BYTES
                    met["refused"] += 1
                put += 1
                continue
            again = queue.entered_again
            decision = queue.take(now // UNIT)
            kind, drops = port.take(now)
            where = f"departure {taken} at unit {now // UNIT}: the reference says {decision}"
            assert drops == len(decision.dropped), where
            assert kind is expected_kind(decision.left), where
            assert port.packets() == len(queue.queue), where
            taken += 1
            met["EMPTY" if kind is None else kind.name] += 1
            met["dropped"] += drops
            met["several"] += drops > 1
            met["entered again"] += queue.entered_again - again
    return met


def expected_kind(item: Item | None) -> DepartureKind | None:
    """Return the kind of departure that the reference's decision is."""
    if item is None:
        return None
    if item.marked and item.ce:
        return DepartureKind.CE_SIGNALLED
    return KIND[item.marked, item.threshold]


@pytest.mark.parametrize("name", MIXES)
def test_random_traffic_is_decided_as_linux_and_ns3_do(model: Open, name: str) -> None:
    """10^5 and more packets in all, and floors on what has to be met."""
    mix = MIXES[name]
    met = compare(model, mix, 20_000, 1)
    print(dict(met))
    assert met["entered again"] > 15
    assert met["EMPTY"] > 20
    assert met["dropped"] > 300
    assert met["several"] > 10
    if mix.ecn:
        assert met["MARKED"] + met["MARKED_THRESHOLD"] > 500
        assert met["CE_SIGNALLED"] > 100
    if mix.threshold is not None:
        assert met["THRESHOLD"] > 1000
    if mix.threshold is not None and mix.ecn and mix.variant == "linux":
        assert met["MARKED_THRESHOLD"] > 200


def test_a_reference_that_is_wrong_is_found(model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison fails if the reference takes the wrong compare, or Newton's step a second time."""
    monkeypatch.setattr(
        "sim.peers.linux_codel.newton_step", lambda root, count: newton_step(newton_step(root, count), count)
    )
    with pytest.raises(AssertionError, match="the reference says"):
        compare(model, MIXES["ecn"], 20_000, 1)


@pytest.mark.parametrize("name", ["ecn", *slow("drops")])
def test_the_rtl_gives_the_same(both_codel: Open, name: str) -> None:
    """A shorter run through RTL and golden model."""
    met = compare(both_codel, MIXES[name], 1500, 2)
    assert met["dropped"] > 10
