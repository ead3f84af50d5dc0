# SPDX-License-Identifier: BSD-3-Clause
"""Configurations as words: limits that are off, and the words of RED by their places in a configuration."""

from __future__ import annotations

from truemark.device import registers as reg

from cocotb_tests.env.packed import Packed
from cocotb_tests.env.tm_pkg import BYTES_W, PACKETS_W, RED_WORD, Outcome

OFF_BYTES = (1 << BYTES_W) - 1
OFF_PACKETS = (1 << PACKETS_W) - 1
STORED = frozenset({Outcome.PASS, Outcome.PASS_CE, Outcome.MARK, Outcome.CE_SIGNALLED, Outcome.PROTECTED})


def place_of(register: reg.Register) -> int:
    """Return where a register stands in a configuration."""
    if register.place is None:
        raise ValueError(f"{register.name} is of no configuration")
    return register.place


def packed_of(register: reg.Register) -> Packed:
    """Return a register's word as a packed struct, with its gaps."""
    parts: list[tuple[str, int]] = []
    above = register.fields[-1].low + register.fields[-1].width
    for field in reversed(register.fields):
        if above > field.low + field.width:
            parts.append((f"unused_{field.low + field.width}", above - field.low - field.width))
        parts.append((field.name, field.width))
        above = field.low
    return Packed(*parts)


RED_SETTINGS = packed_of(reg.RED0_SETTINGS)
# The other words of a slot in the order of their places.
RED_WORDS = tuple(name.removeprefix("RED0_").lower() for name in reg.REGISTERS if name.startswith("RED0_"))[1:]
IDLE_RECIPROCAL, IDLE_SHIFT, ADAPT_INTERVAL = map(place_of, (reg.IDLE_RECIPROCAL, reg.IDLE_SHIFT, reg.ADAPT_INTERVAL))


def red_place(slot: int) -> int:
    """Return the place of a slot's settings, the first of its words."""
    return place_of(reg.RED1_SETTINGS if slot else reg.RED0_SETTINGS)


def red_words(slot: int, fields: dict[str, int]) -> dict[int, int]:
    """Return the words of RED in a slot, by place."""
    settings = RED_SETTINGS.pack(**{name: fields[name] for name, _ in RED_SETTINGS.fields if name in fields})
    return {red_place(slot) + i: word for i, word in enumerate([settings, *(fields[name] for name in RED_WORDS)])}


def red_word(bank: int, place: int, data: int) -> int:
    """Return a word on its way."""
    return RED_WORD.pack(bank=bank, place=place, data=data, minus=-(data % (1 << BYTES_W)) % (1 << BYTES_W + 1))
