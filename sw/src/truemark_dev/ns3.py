# SPDX-License-Identifier: BSD-3-Clause
"""Unpacks ns-3's wheel next to the tools: it is 69 MB, and to link to it needs no Python.

The wheel for Python 3.11 serves every Python.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from truemark_dev import cpp
from truemark_dev.paths import ROOT

FOLDER = Path(".venv/ns3")
LOCK = Path("sim/lab/ns3/requirements.lock")
LIBRARIES = ("internet", "traffic-control", "network", "core")
WHEEL = "--implementation cp --python-version 3.11 --abi cp311 --platform manylinux_2_28_x86_64"


def unpack(stamp: Path) -> None:
    """Install what the lock file names unless it is there; a newer file of the same content installs nothing."""
    lock = ROOT / LOCK
    if not stamp.exists() or stamp.read_text() != lock.read_text():
        part = ROOT / f"{FOLDER}.part"
        shutil.rmtree(part, ignore_errors=True)
        pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps")
        cpp.run(*pip, "--require-hashes", "--only-binary=:all:", *WHEEL.split(), "--target", part, "-r", lock)
        shutil.rmtree(ROOT / FOLDER, ignore_errors=True)
        part.rename(ROOT / FOLDER)
    stamp.write_text(lock.read_text())


if __name__ == "__main__":
    unpack(ROOT / sys.argv[1])
