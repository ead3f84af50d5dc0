# SPDX-License-Identifier: BSD-3-Clause
"""The examples of docs/host-tool.md are run, and print what the page shows; docs/policies.md has every policy."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sw.tests import pages
from sw.tests.frames import Command

from truemark.laws import policies

pytestmark = pytest.mark.builds("engine:model")

PAGE = pages.ROOT / "docs/host-tool.md"


def test_every_example_prints_what_the_page_shows(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sw").symlink_to(pages.ROOT / "sw")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    assert pages.check(PAGE, command) > 10


def test_every_policy_has_its_row_and_what_it_needs() -> None:
    """The keys of the last column are those that the policy takes."""
    rows = re.findall(r"^\| `([\w-]+)` \|.*\|(.*)\|$", (pages.ROOT / "docs/policies.md").read_text(), re.MULTILINE)
    said = {name: re.findall(r"`\[?(\w+)\]?`", needs) for name, needs in rows}
    assert said == {name: list(each.keys) for name, each in policies.TABLE.items()}
