# SPDX-License-Identifier: BSD-3-Clause
"""The words of `rtl/tm_pkg.sv` in Python: enumerations, widths, and its packed structs as flat bits.

A packed struct reaches cocotb as one vector. `Packed` turns a dict of its fields into that number and back:

    dut.meta_i.value = META.pack(ecn=Ecn.CE, class_id=Class.DATA)
    outcome = EVENT.unpack(int(dut.event_o.value))["outcome"]
"""

from __future__ import annotations

from enum import IntEnum

LEN_W = 14
STAMP_W = 42
BYTES_W = 24
PACKETS_W = 20
OFF_BYTES = (1 << BYTES_W) - 1
OFF_PACKETS = (1 << PACKETS_W) - 1


class Ecn(IntEnum):
    """The ECN codepoint."""

    NOT_ECT = 0
    ECT1 = 1
    ECT0 = 2
    CE = 3


class L3(IntEnum):
    """What stands behind the Ethernet header and its tags."""

    NONE = 0
    IPV4 = 1
    IPV6 = 2


class Class(IntEnum):
    """The packet class, in the order of its rules."""

    NON_IP = 0
    OTHER_IP = 1
    SYN_ACK = 2
    SYN = 3
    TCP_CTRL = 4
    DATA = 5
    ACK = 6


class Outcome(IntEnum):
    """What becomes of a copy, and the counter codes that share the numbering."""

    PASS = 0
    PASS_CE = 1
    MARK = 2
    CE_SIGNALLED = 3
    PROTECTED = 4
    EARLY_PROBABILITY = 5
    EARLY_FORCED = 6
    TAIL_BYTES = 7
    TAIL_PACKETS = 8
    NO_ROOM = 9
    DISABLED = 10
    ABORTED = 11
    DEPARTED = 12
    HEAD_DROPPED = 13


STORED = frozenset({Outcome.PASS, Outcome.PASS_CE, Outcome.MARK, Outcome.CE_SIGNALLED, Outcome.PROTECTED})


class Law(IntEnum):
    """The law in a slot."""

    NONE = 0
    STEP = 1
    RED = 2


class Spacing(IntEnum):
    """How RED spaces its signals."""

    MEMORYLESS = 0
    UNIFORM = 1
    WAIT = 2
    LINUX = 3


class Departure(IntEnum):
    """How a frame left its queue."""

    PLAIN = 0
    HEAD_DROPPED = 1
    MARKED = 2
    THRESHOLD = 3
    MARKED_THRESHOLD = 4
    PROTECTED = 5
    CE_SIGNALLED = 6


class Bad(IntEnum):
    """Why a frame was found wrong."""

    NO_DESTINATION = 0
    RUNT = 1
    OVERSIZE = 2
    KEEP_HOLE = 3
    LENGTH_MISMATCH = 4
    ERROR_BIT = 5
    RESET = 6


class Packed:
    """A packed struct: its fields from the highest bit to the lowest, as the source lists them."""

    def __init__(self, *fields: tuple[str, int]) -> None:
        self.fields = fields
        self.width = sum(width for _, width in fields)

    def pack(self, **values: int) -> int:
        """Return the struct as one number; fields that are not named are zero."""
        unknown = set(values) - {name for name, _ in self.fields}
        if unknown:
            raise KeyError(f"no field {sorted(unknown)} among {[name for name, _ in self.fields]}")
        number = 0
        for name, width in self.fields:
            value = int(values.get(name, 0))
            if not 0 <= value < 1 << width:
                raise ValueError(f"{name} = {value} does not fit {width} bits")
            number = number << width | value
        return number

    def unpack(self, number: int) -> dict[str, int]:
        """Return the fields of the struct that `number` is."""
        values = {}
        for name, width in reversed(self.fields):
            values[name] = number & (1 << width) - 1
            number >>= width
        return values


META = Packed(
    ("l3", 2),
    ("tags", 2),
    ("ecn", 2),
    ("checksum", 16),
    ("class_id", 3),
    ("ae", 1),
    ("cwr", 1),
    ("ece", 1),
    ("urg", 1),
    ("ack", 1),
    ("psh", 1),
    ("rst", 1),
    ("syn", 1),
    ("fin", 1),
    ("payload", 1),
)

RED = Packed(
    ("weight", 5),
    ("spacing", 2),
)

RED_WORD = Packed(
    ("bank", 1),
    ("place", 6),
    ("data", 32),
    ("minus", BYTES_W + 1),
)

RED_RAM = Packed(
    ("bank", 1),
    ("word_valid", 1),
    ("word", RED_WORD.width),
    ("word_slope", 1),
    ("moved", 2),
    ("adapted", 2),
    ("slope", 24),
)

RED_VIEW = Packed(
    ("valid", 1),
    ("is_maxp", 1),
    ("place", 4),
    ("value", 25),
)

# The settings of RED as its word has them, and the fields of the other words in the order of their places.
RED_SETTINGS = Packed(
    ("gentle_scale", 2),
    ("unused_18", 2),
    ("slope_scale", 2),
    ("unused_14", 2),
    ("adaptive", 1),
    ("gentle", 1),
    ("unused_10", 2),
    ("spacing", 2),
    ("unused_5", 3),
    ("weight", 5),
)
RED_WORDS = ("min", "max", "maxp", "slope", "gentle_slope", "reciprocal", "bottom", "band_low", "band_high")
IDLE_RECIPROCAL, IDLE_SHIFT, ADAPT_INTERVAL = 16, 17, 18  # places


def red_place(slot: int) -> int:
    """Return the place of a slot's settings, the first of its words."""
    return 32 if slot else 48


def red_words(slot: int, fields: dict[str, int]) -> dict[int, int]:
    """Return the words of RED in a slot, by place."""
    settings = RED_SETTINGS.pack(**{name: fields[name] for name, _ in RED_SETTINGS.fields if name in fields})
    return {red_place(slot) + i: word for i, word in enumerate([settings, *(fields[name] for name in RED_WORDS)])}


def red_word(bank: int, place: int, data: int) -> int:
    """Return a word on its way."""
    return RED_WORD.pack(bank=bank, place=place, data=data, minus=-(data % (1 << BYTES_W)) % (1 << BYTES_W + 1))


CODEL = Packed(
    ("on", 1),
    ("ecn", 1),
    ("at_once", 1),
    ("exempt_below", 1),
    ("exempt_largest", 1),
    ("converge", 1),
    ("mark_from_now", 1),
    ("reentry_past", 1),
    ("threshold_once", 1),
    ("keep_first_above", 1),
    ("target", 32),
    ("interval", 32),
    ("ce_threshold", 32),
    ("exempt_bytes", BYTES_W),
)

# Arrays: `law`, `k`, `red` by slot (slot 1 in the high bits), `protect` bit 2 * class + ece.
CFG = Packed(
    ("enable", 1),
    ("limit_bytes", BYTES_W),
    ("limit_packets", PACKETS_W),
    ("slot_of", 4),
    ("law", 4),
    ("k", 2 * BYTES_W),
    ("protect", 14),
    ("noecn", 1),
    ("harddrop", 1),
    ("wait_flags", 1),
    ("red", 2 * RED.width),
    ("red_bank", 1),
    ("codel", CODEL.width),
)

EVENT = Packed(
    ("valid", 1),
    ("stamp", STAMP_W),
    ("len", LEN_W),
    ("class_id", 3),
    ("ece", 1),
    ("ecn", 2),
    ("outcome", 4),
    ("bytes", BYTES_W),
)
