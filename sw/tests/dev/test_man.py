# SPDX-License-Identifier: BSD-3-Clause
"""The manual page: made from the commands, and what groff makes of it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from truemark.cli.app import application
from truemark_dev import man


def commands(words: str, found: Any) -> list[tuple[str, Any]]:
    """Every command that can be typed."""
    below = getattr(found, "commands", None)
    return (
        [(words, found)] if not below else [each for name in below for each in commands(f"{words} {name}", below[name])]
    )


def as_text(page: Path) -> str:
    """Return the page as a terminal shows it, without a warning."""
    if shutil.which("groff") is None:
        pytest.skip("groff is not there: apt-get install groff-base")
    words = ["groff", "-man", "-ww", "-Tascii", "-P-c", "-rLL=300n", str(page)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return re.sub(".\b", "", done.stdout)


def test_it_has_every_command_option_and_exit_code(tmp_path: Path) -> None:
    """Each command has its section, and in it each argument and option; roff's own signs do not eat any text."""
    page = tmp_path / "truemark.1"
    page.write_text(man.page())
    text = as_text(page)
    parts = re.split(r"(?m)^   (truemark [\w -]+)$", text)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    there = dict(commands("truemark", get_command(application())))
    assert sorted(sections) == sorted(there)
    assert len(there) > 30
    for name, command in there.items():
        for parameter in command.params:
            shown = (
                parameter.opts
                if parameter.param_type_name == "option"
                else [parameter.metavar or parameter.name.upper()]
            )
            assert all(word in sections[name] for word in shown), (name, shown)
        assert " ".join(command.help.split("\n\n")[0].replace("`", "").split()) in " ".join(sections[name].split())
    assert "'qdisc replace dev tm0 root red" in sections["truemark tc"]
    assert re.search(r"3 +a rule of truemark check is broken", text)
    assert "TRUEMARK_LIB" in text


def test_a_text_is_no_request_and_no_escape() -> None:
    assert man.plain("a\n.so x\n'b \\n `k` -5") == "a\n\\&.so x\n\\&'b \\en k \\-5"
