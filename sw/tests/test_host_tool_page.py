# SPDX-License-Identifier: BSD-3-Clause
"""The examples of docs/host-tool.md are run, and print what the page shows.

In a block of the language `console` a line with `$` is a command and the lines after it are what it prints; a line of
three dots stands for any lines, three dots at the end of a line for any rest of it.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from sw.tests.frames import Command

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/host-tool.md"


def examples() -> list[tuple[str, list[str]]]:
    """Commands of the page and the lines below them, in order."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"^```console\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line.rstrip())
    return found


def as_pattern(lines: list[str]) -> str:
    """What the page shows as an expression."""
    parts = []
    for line in lines:
        if line == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        elif line.endswith("..."):
            parts.append(re.escape(line[:-3]) + r"[^\n]*\n")
        else:
            parts.append(re.escape(line) + "\n")
    return "".join(parts)


def trimmed(text: str) -> list[str]:
    """Lines without spaces at their ends, and without empty ones around them."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n").splitlines()


def run(command: Command, words: list[str]) -> list[str]:
    """What a command of the page prints, errors as well."""
    if words[0] == "cat":
        return trimmed(Path(words[1]).read_text())
    assert words[0] == "truemark"
    code, out, error = command(*words[1:])
    assert code == bool(error)
    return trimmed(out + error)


def test_every_example_prints_what_the_page_shows(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sw").symlink_to(ROOT / "sw")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    shown = examples()
    assert len(shown) > 10
    for line, expected in shown:
        printed = run(command, shlex.split(line))
        if "--json" not in line:
            assert all(len(each) <= 100 for each in printed if not each.startswith("error:")), line
        text = "\n".join(printed) + "\n"
        assert re.fullmatch(as_pattern(expected), text), f"$ {line}\n{text}"
