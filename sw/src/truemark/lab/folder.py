# SPDX-License-Identifier: BSD-3-Clause
"""Folders of runs: each appears under its name only when the run is whole, and one process at a time makes it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from truemark.errors import TruemarkError
from truemark.files import locked

RESULT = "result.json"
PART, FAILED = ".part", ".failed"
BUSY = "another process is making this run: start again when it has"


def failed(folder: Path) -> Path:
    """Return where a run that failed leaves its log."""
    return folder.with_name(folder.name + FAILED)


def whole_runs(folder: Path, pattern: str = "**") -> list[Path]:
    """Return the folders of whole runs below one, or those that match."""
    found = (path.parent for path in sorted(folder.glob(f"{pattern}/{RESULT}")))
    return [each for each in found if each.suffix not in (PART, FAILED)]


def failed_runs(folder: Path) -> list[Path]:
    """Return what failed runs left."""
    return sorted(folder.rglob(f"*{FAILED}"))


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """Give an empty folder to write a run in, which takes the place of `folder` if the block ends well.

    After a TruemarkError it is kept as `failed`; anything else leaves it as `.part`, which the next attempt removes.
    """
    part, trouble = folder.with_name(folder.name + PART), failed(folder)
    with locked(folder.parent / f".{folder.name}.lock", f"{folder}: {BUSY}"):
        for stale in (part, trouble):
            if stale.exists():
                shutil.rmtree(stale)
        part.mkdir()
        try:
            yield part
        except TruemarkError:
            part.rename(trouble)
            raise
        if folder.exists():
            shutil.rmtree(folder)
        part.rename(folder)
