# SPDX-License-Identifier: BSD-3-Clause
"""The signals that `make pictures` draws are in the design: their names are looked up, nothing is simulated."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from docs.pictures import style, waves
from pyslang import driver

from truemark_dev.paths import ROOT


class Asked(dict[str, int]):
    """A cycle in which everything is valid and all else is 0; its keys are the signals that were asked for."""

    def __missing__(self, name: str) -> int:
        return self.setdefault(name, int(name.endswith(("valid", "valid_i", "first"))))


def lost(top: str, names: set[str]) -> set[str]:
    """Return which of the names the elaborated design does not have."""
    slang = driver.Driver()
    slang.addStandardArgs()
    words = f"slang --allow-dup-initial-drivers -F {ROOT}/rtl/truemark.f --top {top} -GPORTS=1 -GDATA_W=256"
    assert slang.parseCommandLine(words)
    assert slang.processOptions()
    assert slang.parseAllSources()
    root = slang.createCompilation().getRoot()
    return {name for name in names if not there(root.lookupName(f"{top}.{name}"), name.rpartition(".")[2])}


def there(symbol: object, last: str) -> bool:
    """Say whether a symbol is what the last part of a name says: itself, or a struct with that field."""
    if symbol is None:
        return False
    kind = symbol.type.canonicalType  # type: ignore[attr-defined]
    while kind.isArray and not kind.isSimpleBitVector:
        kind = kind.elementType.canonicalType
    fields = {field.name for field in kind} if kind.isStruct else set()
    return last.partition("[")[0] == symbol.name or last in fields  # type: ignore[attr-defined]


@pytest.mark.parametrize(("top", "draw"), [("tm_core", waves.draw_packets), ("truemark", waves.draw_commit)])
def test_drawn_signals_exist(top: str, draw: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "scenes.json").write_text(json.dumps(dict.fromkeys(("commit", "empty", "threshold", "abort"), 1)))
    cycles = [Asked() for _ in range(200)]
    monkeypatch.setattr(waves, "build_and_test", lambda *_, **__: tmp_path)
    monkeypatch.setattr(waves, "read_waves", lambda *_: cycles)
    monkeypatch.setattr(style, "save", lambda *_: None)
    draw()  # type: ignore[operator]
    names = set().union(*cycles)
    assert len(names) > 10
    assert lost(top, names) == set()
    assert lost(top, {"no_such_signal"}) == {"no_such_signal"}
