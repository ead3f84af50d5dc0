# SPDX-License-Identifier: BSD-3-Clause
"""The commands about the tool itself: schema of what it prints, completion for shells."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from truemark import documents
from truemark.cli import output
from truemark.errors import TruemarkError, suggest

SHELLS = ("bash", "zsh", "fish", "powershell")


def schema(
    name: Annotated[
        str | None,
        typer.Argument(help="of a document; none: list them", autocompletion=lambda: list(documents.DOCUMENTS)),
    ] = None,
) -> None:
    """Print the JSON Schema of a command's --json document, whose `schema` is truemark/NAME/1."""
    if name is None:
        output.say(f"truemark/{each}/{documents.VERSION}" for each in documents.DOCUMENTS)
        return
    short = name.removeprefix("truemark/").partition("/")[0]
    if short not in documents.DOCUMENTS:
        raise TruemarkError(f"document '{name}' is unknown; {suggest(short, list(documents.DOCUMENTS))}")
    output.raw(json.dumps(documents.schema(short), indent=2))


def completion(
    shell: Annotated[str, typer.Argument(help=", ".join(SHELLS), autocompletion=lambda: list(SHELLS))],
) -> None:
    """Print a shell's script that completes commands, options and their values."""
    from typer._completion_shared import get_completion_script

    if shell not in SHELLS:
        raise TruemarkError(f"shell '{shell}' is unknown; {suggest(shell, list(SHELLS))}")
    output.raw(get_completion_script(prog_name="truemark", complete_var="_TRUEMARK_COMPLETE", shell=shell))


EXAMPLES = {
    "completion": (
        "Examples:\n\n"
        'eval "$(truemark completion bash)"\n\n'
        "truemark completion fish > ~/.config/fish/completions/truemark.fish"
    )
}
