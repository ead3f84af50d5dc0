# SPDX-License-Identifier: BSD-3-Clause
"""What `make pictures` draws is in the design: signals, modules and ports are looked up, nothing is simulated."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import matplotlib as mpl
import pytest
from docs.pictures import stages, style, waves
from pyslang import driver
from pyslang.ast import ArgumentDirection, Compilation, InstanceSymbol

from truemark import drawing
from truemark_dev.paths import ROOT

# Where the module that wires a stage is instantiated.
PARENTS = {
    "tm_parse": "truemark.core.parse",
    "tm_admit": "truemark.core.gen_port[0].queue.admission",
    "tm_buffer": "truemark.core.gen_port[0].queue.gen_ring.buffer",
    "tm_core": "truemark.core",
    "tm_egress": "truemark.core.gen_port[0].queue.egress",
    "tm_control": "truemark.control",
    "tm_red_shared": "truemark.core.laws.gen_red.gen_unit[0].shared",
}


class Asked(dict[str, int]):
    """A cycle in which everything is valid and all else is 0; its keys are the signals that were asked for."""

    def __missing__(self, name: str) -> int:
        return self.setdefault(name, int(name.endswith(("valid", "valid_i", "first"))))


def compiled(top: str, *parameters: str) -> Compilation:
    """Return the elaborated design."""
    slang = driver.Driver()
    slang.addStandardArgs()
    options = " ".join(f"-G{each}" for each in ("PORTS=1", "DATA_W=256", *parameters))
    assert slang.parseCommandLine(f"slang -F {ROOT}/rtl/truemark.f --top {top} {options}")
    assert slang.processOptions()
    assert slang.parseAllSources()
    return slang.createCompilation()


def lost(top: str, names: set[str], *parameters: str) -> set[str]:
    """Return which of the names the elaborated design does not have."""
    root = compiled(top, *parameters).getRoot()
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


@pytest.mark.parametrize(
    ("top", "draw", "parameters"),
    [
        ("tm_core", waves.draw_packets, ()),
        ("truemark", waves.draw_commit, ()),
        ("truemark", waves.draw_laws, ("RED=1", "CODEL=1")),
    ],
    ids=["packets", "commit", "laws"],
)
def test_drawn_signals_exist(
    top: str, draw: Callable[[], None], parameters: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenes = ("commit", "empty", "threshold", "abort", "red", "codel")
    (tmp_path / "scenes.json").write_text(json.dumps(dict.fromkeys(scenes, 2)))
    cycles = [Asked() for _ in range(200)]
    monkeypatch.setattr(waves, "build_and_test", lambda *_, **__: tmp_path)
    monkeypatch.setattr(waves, "read_waves", lambda *_: cycles)
    monkeypatch.setattr(style, "save", lambda *_: None)
    draw()
    names = set().union(*cycles)
    assert len(names) > 10
    assert lost(top, names, *parameters) == set()
    assert lost(top, {"no_such_signal"}, *parameters) == {"no_such_signal"}


def ports_of(instance: InstanceSymbol) -> set[tuple[str, bool]]:
    """Return what an arrow may be called and whether it leaves: each port's type, and each end of its name."""
    found = set()
    for port in instance.body.portList:
        leaves = port.direction == ArgumentDirection.Out
        words = port.name.rpartition("_")[0].split("_")
        kind = str(port.type).rpartition("::")[2].partition("[")[0]
        found |= {(name, leaves) for name in (kind, *("_".join(words[at:]) for at in range(len(words))))}
    return found


def faults(stage: stages.Stage) -> list[str]:
    """Compare a stage's picture with the RTL; return each box and arrow that it does not have."""
    design = compiled("truemark", "RED=1", "CODEL=1", "FLAGS_VERDICT=1")
    root = design.getRoot()
    above = PARENTS[stage.parent]
    parent = root.lookupName(above)
    assert isinstance(parent, InstanceSymbol)
    found = {} if parent.definition.name == stage.parent else {stage.parent: "not there"}
    ports = {}
    for each in stage.boxes:
        symbol = root.lookupName(f"{above}.{each.path}")
        if not isinstance(symbol, InstanceSymbol) or symbol.definition.name != each.module:
            found[each.path] = "not there"
            continue
        file = design.sourceManager.getFileName(symbol.definition.location)
        if f"/rtl/{each.folder or stage.folder or stage.name}/" not in f"/{file}":
            found[each.path] = file
        ports[each.path] = ports_of(symbol)
    outer = ports_of(parent)
    for way in stage.arrows:
        for label in way.labels:
            if way.start in stages.SIDES or way.end in stages.SIDES:
                good = (label, way.end in stages.SIDES) in outer
            else:
                start = (label, True) in ports.get(way.start, ()) or way.end.startswith(f"{way.start}.")
                end = (label, False) in ports.get(way.end, ()) or way.start.startswith(f"{way.end}.")
                good = start or end if label.endswith(("_t", "_e")) else start and end
            if not good:
                found[f"{way.start} -> {way.end}"] = label
    return [f"{place}: {what}" for place, what in found.items()]


@pytest.mark.parametrize("stage", stages.STAGES, ids=lambda stage: stage.name)
def test_stage_is_as_drawn(stage: stages.Stage) -> None:
    """Checks: each box is instantiated there, each arrow is a port of what it leaves and enters; else it is named."""
    assert faults(stage) == []
    arrow = stage.arrows[0]
    wrong = [replace(arrow, labels=("no_such_t",)), replace(arrow, start=arrow.end, end=arrow.start)]
    first = stage.boxes[0]
    changed = [replace(stage, arrows=(each,)) for each in wrong]
    for box in (replace(first, module="tm_none"), replace(first, folder="rewrite")):
        changed.append(replace(stage, boxes=(box, *stage.boxes[1:])))
    assert all(faults(each) for each in changed)


def test_stage_pictures_are_fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks: the files are what is drawn now, also where something else has set matplotlib's parameters."""
    monkeypatch.setattr(style, "FOLDER", tmp_path / "docs" / "pictures")
    style.FOLDER.mkdir(parents=True)
    with mpl.rc_context({"savefig.transparent": True, "font.size": 11}), style.applied():
        stages.draw()
    for each in stages.STAGES:
        name = f"stage-{each.name}.svg"
        assert (style.FOLDER / name).read_text() == (ROOT / "docs" / "pictures" / name).read_text()


def test_pictures_have_a_dark_form() -> None:
    """Checks: each picture but the terminal, which is always dark, changes every colour that it has.

    Those of the papers are drawn by the program, whose pictures have its own dark form.
    """
    found = sorted((ROOT / "docs/pictures").glob("*.svg"))
    papers = [path for path in found if path.stem.startswith("papers-")]
    for path in papers:
        assert path.read_text().count(drawing.STANDING) == 1, path.name
        assert drawing.INK not in path.read_text().replace(drawing.STANDING, ""), path.name
    pictures = [path for path in found if path.stem != "watch" and path not in papers]
    assert len(pictures) > 10
    for path in pictures:
        drawn, rules = re.subn(r"<style[^>]*>@media \(prefers-color-scheme: dark\).*?</style>", "", path.read_text())
        assert rules == 1, path.name
        assert style.with_dark_form(drawn, path.stem) == path.read_text(), path.name
    with pytest.raises(ValueError, match="'a' has #123456"):
        style.with_dark_form('<defs></defs><path style="fill: #123456"/>', "a")
