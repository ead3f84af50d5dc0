# SPDX-License-Identifier: BSD-3-Clause
"""The examples of docs/host-tool.md are run, and print what the page shows; its table has every command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sw.tests import pages
from sw.tests.frames import Command
from typer.main import get_command

from truemark.cli.app import application

pytestmark = pytest.mark.builds("engine:model")

PAGE = pages.ROOT / "docs/host-tool.md"


def test_every_example_prints_what_the_page_shows(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sw").symlink_to(pages.ROOT / "sw")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    assert pages.check(PAGE, command) > 10


def commands(found: Any, typed: str = "") -> Iterator[str]:
    """Yield the words of every command that the tool has."""
    for name, each in getattr(found, "commands", {}).items():
        yield from commands(each, f"{typed} {name}")
    if typed and not hasattr(found, "commands"):
        yield typed.strip()


def test_table_has_every_command() -> None:
    """A name without `truemark` before it is of the group of the name before."""
    table = PAGE.read_text().partition("| command | does |")[2].partition("\n\n")[0]
    said = set()
    for row in table.splitlines()[2:]:
        group = ""
        for name in re.findall(r"`([^`]+)`", row.split(" | ")[0]):
            words = [word for word in name.removeprefix("truemark ").split() if word.islower()]
            said.add(f"{group} {words[0]}".strip() if name == words[0] else " ".join(words))
            group = " ".join(words[:-1]) if name.startswith("truemark ") else group
    assert said == set(commands(get_command(application())))
