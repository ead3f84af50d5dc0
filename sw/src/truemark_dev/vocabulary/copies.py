# SPDX-License-Identifier: BSD-3-Clause
"""Find what was typed a second time: addresses, places, codes, resets, masks and shifts next to their generated names.

python -m truemark_dev.vocabulary.copies    print each copy; fail if there is one
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache

from truemark_dev.lint import sources
from truemark_dev.paths import ROOT
from truemark_dev.vocabulary import package, registers

Bits = tuple[int, int]  # the lowest bit of a field, its width
LOOKED_AT = ("*.sv", "*.cpp", "*.h", "*.c", "*.py", "*.scala")
TEXTS = ("rtl/tm_pkg.sv", "sw/tests/dev/test_copies.py")  # the text itself, and what shows that a copy is found
NUMBER = re.compile(r"\b(?:\d+'([hd])([0-9a-fA-F_]+)|0[xX]([0-9a-fA-F]+)|(\d+))")
# A register's word as a variable of its name: what is shifted, what is masked or set in it, what is sliced.
SHIFT = re.compile(r"\b(\w+) *>>>? *(\d+)\b")
MASK = re.compile(r"(?<![.>])\b(\w+) *(?:(?<!&)&(?!&)|(?<!\|)\|(?!\|))=? *(?=\d)")
SLICE = re.compile(r"\b(\w+)\[(\d+)(?::(\d+))?\]")
DEFINITION = re.compile(r"(?<![\w.])(\w+)\s*=\s*(?=\d)|#define (\w+) +(?=\d)")


def main() -> int:
    """Print every copy."""
    found = list(copies())
    print("\n".join(found))
    return 1 if found else 0


def copies() -> Iterator[str]:
    """Yield every line that gives what has a number of the vocabulary that number again."""
    known, fields = numbers(), bits()
    for name in sources(*LOOKED_AT):
        if name not in TEXTS and not name.startswith("sim/lab/ns3/"):
            yield from copies_in(name, (ROOT / name).read_text(), known, fields)


def copies_in(path: str, text: str, known: dict[str, set[int]], fields: dict[str, set[Bits]]) -> Iterator[str]:
    """Yield the copies in one source: `Name = number`, an address next to its register, bits of a register's word."""
    for place, line in enumerate(text.splitlines(), 1):
        for match in DEFINITION.finditer(line):
            name, number = match[1] or match[2], NUMBER.match(line, match.end())
            if number is None or (number[4] and value(number) > 63):  # a quantity: no place or code is so large
                continue
            if value(number) in known.get(plain(name), ()):
                yield f"{path}:{place}: {name} is {number[0]}: the generated name says it"
        for number in re.finditer(r"\b0[xX]([12][0-9a-fA-F]{2})\b", line):
            beside = {plain(word) for word in re.findall(r"\w+", line)}
            if any(int(number[1], 16) in known.get(word, ()) for word in beside):
                yield f"{path}:{place}: {number[0]} next to its register: the generated name says it"
        for name in typed_bits(line, fields, is_sv=path.endswith(".sv")):
            yield f"{path}:{place}: bits of {name} by their numbers: the generated field says them"


def typed_bits(line: str, fields: dict[str, set[Bits]], *, is_sv: bool) -> Iterator[str]:
    """Yield each variable whose bits are taken or set as those of a field of the register of that name."""

    def of(name: str) -> set[Bits]:
        return set() if name.startswith("Reg") else fields.get(plain(re.sub(r"_[qdi]$", "", name)), set())

    for match in SHIFT.finditer(line):
        if int(match[2]) and any(low == int(match[2]) for low, _ in of(match[1])):
            yield match[1]
    for match in MASK.finditer(line):
        number = NUMBER.match(line, match.end())
        if number and any(value(number) == (1 << width) - 1 << low for low, width in of(match[1])):
            yield match[1]
    for match in SLICE.finditer(line) if is_sv else ():
        low = int(match[3] or match[2])
        if (low, int(match[2]) - low + 1) in of(match[1]):
            yield match[1]


def value(number: re.Match[str]) -> int:
    """Return a number of any of the languages."""
    base, digits, hexadecimal, decimal = number.groups()
    if digits:
        return int(digits.replace("_", ""), 16 if base == "h" else 10)
    return int(hexadecimal, 16) if hexadecimal else int(decimal)


def plain(name: str) -> str:
    """Return a name without what a language puts before it: kTimeLow, RegTimeLow, TIME_LOW are timelow."""
    return re.sub(r"^(k|Reg|Place)(?=[A-Z])", "", name).replace("_", "").lower()


@cache
def bits() -> dict[str, set[Bits]]:
    """Return lowest bit and width of each field of the registers that have several, by the registers' plain names."""
    found: dict[str, set[Bits]] = {}
    for register in registers.read(package.read(package.SOURCE)).registers:
        if len(register.fields) > 1:
            for name in (register.name, register.shared):
                found.setdefault(plain(name), set()).update((field.low, field.width) for field in register.fields)
    return found


@cache
def numbers() -> dict[str, set[int]]:
    """Return the numbers of registers (byte and word address, place), faults and counter codes by their plain names."""
    regs = registers.read(package.read(package.SOURCE))
    known: dict[str, set[int]] = {}
    for register in regs.registers:
        own = {register.address, register.index} | ({register.place} if register.place else set())
        known.setdefault(plain(register.name), set()).update(own)
        if register.reset:
            known.setdefault(plain(f"{register.name}_RESET"), set()).add(register.reset)
            known.setdefault(plain(f"Reset_{register.name}"), set()).add(register.reset)
        for field in register.fields if len(register.fields) > 1 else ():
            for name in (register.name, register.shared):
                known.setdefault(plain(f"Mask_{name}_{field.name}"), set()).add(field.mask)
                known.setdefault(plain(f"{name}_{field.name}"), set()).update({field.low, field.mask} - {0})
    for enum in regs.enums:
        for member in enum.members:
            known.setdefault(plain(f"{enum.name}_{member.name}"), set()).add(member.value)
    return known


if __name__ == "__main__":
    sys.exit(main())
