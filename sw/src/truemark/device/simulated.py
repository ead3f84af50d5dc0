# SPDX-License-Identifier: BSD-3-Clause
"""A simulated device, which lives as long as one command.

A folder remembers its build and the profile applied to it; every command opens the engine anew, applies that profile
through the registers, and goes on from an empty device.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from truemark.device.device import Device
from truemark.device.engine import Engine, open_engine
from truemark.errors import TruemarkError

if TYPE_CHECKING:
    from truemark.laws.port import Port
    from truemark.laws.profile import Profile


@dataclass(frozen=True)
class SimulatedDevice:
    """The folder of a simulated device."""

    folder: Path

    @property
    def profile_path(self) -> Path:
        """The profile that was applied."""
        return self.folder / "profile.toml"

    def apply(self, source: Path, kind: str, size: str) -> list[Port]:
        """Check a profile, commit it to a fresh device, and remember it only if every port took it."""
        from truemark.laws import profile  # pydantic takes 0.2 s to load

        wanted = profile.read_profile(source)
        with open_engine(kind, size, wanted.features()) as engine:
            planned = self._commit(engine, wanted, str(source))
        self.folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, self.profile_path)
        (self.folder / "device.json").write_text(json.dumps({"engine": kind, "build": size}) + "\n")
        return planned

    def _commit(self, engine: Engine, wanted: Profile, where: str) -> list[Port]:
        from truemark.laws import profile  # pydantic takes 0.2 s to load

        device = Device(engine.read, engine.write)
        identity = device.identity()
        planned = profile.plan(wanted, identity.ports, identity.limits, where)
        for port, each in enumerate(planned):
            device.commit(port, each.settings)
        return planned

    def open(self, kind: str | None = None) -> tuple[Engine, Device, Profile | None]:
        """The device with the remembered profile applied, or fresh from reset; `kind` is another engine for it."""
        from truemark.laws import profile  # pydantic takes 0.2 s to load

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
