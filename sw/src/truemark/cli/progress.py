# SPDX-License-Identifier: BSD-3-Clause
"""A progress bar on stderr, so that stdout holds results alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

Tell = Callable[[int, int], None]  # bytes of the capture read, and all of them


@contextmanager
def progress(label: str) -> Iterator[Tell]:
    """Yield a bar that follows the bytes read of a capture."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # 50 ms to load

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True, emoji=False)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(label)

        def tell(done: int, size: int) -> None:
            bar.update(task, completed=done, total=size)

        yield tell
