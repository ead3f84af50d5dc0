# SPDX-License-Identifier: BSD-3-Clause
"""A simulated device, which lives as long as one command.

A folder remembers its build, its clock and the profile applied to it, in one file, so that a change is remembered whole
or not at all. A command opens the engine again, applies that profile through the registers, and goes on from an empty
device. Of two commands that change it the second waits.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from truemark.device import registers
from truemark.device.board import Board, Change
from truemark.device.device import Device
from truemark.device.engine import Engine, open_engine
from truemark.errors import TruemarkError
from truemark.files import folder_alone, whole_file
from truemark.laws.shape import Shape

if TYPE_CHECKING:
    from truemark.laws.policies import PortSettings
    from truemark.laws.port import Port
    from truemark.laws.profile import Profile

FOLDER = Path("build/device")
BUILDS = ("shallow", "deep")
COPY = "profile.toml"  # of what was applied, to be read and applied again; the memory has its own
PROFILE = "profile"  # what the memory calls its own, for an error
CHANGED = ("ports", "turns", "shapes")  # after the profile
DEFAULTS: dict[str, Any] = {"engine": "model", "build": "shallow"}


@dataclass
class SimulatedDevice(Board):
    """A device at `sim:FOLDER`."""

    simulated: bool = field(default=True, compare=False)
    ends_with_command: ClassVar[bool] = True

    @property
    def place(self) -> str:
        """Where what was configured is remembered."""
        return f"a SIMULATED device; remembered in {self.folder}"

    @property
    def folder(self) -> Path:
        """Where it is remembered."""
        return Path(self.address.partition(":")[2] or FOLDER)

    @property
    def memory(self) -> Path:
        """What is remembered, the profile among it."""
        return self.folder / "device.json"

    @contextmanager
    def _alone(self) -> Iterator[None]:
        self._check_folder()
        with folder_alone(self.folder):
            yield

    def _check_folder(self) -> None:
        if self.folder.exists() and not self.folder.is_dir():
            raise TruemarkError(f"{self.folder}: no folder; a simulated device is remembered in one (sim:FOLDER)")

    def remembered(self) -> dict[str, Any]:
        """Its engine, size and clock, as far as they were chosen."""
        self._check_folder()
        path = self.memory
        if not path.exists():
            return {}
        from truemark.device.memory import Memory

        try:
            return Memory.model_validate_json(path.read_bytes()).model_dump(exclude_unset=True)
        except OSError as error:
            raise TruemarkError(f"{path}: cannot be read: {error.strerror}") from None
        except ValueError:
            raise TruemarkError(f"{path}: damaged; apply a profile again") from None

    def remember(self, **what: Any) -> None:
        """Keep something for the commands to come."""
        known: dict[str, Any] = {}
        with suppress(TruemarkError):  # what is damaged is written again
            known = self.remembered()
        with whole_file(self.memory) as file:
            file.write(json.dumps(DEFAULTS | known | what) + "\n")

    def apply(self, source: Path, engine: str | None = None, build: str | None = None) -> list[Port]:
        """Check a profile, commit it to a fresh device, and remember it only if every port took it."""
        from truemark.laws import profile  # pydantic takes 0.2 s to load
        from truemark.toml_errors import read_toml

        self._check_folder()
        content, text = read_toml(source)  # once: a pipe cannot be read again
        wanted, engine, build = profile.checked(content, text, source), engine or "model", build or "shallow"
        with self._alone():
            known: dict[str, Any] = {}
            with suppress(TruemarkError):  # what is damaged is written again
                known = self.remembered()
            step = known.get("time_step")
            with open_engine(engine, build, wanted.features(), wanted.line_queues()) as opened:
                planned = self._commit(opened, wanted, str(source), step)
            since: dict[str, Any] = {name: {} for name in CHANGED}
            self.remember(engine=engine, build=build, profile=text, applied_step=step, **since)
            try:
                with whole_file(self.folder / COPY) as file:
                    file.write(text)
            except TruemarkError as error:
                self.note(f"{error}; the profile is applied all the same")
        return planned

    def _commit(self, engine: Engine, wanted: Profile, where: str, step: int | None) -> list[Port]:
        from truemark.laws import profile  # pydantic takes 0.2 s to load

        device = Device(engine.read, engine.write)
        if step is not None:  # rates follow from the clock, as it is when they are written
            device.write(registers.TIME_STEP, step)
        identity = device.identity()
        planned = profile.plan(wanted, identity.ports, identity.limits, where)
        queue_map = profile.plan_queues(wanted, identity.queues, identity.limits, where)
        device.check_shapes([each.settings for each in planned], where)
        before = device.before_commits(identity.ports)
        order = device.in_order([each.settings for each in planned], before, where)
        if queue_map is not None:
            device.commit_queue_map(queue_map)
        for port in order:
            device.commit(port, planned[port].settings)
        return planned

    def _applied(self, text: str) -> Profile:
        from truemark.laws.profile import checked  # pydantic's models take 0.1 s to load
        from truemark.toml_errors import parsed

        source = Path(PROFILE)
        try:
            return checked(parsed(text, source), text, source)
        except TruemarkError as error:
            raise TruemarkError(f"{self.memory}: {error}; apply a profile again") from None

    def boot(self, kind: str | None = None) -> tuple[Engine, Device, Profile | None]:
        """Return the device with the remembered profile, or fresh from reset; `kind` is another engine for it."""
        found = DEFAULTS | self.remembered()
        if "profile" not in found and (kept := self.folder / COPY).exists():
            again = f"truemark apply {kept} --device {self.address}"
            raise TruemarkError(f"{self.folder}: of an older version; apply its profile again: {again}")
        wanted = None if (text := found.get("profile")) is None else self._applied(text)
        features, queues = (wanted.features(), wanted.line_queues()) if wanted else (frozenset[str](), 1)
        engine = open_engine(kind or found["engine"], found["build"], features, queues)
        device = Device(engine.read, engine.write, f"SIMULATED by {engine.name}")
        try:
            if wanted:
                self._commit(engine, wanted, PROFILE, found.get("applied_step"))
            self._restore(device, found)
        except (TruemarkError, ValueError) as error:
            engine.close()
            raise TruemarkError(f"{self.memory}: {error}; apply a profile again") from None
        return engine, device, wanted

    def _restore(self, device: Device, found: dict[str, Any]) -> None:
        """Commit what was changed at ports after the profile."""
        ports, turns, shapes = (found.get(name, {}) for name in ("ports", "turns", "shapes"))
        device.check_ports(map(int, [*ports, *turns, *shapes]))
        for port, text in ports.items():
            device.commit_laws(int(port), _settings(text))
        for port, quantum in turns.items():
            device.commit_turn(int(port), quantum)
        first = device.read(registers.TIME_STEP)
        for port, (step, *shape) in shapes.items():
            # A rate follows from the clock, as it was when it was written.
            device.write(registers.TIME_STEP, step or first)
            device.commit_shape(int(port), Shape(*shape) if shape else None)
        device.write(registers.TIME_STEP, found.get("time_step", first))

    def apply_ports(self, changes: Mapping[int, Change]) -> dict[int, PortSettings]:
        """Commit them as a board does, and remember all of them or none."""
        with self._alone():
            return super().apply_ports(changes)

    def taken(self, changes: Mapping[int, Change]) -> None:
        """Remember them over what was applied to all."""
        known = self.remembered()
        ports, shapes = dict(known.get("ports", {})), dict(known.get("shapes", {}))
        for port, change in changes.items():
            if change.profile is not None:
                ports[str(port)] = change.profile
            if change.shape != "stays":
                shape = [change.shape.rate, change.shape.burst] if change.shape else []
                shapes[str(port)] = [known.get("time_step"), *shape]
        if (ports, shapes) != (known.get("ports", {}), known.get("shapes", {})):
            self.remember(ports=ports, shapes=shapes)

    def apply_turns(self, turns: dict[int, int | None]) -> None:
        """Commit them, and remember them over what was applied to all."""
        with self._alone():
            super().apply_turns(turns)
            self.remember(turns=self.remembered().get("turns", {}) | {str(port): each for port, each in turns.items()})

    @contextmanager
    def open(self, *, lock: bool = True, looking: bool = False) -> Iterator[Device]:
        """Bring it up as it is remembered; nobody else can be at it."""
        engine, device, wanted = self.boot()
        with engine:
            if looking and wanted is None:
                known = self.remembered()
                if not any(known.get(name) for name in CHANGED):
                    self.note(f"no profile has been applied in {self.folder}: this is a device fresh from reset")
            yield device
        self.note(f"SIMULATED device, in {self.folder}")

    def set_clock(self, hertz: int) -> float:
        """Tell it its clock, and remember that."""
        with self._alone():
            step = super().set_clock(hertz)
            self.remember(time_step=round(step * (1 << 24)))
        return step


def _settings(text: str) -> PortSettings:
    from truemark.laws.profile import port_table  # pydantic's models take 0.1 s to load

    return port_table(text).planned().settings
