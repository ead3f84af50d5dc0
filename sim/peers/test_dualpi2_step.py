# SPDX-License-Identifier: BSD-3-Clause
"""Marking at departure against the step of Linux's `dualpi2`, which compares packets that are left behind."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from truemark.device.outcomes import DepartureKind
from truemark.laws import policies
from truemark.laws.step import Step
from truemark_dev.marks import slow

from sim.peers.conftest import Open
from sim.peers.linux_dualpi2 import LinuxStep
from sim.peers.port import CE, ECT0, ECT1, Port

pytestmark = pytest.mark.builds("engine:model")

UNIT = 1000  # nanoseconds between two calls


def compare(engine_open: Open, length: int, threshold: int, below: int, calls: int = 40_000) -> Counter[str]:
    """Offer and take frames of one length at random; K is `threshold` of them less `below` bytes."""
    rng = random.Random(1000 * length + threshold)
    met: Counter[str] = Counter()
    queue = LinuxStep(threshold - (below > 0))
    with engine_open() as engine:
        port = Port(engine, policies.settings("true-mark", Step(threshold * length - below), mark_on_departure=True))
        held = 0
        for call in range(calls):
            fill = 0.7 if held < threshold - 1 else 0.3 if held > threshold + 3 else 0.5
            if rng.random() < fill:
                ecn = rng.choice((ECT0, ECT1, ECT0, CE))
                port.put(call * UNIT, length, ecn)
                queue.put(ecn == CE)
                held += 1
                continue
            departure, expected = engine.take(call * UNIT), queue.take()
            assert (departure is None) == (expected is None)
            if departure is None:
                continue
            held -= 1
            assert (departure.data[15] & 3 == CE) == expected, f"call {call}: {held} frames behind, K {threshold}"
            met["departures"] += 1
            met["marked"] += departure.kind == DepartureKind.MARKED
            met["K behind"] += held == threshold
            met["a frame more behind"] += held == threshold + 1
        assert met["marked"] == queue.step_marks
    return met


@pytest.mark.parametrize("length", [60, 577, 1514])
@pytest.mark.parametrize("threshold", [7, *slow(1, 120)])
@pytest.mark.parametrize("below", [0, 1], ids=["", "a byte below"])
def test_marks_what_linux_marks(model: Open, length: int, threshold: int, below: int) -> None:
    """Strict at a multiple of the length; a byte below it, a frame sooner."""
    met = compare(model, length, threshold, below)
    print(dict(met))
    assert met["departures"] > 15_000
    assert min(met["marked"], met["K behind"], met["a frame more behind"]) > 1000


def test_a_reference_that_marks_at_the_threshold_is_found(model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison fails if the reference is not strict."""
    monkeypatch.setattr(LinuxStep, "_exceeds", lambda queue, behind: behind >= queue.step_thresh)
    with pytest.raises(AssertionError, match="frames behind"):
        compare(model, 577, 7, 0)


def test_a_reference_that_counts_the_packet_itself_is_found(model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison fails if the packet that leaves is counted with those behind it."""
    monkeypatch.setattr(LinuxStep, "_exceeds", lambda queue, behind: behind + 1 > queue.step_thresh)
    with pytest.raises(AssertionError, match="frames behind"):
        compare(model, 577, 7, 0)
