# SPDX-License-Identifier: BSD-3-Clause
"""The tutorials: their programs and commands are run, and print what the pages show."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from sw.tests import pages
from sw.tests.frames import Command

DOCS = pages.ROOT / "docs"


@pytest.mark.builds("engine:model", "engine:rtl_full")  # which prints the same, and other tests need it too
@pytest.mark.parametrize(("page", "commands"), [("first-packet", 5), ("own-capture", 3)])
def test_every_command(
    page: str, commands: int, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sw").symlink_to(pages.ROOT / "sw")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    text = (DOCS / f"{page}.md").read_text()
    if "truemark_dev.build" in text:  # then what the commands need is built there
        assert {"engine:model", "engine:rtl_shallow_flags"} <= set(text.split())
    for program in re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        Path("program.py").write_text(program)
        subprocess.run([sys.executable, "program.py"], check=True)
    for profile in re.findall(r"^```toml\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        Path("first.toml").write_text(profile)
    assert pages.check(DOCS / f"{page}.md", command) == commands


@pytest.mark.slow
@pytest.mark.builds("engine:model", "lab-runner")
def test_the_shuffle(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sim").symlink_to(pages.ROOT / "sim")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    assert pages.check(DOCS / "shuffle.md", command) == 2
