# SPDX-License-Identifier: BSD-3-Clause
"""Copies of the design with one thing broken, to see an assertion, a test, a proof or lockstep find it.

A mutant exchanges one text, which must stand in its file exactly once: a mutant of text that is gone, or that stands
in two places, is an error wherever it is used.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from truemark_dev.paths import BUILD, ROOT

RTL = ROOT / "rtl"


@dataclass(frozen=True)
class Mutant:
    """In `file`, a path below rtl/, `right` becomes `wrong`."""

    file: str
    right: str
    wrong: str

    def broken(self, text: str) -> str:
        """Return the file's `text` with the fault in it."""
        places = text.count(self.right)
        if places != 1:
            raise ValueError(f"{self.file} has {places} places with {self.right!r}: a mutant needs exactly one")
        return text.replace(self.right, self.wrong)


def broken(name: str, text: str, mutants: Iterable[Mutant]) -> str:
    """Return the text of the file `name`, a path below rtl/, with those of `mutants` that are of this file."""
    for each in mutants:
        if each.file == name:
            text = each.broken(text)
    return text


def mutant(source: str, *changes: str) -> Path:
    """Write a copy of `rtl/<source>` with pairs of (right, wrong) text exchanged; return it."""
    pairs = zip(changes[::2], changes[1::2], strict=True)
    text = broken(source, (RTL / source).read_text(), [Mutant(source, right, wrong) for right, wrong in pairs])
    folder = BUILD / "mutants" / hashlib.sha256(text.encode()).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / Path(source).name
    path.write_text(text)
    return path


def tree(folder: Path, *mutants: Mutant) -> None:
    """Write a copy of rtl/ as `folder`, with the mutants in it."""
    shutil.copytree(RTL, folder)
    for each in mutants:
        path = folder / each.file
        path.write_text(each.broken(path.read_text()))
