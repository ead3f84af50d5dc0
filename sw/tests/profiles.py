# SPDX-License-Identifier: BSD-3-Clause
"""What a profile makes of the ports of a device, for the tests that look at one key of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from truemark.errors import TruemarkError
from truemark.laws import policies, profile
from truemark.laws.law import Limits


def port_settings(folder: Path, text: str, limits: Limits, ports: int = 8) -> list[policies.PortSettings]:
    """Return what the profile p.toml with that text makes of each port."""
    source = folder / "p.toml"
    source.write_text(text)
    return [each.settings for each in profile.plan(profile.read_profile(source), ports, limits, "p.toml")]


def expect_refusal(folder: Path, text: str, says: str, limits: Limits) -> None:
    """Fail unless that profile is refused with an error that matches the pattern."""
    with pytest.raises(TruemarkError, match=says):
        port_settings(folder, text, limits)
