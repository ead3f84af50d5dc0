# SPDX-License-Identifier: BSD-3-Clause
"""Reads rtl/tm_pkg.sv: its constants, enumerations and packed structs, as slang understands them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from pyslang import ConstantValue, SVInt, ast, syntax

from truemark_dev.paths import ROOT
from truemark_dev.vocabulary.names import common_prefix, snake, words

SOURCE = ROOT / "rtl/tm_pkg.sv"
VALUE = ast.EnumValueSymbol


@dataclass(frozen=True)
class Member:
    """A value of an enumeration, by its bare name in lower case: LawStep is step."""

    name: str
    value: int
    desc: str

    @property
    def sentence(self) -> str:
        """The description as a sentence."""
        return f"{self.desc[:1].upper()}{self.desc[1:]}." if self.desc else ""


@dataclass(frozen=True)
class Enum:
    """An enumeration without the suffix of its type: law_e is law."""

    name: str
    width: int
    members: tuple[Member, ...]
    desc: str = ""


@dataclass(frozen=True)
class Part:
    """A field of a packed struct: `low` is its lowest bit. `struct` names the struct it is itself, if it is one."""

    name: str
    low: int
    width: int
    struct: str = ""


@dataclass(frozen=True)
class Struct:
    """A packed struct without the suffix of its type, its fields from the highest bit down."""

    name: str
    width: int
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Package:
    """Constants by name, enumerations and structs in the order of the source.

    `last_codes`: the last code that a build with a switch counts, for each switch that adds codes to `last_code`.
    """

    constants: dict[str, int]
    enums: tuple[Enum, ...]
    structs: tuple[Struct, ...]
    last_code: int
    last_codes: dict[str, int]

    def enum(self, name: str) -> Enum:
        """Return the enumeration of this name."""
        return next(enum for enum in self.enums if enum.name == name)

    def flat(self, struct: Struct) -> list[Part]:
        """Return the fields of a struct, with those of a struct of flags instead of itself."""
        inside = {each.name: each for each in self.structs}
        found: list[Part] = []
        for part in struct.parts:
            own = inside[part.struct].parts if part.struct in inside else ()
            found += own if own and all(each.width == 1 for each in own) else [part]
        return found


def read(path: Path = SOURCE) -> Package:
    """Read the package; a source that slang finds at fault is a ValueError."""
    compilation = ast.Compilation()
    compilation.addSyntaxTree(syntax.SyntaxTree.fromFile(str(path)))
    faults = [str(each.code) for each in compilation.getAllDiagnostics() if each.isError()]
    if faults:
        raise ValueError(f"{path.name}: {', '.join(faults)}")
    lines = path.read_text().splitlines()

    def comment(symbol: ast.Symbol) -> str:
        """Return what the source says behind a symbol."""
        line = lines[compilation.sourceManager.getLineNumber(symbol.location) - 1]
        return line.partition("//")[2].strip()

    constants: dict[str, int] = {}
    enums: list[Enum] = []
    structs: list[Struct] = []
    for symbol in compilation.getPackage(path.stem):
        if isinstance(symbol, ast.ParameterSymbol) and not isinstance(symbol.type.canonicalType, ast.PackedStructType):
            constants[symbol.name] = number(symbol.value)
        elif isinstance(symbol, ast.TypeAliasType):
            kind = symbol.canonicalType
            if isinstance(kind, ast.EnumType):
                found = [(each.name, number(each.value), comment(each)) for each in kind if isinstance(each, VALUE)]
                shared = common_prefix([name for name, _, _ in found])
                members = tuple(Member("_".join(words(name)[shared:]), value, text) for name, value, text in found)
                enums.append(Enum(snake(symbol.name), kind.bitWidth, members))
            elif isinstance(kind, ast.PackedStructType):
                structs.append(
                    Struct(
                        snake(symbol.name),
                        kind.bitWidth,
                        tuple(part(each) for each in kind if isinstance(each, ast.FieldSymbol)),
                    )
                )
    switches = [each.name for struct in structs if struct.name == "build" for each in struct.parts if each.width == 1]
    return Package(constants, tuple(enums), tuple(structs), *last_codes("\n".join(lines), switches))


def last_codes(text: str, switches: Sequence[str]) -> tuple[int, dict[str, int]]:
    """Ask `last_code` for a build without a switch, and with each that adds codes; several count what the last does."""
    session = ast.ScriptSession()
    session.eval(text)

    def asked(on: Iterable[str]) -> int:
        session.eval("tm_pkg::build_t build = tm_pkg::DefaultBuild;")
        for switch in switches:
            session.eval(f"build.{switch} = {int(switch in on)};")
        return number(session.eval("tm_pkg::last_code(build)"))

    plain = asked(())
    found = {switch: code for switch in switches if (code := asked([switch])) > plain}
    for pair in combinations(found, 2):
        if asked(pair) != max(found[switch] for switch in pair):
            raise ValueError(f"last_code of a build with {' and '.join(pair)} is neither one's")
    return plain, found


def number(value: ConstantValue) -> int:
    """Return a constant as a number."""
    if not isinstance(value.value, SVInt):
        raise ValueError(f"{value} is no number")
    return int(value.value)


def part(field: ast.FieldSymbol) -> Part:
    """Return a field of a packed struct."""
    kind = field.type.canonicalType
    struct = snake(field.type.name) if isinstance(kind, ast.PackedStructType) else ""
    return Part(field.name, field.bitOffset, kind.bitWidth, struct)
