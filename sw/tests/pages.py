# SPDX-License-Identifier: BSD-3-Clause
"""Pages of docs/ whose examples are run and must print what the page shows.

In a block of the language `console` a line with `$` is a command and the lines after it are what it prints; a line of
three dots stands for any lines, three dots at the end of a line for any rest of it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from pathlib import Path

from sw.tests.frames import Command

ROOT = Path(__file__).parents[2]


def examples(page: Path) -> list[tuple[str, list[str]]]:
    """Commands of the page and the lines below them, in order."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"^```console\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line.rstrip())
    return found


def as_pattern(lines: list[str]) -> str:
    """Return what the page shows as an expression."""
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
    """Return what a command of the page prints, errors as well."""
    if words[0] == "cat":
        return trimmed(Path(words[1]).read_text())
    assert words[0] == "truemark"
    code, out, error = command(*words[1:])
    assert error or not code
    return trimmed(out + error)


def check(page: Path, command: Command, variables: Mapping[str, str] | None = None) -> int:
    """Run a page's examples in the current folder; return how many there are. Variables stand in commands as $NAME."""
    shown = examples(page)
    for line, expected in shown:
        words = line
        for name, value in (variables or {}).items():
            words = words.replace(f"${name}", value)
        printed = run(command, shlex.split(words))
        for name, value in (variables or {}).items():
            printed = [each.replace(value, f"${name}") for each in printed]
        if "--json" not in line:
            assert all(len(each) <= 100 for each in printed if not each.startswith("error:")), line
        text = "\n".join(printed) + "\n"
        assert re.fullmatch(as_pattern(expected), text), f"$ {line}\n{text}"
    return len(shown)
