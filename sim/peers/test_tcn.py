# SPDX-License-Identifier: BSD-3-Clause
"""Waiting-time marking against Linux's `ce_threshold`, which compares in units of 1024 ns, and with CoDel."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from truemark.device.engine import Engine
from truemark.device.outcomes import Outcome
from truemark.laws import codel, policies
from truemark.laws.tcn import Tcn

from sim.peers.conftest import Open
from sim.peers.linux_codel import Item, LinuxCodel
from sim.peers.port import CE, ECT0, ECT1, NOT_ECT, Port

pytestmark = pytest.mark.builds("engine:model")

UNIT = 1024  # nanoseconds
NEVER = 10**9  # units: CoDel's target and interval with which ce_threshold is alone


def leaving(engine: Engine, now: int) -> int | None:
    """Return the ECN field of the frame that leaves now; None: there was none."""
    departure = engine.take(now)
    return None if departure is None else departure.data[15] & 3


def compare(
    engine_open: Open, threshold: int, start: int, frames: int, seed: int, beside: bool = False
) -> Counter[str]:
    """Offer and take at random times, all whole units; each departure must be as the reference says."""
    rng = random.Random(seed)
    met: Counter[str] = Counter()
    tcn = Tcn(threshold * UNIT)
    target, interval = (20, 200) if beside else (NEVER, NEVER)
    queue = LinuxCodel(target, interval, ecn=True, ce_threshold=threshold)
    if beside:
        law = codel.law(target * UNIT, interval * UNIT, ecn=True)
        settings = policies.settings("codel-tcn", law, tcn, limit_bytes=290_000)
    else:
        settings = policies.settings("tcn", tcn, limit_bytes=290_000)
    with engine_open() as engine:
        port = Port(engine, settings)
        unit, put = start, 0
        while put < frames:
            unit += rng.choice((0, 0, 1, 1, 2, rng.randrange(6)))
            if rng.random() < 0.0005:
                unit += rng.choice((1, 10, 100)) * threshold
            # The head waits for about the threshold.
            late = bool(queue.queue) and unit - queue.queue[0].stamp >= threshold
            if rng.random() < (0.35 if late else 0.8):
                ecn = rng.choice((NOT_ECT, ECT0, ECT0, ECT1, CE))
                length = rng.choice((60, 576, 1514))
                outcome = port.put(unit * UNIT, length, ecn)
                if outcome in (Outcome.PASS, Outcome.PASS_CE):
                    queue.put(Item(put, length, ecn in (ECT0, ECT1), ecn == CE, unit))
                met["full"] += outcome is Outcome.TAIL_BYTES
                put += 1
                continue
            found, item = leaving(engine, unit * UNIT), queue.take(unit).left
            if item is None:
                assert found is None
                continue
            marked = item.threshold or (item.marked and item.ect)
            assert found is not None
            assert (found == CE) == (marked or item.ce), (
                f"frame {item.number} at unit {unit}: the reference says {item}"
            )
            waited = unit - item.stamp
            met["departures"] += 1
            met["at T"] += waited == threshold and item.ect
            met["a unit later"] += waited == threshold + 1 and item.threshold
            met["marked"] += item.threshold
            met["by CoDel alone"] += item.marked and item.ect and not item.threshold
            met["others, too late"] += waited > threshold and not item.ect
    return met


@pytest.mark.parametrize("threshold", [1, 20, 300])
@pytest.mark.parametrize("start", [0, 2**32 - 100_000], ids=["", "clock wraps"])
def test_marks_what_linux_marks(model: Open, threshold: int, start: int) -> None:
    """Thresholds of one unit and of many, with a clock of 32 bits that wraps."""
    met = compare(model, threshold, start, 25_000, threshold)
    print(dict(met))
    assert met["departures"] > 10_000
    assert min(met["at T"], met["a unit later"]) > 5
    assert min(met["marked"], met["others, too late"]) > 300


def test_beside_codel_that_does_not_move_for_it(model: Open) -> None:
    """CoDel's own ce_threshold is off; the reference's CoDel with one says the same of each frame."""
    met = compare(model, 60, 0, 25_000, 4, beside=True)
    print(dict(met))
    assert min(met["marked"], met["by CoDel alone"]) > 100


def test_a_reference_that_marks_at_the_threshold_is_found(model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison fails if the reference is not strict."""

    def at_threshold(queue: LinuxCodel, item: Item, now: int) -> None:
        item.threshold = item.ect and (now - item.stamp & 0xFFFFFFFF) >= queue.ce_threshold

    monkeypatch.setattr(LinuxCodel, "_apply_threshold", at_threshold)
    with pytest.raises(AssertionError, match="the reference says"):
        compare(model, 20, 0, 25_000, 20)


@pytest.mark.parametrize("threshold", [1, 2, 999, 1024, 10**9])
def test_a_nanosecond_counts(model: Open, threshold: int) -> None:
    """Strict, to the nanosecond, where Linux counts units; a frame without ECT and one that is CE stay as they are."""
    settings = policies.settings("tcn", Tcn(threshold))
    with model() as engine:
        port = Port(engine, settings)
        for late in (0, 1):
            for ecn in (ECT0, ECT1, NOT_ECT, CE):
                port.put(10**10 * late, 1000, ecn)
            found = [leaving(engine, 10**10 * late + threshold + late) for _ in range(4)]
            assert found == ([CE, CE, NOT_ECT, CE] if late else [ECT0, ECT1, NOT_ECT, CE])
