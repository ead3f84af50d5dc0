# SPDX-License-Identifier: BSD-3-Clause
"""What a build is made of, and whether waveforms are wanted; imports nothing that takes time."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TypedDict

from truemark_dev.paths import ROOT

FILE_LIST = ROOT / "rtl" / "truemark.f"

Parameter = int | str


class BuildOptions(TypedDict, total=False):
    """What determines a build besides its top module; paths are relative to the project."""

    parameters: Mapping[str, Parameter]
    listing: Path | str  # the file list that sources are taken from, rtl/truemark.f if not given
    sources: Sequence[Path | str]  # in place of the list
    extra_sources: Sequence[Path | str]  # a harness, or a module that takes the place of the one in the list
    defines: Mapping[str, str]
    build_args: Sequence[str]  # for Verilator
    seen: Sequence[str]  # modules below the top whose signals a test looks at, or one as module.signal
    signals: Sequence[str]  # of the top that a test looks at, all if not given


def waves() -> bool:
    """Say whether waveforms were asked for."""
    return os.environ.get("WAVES", "0") not in ("", "0")


def file_list(listing: Path = FILE_LIST) -> list[Path]:
    """Return the sources that a list names relative to itself, in compile order; `-F` takes in another list."""
    files: list[Path] = []
    for line in (line.split("//")[0].strip() for line in listing.read_text().splitlines()):
        if line.startswith("-F "):
            files += file_list(listing.parent / line[3:].strip())
        elif line and not line.startswith(("+", "-")):
            files.append(Path(os.path.normpath(listing.parent / line)))
    return files


def needed(toplevel: str, among: Sequence[Path], harness: Sequence[Path] = ()) -> list[Path]:
    """Return those of `among` that `toplevel` reaches by name, in their order, then the harness files."""
    by_name = {path.stem: path for path in among}
    own = {path.stem for path in harness}
    if toplevel not in by_name and toplevel not in own:
        raise ValueError(f"no file {toplevel}.sv in the file list or the extra sources")
    reached: set[str] = set()
    queue = [*own] if own else [toplevel]
    files = by_name | {path.stem: path for path in harness}
    while queue:
        name = queue.pop()
        if name in reached:
            continue
        reached.add(name)
        path = files[name]
        queue.extend(_words(code(path)) & files.keys())
    return [path for path in among if path.stem in reached and path.stem not in own] + list(harness)


def code(path: Path) -> str:
    """Return a source without its comments and its layout; it is read again where it was written since."""
    return _code(path, path.stat().st_mtime_ns)


@cache
def _code(path: Path, _written: int) -> str:
    return " ".join(re.sub(r"//[^\n]*", "", path.read_text()).split())


@cache
def _words(source: str) -> frozenset[str]:
    """Return the words of a source that may be a module's or a package's name."""
    return frozenset(re.findall(r"\b[a-z]\w+\b", source))
