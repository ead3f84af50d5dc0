# SPDX-License-Identifier: BSD-3-Clause
"""Copies of the design with one thing broken, to see an assertion or a test find it."""

from __future__ import annotations

import hashlib
from pathlib import Path

from truemark_dev.paths import ROOT
from truemark_dev.verilate import BUILD


def mutant(source: str, *changes: str) -> Path:
    """Write a copy of `rtl/<source>` with pairs of (old, new) text exchanged; each old text must be there once."""
    original = ROOT / "rtl" / source
    text = original.read_text()
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        if text.count(old) != 1:
            raise ValueError(f"{source} has {text.count(old)} places with {old!r}: the mutant needs exactly one")
        text = text.replace(old, new)
    folder = BUILD / "mutants" / hashlib.sha256(text.encode()).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / original.name
    path.write_text(text)
    return path
