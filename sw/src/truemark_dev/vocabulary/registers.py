# SPDX-License-Identifier: BSD-3-Clause
"""Reads rtl/control/truemark.rdl: registers, their fields, the places of configuration words, enumerations."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from systemrdl.compiler import RDLCompiler
from systemrdl.node import AddrmapNode, FieldNode, MemNode, RegfileNode, RegNode
from systemrdl.rdltypes import UserEnum

from truemark_dev.paths import ROOT
from truemark_dev.vocabulary.names import camel, prose, snake
from truemark_dev.vocabulary.package import Enum, Member, Package

SOURCE = ROOT / "rtl/control/truemark.rdl"
BORROWED = ("law", "spacing")  # enumerations of tm_pkg that the registers speak of


@dataclass(frozen=True)
class Field:
    """A run of bits in a register. `encode` names the enumeration of its values, or of what it is a part of."""

    name: str
    low: int
    width: int
    access: str
    reset: int | None
    desc: str
    encode: str

    @property
    def high(self) -> int:
        """The highest bit."""
        return self.low + self.width - 1

    @property
    def is_busy(self) -> bool:
        """It says that a command is under way."""
        return self.name.endswith("_busy")

    @property
    def mask(self) -> int:
        """The bits of the register that it has."""
        return ((1 << self.width) - 1) << self.low


@dataclass(frozen=True)
class Register:
    """A register; its fields from bit 0 up. `slot` is the law slot it belongs to, `shared` its name in any slot."""

    name: str
    shared: str
    slot: int | None
    address: int
    access: str
    title: str
    desc: str
    place: int | None
    is_apart: bool  # it stands in the memory of configurations, and is of none
    of_all: bool  # it stands there, and is of all ports
    needs: str  # what a build must have to have it, of needs_e; or nothing
    fields: tuple[Field, ...]

    @property
    def index(self) -> int:
        """The address of the word."""
        return self.address // 4

    @property
    def mask(self) -> int:
        """The bits it has."""
        return sum(field.mask for field in self.fields)

    @property
    def width(self) -> int:
        """Bits up to the highest that it has."""
        return self.fields[-1].high + 1

    @property
    def reset(self) -> int | None:
        """What it reads after a reset, where all of it is told."""
        if any(field.reset is None for field in self.fields):
            return None
        return sum((field.reset or 0) << field.low for field in self.fields)

    def gaps(self) -> Iterator[tuple[Field | None, int, int]]:
        """Yield each field, or None for bits between fields, with its lowest bit and its width, from the top down."""
        above = self.width
        for field in reversed(self.fields):
            if field.high + 1 < above:
                yield None, field.high + 1, above - field.high - 1
            yield field, field.low, field.width
            above = field.low
        if above:
            yield None, 0, above


@dataclass(frozen=True)
class Window:
    """A range of addresses without registers of ours."""

    name: str
    address: int
    size: int
    reads: int
    title: str
    desc: str


@dataclass(frozen=True)
class Map:
    """The window of registers."""

    desc: str
    windows: tuple[Window, ...]
    registers: tuple[Register, ...]
    enums: tuple[Enum, ...]
    top: AddrmapNode

    def __getitem__(self, name: str) -> Register:
        return next(register for register in self.registers if register.name == name)

    def runs(self, needs: str = "") -> Iterator[tuple[int, int]]:
        """Yield the first and the last word of each run of registers: of every build, or that need something."""
        return runs(register.index for register in self.registers if register.needs == needs)

    def needs(self) -> list[str]:
        """Return what registers need, in the order of the alphabet."""
        return sorted({each.needs for each in self.registers} - {""})

    def placed(self) -> list[Register]:
        """Return the words in the memory of configurations in the order of their places."""
        return sorted((each for each in self.registers if each.place is not None), key=lambda each: each.place or 0)

    def config(self) -> list[Register]:
        """Return the words of a port's configuration in the order of their addresses."""
        return [each for each in self.placed_by_address() if not each.is_apart and not each.of_all]

    def queues(self) -> list[Register]:
        """Return the words that say which queue takes a frame, in the order of their addresses."""
        return [each for each in self.placed_by_address() if each.of_all]

    def queue_places(self) -> Iterator[tuple[int, int]]:
        """Yield the first and the last place of each run of those words."""
        return runs(sorted(each.place or 0 for each in self.queues()))

    def placed_by_address(self) -> list[Register]:
        """Return the words in that memory in the order of their addresses."""
        return [each for each in self.registers if each.place is not None]

    def masks(self, needs: str = "") -> list[tuple[int, list[Register]]]:
        """Return the words in that memory by the bits they have, most words last: of every build, or that need it."""
        groups: dict[int, list[Register]] = {}
        for each in (each for each in self.placed() if each.needs == needs):
            groups.setdefault(each.mask, []).append(each)
        return sorted(groups.items(), key=lambda group: len(group[1]))

    def split(self) -> list[Register]:
        """Return the registers of more than one field, one for both law slots."""
        return [each for each in self.registers if len(each.fields) > 1 and not each.slot]


def runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last of each run of numbers that ascend."""
    found = list(numbers)
    first = found[0]
    for number, following in zip(found, [*found[1:], None], strict=True):
        if following != number + 1:
            yield first, number
            first = following or 0


def read(package: Package, path: Path = SOURCE) -> Map:
    """Read the registers; what disagrees with the package is a ValueError."""
    top = elaborate(package, path)
    found = [register(node) for node in top.descendants() if isinstance(node, RegNode)]
    windows = [
        Window(
            node.inst_name,
            node.absolute_address,
            node.size,
            node.get_property("reads"),
            node.get_property("name"),
            prose(node.get_property("desc")),
        )
        for node in top.children()
        if isinstance(node, MemNode)
    ]
    enums: dict[str, Enum] = {}
    for node in top.descendants():
        encode = enum_of(node) if isinstance(node, FieldNode) else None
        if encode is not None:
            enums.setdefault(snake(str(encode.type_name)), enumeration(encode, node))
    registers = tuple(sorted(found, key=lambda each: each.address))
    whole = Map(prose(top.get_property("desc")), tuple(windows), registers, tuple(enums.values()), top)
    agree(whole, package)
    return whole


def elaborate(package: Package, path: Path) -> AddrmapNode:
    """Compile the description behind the enumerations that it borrows."""
    with tempfile.TemporaryDirectory() as folder:
        borrowed = Path(folder) / "tm_pkg.rdl"
        borrowed.write_text(borrowed_enumerations(package))
        compiler = RDLCompiler()
        compiler.compile_file(str(borrowed))
        compiler.compile_file(str(path))
        return compiler.elaborate().top


def borrowed_enumerations(package: Package) -> str:
    """Return what the description needs before it, in SystemRDL."""
    return "\n".join(as_rdl(package.enum(name)) for name in BORROWED) + "\n"


def as_rdl(enum: Enum) -> str:
    """Return an enumeration in SystemRDL."""
    members = (f'{each.name} = {enum.width}\'d{each.value} {{ desc = "{each.sentence}"; }};' for each in enum.members)
    return f"enum {enum.name}_e {{ {' '.join(members)} }};"


def register(node: RegNode) -> Register:
    """Return a register; one in a file of registers has the file's name before its own."""
    file = node.parent if isinstance(node.parent, RegfileNode) else None
    name = f"{file.inst_name}_{node.inst_name}" if file else node.inst_name
    apart = node.get_property("place_apart", default=None)
    of_all = node.get_property("place_of_all", default=None)
    needs = node.get_property("needs", default=None)
    place = node.get_property("place", default=of_all if apart is None else apart)
    if file:
        place = file.get_property("place") + node.raw_address_offset // 4
    digits = file.inst_name.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ_") if file else ""
    return Register(
        name=name,
        shared=f"{file.inst_name.removesuffix(digits)}_{node.inst_name}" if file else name,
        slot=int(digits) if digits else None,
        address=node.absolute_address,
        access=access(node.fields()),
        title=node.get_property("name"),
        desc=prose(node.get_property("desc")),
        place=place,
        is_apart=apart is not None,
        of_all=of_all is not None,
        needs=needs.name if needs is not None else "",
        fields=tuple(sorted(map(field, node.fields()), key=lambda each: each.low)),
    )


def field(node: FieldNode) -> Field:
    """Return a field."""
    encode = enum_of(node)
    return Field(
        name=node.inst_name,
        low=node.low,
        width=node.width,
        access=access([node]),
        reset=reset if isinstance(reset := node.get_property("reset"), int) else None,  # a signal's is not told
        desc=prose(node.get_property("desc")),
        encode=snake(str(encode.type_name)) if encode else "",
    )


def access(fields: Iterable[FieldNode]) -> str:
    """Say what a program may do: r, w or rw."""
    fields = list(fields)
    return "r" * any(each.is_sw_readable for each in fields) + "w" * any(each.is_sw_writable for each in fields)


def enum_of(node: FieldNode) -> type[UserEnum] | None:
    """Return the enumeration of a field's values, or of the values it is a part of."""
    whole = node.get_property("code_of", default=None)
    encode: type[UserEnum] | None = node.get_property("encode") if whole is None else type(whole)
    return encode


def enumeration(encode: type[UserEnum], node: FieldNode) -> Enum:
    """Return an enumeration, as wide as the field whose values it names."""
    members = tuple(Member(each.name, each.value, prose(each.rdl_desc)) for each in encode)
    width = max(node.width, max(each.value for each in members).bit_length())
    return Enum(snake(str(encode.type_name)), width, members)


def agree(whole: Map, package: Package) -> None:
    """Refuse what the two texts say differently where they must speak of the same."""
    code = next(enum for enum in whole.enums if enum.name == "code")
    outcomes = [(each.name, each.value) for each in package.enum("outcome").members]
    if [(each.name, each.value) for each in code.members][: len(outcomes)] != outcomes:
        raise ValueError("truemark.rdl's code_e does not begin with tm_pkg's outcome_e")
    first = package.constants["LawCodes"]
    law_codes = [(each.name.replace("ce_", ""), each.value) for each in code.members if each.value >= first]
    kinds = [each.name.replace("ce_", "") for each in package.enum("departure").members]
    if law_codes != [(f"departed_{kind}", first + at) for at, kind in enumerate(kinds[kinds.index("marked") :])]:
        raise ValueError("truemark.rdl's code_e does not end with a law's kinds of tm_pkg's departure_e")
    bad = [f"BAD_{each.name.upper()}" for each in package.enum("bad").members]
    first = whole[bad[0]].address
    if [whole[name].address for name in bad] != list(range(first, first + 4 * len(bad), 4)):
        raise ValueError("the registers BAD_* do not stand in the order of tm_pkg's bad_e")
    widths = {"LIMIT_BYTES": "BytesW", "K0": "BytesW", "K1": "BytesW", "LIMIT_PACKETS": "PacketsW"}
    for name, width in widths.items():
        if whole[name].width != package.constants[width]:
            raise ValueError(f"{name} does not have the {package.constants[width]} bits of tm_pkg's {width}")
    places = [each.place for each in whole.placed()]
    if len(set(places)) != len(places):
        raise ValueError("two words of a configuration have the same place")
    for each in whole.placed():
        twin = [other for other in whole.registers if other.shared == each.shared]
        if len({other.address % 0x40 for other in twin}) != 1 or len({(other.place or 0) % 16 for other in twin}) != 1:
            raise ValueError(f"{camel(each.shared)} stands elsewhere in the other slot")
