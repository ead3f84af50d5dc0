# SPDX-License-Identifier: BSD-3-Clause
"""The numbers of a replay, by class and in all: plain data, and JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from truemark import units
from truemark.device.outcomes import (
    ARRIVED,
    DROPPED,
    MARKED_AT_DEPARTURE,
    TAIL,
    DepartureKind,
    FrameClass,
    Outcome,
)
from truemark.laws.policies import PortSettings
from truemark.replay.replay import Trace

CE = 3


@dataclass
class Row:
    """One class, or all of them."""

    arrived: int = 0
    arrived_bytes: int = 0
    ect: int = 0  # arrived ECT(0) or ECT(1)
    ce_in: int = 0  # stored frames that arrived CE
    departed: int = 0
    departed_bytes: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)  # on arrival
    departures: dict[str, int] = field(default_factory=dict)  # by kind
    sojourn_ns: dict[str, float] = field(default_factory=dict)

    def of(self, *outcomes: Outcome) -> int:
        """Packets with one of these outcomes."""
        return sum(self.outcomes.get(outcome.name.lower(), 0) for outcome in outcomes)

    def of_one(self, code: Outcome) -> int:
        """Packets with this outcome."""
        return self.of(code)

    def left(self, *kinds: DepartureKind) -> int:
        """Packets that left the queue in one of these ways."""
        return sum(self.departures.get(kind.name.lower(), 0) for kind in kinds)

    @property
    def marked(self) -> int:
        """Packets marked here, on arrival or at departure."""
        return self.of(Outcome.MARK) + self.left(*MARKED_AT_DEPARTURE)

    @property
    def protected(self) -> int:
        """Packets that a signal met and passed over."""
        return self.of(Outcome.PROTECTED) + self.left(DepartureKind.PROTECTED)

    @property
    def dropped(self) -> int:
        """Packets dropped, on arrival or at the head."""
        return self.of(*DROPPED) + self.left(DepartureKind.HEAD_DROPPED)


@dataclass
class Summary:
    """A whole replay; `settings` are those of `port` with what was replayed, as plain data.

    `warning` is empty where the law counts packets, for the trace has the queue in bytes.
    """

    port: PortSettings
    settings: dict[str, Any]
    frames: dict[str, int]
    load: dict[str, float]
    queue: dict[str, float]
    warning: dict[str, float]
    average: dict[str, dict[str, float]]
    total: Row
    classes: dict[str, Row]

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {name: value for name, value in asdict(self).items() if name != "port"}


@dataclass(frozen=True)
class Run:
    """A replay and its numbers."""

    trace: Trace
    summary: Summary


def sojourn(values: np.ndarray[Any, np.dtype[np.uint64]]) -> dict[str, float]:
    """Return mean and quantiles; the q-quantile is the least value that q of all do not exceed."""
    if not len(values):
        return {}
    quantiles = np.percentile(values, [50, 99], method="inverted_cdf")
    return {
        "mean": float(values.mean()),
        "p50": float(quantiles[0]),
        "p99": float(quantiles[1]),
        "max": float(values.max()),
    }


def row(trace: Trace, kind: FrameClass | None) -> Row:
    """Return the numbers of one class."""
    length = np.asarray(trace.verdict_length, dtype=np.int64)
    ecn = np.asarray(trace.verdict_ecn, dtype=np.int64)
    outcome = np.asarray(trace.verdict_outcome, dtype=np.int64)
    mine = np.ones(len(length), bool) if kind is None else np.asarray(trace.verdict_class, dtype=np.int64) == kind
    how = np.asarray(trace.departure_kind, dtype=np.int64)
    gone = np.ones(len(how), bool) if kind is None else np.asarray(trace.departure_class, dtype=np.int64) == kind
    left = gone & (how != DepartureKind.HEAD_DROPPED)
    ways = {way.name.lower(): int(np.sum(how[gone] == way)) for way in DepartureKind}
    counts = {code.name.lower(): int(np.sum(outcome[mine] == code)) for code in ARRIVED}
    return Row(
        arrived=int(mine.sum()),
        arrived_bytes=int(length[mine].sum()),
        ect=int(np.sum((ecn[mine] == 1) | (ecn[mine] == 2))),
        ce_in=int(np.sum((ecn[mine] == CE) & (outcome[mine] <= Outcome.PROTECTED))),
        departed=int(left.sum()),
        departed_bytes=int(np.asarray(trace.departure_length, dtype=np.int64)[left].sum()),
        outcomes={name: count for name, count in counts.items() if count},
        departures={name: count for name, count in ways.items() if count},
        sojourn_ns=sojourn(np.asarray(trace.departure_sojourn, dtype=np.uint64)[left]),
    )


def occupancy(trace: Trace) -> dict[str, float]:
    """Return the largest queue, its mean over time, and the share of time it was not empty."""
    if not len(trace.queue_time):
        return {"max_bytes": 0.0, "mean_bytes": 0.0, "busy": 0.0}
    times = np.append(np.asarray(trace.queue_time, dtype=np.float64), trace.end_ns)
    held = np.asarray(trace.queue_bytes, dtype=np.float64)
    lasting, span = np.diff(times), max(times[-1], 1.0)
    return {
        "max_bytes": float(held.max()),
        "mean_bytes": float((held * lasting).sum() / span),
        "busy": float(lasting[held > 0].sum() / span),
    }


def warning(trace: Trace, threshold: int) -> dict[str, float]:
    """Return how long before the first tail drop of a congestion the first mark of the same congestion was set.

    A congestion begins when a frame finds more than `threshold` bytes and ends when one finds no more than that.
    """
    leads, marked_at, dropped = [], None, False
    congestions = drops = 0
    for time_ns, held, outcome in zip(trace.verdict_time, trace.verdict_held, trace.verdict_outcome, strict=True):
        if held <= threshold:
            marked_at, dropped = None, False
        if outcome == Outcome.MARK and marked_at is None:
            marked_at, congestions = time_ns, congestions + 1
        if outcome in TAIL and not dropped:
            dropped, drops = True, drops + 1
            if marked_at is not None:
                leads.append(time_ns - marked_at)
    found: dict[str, float] = {"marked_congestions": congestions, "dropping_congestions": drops}
    if leads:
        found |= {"min_ns": float(min(leads)), "mean_ns": float(np.mean(leads))}
    return found


def averages(trace: Trace, settings: PortSettings) -> dict[str, dict[str, float]]:
    """Return the average of each slot that has RED: its mean and largest value over the arrivals, in what it counts."""
    found = {}
    for name, law, values in zip(("slot0", "slot1"), settings.reds, trace.average, strict=True):
        if law is not None and len(values):
            array = np.asarray(values, dtype=np.float64) / law.unit.steps
            found[name] = {f"mean_{law.unit.name}": float(array.mean()), f"max_{law.unit.name}": float(array.max())}
    return found


def summarize(trace: Trace, settings: PortSettings, rate: int, rtt_ns: int, facts: dict[str, Any]) -> Summary:
    """Return all that a report needs. `facts` are what the caller knows of capture and engine."""
    rule = units.marking_rule(rate, rtt_ns)
    span = max(trace.verdict_time[-1] if trace.frames and trace.verdict_time else 0, 1)
    return Summary(
        port=settings,
        settings={
            **facts,
            **settings.facts(),
            "rate_bit_per_s": rate,
            "rtt_ns": rtt_ns,
            "k_rule_bytes": rule,
        },
        frames={
            "captured": trace.frames,
            "snapped": trace.snapped,
            "refused": trace.refused,
            "disordered": trace.disordered,
        },
        load={"offered": trace.line_bytes * 8e9 / span / rate, "duration_ns": trace.end_ns},
        queue=occupancy(trace),
        warning={} if settings.onset is None else warning(trace, settings.onset),
        average=averages(trace, settings),
        total=row(trace, None),
        classes={kind.name: found for kind in FrameClass if (found := row(trace, kind)).arrived},
    )
