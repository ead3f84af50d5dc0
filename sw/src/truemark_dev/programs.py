# SPDX-License-Identifier: BSD-3-Clause
"""Which sources a C++ program is made of: its main file and, of each header it reads, the sources of that name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from truemark_dev import builds
from truemark_dev.paths import ROOT


@cache
def included(source: str) -> tuple[str, ...]:
    """Return the project's headers that a file includes itself."""
    text = (ROOT / source).read_text()
    found = ((ROOT / source).parent / name for name in re.findall(r'^#include "(.+)"', text, re.MULTILINE))
    return tuple(os.path.relpath(path.resolve(), ROOT) for path in found if path.exists())


def headers(sources: Iterable[str]) -> list[str]:
    """Return every header of the project that the sources read."""
    found: dict[str, None] = {}
    queue = [*sources]
    while queue:
        for header in included(queue.pop()):
            if header not in found:
                found[header] = None
                queue.append(header)
    return list(found)


def closure(*roots: str) -> list[str]:
    """Return the sources of a program: of each header that is read, those in its folder that begin with its name."""
    found = dict.fromkeys(roots)
    queue = [*roots]
    while queue:
        for header in headers([queue.pop()]):
            for source in _sources_of(header):
                if source not in found:
                    found[source] = None
                    queue.append(source)
    return list(found)


@cache
def _sources_of(header: str) -> list[str]:
    path = ROOT / header
    near = [*path.parent.glob(f"{path.stem}.cpp"), *path.parent.glob(f"{path.stem}_*.cpp")]
    return sorted(str(each.relative_to(ROOT)) for each in near if not has_main(each))


def has_main(source: Path) -> bool:
    """Say whether a source is a program's."""
    return "\nint main(" in source.read_text()


@cache
def knows_build(source: str) -> bool:
    """Say whether a source, or a header that it reads, asks for a parameter of the build or for the Verilated class."""
    names = "|".join(["CONFIG", "WAVES", "SAVABLE", "REGISTERED", *builds.defaults()])
    asks = re.compile(rf'\bTM_(?:{names})\b|"Vtruemark\.h"')
    return any(asks.search((ROOT / each).read_text()) for each in (source, *headers([source])))
