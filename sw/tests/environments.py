# SPDX-License-Identifier: BSD-3-Clause
"""Environments with nothing in them but what a wheel asks for, linked from what is pinned: nothing is fetched."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement


def asked_for(*names: str) -> set[str]:
    """Return packages and what they ask for, without extras."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            wanted = map(Requirement, distribution(name).requires or ())
            waiting += [each.name for each in wanted if each.marker is None or each.marker.evaluate({"extra": ""})]
    return found


def given(pattern: str) -> Path | None:
    """Return the file of the release that `make release` has made and is testing."""
    folder = os.environ.get("TRUEMARK_RELEASE")
    return next(Path(folder).glob(pattern)) if folder else None


def environment(folder: Path, wheel: Path, *packages: str) -> Path:
    """Return the Python of an environment with a wheel, and with these packages and what they ask for."""
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    own = folder / "venv/bin/python"
    place = next((folder / "venv/lib").glob("python*/site-packages"))
    for name in asked_for(*packages):
        for file in distribution(name).files or ():
            found, linked = Path(str(file.locate())).resolve(), place / file
            if ".." not in file.parts and "__pycache__" not in file.parts and found.exists():
                linked.parent.mkdir(parents=True, exist_ok=True)
                os.link(found, linked)
    pip: list[str | Path] = [own, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--no-index", wheel], check=True)  # what it asks for is there
    return own
