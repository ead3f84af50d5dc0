# SPDX-License-Identifier: BSD-3-Clause
"""The command `truemark`: its groups of commands, and how an error ends it.

Modules of commands import what is slow to load (numpy, matplotlib, Dask) where they use it.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from truemark.cli import board, device, lab, plan, replay
from truemark.errors import TruemarkError

# Packages that only some commands need, and the extra that brings them.
EXTRAS = {"jinja2": "plots", "matplotlib": "plots", "dask": "lab", "distributed": "lab"}

app = typer.Typer(
    help="Truemark: mark ECN-capable packets at one byte threshold. Configure a device, look at it, replay captures.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.add_typer(plan.app, name="plan")
app.add_typer(lab.app, name="lab")
for command in (replay.replay, device.apply, device.show, device.stats, device.snapshot, replay.demo, *board.COMMANDS):
    app.command()(command)


def print_version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        from importlib.metadata import version  # 50 ms to load

        typer.echo(f"truemark {version('truemark')}")
        raise typer.Exit


@app.callback()
def options(
    show_version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options of the command itself."""


def main() -> None:
    """Run the command; what the user can put right is one line on stderr and exit code 1."""
    try:
        app()
    except (TruemarkError, ModuleNotFoundError) as error:
        if isinstance(error, ModuleNotFoundError):
            missing = (error.name or "").partition(".")[0]
            if missing not in EXTRAS:
                raise
            error = TruemarkError(f"this needs {missing}: pip install 'truemark[{EXTRAS[missing]}]'")
        Console(stderr=True).print(f"[bold red]error:[/] {escape(str(error))}", highlight=False, soft_wrap=True)
        sys.exit(1)
