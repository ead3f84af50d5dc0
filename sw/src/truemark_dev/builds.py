# SPDX-License-Identifier: BSD-3-Clause
"""The builds of `builds.toml`, checked against the headers of the modules that they are builds of.

Everything that needs a build asks here for it by group and name: `builds("lockstep")["ls256"]`.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from truemark.device.registers import CAPABILITIES
from truemark_dev import build_type
from truemark_dev.paths import ROOT
from truemark_dev.sources import file_list

FILE = Path(__file__).with_name("builds.toml")
T = TypeVar("T")
_BIT = "1'b"
PARAMETER = re.compile(r"^\s*parameter\s+(int unsigned|bit|logic\s*\[31:0\])\s+(\w+)\s*=", re.MULTILINE)


class BuildError(ValueError):
    """A build that is not what builds.toml may say."""


@dataclass(frozen=True)
class Build:
    """One build of a module: the parameters that differ from the defaults in the module's header."""

    name: str
    parameters: Mapping[str, int] = field(default_factory=dict)
    module: str = "truemark"
    listing: str = "rtl/truemark.f"

    @property
    def complete(self) -> dict[str, int]:
        """Return every parameter of `truemark` with its value here."""
        return defaults() | dict(self.parameters)

    @property
    def storage(self) -> int:
        """Return the bytes of storage per port."""
        return self.complete["ROWS"] * self.complete["DATA_W"] // 8

    def generics(self) -> list[str]:
        """Return the options that give Verilator the parameters; a bit is written as one, a number is 32 bits to it."""
        bits = {name for name, kind in header(self.module, self.listing).items() if kind == "bit"}
        return [f"-G{name}={_BIT if name in bits else ''}{value}" for name, value in self.parameters.items()]

    def macros(self) -> list[str]:
        """Return what C++ is told of a Verilated model: TM_ with each parameter, and the switches in one."""
        able = {field.name: self.complete.get(field.name.upper(), 0) for field in CAPABILITIES.fields}
        values = self.complete | {"SWITCHES": CAPABILITIES.pack(**able)}
        return [f'-DTM_CONFIG="{self.name}"', *(f"-DTM_{name}={value}" for name, value in values.items())]


@cache
def header(module: str, listing: str = "rtl/truemark.f") -> dict[str, str]:
    """Return the type of each parameter of a module, or of each field where it takes a BUILD."""
    (source,) = (path for path in file_list(ROOT / listing) if path.stem == module)
    text = re.sub(r"//[^\n]*", "", build_type.expanded(source).split("\n);")[0])
    if build_type.JOINED.search(text):
        return {field.name: "bit" if field.width == 1 else "int unsigned" for field in build_type.fields()}
    return {name: kind for kind, name in PARAMETER.findall(text)}


def defaults() -> dict[str, int]:
    """Return the parameters of `truemark` with their defaults, as build_t has them."""
    return {field.name: field.default for field in build_type.fields()}


@cache
def builds(group: str) -> dict[str, Build]:
    """Return the builds of a group by their names."""
    groups = _read()
    return {name: _build(group, name, table) for name, table in known(group, groups, "group of builds").items()}


def build(group: str, name: str) -> Build:
    """Return one build."""
    return known(name, builds(group), f"build in [{group}]")


def chosen(target: str, settings: Iterable[str] = ()) -> Build:
    """Return the build GROUP:NAME, with parameters changed as `settings` say: PORTS=16."""
    group, _, name = target.partition(":")
    base = build(group, name)
    given = {key: int(value, 0) for key, _, value in (each.partition("=") for each in settings)}
    for key in given:
        known(key, header(base.module, base.listing), f"parameter of {base.module}")
    return replace(base, parameters={**base.parameters, **given})


def targets(names: Iterable[str]) -> list[str]:
    """Return the targets that names stand for, in their order: a set's are its members'."""
    sets = _read()["sets"]
    return [each for name in names for each in (targets(sets[name]) if name in sets else [name])]


def known(name: str, among: Mapping[str, T], what: str, place: str = "") -> T:
    """Return what has that name, or say what comes nearest to it."""
    if name in among:
        return among[name]
    near = difflib.get_close_matches(name, among, 1, 0.4)
    hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(among)}"
    raise BuildError(f"{place}no {what} is called {name!r}{hint}")


@cache
def _read() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text())


def _build(group: str, name: str, table: Mapping[str, Any]) -> Build:
    listing, module = table.get("listing", Build.listing), table.get("module", Build.module)
    parameters = header(module, listing)
    place = f"{FILE.name}:{_line(group, name)}: [{group}] {name}: "
    given = {key: value for key, value in table.items() if key not in ("module", "listing")}
    for key, value in given.items():
        known(key, parameters, f"parameter of {module}", place)
        if type(value) is not int:
            raise BuildError(f"{place}{key} must be a whole number, not {value!r}")
        if parameters[key] == "bit" and value not in (0, 1):
            raise BuildError(f"{place}{key} is a bit, not {value}")
    return Build(name, given, module, listing)


def _line(group: str, name: str) -> int:
    """Return the line where a build stands."""
    inside = ""
    for number, line in enumerate(FILE.read_text().splitlines(), 1):
        if line.startswith("["):
            inside = line.strip("[] ")
        if inside == f"{group}.{name}" or (inside == group and re.match(rf'"?{re.escape(name)}"?\s*=', line)):
            return number
    return 0
