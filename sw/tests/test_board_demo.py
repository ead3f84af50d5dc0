# SPDX-License-Identifier: BSD-3-Clause
"""The commands of docs/board_demo.md are run on a simulated device behind a TCP server, and print what the page shows.

What a board needs beside them, cables and senders, is in blocks of the page that are not run.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sw.tests import pages
from sw.tests.frames import Command
from sw.tests.test_transport import served

from truemark.session import SimulatedDevice

PAGE = pages.ROOT / "docs/board_demo.md"


def test_every_step(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sw").symlink_to(pages.ROOT / "sw")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    engine, _, _ = SimulatedDevice(tmp_path / "served").open()
    with engine, served(engine) as address:
        assert pages.check(PAGE, command, {"BOARD": address}) == 9
    # Every command that the page names, run or not, is one that the tool has.
    named = set(re.findall(r"\btruemark ([a-z]+)\b", PAGE.read_text()))
    for name in named:
        assert "Usage: " in command(name, "--help")[1], name
