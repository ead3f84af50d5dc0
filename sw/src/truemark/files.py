# SPDX-License-Identifier: BSD-3-Clause
"""Files that appear under their name only when they are whole.

A link is followed. What is no ordinary file, such as /dev/null or a pipe, is written straight; `-` is stdout.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from truemark.errors import TruemarkError

STDOUT = Path("-")


@contextmanager
def whole_file(path: Path, binary: bool = False) -> Iterator[IO[Any]]:
    """Open a file for writing; if the block fails, nothing is left of it."""
    if path == STDOUT:
        yield sys.stdout.buffer if binary else sys.stdout
        return
    try:
        target = path.resolve()
        straight = target.exists() and not target.is_file()
        # Of its own, for another process may be writing the same file.
        part = target if straight else target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")
        file = part.open("wb") if binary else part.open("w", encoding="utf-8")
    except OSError as error:
        raise TruemarkError(f"{path}: cannot be written: {error.strerror}") from None
    try:
        with file:
            yield file
        if not straight:
            part.replace(target)
    except OSError as error:
        raise TruemarkError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        if not straight:
            part.unlink(missing_ok=True)


class _EnoughError(Exception):
    """What was to be learnt is known."""


def must_be_writable(path: Path | None) -> None:
    """Say before a long run that a file cannot be written; nothing is left of the attempt."""
    if path is not None and path != STDOUT and (path.is_file() or not path.exists()):
        with suppress(_EnoughError), whole_file(path):
            raise _EnoughError


def must_spare(source: Path, *results: Path | None) -> None:
    """Refuse a result in the place of the file that it is made from, by whatever name."""
    for path in results:
        if path and path != STDOUT and path.exists() and source.exists() and path.samefile(source):
            raise TruemarkError(f"{path}: is the capture itself; give the result a file of its own")


@contextmanager
def folder_for(path: Path | None) -> Iterator[None]:
    """Make a folder; if the block fails and left nothing in it, it goes again."""
    if path is None:
        yield
        return
    made = _make(path)
    try:
        yield
    except BaseException:
        _take_away(made)
        raise


@contextmanager
def folder_alone(path: Path) -> Iterator[None]:
    """Make a folder as `folder_for` does, and keep every other process out that asks for the same; who is second waits.

    On a disk without locks nobody is kept out.
    """
    while True:
        made = _make(path)
        try:
            handle = os.open(path, os.O_RDONLY)
        except FileNotFoundError:  # another process took it away again
            continue
        except OSError as error:
            raise TruemarkError(f"{path}: this folder cannot be read: {error.strerror}") from None
        try:
            with suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX)
            if not _is_at(handle, path):
                continue
            try:
                yield
            except BaseException:
                _take_away(made)  # while it is locked: who waits for it makes another
                raise
            return
        finally:
            os.close(handle)


def _is_at(handle: int, path: Path) -> bool:
    try:
        return path.stat().st_ino == os.fstat(handle).st_ino
    except FileNotFoundError:
        return False


def _make(path: Path) -> list[Path]:
    """Make a folder, and return which ones were not there."""
    made = [each for each in (path, *path.parents) if not each.exists()]
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TruemarkError(f"{path}: this folder cannot be made: {error.strerror}") from None
    return made


def _take_away(made: list[Path]) -> None:
    for each in made:
        with suppress(OSError):  # there is something in it
            each.rmdir()


@contextmanager
def locked(path: Path, busy: str = "") -> Iterator[None]:
    """Keep every other process out that locks the same file, also of another machine that shares the disk.

    Who comes second waits, or says that it is `busy`. On a disk without locks who would wait fails, for builds need
    that; who would not is not kept out.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (fcntl.LOCK_NB if busy else 0))
        except BlockingIOError:
            raise TruemarkError(busy) from None
        except OSError:
            if not busy:
                raise
        yield
