# SPDX-License-Identifier: BSD-3-Clause
"""What a port may have of a pool: a reserve, and a threshold beyond it, as SAI's buffer profiles say it.

A device counts in cells, whose size follows from its rows, so what a size is to it follows from its build.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from truemark import units
from truemark.device import registers
from truemark.device.registers import Register
from truemark.errors import TruemarkError

LEAST, MOST = -7, 3  # exponents of alpha: SAI's, as the golden model and the RTL have them
ALPHAS = {Fraction(2) ** exponent: exponent for exponent in range(LEAST, MOST + 1)}
CELL = 64  # bytes, or a row where that is longer


def cell_bytes(data_bytes: int) -> int:
    """Return the bytes of a cell in a device whose rows have so many."""
    return max(CELL, data_bytes)


def alpha_of(value: object) -> Fraction:
    """Return an alpha as it was written, a power of two of those that switches have; ValueError says what is wanted."""
    try:
        if (alpha := units.fraction(str(value).replace(" ", ""))) in ALPHAS:
            return alpha
    except (ValueError, ZeroDivisionError):
        pass
    raise ValueError(f"{value!r}: a power of two from 1/128 to 8 is wanted, for example 1/8")


@dataclass(frozen=True)
class Threshold:
    """So many bytes, or 2^exponent times what is free."""

    static: int = 0
    exponent: int | None = None

    def fields(self, cell: int, prefix: str = "") -> dict[str, int]:
        """Return it as fields of a register, in a device with cells of so many bytes."""
        if self.exponent is not None:
            return {f"{prefix}dynamic": 1, f"{prefix}exponent": self.exponent & 15}
        return {f"{prefix}cells": Share.cells(self.static, cell)}

    @classmethod
    def read(cls, register: Register, word: int, cell: int, prefix: str = "") -> Threshold:
        """Return what a register holds; ValueError: it cannot be."""
        found = register.unpack(word)
        dynamic, exponent, cells = (found[prefix + name] for name in ("dynamic", "exponent", "cells"))
        exponent -= 16 if exponent > MOST else 0
        if cells != 0 or exponent < LEAST if dynamic else exponent != 0:
            raise ValueError(f"no {register.name}: {found}")
        return cls(exponent=exponent) if dynamic else cls(cells * cell)

    @property
    def title(self) -> str:
        """What `show` says of it."""
        return f"{self.static} B" if self.exponent is None else f"{Fraction(2) ** self.exponent} of what is free"

    @property
    def alpha(self) -> str | None:
        """How much of what is free, as it is written; none where it is so many bytes."""
        return None if self.exponent is None else str(Fraction(2) ** self.exponent)


@dataclass(frozen=True)
class Share:
    """A reserve, and beyond it bytes, or 2^exponent times what is free; with neither all that is there."""

    reserve: int = 0  # bytes
    static: int | None = None  # bytes
    exponent: int | None = None

    @property
    def threshold(self) -> Threshold | None:
        """What it may have beyond its reserve; none: all that is free."""
        return None if self.static is None and self.exponent is None else Threshold(self.static or 0, self.exponent)

    def words(self, cell: int) -> Iterator[tuple[Register, int]]:
        """Yield the registers and their words, in a device with cells of so many bytes."""
        yield registers.POOL_RESERVE, self.cells(self.reserve, cell)
        threshold = self.threshold or Threshold()
        yield registers.POOL_THRESHOLD, registers.POOL_THRESHOLD.pack(**threshold.fields(cell))

    @staticmethod
    def cells(size: int, cell: int) -> int:
        """Return the cells that hold so many bytes."""
        return -(-size // cell)

    @classmethod
    def read(cls, read: Callable[[Register], int], cell: int) -> Share | None:
        """Return what the registers hold, nothing where a port may have what it likes; ValueError: it cannot be."""
        reserve = read(registers.POOL_RESERVE)
        threshold = Threshold.read(registers.POOL_THRESHOLD, read(registers.POOL_THRESHOLD), cell)
        there = reserve or threshold != Threshold()
        return cls(reserve * cell, threshold.static or None, threshold.exponent) if there else None

    def check(self, storage: int) -> None:
        """Refuse what no port of a device with so many bytes of storage can have, by its key in a profile."""
        for key, size in (("pool_reserve", self.reserve), ("pool_static", self.static)):
            if size is not None and size > storage:
                raise TruemarkError(f"{key} = {size} B: this build's pool has {storage} B")

    @property
    def title(self) -> str:
        """What `show` says of it."""
        beyond = self.threshold.title if self.threshold else "all that is free"
        return f"{self.reserve} B and {beyond}" if self.reserve else beyond

    def facts(self) -> dict[str, object]:
        """Plain data for JSON."""
        alpha = self.threshold.alpha if self.threshold else None
        return {"reserve_bytes": self.reserve, "static_bytes": self.static, "alpha": alpha}


def share_of(reserve: int | None, static: int | None, alpha: str | None) -> Share | None:
    """Return what a profile's keys say together; TruemarkError if they contradict one another."""
    if reserve is None and static is None and alpha is None:
        return None
    if static is not None and alpha is not None:
        raise TruemarkError(f"pool_static and pool_alpha = {alpha}: a threshold is one of them")
    if static == 0:
        raise TruemarkError(
            "pool_static = 0: leave it out for no threshold; for nothing at all there is enable = false"
        )
    try:
        exponent = None if alpha is None else ALPHAS[alpha_of(alpha)]
    except ValueError as error:
        raise TruemarkError(f"pool_alpha = {error}") from None
    return Share(reserve or 0, static, exponent)
