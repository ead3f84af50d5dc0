# SPDX-License-Identifier: BSD-3-Clause
"""`build_t` of rtl/tm_pkg.sv in Python: a build as the parameters that a module takes, and back.

The tops have one scalar parameter for each field, by its name in upper case (rtl/tm_build.svh). The modules below them
have one, BUILD, a packed struct. Tests and tools name the scalars either way.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from truemark_dev.paths import ROOT

PACKAGE = ROOT / "rtl" / "tm_pkg.sv"
JOINED = re.compile(r"\bparameter\s+build_t\s+BUILD\b")  # what a module below the tops takes
INCLUDE = re.compile(r'^[ \t]*`include "(\w+\.svh)"\n', re.MULTILINE)


@dataclass(frozen=True)
class Field:
    """A field of build_t: the name of its scalar parameter, its bits, its value in DefaultBuild, what it says."""

    name: str
    width: int
    default: int
    desc: str


@cache
def fields() -> tuple[Field, ...]:
    """Return the fields in order, the highest bits first."""
    code = PACKAGE.read_text()
    struct = re.search(r"struct packed \{([^{}]*)\} build_t;", code)
    default = re.search(r"build_t DefaultBuild = '\{([^{}]*)\};", code)
    if not struct or not default:
        raise ValueError(f"{PACKAGE} has no build_t or no DefaultBuild")
    values = dict(re.findall(r"(\w+):\s*(?:1'b)?(\d+)", default[1]))
    widths = {"int unsigned": 32, "bit": 1}
    found = re.findall(r"(int unsigned|bit) +(\w+); *(?:// (.*))?", struct[1])
    return tuple(Field(name.upper(), widths[kind], int(values[name]), desc) for kind, name, desc in found)


def literal(parameters: Mapping[str, int]) -> str:
    """Return a build as a SystemVerilog literal for -GBUILD=; what is not named is as in DefaultBuild."""
    unknown = parameters.keys() - {field.name for field in fields()}
    if unknown:
        raise ValueError(f"build_t has no {sorted(unknown)[0]}; it has {', '.join(field.name for field in fields())}")
    word = 0
    for field in fields():
        value = int(parameters.get(field.name, field.default))
        if not 0 <= value < 1 << field.width:
            raise ValueError(f"{field.name} is {value}: it has {field.width} bits")
        word = word << field.width | value
    return f"{sum(field.width for field in fields())}'h{word:x}"


def unpack(word: int) -> dict[str, int]:
    """Return the scalars of a BUILD."""
    found = {}
    for field in reversed(fields()):
        found[field.name] = word & ((1 << field.width) - 1)
        word >>= field.width
    return found


def of(dut: Any) -> dict[str, int]:
    """Return the scalars of what is being simulated, by cocotb's handle of a module with BUILD."""
    return unpack(dut.BUILD.value.to_unsigned())


def for_module(source: Path, parameters: Mapping[str, int | str]) -> dict[str, int | str]:
    """Return `parameters` as the module in `source` takes them: with BUILD, or one by one."""
    if not JOINED.search(source.read_text()):
        return dict(parameters)
    names = {field.name for field in fields()}
    mine = {name: int(value) for name, value in parameters.items() if name in names}
    return {name: value for name, value in parameters.items() if name not in names} | {"BUILD": literal(mine)}


def expanded(path: Path) -> str:
    """Return a source with what it includes in place; includes lie next to tm_pkg.sv."""
    return INCLUDE.sub(lambda found: (PACKAGE.parent / found[1]).read_text(), path.read_text())
