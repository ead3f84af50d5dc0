# SPDX-License-Identifier: BSD-3-Clause
"""What a configuration is to a program in C: a member for each field of the registers, and where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from truemark_dev.vocabulary.registers import Field, Map, Register

GROUPS = ("red", "codel")  # structs in the struct


@dataclass(frozen=True)
class Entry:
    """A member and its field. `kind`: SWITCH is 0 where the member is 0, SWITCHED is the word that it switches."""

    group: str  # the struct it stands in, or nothing
    slot: int | None  # of the group
    name: str
    index: int | None  # where the member is an array
    kind: str
    register: Register
    field: Field

    @property
    def member(self) -> str:
        """The member as a program writes it."""
        slot = "" if self.slot is None else f"[{self.slot}]"
        index = "" if self.index is None else f"[{self.index}]"
        return f"{self.group}{slot}.{self.name}{index}" if self.group else f"{self.name}{index}"

    @property
    def type(self) -> str:
        """The member's type."""
        return "bool" if self.field.width == 1 else "uint32_t"

    @property
    def comment(self) -> str:
        """What it means."""
        title = self.register.title.removeprefix("Shadow: ").removeprefix("RED of the slot, ").removeprefix("CoDel, ")
        head = f"{title[0].upper()}{title[1:]}: " if len(self.register.fields) == 1 else ""
        return head + self.field.desc + (" 0 is off." if self.kind == "SWITCHED" else "")


def entries(regs: Map) -> list[Entry]:
    """Return the members of a configuration in the order of their registers."""
    words = {each.name.lower() for each in regs.config()}
    switched = {
        word for each in regs.config() for field in each.fields if (word := field.name.removesuffix("_on")) in words
    }
    return [entry(each, field, switched) for each in regs.config() for field in each.fields]


def entry(register: Register, field: Field, switched: Iterable[str]) -> Entry:
    """Return the member of a field: its register's name where the register has no other."""
    word = (register.shared if register.slot is not None else register.name).lower()
    group = next((each for each in GROUPS if word.startswith(f"{each}_")), "")
    name = field.name if len(register.fields) > 1 else word.removeprefix(f"{group}_")
    kind = "SWITCHED" if name in switched else "VALUE"
    if name.removesuffix("_on") in switched and kind == "VALUE":
        name, kind = name.removesuffix("_on"), "SWITCH"
    stem = name.rstrip("0123456789")
    return Entry(group, register.slot, stem, int(name[len(stem) :]) if stem != name else None, kind, register, field)


def members(found: Iterable[Entry], group: str) -> Iterator[tuple[Entry, int | None]]:
    """Yield the members of a struct once each, with the length of an array."""
    mine = [each for each in found if each.group == group and each.kind != "SWITCH" and not each.slot]
    for each in mine:
        if not each.index:
            same = [other for other in mine if other.name == each.name]
            yield each, None if each.index is None else len(same)
