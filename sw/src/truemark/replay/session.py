# SPDX-License-Identifier: BSD-3-Clause
"""Send a capture through one port of an engine: what it is offered as, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from truemark import units
from truemark.device.device import Device, Snapshot
from truemark.device.engine import Engine, open_engine
from truemark.errors import TruemarkError
from truemark.laws import policies
from truemark.laws.policies import PortSettings
from truemark.replay.capture import Reader, Writer
from truemark.replay.replay import Replay, compare, speed_for_load
from truemark.replay.summary import Run, summarize

Tell = Callable[[int, int], None]  # bytes of the capture read, and all of them


@dataclass(frozen=True)
class Traffic:
    """A capture and how to offer it."""

    capture: Path
    rate: int
    speed: Fraction = Fraction(1)
    load: float | None = None
    port: int = 0
    rtt_ns: int = 100_000
    where: str | None = None  # what messages call the capture, if not by its path

    def pace(self) -> Fraction:
        """Return the speed, computed from the load if that was asked for."""
        if self.load is None:
            return self.speed
        with Reader(self.capture, self.where) as reader:
            return speed_for_load(reader, self.rate, self.load)


def configure(engine: Engine, settings: dict[int, PortSettings]) -> Device:
    """Check the settings of all ports against the build, then commit them."""
    device = Device(engine.read, engine.write)
    device.check_ports(settings)
    identity = device.identity()
    for wanted in settings.values():
        policies.check(wanted, identity.limits)
    for port, wanted in settings.items():
        device.commit(port, wanted)
    return device


def send(
    engine: Engine,
    device: Device,
    settings: PortSettings,
    traffic: Traffic,
    out: Path | None = None,
    until_ns: int | None = None,
    tell: Tell | None = None,
) -> tuple[Run, Snapshot]:
    """Replay a capture through a configured device; the device's own counters must agree with what was seen."""
    for key in settings.held_to:
        raise TruemarkError(f"{key}_rate: a replay takes frames at the rate of its line, --rate; leave it out")
    speed = traffic.pace()
    with ExitStack() as stack:
        reader = stack.enter_context(Reader(traffic.capture, traffic.where))
        sink = stack.enter_context(Writer(out)) if out else None
        device.select(traffic.port)
        replay = Replay(
            engine,
            traffic.rate,
            speed,
            traffic.port,
            sink,
            averages=device if any(settings.reds) else None,
            head_drops=device if settings.departures else None,
        )
        trace = replay.run(reader, until_ns, (lambda _: tell(reader.position(), reader.size)) if tell else None)
        snapshot = device.snapshot(traffic.port)
        compare(trace, snapshot)
    facts = {
        "capture": traffic.capture.name,
        "engine": engine.name,
        "library": engine.path.name,
        "data_w": engine.build.data_w,
        "port": traffic.port,
        "speed": float(speed),
    }
    return Run(trace, summarize(trace, settings, traffic.rate, traffic.rtt_ns, facts)), snapshot


def replay_capture(
    kind: str, settings: PortSettings, traffic: Traffic, out: Path | None = None, tell: Tell | None = None
) -> Run:
    """Replay a capture through a fresh device."""
    with open_engine(kind, policies.build_size(settings), settings.features) as engine:
        device = configure(engine, {traffic.port: settings})
        return send(engine, device, settings, traffic, out, tell=tell)[0]


def parse_speed(text: str) -> Fraction:
    """Return a positive factor."""
    try:
        speed = units.fraction(text)
    except (ValueError, ZeroDivisionError):
        allowed = f"a number of up to {units.MOST_DIGITS} digits"
        raise TruemarkError(f"speed '{text}' is not {allowed}; 10 offers the capture ten times as fast") from None
    if speed <= 0:
        raise TruemarkError(f"speed {text} must be above 0")
    return speed
