# SPDX-License-Identifier: BSD-3-Clause
"""Offer a capture to one port of an engine at the times of its frames, and drain the port at a line rate.

Open loop: the senders of a capture cannot react to marks or drops. What is said of a frame that left is right; what the
senders would have done next is not in it.

Time starts at 0 with the first frame; gaps between frames are divided by `speed`. A frame occupies the line for its
length plus 24 bytes (preamble 8, FCS 4, gap 12), at least 60 + 24. A departure that is due at the instant of an arrival
comes before it. A frame stamped earlier than the one before it is offered at the same instant as that one.
"""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from truemark.device.device import Snapshot
from truemark.device.engine import Departure, Event
from truemark.device.outcomes import DEPARTURE_CODE, DepartureKind, FrameClass, Outcome
from truemark.errors import TruemarkError
from truemark.replay.capture import Frame

LINE_OVERHEAD = 24  # bytes: preamble and start 8, FCS 4, inter-packet gap 12
SHORTEST = 60  # bytes of the shortest frame on a wire, without FCS
LAST_NS = (1 << 63) - 1  # of a replay: an engine counts in 64 bits, and the queue has to drain


class Port(Protocol):
    """What a replay needs of an engine."""

    def offer(self, time_ns: int, data: bytes, ports: int = 1) -> None:
        """Offer a frame."""

    def take(self, time_ns: int, port: int = 0) -> Departure | None:
        """Take a frame."""

    def events(self) -> Iterable[Event]:
        """Return the verdicts since the last call."""

    def advance(self, time_ns: int) -> None:
        """Let time pass."""


class Probe(Protocol):
    """What a replay asks a device's registers, where the frames alone do not tell."""

    def averages(self) -> tuple[int, int]:
        """RED's averages."""

    def held_packets(self) -> int:
        """Packets in the queue."""


class Sink(Protocol):
    """Where marked frames go."""

    def write(self, time_ns: int, data: bytes, length: int) -> None:
        """Add a frame."""


@dataclass
class Trace:
    """All that happened. The arrays of one group run in parallel."""

    verdict_time: array[int] = field(default_factory=lambda: array("Q"))
    verdict_length: array[int] = field(default_factory=lambda: array("I"))
    verdict_held: array[int] = field(default_factory=lambda: array("I"))  # bytes before the frame
    verdict_class: array[int] = field(default_factory=lambda: array("B"))
    verdict_ece: array[int] = field(default_factory=lambda: array("B"))
    verdict_ecn: array[int] = field(default_factory=lambda: array("B"))
    verdict_outcome: array[int] = field(default_factory=lambda: array("B"))
    # RED's average of each slot after the frame; empty where no law has one
    average: tuple[array[int], array[int]] = field(default_factory=lambda: (array("I"), array("I")))

    departure_time: array[int] = field(default_factory=lambda: array("Q"))  # also of head drops
    departure_kind: array[int] = field(default_factory=lambda: array("B"))
    departure_sojourn: array[int] = field(default_factory=lambda: array("Q"))
    departure_length: array[int] = field(default_factory=lambda: array("I"))
    departure_class: array[int] = field(default_factory=lambda: array("B"))
    departure_ece: array[int] = field(default_factory=lambda: array("B"))

    queue_time: array[int] = field(default_factory=lambda: array("Q"))  # every change of the queue
    queue_bytes: array[int] = field(default_factory=lambda: array("I"))  # ... and the bytes held after it

    frames: int = 0  # of the capture
    line_bytes: int = 0  # that all of them occupy the line for
    snapped: int = 0  # frames that were not captured whole
    refused: int = 0  # frames without a verdict: runts and frames over the device's maximum
    disordered: int = 0  # frames stamped earlier than the one before
    end_ns: int = 0


def line_bytes(length: int) -> int:
    """Return the bytes of line time that a frame takes."""
    return max(length, SHORTEST) + LINE_OVERHEAD


def speed_for_load(frames: Iterable[Frame], rate: int, load: float) -> Fraction:
    """Return the speed at which a capture's mean load, from its first frame to its last, is `load` times the rate."""
    total, first, last = 0, None, 0
    for frame in frames:
        first = frame.time_ns if first is None else first
        last = max(last, frame.time_ns)
        total += line_bytes(frame.length)
    if first is None or last <= first:
        raise TruemarkError("--load needs a capture with frames at two different times; use --speed")
    own = Fraction(total * 8 * 10**9, last - first)  # bit/s at speed 1
    return Fraction(str(load)) * rate / own


class Replay:
    """One replay through one port; `run` does it all."""

    def __init__(
        self,
        engine: Port,
        rate: int,
        speed: Fraction = Fraction(1),
        port: int = 0,
        sink: Sink | None = None,
        *,
        averages: Probe | None = None,
        head_drops: Probe | None = None,
    ):
        self.trace = Trace()
        self._engine, self._rate, self._speed, self._port, self._sink = engine, rate, speed, port, sink
        self._averages, self._head_drops = averages, head_drops
        self._waiting: deque[tuple[Event, int]] = deque()  # verdict and captured bytes of each frame in the queue
        self._held = 0
        self._line_free_ps = 0
        self._start_ns = 0  # of the capture, since 1970
        self._now_ns = 0

    def run(
        self, frames: Iterable[Frame], until_ns: int | None = None, tell: Callable[[int], None] | None = None
    ) -> Trace:
        """Replay until the queue is empty again, or until an instant of replay time."""
        trace = self.trace
        for frame in frames:
            if not trace.frames:
                self._start_ns = frame.time_ns
            time_ns = (frame.time_ns - self._start_ns) * self._speed.denominator // self._speed.numerator
            if until_ns is not None and time_ns > until_ns:
                break
            if time_ns > LAST_NS:
                raise TruemarkError(
                    f"frame {trace.frames + 1} would be offered after more than 292 years: give a higher --speed or "
                    "--load"
                )
            trace.disordered += time_ns < self._now_ns
            self._now_ns = max(self._now_ns, time_ns)
            self._drain(self._now_ns)
            self._offer(frame)
            if tell:
                tell(trace.frames)
        self._drain(until_ns)
        trace.end_ns = max(self._now_ns, -(-self._line_free_ps // 1000)) if until_ns is None else until_ns
        self._engine.advance(trace.end_ns)
        return trace

    def _offer(self, frame: Frame) -> None:
        trace, now = self.trace, self._now_ns
        trace.frames += 1
        trace.line_bytes += line_bytes(frame.length)
        trace.snapped += len(frame.data) < frame.length
        self._engine.offer(now, frame.padded(), 1 << self._port)
        verdicts = list(self._engine.events())
        trace.refused += not verdicts
        for event in verdicts:
            if event.held != self._held:
                raise TruemarkError(
                    f"frame {trace.frames}: the engine saw {event.held} bytes in the queue, not {self._held}"
                )
            trace.verdict_time.append(now)
            trace.verdict_length.append(event.length)
            trace.verdict_held.append(event.held)
            trace.verdict_class.append(event.class_id)
            trace.verdict_ece.append(event.ece)
            trace.verdict_ecn.append(event.ecn)
            trace.verdict_outcome.append(event.outcome)
            if self._averages:
                for values, value in zip(trace.average, self._averages.averages(), strict=True):
                    values.append(value)
            if event.outcome <= Outcome.PROTECTED:
                self._waiting.append((event, len(frame.data)))
                self._change(now, event.length)

    def _drain(self, until_ns: int | None) -> None:
        """Let every frame leave that the line has room for by an instant, or all of them."""
        while self._waiting:
            time_ns = max(-(-self._line_free_ps // 1000), self._waiting[0][0].time_ns)
            if until_ns is not None and time_ns > until_ns:
                return
            self._take(time_ns)

    def _take(self, time_ns: int) -> None:
        left = self._engine.take(time_ns, self._port)
        for _ in range(self._count_head_drops(left is not None)):
            dropped, _ = self._waiting.popleft()
            self._depart(time_ns, dropped, DepartureKind.HEAD_DROPPED, time_ns - dropped.time_ns)
        if left is None and not self._waiting:
            return
        event, captured = self._waiting.popleft()
        if left is None or left.error or len(left.data) != event.length:
            what = "nothing" if left is None else f"{len(left.data)} bytes, error {int(left.error)}"
            raise TruemarkError(
                f"at {time_ns} ns the port gave {what} instead of the whole frame of {event.length} bytes"
            )
        start_ps = max(self._line_free_ps, event.time_ns * 1000)
        self._line_free_ps = start_ps + line_bytes(event.length) * 8 * 10**12 // self._rate
        self._depart(time_ns, event, left.kind, left.sojourn_ns)
        if self._sink:
            self._sink.write(self._start_ns + time_ns, left.data[:captured], event.length)

    def _count_head_drops(self, delivered: bool) -> int:
        """Frames that a departure dropped before the one it delivered, by what the queue holds after it."""
        if self._head_drops is None:
            return 0
        return len(self._waiting) - self._head_drops.held_packets() - delivered

    def _depart(self, time_ns: int, event: Event, kind: int, sojourn_ns: int) -> None:
        trace = self.trace
        trace.departure_time.append(time_ns)
        trace.departure_kind.append(kind)
        trace.departure_sojourn.append(sojourn_ns)
        trace.departure_length.append(event.length)
        trace.departure_class.append(event.class_id)
        trace.departure_ece.append(event.ece)
        self._change(time_ns, -event.length)

    def _change(self, time_ns: int, length: int) -> None:
        self._held += length
        self.trace.queue_time.append(time_ns)
        self.trace.queue_bytes.append(self._held)


def compare(trace: Trace, snapshot: Snapshot) -> None:
    """Refuse a run in which the device's counters tell another story than the frames."""
    seen: Counter[tuple[int, int, int]] = Counter(
        zip(trace.verdict_outcome, trace.verdict_class, trace.verdict_ece, strict=True)
    )
    left = zip(trace.departure_kind, trace.departure_class, trace.departure_ece, strict=True)
    seen.update((DEPARTURE_CODE[DepartureKind(how)], kind, ece) for how, kind, ece in left)
    counted = {(int(code), int(kind), ece): count.packets for (code, kind, ece), count in snapshot.counters.items()}
    for key in sorted(seen.keys() | counted.keys()):
        if seen.get(key, 0) != counted.get(key, 0):
            code, kind, ece = key
            raise TruemarkError(
                f"the device counts {counted.get(key, 0)} x {Outcome(code).name} {FrameClass(kind).name} "
                f"(ECE {ece}), the replay saw {seen.get(key, 0)}"
            )
    held = sum((snapshot.composition(kind).bytes for kind in FrameClass), 0)
    if held != snapshot.held.bytes:
        raise TruemarkError(f"the device holds {snapshot.held.bytes} B, its counters by class say {held} B")
