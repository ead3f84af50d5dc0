# SPDX-License-Identifier: BSD-3-Clause
"""One port behind the C interface, driven as the suites of others drive their queues: put in, take out, ask."""

from __future__ import annotations

import struct
from collections import Counter
from functools import cache

from truemark.device import registers
from truemark.device.device import Device
from truemark.device.engine import Engine
from truemark.device.outcomes import DROPPED, DepartureKind, Outcome
from truemark.laws.policies import PortSettings

MS = 1_000_000  # nanoseconds
NOT_ECT, ECT1, ECT0, CE = range(4)


@cache
def frame(length: int, ecn: int) -> bytes:
    """Return a TCP segment in IPv4 with a payload; `length` from 54 bytes on."""
    network = struct.pack(">BBHHHBBH8x", 0x45, ecn, length - 14, 0, 0, 64, 6, 0)
    transport = struct.pack(">HHIIBBHHH", 1, 2, 0, 0, 0x50, 0x10, 0, 0, 0)
    return (bytes(12) + b"\x08\x00" + network + transport).ljust(length, b"\0")


class Port:
    """Port 0 of a device, with a count of all that became of its frames."""

    def __init__(self, engine: Engine, settings: PortSettings, seed: int = 1) -> None:
        self.engine, self.device = engine, Device(engine.read, engine.write)
        self.device.write(registers.SEED, seed)
        self.device.commit(0, settings)
        self.device.select(0)
        self.arrived: Counter[Outcome] = Counter()
        self.left: Counter[DepartureKind] = Counter()

    def put(self, time_ns: int, length: int, ecn: int = NOT_ECT) -> Outcome:
        """Offer a frame; gives what became of it."""
        self.engine.offer(time_ns, frame(length, ecn))
        (event,) = self.engine.events()
        outcome = Outcome(event.outcome)
        self.arrived[outcome] += 1
        return outcome

    def take(self, time_ns: int) -> tuple[DepartureKind | None, int]:
        """Take a frame; gives how it left (None: there was none) and how many were dropped at the head before it."""
        held = self.packets()
        departure = self.engine.take(time_ns)
        drops = held - self.packets() - (departure is not None)
        self.left[DepartureKind.HEAD_DROPPED] += drops
        if departure is None:
            return None, drops
        kind = DepartureKind(departure.kind)
        self.left[kind] += 1
        return kind, drops

    def packets(self) -> int:
        """Packets in the queue."""
        return self.device.held_packets()

    def bytes(self) -> int:
        """Bytes in the queue."""
        return self.device.read(registers.OCCUPANCY_BYTES)

    def average(self, slot: int = 0) -> int:
        """RED's average in bytes."""
        return self.device.averages()[slot]

    @property
    def unforced_drops(self) -> int:
        """Drops at random."""
        return self.arrived[Outcome.EARLY_PROBABILITY]

    @property
    def forced_drops(self) -> int:
        """Drops because the average was too high."""
        return self.arrived[Outcome.EARLY_FORCED]

    @property
    def limit_drops(self) -> int:
        """Drops because the queue was full."""
        return self.arrived[Outcome.TAIL_BYTES] + self.arrived[Outcome.TAIL_PACKETS] + self.arrived[Outcome.NO_ROOM]

    @property
    def drops(self) -> int:
        """All drops on arrival."""
        return sum(self.arrived[code] for code in DROPPED)

    @property
    def marks(self) -> int:
        """Marks on arrival."""
        return self.arrived[Outcome.MARK]
