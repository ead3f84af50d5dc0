# SPDX-License-Identifier: BSD-3-Clause
"""Where results go: a console whose tables never lose a digit, whatever the width of the terminal or pipe."""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from truemark.errors import ExitCode


class Screen(Console):
    """A console whose tables may be wider than the terminal.

    Headings fold, and cells of columns that say so (`overflow="fold"`); what stands in other cells keeps its line. A
    `:a:` in an address or a name is no picture.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(emoji=False, **options)

    def print(self, *objects: Any, **options: Any) -> None:
        """Print; a table in full."""
        free = self.options.update(width=10_000)
        tables = [each for each in objects if isinstance(each, Table)]
        for column in (column for table in tables for column in table.columns):
            if column.overflow != "fold":
                cells = [Measurement.get(self, free, cell).maximum for cell in column.cells]
                column.min_width = max([Measurement.get(self, free, column.header).minimum, *cells])
        narrow = self.width
        self.width = max([narrow, *(Measurement.get(self, free, table).minimum for table in tables)])
        try:
            super().print(*objects, crop=not tables, **options)
        finally:
            self.width = narrow

    def on_broken_pipe(self) -> NoReturn:
        """Whoever read this has seen enough."""
        leave_pipe()


ASCII = {"µ": "u", "█": "#", "░": ".", "·": ".", "│": "|", "─": "-", "–": "-", "≥": ">=", "≤": "<=", "’": "'"}


def settle_for_ascii() -> None:
    """Let stdout and stderr write what their encoding lacks in characters that it has."""
    codecs.register_error("truemark", in_ascii)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="truemark")


def in_ascii(error: UnicodeError) -> tuple[str, int]:
    """Return what to write for characters that cannot be encoded, and where to go on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(ASCII.get(each, "?") for each in error.object[error.start : error.end]), error.end


@contextmanager
def until_the_reader_leaves() -> Iterator[None]:
    """Print as long as somebody reads."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        leave_pipe()


def leave_pipe() -> NoReturn:
    """End in silence after a reader that has closed its end, as `| head` does."""
    drop_stdout()
    sys.exit(ExitCode.PIPE_CLOSED)


def drop_stdout() -> None:
    """Let nothing be left for the flush at the end, which could not write it either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def flush_or_drop() -> None:
    """Write what stdout still has; if that cannot be, as on a disk that is full, it is dropped."""
    try:
        sys.stdout.flush()
    except OSError:
        drop_stdout()


def open_what_is_closed() -> None:
    """Let a program that was started without stdout or stderr (`>&-`) print, to nobody; without stdin, it is empty."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - it stays open
