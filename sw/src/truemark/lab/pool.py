# SPDX-License-Identifier: BSD-3-Clause
"""The memory that the ports of a switch share, as a scenario file says it."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationInfo

from truemark.errors import TruemarkError
from truemark.fields import refusal
from truemark.lab.fields import Bytes, SomeBytes, Table, given
from truemark.laws.share import ALPHAS, alpha_of


def read_alpha(value: object, info: ValidationInfo) -> object:
    """Return alpha as a text: a power of two of those that switches have."""
    try:
        return None if value is None else str(alpha_of(value))
    except ValueError as error:
        raise refusal(f"{info.field_name} = {error}") from None


def refuse_both(table: str, alpha: str | None, static: int | None) -> None:
    """Refuse two thresholds in a table of this name."""
    if alpha is not None and static is not None:
        raise TruemarkError(f"{table}.alpha = {alpha}, static = {static}: a threshold is one of them")


def threshold(alpha: str | None, static: int | None) -> dict[str, int]:
    """Return a threshold as the golden model is told it: static cells, or the exponent of alpha, 1 by default."""
    return {"exponent": ALPHAS[Fraction(alpha or 1)]} if static is None else {"static": static}


class Pool(Table):
    """One memory for all ports of a switch, each switch its own; a port's `queue.buffer` is a limit besides."""

    size: SomeBytes = given(description="of each switch; whole cells of it count")
    alpha: Annotated[str | None, BeforeValidator(read_alpha)] = Field(
        None,
        description="a queue may have its reserve and this times what is free; 1 is the papers' and switches' usual",
    )
    static: Bytes | None = Field(None, description="in place of alpha: its reserve and this")
    reserve: Bytes = given(0, description="of each queue of a port, its own: ours; two frames are usual")
    cell: Literal[64, 128] = given(64, description="bytes; a frame takes whole cells: ours, as storage in RTL has them")

    @property
    def cells(self) -> int:
        """Of each switch."""
        return self.size // self.cell

    def of(self, size: int) -> int:
        """Whole cells that hold so many bytes."""
        return -(-size // self.cell)

    def check(self, ports: int, queues: int) -> None:
        """Refuse what a switch with so many ports, of so many queues, cannot have, before the golden model does."""
        if self.cells == 0:
            raise TruemarkError(f"pool.size = {self.size}: less than a cell of {self.cell} bytes")
        refuse_both("pool", self.alpha, self.static)
        reserved = self.of(self.reserve) * ports * queues
        if reserved > self.cells:
            each = f" with {queues} queues" if queues > 1 else ""
            raise TruemarkError(
                f"pool.reserve = {self.reserve}: {ports} ports{each} have {reserved} cells of their own "
                f"then; the pool has {self.cells}"
            )
        if self.static is not None and self.static // self.cell > self.cells:
            raise TruemarkError(f"pool.static = {self.static}: more than the pool's size of {self.size}")

    def plan(self, queues: int) -> dict[str, Any]:
        """Return what the golden model is told, in cells, for ports of so many queues."""
        limit = threshold(self.alpha, None if self.static is None else self.static // self.cell)
        own = {"cells": self.cells, "cell_bytes": self.cell, "reserve": self.of(self.reserve)}
        return {**own, "priorities": queues, **limit}

    def share(self, queues: int) -> float:
        """Return the cells beyond their reserves that each of so many queues has if all want more."""
        if self.static is not None:
            return min(self.static // self.cell, self.cells / queues)
        alpha = float(Fraction(self.alpha or 1))
        return alpha * self.cells / (1 + queues * alpha)

    def __str__(self) -> str:
        """For a report."""
        limit = f"alpha {self.alpha or 1}" if self.static is None else f"static {self.static} B"
        return f"pool of {self.size} B a switch, {limit}, reserve {self.reserve} B"
