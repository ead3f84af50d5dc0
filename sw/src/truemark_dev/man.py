# SPDX-License-Identifier: BSD-3-Clause
"""Writes the manual page truemark(1) from the commands themselves: `make man`, and what the wheel installs.

    python -m truemark_dev.man [FILE]

Every command with its arguments, options and examples; exit codes and environment.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from truemark.errors import EXIT_CODES
from truemark_dev import commands
from truemark_dev.commands import NAME, VARIABLES
from truemark_dev.paths import BUILD

SEE = r"\fBtc\fR(8), \fBtc\-red\fR(8), \fBtc\-codel\fR(8)"


def plain(text: str) -> str:
    """Return a text as roff has it: marks of Markdown are gone, and no line is taken for a request."""
    text = re.sub(r"`([^`]*)`", r"\1", text).replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"(?m)^(?=[.'])", r"\\&", text)


def command(described: commands.Command) -> Iterator[str]:
    """Yield the section of a command."""
    arguments = [rf"\fI{plain(each.words[0])}\fR" for each in described.arguments]
    yield f".SS {plain(described.typed)}"
    yield " ".join([rf"\fB{plain(described.typed)}\fR", *arguments, *(["[options]"] if described.options else [])])
    for text in described.told:
        yield f".PP\n{plain(text)}"
    for each, name in zip(described.arguments, arguments, strict=True):
        yield f".TP\n{name}\n{plain(each.does)}"
    for each in described.options:
        words = ", ".join(rf"\fB{plain(word)}\fR" for word in each.words)
        value = rf" \fI{plain(each.value)}\fR" if each.value else ""
        yield f".TP\n{words}{value}\n{plain(each.does) or chr(92) + '&'}"
    for line in described.examples:
        yield f".PP\n.EX\n{plain(line)}\n.EE"


def page() -> str:
    """Return the manual page."""
    lines = [
        f'.TH {NAME.upper()} 1 "" "{NAME} {version(NAME)}" "User Commands"',
        f".SH NAME\n{NAME} \\- work out, configure, watch and replay the queues of a Truemark device",
        ".SH SYNOPSIS\n" rf"\fB{NAME}\fR \fIcommand\fR [options]",
        ".SH DESCRIPTION",
        plain(commands.summary()),
        f".PP\n{plain(commands.JSON)}",
        ".SH COMMANDS",
    ]
    for each in commands.every():
        lines += command(each)
    lines.append(".SH EXIT STATUS")
    lines += [f".TP\n{code:d}\n{plain(text)}" for code, text in EXIT_CODES.items()]
    lines.append(".SH ENVIRONMENT")
    lines += [f".TP\n\\fB{name}\\fR\n{plain(text)}" for name, text in VARIABLES.items()]
    lines.append(f".SH SEE ALSO\n{SEE}")
    return "\n".join([*lines, ""])


def main() -> None:
    """Write it."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else BUILD / "man" / f"{NAME}.1"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(), encoding="utf-8")
    print(path)


if __name__ == "__main__":
    main()
