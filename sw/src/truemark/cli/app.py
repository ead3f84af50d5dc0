# SPDX-License-Identifier: BSD-3-Clause
"""The command `truemark`: its groups of commands, and how an error ends it.

Modules of commands import what is slow to load (numpy, matplotlib, Dask) where they use it.
"""

from __future__ import annotations

import errno
import signal
import sys
from importlib import import_module
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from typer._completion_classes import completion_init
from typer.exceptions import Abort, TyperException

from truemark.errors import EXIT_CODES, ExitCode, TruemarkError, in_words
from truemark.screen import flush_or_drop, leave_pipe, open_what_is_closed, settle_for_ascii

# Packages that only some commands need, and the extra that brings them.
EXTRAS = {
    "jinja2": "plots",
    "matplotlib": "plots",
    "dask": "lab",
    "distributed": "lab",
    "prometheus_client": "prometheus",
    "starlette": "web",
    "textual": "watch",
    "uvicorn": "web",
}

# Errors of a write that name no file, and are the user's to mend: stdout was full, or a file on a disk that is.
UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

# The commands in the order of the help: the panel they stand in, and the module of truemark.cli that has them.
COMMANDS = {
    "plan": ("Settings", "plan"),
    "tc": ("Settings", "tc"),
    "apply": ("Device", "device"),
    "show": ("Device", "device"),
    "status": ("Device", "device"),
    "watch": ("Device", "watch"),
    "web": ("Device", "watch"),
    "probe": ("Device", "board"),
    "serve": ("Device", "board"),
    "pace": ("Device", "board"),
    "clock": ("Device", "board"),
    "unlock": ("Device", "board"),
    "read": ("Device", "registers"),
    "write": ("Device", "registers"),
    "dump": ("Device", "registers"),
    "export": ("Device", "export"),
    "replay": ("Traffic", "replay"),
    "check": ("Traffic", "check"),
    "sweep": ("Traffic", "sweep"),
    "stats": ("Traffic", "device"),
    "snapshot": ("Traffic", "device"),
    "demo": ("Traffic", "replay"),
    "lab": ("Traffic", "lab"),
    "schema": ("Scripts", "about"),
    "completion": ("Scripts", "about"),
}


def application(called: str = "") -> typer.Typer:
    """Return the command with all of its commands, or with the one that is `called`: to load all takes 0.1 s."""
    app = typer.Typer(
        help="Truemark: mark ECN-capable packets at one byte threshold. "
        "Configure a device, look at it, replay captures.",
        epilog=f"Exit codes: {'; '.join(f'{code:d} {text}' for code, text in EXIT_CODES.items())}. "
        "Manual: docs/commands.md",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    app.callback()(options)
    for name, (panel, where) in COMMANDS.items():
        if called in COMMANDS and name != called:
            continue
        module = import_module(f"truemark.cli.{where}")
        if hasattr(module, "app"):
            app.add_typer(module.app, name=name, rich_help_panel=panel)
            continue
        app.command(
            rich_help_panel=panel,
            epilog=getattr(module, "EXAMPLES", {}).get(name),
            context_settings=getattr(module, "CONTEXT", None),
        )(getattr(module, name))
    return app


def print_version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        from importlib.metadata import version  # 50 ms to load

        typer.echo(f"truemark {version('truemark')}")
        raise typer.Exit


def options(
    show_version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options of the command itself."""


def usage(error: TyperException) -> str:
    """Return a wrong command line in one line, and where the right one is described."""
    said = in_words(error.format_message().rstrip("."))
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "truemark"
    return f"{said[:1].lower()}{said[1:]}; see {command} --help"


def main() -> None:
    """Run the command; what the user can put right is one line on stderr and an exit code of `ExitCode`."""
    # A job in the background of a script is started with interrupts ignored: only this ends it in order.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    open_what_is_closed()
    settle_for_ascii()
    completion_init()  # of the shells of `truemark completion`
    try:
        code = application(next(iter(sys.argv[1:]), ""))(prog_name="truemark", standalone_mode=False) or ExitCode.DONE
        sys.stdout.flush()
    except TruemarkError as error:
        fail(str(error), error.code)
    except TyperException as error:
        # A command that was called without anything has printed its help; a value that cannot be is like any other.
        kind = type(error).__name__
        code = ExitCode.WRONG if kind == "BadParameter" else ExitCode.USAGE
        fail("" if kind == "NoArgsIsHelpError" else usage(error), code)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in EXTRAS:
            raise
        fail(f"this needs {missing}: pip install 'truemark[{EXTRAS[missing]}]'", ExitCode.WRONG)
    except BrokenPipeError:
        leave_pipe()
    except OSError as error:
        flush_or_drop()
        if error.filename is None and error.errno not in UNWRITABLE:  # nothing that a user could put right
            raise
        fail(f"{error.filename or 'output'}: {(error.strerror or str(error)).lower()}", ExitCode.WRONG)
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # so the console ends that prints the help
            leave_pipe()
        raise
    except (KeyboardInterrupt, Abort):
        code = ExitCode.INTERRUPTED
    if code == ExitCode.INTERRUPTED:
        fail("interrupted", code)
    sys.exit(code)


def fail(text: str, code: int) -> None:
    """Say what is wrong and end."""
    if text:
        Console(stderr=True, emoji=False).print(f"[bold red]error:[/] {escape(text)}", highlight=False, soft_wrap=True)
    sys.exit(code)
