# SPDX-License-Identifier: BSD-3-Clause
"""What the commands do with a simulated device: configure it, send a capture through it, look at it.

A simulated device lives as long as one command. A folder remembers its build and the profile applied to it; every
command opens the engine anew, applies that profile through the registers, and goes on from an empty device.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from truemark import units
from truemark.device.device import Device, Snapshot
from truemark.device.engine import Engine, open_engine
from truemark.device.outcomes import Law
from truemark.errors import TruemarkError
from truemark.laws import policies, profile
from truemark.laws.policies import PortSettings
from truemark.replay.capture import Reader, Writer
from truemark.replay.pictures import Run
from truemark.replay.replay import Replay, compare, speed_for_load
from truemark.replay.summary import summarize

DEFAULT_RTT = "100us"
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

    def pace(self) -> Fraction:
        """The speed, computed from the load if that was asked for."""
        if self.load is None:
            return self.speed
        with Reader(self.capture) as reader:
            return speed_for_load(reader, self.rate, self.load)


def build_size(settings: PortSettings) -> str:
    """The smaller build whose presets are enough."""
    shallow = policies.BUFFERS["shallow"].limit_bytes, policies.BUFFERS["shallow-pkt"].limit_packets
    wanted = settings.limit_bytes, settings.limit_packets
    fits = all(want is None or (most is not None and want <= most) for want, most in zip(wanted, shallow, strict=True))
    return "shallow" if fits else "deep"


def configure(engine: Engine, settings: dict[int, PortSettings]) -> Device:
    """Check the settings of all ports against the build, then commit them."""
    device = Device(engine.read, engine.write)
    identity = device.identity()
    for port, wanted in settings.items():
        if port >= identity.ports:
            raise TruemarkError(f"port {port}: this device has ports 0 to {identity.ports - 1}")
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
    speed = traffic.pace()
    with ExitStack() as stack:
        reader = stack.enter_context(Reader(traffic.capture))
        sink = stack.enter_context(Writer(out)) if out else None
        device.select(traffic.port)
        replay = Replay(
            engine,
            traffic.rate,
            speed,
            traffic.port,
            sink,
            averages=device if Law.RED in settings.laws else None,
            head_drops=device if settings.codel else None,
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
    """One replay through a fresh device."""
    with open_engine(kind, build_size(settings), settings.features) as engine:
        device = configure(engine, {traffic.port: settings})
        return send(engine, device, settings, traffic, out, tell=tell)[0]


@dataclass(frozen=True)
class SimulatedDevice:
    """The folder of a simulated device."""

    folder: Path

    @property
    def profile_path(self) -> Path:
        """The profile that was applied."""
        return self.folder / "profile.toml"

    def apply(self, source: Path, kind: str, size: str) -> tuple[list[PortSettings], profile.Profile]:
        """Check a profile, commit it to a fresh device, and remember it only if every port took it."""
        wanted = profile.read_profile(source)
        with open_engine(kind, size, wanted.features()) as engine:
            planned = self._commit(engine, wanted, str(source))
        self.folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, self.profile_path)
        (self.folder / "device.json").write_text(json.dumps({"engine": kind, "build": size}) + "\n")
        return planned, wanted

    def _commit(self, engine: Engine, wanted: profile.Profile, where: str) -> list[PortSettings]:
        device = Device(engine.read, engine.write)
        identity = device.identity()
        planned = profile.plan(wanted, identity.ports, identity.limits, where)
        for port, settings in enumerate(planned):
            device.commit(port, settings)
        return planned

    def open(self, kind: str | None = None) -> tuple[Engine, Device, profile.Profile | None]:
        """The device with the remembered profile applied, or fresh from reset; `kind` is another engine for it."""
        remembered = self.folder / "device.json"
        if not remembered.exists():
            engine = open_engine(kind or "model")
            return engine, Device(engine.read, engine.write), None
        try:
            found = json.loads(remembered.read_text())
            wanted = profile.read_profile(self.profile_path)
            engine = open_engine(kind or found["engine"], found["build"], wanted.features())
        except (json.JSONDecodeError, KeyError, TypeError):
            raise TruemarkError(f"{remembered}: damaged; apply a profile again") from None
        self._commit(engine, wanted, str(self.profile_path))
        return engine, Device(engine.read, engine.write), wanted

    def traffic(
        self, wanted: profile.Profile | None, capture: Path, rate: str | None, speed: str, port: int
    ) -> Traffic:
        """A capture at the rate that was given, or at the profile's."""
        own = wanted.rate_of(port) if wanted else None
        if rate is None and own is None:
            raise TruemarkError(
                f'at which rate does port {port} drain? Give --rate 10G, or rate = "10G" in the profile'
            )
        return Traffic(capture, units.parse_rate(rate) if rate else own or 0, parse_speed(speed), port=port)


def parse_speed(text: str) -> Fraction:
    """A positive factor."""
    try:
        speed = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise TruemarkError(f"speed '{text}' is not a number; 10 offers the capture ten times as fast") from None
    if speed <= 0:
        raise TruemarkError(f"speed {text} must be above 0")
    return speed
