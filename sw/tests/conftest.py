# SPDX-License-Identifier: BSD-3-Clause
"""The command `truemark`, run in this process."""

from __future__ import annotations

import sys

import pytest
from sw.tests.frames import Command

from truemark.cli import app, output
from truemark.screen import Screen


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run `truemark` with arguments; gives exit code, stdout and stderr."""
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["truemark", *map(str, arguments)])
        monkeypatch.setattr(output, "console", Screen())  # as wide as COLUMNS says now
        try:
            app.main()
            code: object = 0
        except SystemExit as stopped:
            code = stopped.code or 0
        out, err = capsys.readouterr()
        assert isinstance(code, int)
        return code, out, err

    return run
