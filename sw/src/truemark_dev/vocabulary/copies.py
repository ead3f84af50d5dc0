# SPDX-License-Identifier: BSD-3-Clause
"""Find what was typed a second time: addresses, places and codes of the vocabulary beside their generated names.

python -m truemark_dev.vocabulary.copies    print each copy; fail if there is one
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from truemark_dev.lint import sources
from truemark_dev.paths import ROOT
from truemark_dev.vocabulary import package, registers

LOOKED_AT = ("*.sv", "*.cpp", "*.h", "*.c", "*.py", "*.scala")
TEXTS = ("rtl/tm_pkg.sv", "sw/tests/dev/test_copies.py")  # the text itself, and what shows that a copy is found
NUMBER = re.compile(r"\b(?:\d+'([hd])([0-9a-fA-F_]+)|0[xX]([0-9a-fA-F]+)|(\d+))")
DEFINITION = re.compile(r"(?<![\w.])(\w+)\s*=\s*(?=\d)|#define (\w+) +(?=\d)")


def main() -> int:
    """Print every copy."""
    found = list(copies())
    print("\n".join(found))
    return 1 if found else 0


def copies() -> Iterator[str]:
    """Yield every line that gives what has a number of the vocabulary that number again."""
    known = numbers()
    for name in sources(*LOOKED_AT):
        if name not in TEXTS and not name.startswith("sim/lab/ns3/"):
            yield from copies_in(name, (ROOT / name).read_text(), known)


def copies_in(path: str, text: str, known: dict[str, set[int]]) -> Iterator[str]:
    """Yield the copies in one source: `Name = number`, and an address beside the register it is of."""
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
                yield f"{path}:{place}: {number[0]} beside its register: the generated name says it"


def value(number: re.Match[str]) -> int:
    """Return a number of any of the languages."""
    base, digits, hexadecimal, decimal = number.groups()
    if digits:
        return int(digits.replace("_", ""), 16 if base == "h" else 10)
    return int(hexadecimal, 16) if hexadecimal else int(decimal)


def plain(name: str) -> str:
    """Return a name without what a language puts before it: kTimeLow, RegTimeLow, TIME_LOW are timelow."""
    return re.sub(r"^(k|Reg|Place)(?=[A-Z])", "", name).replace("_", "").lower()


def numbers() -> dict[str, set[int]]:
    """Return the numbers of registers (byte and word address, place), faults and counter codes by their plain names."""
    regs = registers.read(package.read(package.SOURCE))
    known: dict[str, set[int]] = {}
    for register in regs.registers:
        own = {register.address, register.index} | ({register.place} if register.place else set())
        known.setdefault(plain(register.name), set()).update(own)
    for enum in regs.enums:
        for member in enum.members:
            known.setdefault(plain(f"{enum.name}_{member.name}"), set()).add(member.value)
    return known


if __name__ == "__main__":
    sys.exit(main())
