# SPDX-License-Identifier: BSD-3-Clause
"""Writes the manual page truemark(1) from the commands themselves: `make man`, and what the wheel installs.

    python -m truemark_dev.man [FILE]

Every command with its arguments, options and examples; exit codes are those of the host tool's page.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from typer.main import get_command

from truemark.cli.app import application
from truemark_dev.paths import BUILD, ROOT

NAME = "truemark"
VARIABLES = {
    "TRUEMARK_LIB": "a folder with engines: libraries of the golden model, or of Verilated RTL",
    "TRUEMARK_LAB_RUNNER": "the program of the network lab",
    "NO_COLOR": "if set, nothing is coloured",
    "COLUMNS": "the width of a terminal; tables never cut a number",
}
SEE = r"\fBtc\fR(8), \fBtc\-red\fR(8), \fBtc\-codel\fR(8)"


def plain(text: str) -> str:
    """Return a text as roff has it: marks of Markdown are gone, and no line is taken for a request."""
    text = re.sub(r"`([^`]*)`", r"\1", text).replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"(?m)^(?=[.'])", r"\\&", text)


def paragraphs(text: str | None) -> Iterator[str]:
    """Yield the paragraphs of a help text."""
    for part in re.split(r"\n\s*\n", (text or "").strip()):
        if part:
            yield plain(" ".join(part.split()))


def value_of(option: Any) -> str:
    """Return what stands behind an option."""
    if option.is_flag or option.is_bool_flag:
        return ""
    return rf" \fI{plain(str(option.metavar or option.opts[0].lstrip('-').upper()))}\fR"


def told(option: Any) -> str:
    """Return what an option does, and what it is without it."""
    said = next(paragraphs(option.help), "")
    default = option.default
    if default in (None, False, ()) or callable(default) or option.required:
        return said or r"\&"
    return f"{said}; {plain(str(default))} if none"


def command(typed: str, found: Any) -> Iterator[str]:
    """Yield a command, or the commands of a group."""
    subcommands = getattr(found, "commands", None)
    if subcommands:
        for name, each in subcommands.items():
            yield from command(f"{typed} {name}", each)
        return
    arguments = [each for each in found.params if each.param_type_name == "argument"]
    options = [each for each in found.params if each.param_type_name == "option" and not each.hidden]
    shown = [r"\fILINE\fR"] if found.context_settings.get("allow_extra_args") else []
    shown += [rf"\fI{plain(str(each.metavar or each.name.upper()))}\fR" for each in arguments]
    yield f".SS {plain(typed)}"
    yield " ".join([rf"\fB{plain(typed)}\fR", *shown, *(["[options]"] if options else [])])
    for text in paragraphs(found.help):
        yield f".PP\n{text}"
    for each, name in zip(arguments, shown, strict=False):
        yield f".TP\n{name}\n{told(each)}"
    for each in options:
        words = ", ".join(rf"\fB{plain(word)}\fR" for word in each.opts)
        yield f".TP\n{words}{value_of(each)}\n{told(each)}"
    for line in paragraphs((found.epilog or "").removeprefix("Examples:")):
        yield f".PP\n.EX\n{line}\n.EE"


def exit_codes() -> Iterator[tuple[str, str]]:
    """Yield the table of docs/host-tool.md."""
    page = (ROOT / "docs/host-tool.md").read_text(encoding="utf-8")
    yield from re.findall(r"^\| (\d+) \| (.+) \|$", page.partition("| exit code |")[2].partition("\n\n")[0], re.M)


def page() -> str:
    """Return the manual page."""
    group: Any = get_command(application())
    lines = [
        f'.TH {NAME.upper()} 1 "" "{NAME} {version(NAME)}" "User Commands"',
        f".SH NAME\n{NAME} \\- work out, configure, watch and replay the queues of a Truemark device",
        ".SH SYNOPSIS\n" rf"\fB{NAME}\fR \fIcommand\fR [options]",
        ".SH DESCRIPTION",
        *paragraphs(group.help),
        ".PP\nEvery command with \\fB\\-\\-json\\fR prints one document on stdout and nothing else; "
        "\\fBtruemark schema\\fR describes it.",
        ".SH COMMANDS",
    ]
    for name, each in group.commands.items():
        lines += command(f"{NAME} {name}", each)
    lines.append(".SH EXIT STATUS")
    lines += [f".TP\n{code}\n{plain(text.replace('**', ''))}" for code, text in exit_codes()]
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
