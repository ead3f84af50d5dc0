# SPDX-License-Identifier: BSD-3-Clause
"""Which queue of its line takes a frame: the tables of a device whose lines have several queues."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from truemark.device import registers
from truemark.device.registers import Class, QueueMode, Register
from truemark.errors import TruemarkError, suggest

ENTRY = 3  # bits
MOST = 8  # queues of a line
DSCP = tuple(getattr(registers, f"QUEUE_DSCP{eight}") for eight in range(8))
# Of each mode with a table: its registers, its entries in each, and what they are called.
NUMBERS = {QueueMode.DSCP: 64, QueueMode.PCP: 8}
CODEPOINTS = ("not_ect", "ect1", "ect0", "ce")
CLASSES = tuple(each.name.lower() for each in Class)
WITH_ECE, WITHOUT_ECE = "+ece", "-ece"
REGISTERS: Mapping[QueueMode, tuple[tuple[Register, ...], int]] = {
    QueueMode.DSCP: (DSCP, 8),
    QueueMode.PCP: ((registers.QUEUE_PCP,), 8),
    QueueMode.ECN: ((registers.QUEUE_ECN,), len(CODEPOINTS)),
    QueueMode.CLASS_ECE: ((registers.QUEUE_CLASS, registers.QUEUE_CLASS_ECE), len(CLASSES)),
}
# How a profile calls the modes.
BY = {
    "fixed": QueueMode.FIXED, "dscp": QueueMode.DSCP, "pcp": QueueMode.PCP, "ecn": QueueMode.ECN,
    "class": QueueMode.CLASS_ECE,
}  # fmt: skip
CALLED = {mode: name for name, mode in BY.items()}


def names(mode: QueueMode) -> list[str]:
    """Return what the entries of a table are called, in their order."""
    if mode in NUMBERS:
        return [str(number) for number in range(NUMBERS[mode])]
    if mode is QueueMode.ECN:
        return list(CODEPOINTS)
    return [name + sign for sign in (WITHOUT_ECE, WITH_ECE) for name in CLASSES]


def meant(mode: QueueMode, key: str) -> list[str]:
    """Return the entries that a person means: one, a range of numbers, a class with and without ECE."""
    known = names(mode)
    if mode in NUMBERS:
        first, dash, last = key.partition("-")
        last = last if dash else first
        if not (first in known and last in known and int(first) <= int(last)):
            raise TruemarkError(f"'{key}': a number or a range of 0 to {known[-1]} is wanted")
        return known[int(first) : int(last) + 1]
    if mode is QueueMode.CLASS_ECE and key in CLASSES:
        return [key + WITHOUT_ECE, key + WITH_ECE]
    if key not in known:
        raise TruemarkError(
            f"'{key}' is unknown; {suggest(key, list(CODEPOINTS if mode is QueueMode.ECN else CLASSES))}"
        )
    return [key]


@dataclass(frozen=True)
class QueueMap:
    """The mode, the queue of frames that its table does not speak of, and that table, in the order of `names`."""

    mode: QueueMode = QueueMode.FIXED
    default: int = 0
    table: tuple[int, ...] = ()

    @classmethod
    def of(cls, by: str, default: int, written: Mapping[str, int]) -> QueueMap:
        """Return what a person wrote; entries that are not named go to the default queue."""
        mode = BY[by]
        if mode is QueueMode.FIXED:
            return cls(mode, default)
        found = dict.fromkeys(names(mode), default)
        several = [key for key in written if len(meant(mode, key)) > 1]
        for key in [*several, *(written.keys() - set(several))]:  # one entry goes before what stands for several
            found |= dict.fromkeys(meant(mode, key), written[key])
        return cls(mode, default, tuple(found.values()))

    @classmethod
    def read(cls, read: Callable[[Register], int]) -> QueueMap:
        """Return what the shadow registers hold."""
        settings = registers.QUEUE_SETTINGS.unpack(read(registers.QUEUE_SETTINGS))
        mode = QueueMode(settings["mode"])
        if mode is QueueMode.FIXED:
            return cls(mode, settings["default_queue"])
        places, entries = REGISTERS[mode]
        words = [read(place) for place in places]
        table = tuple(word >> ENTRY * at & MOST - 1 for word in words for at in range(entries))
        return cls(mode, settings["default_queue"], table)

    def words(self) -> Iterator[tuple[Register, int]]:
        """Yield every register and what it holds: the tables of other modes are 0."""
        yield registers.QUEUE_SETTINGS, registers.QUEUE_SETTINGS.pack(mode=self.mode, default_queue=self.default)
        for mode, (places, entries) in REGISTERS.items():
            own = self.table if mode is self.mode else (0,) * (len(places) * entries)
            for at, place in enumerate(places):
                part = own[at * entries : (at + 1) * entries]
                yield place, sum(queue << ENTRY * index for index, queue in enumerate(part))

    def entries(self) -> dict[str, int]:
        """Return the queue of each entry of the table by its name."""
        return dict(zip(names(self.mode), self.table, strict=True)) if self.table else {}

    def check(self, queues: int, able: frozenset[str], where: str) -> None:
        """Refuse what a device would refuse."""
        if queues == 1:
            raise TruemarkError(f"{where}: [queues]: a line of this device has one queue (QUEUES of its build is 1)")
        if self.mode is QueueMode.CLASS_ECE and "flags_verdict" not in able:
            raise TruemarkError(f'{where}: queues.by = "class": the class is known to builds with FLAGS_VERDICT')
        if self.default >= queues:
            raise TruemarkError(
                f"{where}: queues.default = {self.default}: a line of this device has 0 to {queues - 1}"
            )
        for name, queue in self.entries().items():
            if queue >= queues:
                raise TruemarkError(
                    f"{where}: queues.{CALLED[self.mode]}.{name} = {queue}: a line of this device has 0 to {queues - 1}"
                )

    def reached(self, priorities: Iterable[int], queues: int) -> set[int]:
        """Return the queues that frames of these priorities can come to; those of priority 0 may have no tag."""
        wanted = set(priorities)
        if not wanted or self.mode is QueueMode.FIXED:
            return {self.default} if wanted else set()
        if self.mode is not QueueMode.PCP:
            return set(range(queues))  # nothing that it looks at says the priority
        return {self.table[priority] for priority in wanted} | ({self.default} if 0 in wanted else set())

    def groups(self) -> dict[int, list[str]]:
        """Return the entries of each queue."""
        found: dict[int, list[str]] = {}
        for name, queue in self.entries().items():
            found.setdefault(queue, []).append(name)
        return dict(sorted(found.items()))

    def facts(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"by": CALLED[self.mode], "default": self.default, "table": self.entries()}
