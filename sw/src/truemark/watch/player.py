# SPDX-License-Identifier: BSD-3-Clause
"""A simulated device with traffic: a capture offered in real time, its flows spread over some lines.

A line is a port, or several that are its queues. The engine's time is the time since the player began. If the machine
cannot keep up, the capture is offered later, never faster.
"""

from __future__ import annotations

import threading
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from truemark.device.engine import Engine
from truemark.device.outcomes import Outcome
from truemark.device.registers import OCCUPANCY_PACKETS, PAGE
from truemark.errors import LinkError, TruemarkError
from truemark.replay.capture import Frame, Reader
from truemark.replay.replay import line_bytes

TICK = 0.01  # seconds at most between two departures that are due
RETRY_NS = 1000  # until a port that holds frames and gave none is asked again
BEHIND = 1.0  # seconds after which a late capture is put off
FLOW = slice(26, 38)  # addresses and ports of TCP over IPv4 without tags


@dataclass
class Player:
    """Plays a capture into an engine; reads and writes of registers come between its frames."""

    engine: Engine
    capture: Path
    rate: int  # bit/s of each line
    speed: Fraction = Fraction(1)
    loop: bool = False
    lines: tuple[int, ...] = (0,)
    _turn: threading.Lock = field(default_factory=threading.Lock)
    _stopped: threading.Event = field(default_factory=threading.Event)
    _free_ns: list[int] = field(default_factory=list)  # when each line is
    _held: list[int] = field(default_factory=list)  # frames of each line, at the least
    _now_ns: int = 0  # of the engine
    _thread: threading.Thread | None = None
    _wrong: str = ""  # what ended the traffic before its time

    def __enter__(self) -> Player:
        self._free_ns, self._held = [0] * (max(self.lines) + 1), [0] * (max(self.lines) + 1)
        with Reader(self.capture) as reader:
            next(iter(reader), None)  # what is wrong with the capture is said before the server listens
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        if self._thread:
            self._thread.join()

    def read(self, offset: int) -> int:
        """Read a word."""
        with self._turn:
            if self._wrong:
                raise LinkError(self._wrong)
            return self.engine.read(offset)

    def write(self, offset: int, value: int) -> None:
        """Write a word."""
        with self._turn:
            self.engine.write(offset, value)

    def _run(self) -> None:
        try:
            self._play()
        except TruemarkError as error:
            self._wrong = str(error)
        except Exception as error:
            self._wrong = f"the traffic has ended, a fault of this program: {error!r}"
            raise

    def _play(self) -> None:
        began = time.monotonic()
        for at_ns, frame in self._frames():
            while (early := at_ns / 1e9 - (time.monotonic() - began)) > 0:
                self._pass(at_ns - int(early * 1e9))
                if self._stopped.wait(min(early, TICK)):
                    return
            if early < -BEHIND:
                began -= early
            self._pass(at_ns)
            with self._turn:
                line = self.lines[zlib.crc32(frame.data[FLOW]) % len(self.lines)]
                self.engine.offer(at_ns, frame.padded(), 1 << line)
                for event in self.engine.events():
                    self._held[event.port // self._queues] += event.outcome <= Outcome.PROTECTED
            if self._stopped.is_set():
                return
        while not self._stopped.wait(TICK):
            self._pass(int((time.monotonic() - began) * 1e9))

    def _frames(self) -> Iterator[tuple[int, Frame]]:
        """Yield the frames with the times at which they are offered, over and over with `loop`."""
        start = 0
        while True:
            first, at_ns = None, start
            with Reader(self.capture) as reader:
                for frame in reader:
                    first = frame.time_ns if first is None else first
                    due = start + (frame.time_ns - first) * self.speed.denominator // self.speed.numerator
                    at_ns = max(at_ns, due)
                    yield at_ns, frame
            start = at_ns + 1_000_000
            if not self.loop or first is None:
                return

    def _pass(self, until_ns: int) -> None:
        """Let every frame leave that its line has room for by an instant."""
        with self._turn:
            for line in self.lines:
                while self._held[line] and (at_ns := max(self._free_ns[line], self._now_ns)) <= until_ns:
                    left = self.engine.take(at_ns, line)
                    if left is None:  # what was held has been dropped at the head, or waits for a rate
                        self._held[line] = self._holds(line)
                        self._free_ns[line] = at_ns + RETRY_NS
                        continue
                    self._held[line] -= 1
                    self._free_ns[line] = at_ns + line_bytes(len(left.data)) * 8 * 10**9 // self.rate
            self._now_ns = max(self._now_ns, until_ns)
            self.engine.advance(self._now_ns)

    @property
    def _queues(self) -> int:
        """The queues of a line."""
        return self.engine.build.queues

    def _holds(self, line: int) -> int:
        """Return how many frames the queues of a line hold; PAGE is the host's."""
        page, held = self.engine.read(PAGE.address), 0
        for port in range(line * self._queues, (line + 1) * self._queues):
            self.engine.write(PAGE.address, PAGE.pack(port=port))
            held += self.engine.read(OCCUPANCY_PACKETS.address)
        self.engine.write(PAGE.address, page)
        return held
