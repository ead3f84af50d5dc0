# SPDX-License-Identifier: BSD-3-Clause
"""Packed structs as flat bits: `Packed` turns a dict of fields into the number that cocotb reads and writes, and back.

`META.pack(ecn=Ecn.CE, class_id=Class.DATA)` is that number; `EVENT.unpack(int(dut.event_o.value))["outcome"]` a field.
"""

from __future__ import annotations

from collections.abc import Sequence


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


def packed(values: Sequence[int], width: int) -> int:
    """Return values of `width` bits each as one number, the first lowest."""
    return sum(value << width * place for place, value in enumerate(values))
