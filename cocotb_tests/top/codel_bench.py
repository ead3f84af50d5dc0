# SPDX-License-Identifier: BSD-3-Clause
"""The pins of tm_core with CoDel, cycle by cycle, and traffic that makes it drop."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from cocotb_tests.env.bench import cycle, start
from cocotb_tests.env.config_words import OFF_BYTES, OFF_PACKETS
from cocotb_tests.env.fields import Fields
from cocotb_tests.env.line import PERMIT
from cocotb_tests.env.packets import non_ip, of_length, padded, tcp
from cocotb_tests.env.tm_pkg import (
    CFG,
    CODEL,
    CODEL_NEVER,
    DEPARTURE,
    HELD,
    ORDER,
    SINK,
    STAMP_W,
    Class,
    Departure,
    Ecn,
)

IDLE = dict.fromkeys(
    [
        "s_valid_i", "s_data_i", "s_keep_i", "s_last_i", "s_dest_i", "s_len_i", "s_user_i", "s_error_i", "time_i",
        "permit_i", "cfg_i", "order_i",
    ],
    0,
)  # fmt: skip


QUIET = 40  # cycles after which nothing more comes of a departure


UNIT = 1024  # ns
U32 = (1 << 32) - 1


@dataclass
class Settings:
    """The fields of codel_t."""

    on: int = 1
    ecn: int = 0
    at_once: int = 0
    exempt_below: int = 0
    exempt_largest: int = 0
    converge: int = 0
    mark_from_now: int = 0
    reentry_past: int = 0
    threshold_once: int = 0
    keep_first_above: int = 0
    target: int = 4882
    interval: int = 97656
    ce_threshold: int = CODEL_NEVER
    exempt_bytes: int = 1514


@dataclass
class Tally:
    """A departure as the port tells it."""

    cycle: int
    port: int
    kind: Departure
    length: int


@dataclass
class Bench:
    """Pins of a core, cycle by cycle."""

    dut: Any
    ports: int
    width: int
    now: int = 0
    tallies: deque[Tally] = field(default_factory=deque)
    frames: list[list[bytes]] = field(default_factory=list)
    begun: list[list[int]] = field(default_factory=list)  # cycles in which a frame's first row stood first
    _open: list[bytes] = field(default_factory=list)
    _stands: list[bool] = field(default_factory=list)

    def __post_init__(self) -> None:
        dut = self.dut
        self.order, self.held = Fields(dut.order_i, ORDER), Fields(dut.held_o, HELD)
        self.permit = Fields(dut.permit_i, PERMIT)
        self.sink, self.departure = Fields(dut.m_o, SINK), Fields(dut.departure_o, DEPARTURE)

    async def start(self, settings: list[Settings], **policy: int) -> None:
        """Reset; every sink is ready, no port may send."""
        await start(self.dut, IDLE)
        self.frames = [[] for _ in range(self.ports)]
        self.begun = [[] for _ in range(self.ports)]
        self._open = [b""] * self.ports
        self._stands = [False] * self.ports
        self.configure(settings, **policy)
        self.ready((1 << self.ports) - 1)
        await self.reset()

    def configure(self, settings: list[Settings], **policy: int) -> None:
        """Give each port its configuration."""
        word = 0
        for port, each in enumerate(settings):
            cfg: dict[str, int] = {"enable": 1, "limit_bytes": OFF_BYTES, "limit_packets": OFF_PACKETS}
            cfg |= {"codel": CODEL.pack(**vars(each))} | policy
            word |= CFG.pack(**cfg) << CFG.width * port
        self.dut.cfg_i.value = word

    async def reset(self) -> None:
        """Let CoDel start again everywhere."""
        self.order.set(codel_reset=(1 << self.ports) - 1)
        await self.tick()
        self.order.set(codel_reset=0)
        await self.tick(4)

    def time(self, units: int) -> None:
        """Set the time."""
        self.dut.time_i.value = (units % (1 << 32)) * UNIT % (1 << STAMP_W)

    def ready(self, ports: int) -> None:
        """Say which sinks take rows."""
        self._ready = ports
        self.permit.set(ready=ports)

    async def tick(self, count: int = 1) -> None:
        """Let cycles end, and note what they showed."""
        dut = self.dut
        for _ in range(count):
            await cycle(dut)
            self.now += 1
            valid = self.departure.get("valid")
            if valid:
                kinds, lengths = self.departure.get("kind"), self.departure.get("len")
                for port in range(self.ports):
                    if valid >> port & 1:
                        kind = Departure(kinds >> 3 * port & 7)
                        self.tallies.append(Tally(self.now, port, kind, lengths >> 14 * port & 0x3FFF))
            valid = self.sink.get("valid")
            if valid:
                self._rows(valid)

    def _rows(self, valid: int) -> None:
        width = self.width
        data, keep, last = int(self.dut.m_data_o.value), int(self.dut.m_keep_o.value), self.sink.get("last")
        for port in range(self.ports):
            if not valid >> port & 1:
                continue
            if not self._open[port] and not self._stands[port]:
                self.begun[port].append(self.now)
            self._stands[port] = not self._ready >> port & 1
            if self._stands[port]:
                continue
            count = (keep >> width * port & (1 << width) - 1).bit_count()
            row = (data >> 8 * width * port & (1 << 8 * width) - 1).to_bytes(width, "little")[:count]
            self._open[port] += row
            if last >> port & 1:
                self.frames[port].append(self._open[port])
                self._open[port] = b""

    async def send(self, frame: bytes, ports: int = 1) -> None:
        """Offer a frame, one beat a cycle."""
        dut, width = self.dut, self.width
        dut.s_valid_i.value, dut.s_dest_i.value, dut.s_len_i.value = 1, ports, len(frame)
        for at in range(0, len(frame), width):
            row = frame[at : at + width]
            dut.s_data_i.value = int.from_bytes(row, "little")
            dut.s_keep_i.value = (1 << len(row)) - 1
            dut.s_last_i.value = at + width >= len(frame)
            await self.tick()
        dut.s_valid_i.value = 0

    async def take(self, ports: int = 1, quiet: int = QUIET) -> list[Tally]:
        """Let ports take their next frame; return what their departures did, once nothing more comes."""
        self.tallies.clear()
        self.permit.set(tx_en=ports)
        await self.tick()
        self.permit.set(tx_en=0)
        since, seen = 0, 0
        while since < quiet:
            await self.tick()
            since = since + 1 if len(self.tallies) == seen and not any(self._open) else 0
            seen = len(self.tallies)
        return list(self.tallies)


def random_frame(rng: random.Random) -> tuple[bytes, Ecn, Class]:
    """Return a frame of some kind, its codepoint and class."""
    length = rng.choice((60, 64, 65, 97, 128, 300))
    kind = rng.random()
    if kind < 0.4:
        ecn = rng.choice((Ecn.ECT0, Ecn.ECT1, Ecn.CE))
        return of_length(length, ecn=ecn), ecn, Class.DATA
    if kind < 0.7:
        return of_length(length, ecn=Ecn.NOT_ECT), Ecn.NOT_ECT, Class.DATA
    if kind < 0.85:
        return padded(tcp(flags="A", ecn=Ecn.NOT_ECT)), Ecn.NOT_ECT, Class.ACK
    return non_ip(length), Ecn.NOT_ECT, Class.NON_IP


def random_settings(rng: random.Random) -> Settings:
    """Return settings under which much happens."""
    settings = Settings(
        ecn=rng.getrandbits(1), target=rng.choice((0, 5, 5, 20)), interval=rng.choice((60, 100, 100, 700))
    )
    settings.exempt_bytes = rng.choice((0, 64, 300))
    settings.ce_threshold = rng.choice((CODEL_NEVER, CODEL_NEVER, 0, 40, 200))
    if rng.random() < 0.5:
        for name in ("at_once", "exempt_below", "exempt_largest", "mark_from_now", "reentry_past", "threshold_once"):
            setattr(settings, name, int(rng.random() < 0.4))
        settings.converge = int(rng.random() < 0.4)
        settings.keep_first_above = int(rng.random() < 0.4)
        if settings.exempt_below:
            settings.exempt_bytes = max(settings.exempt_bytes, 1)
    return settings


# The queue has stood for 1000 units of a target of 5: what is pulled now is above, and a signal is not far.
STANDING = {"target": 5, "interval": 100, "exempt_bytes": 64}


async def standing(bench: Bench, frames: int, length: int = 64, ecn: Ecn = Ecn.NOT_ECT) -> None:
    """Fill every port at time 0, and take a frame of each at 1000 units: first_above is 1100."""
    bench.time(0)
    await bench.tick(4)
    for _ in range(frames):
        await bench.send(of_length(length, ecn=ecn), (1 << bench.ports) - 1)
    bench.time(1000)
    await bench.tick(6)
    await bench.take((1 << bench.ports) - 1)
