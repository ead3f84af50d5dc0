# SPDX-License-Identifier: BSD-3-Clause
"""The examples of docs/host-tool.md are run, and print what the page shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from sw.tests import pages
from sw.tests.frames import Command

pytestmark = pytest.mark.builds("engine:model")

PAGE = pages.ROOT / "docs/host-tool.md"


def test_every_example_prints_what_the_page_shows(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sw").symlink_to(pages.ROOT / "sw")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    assert pages.check(PAGE, command) > 10
