# SPDX-License-Identifier: BSD-3-Clause
"""A port that is a packed struct, or an array of them, field by field: a new field touches only who needs it."""

from __future__ import annotations

from typing import Any

from cocotb_tests.env.packed import Packed


class Fields:
    """Reads and drives each field as the pin it would be, those of all elements side by side, element 0 lowest."""

    def __init__(self, handle: Any, layout: Packed) -> None:
        self.handle = handle
        self.stride = layout.width
        self.count = len(handle) // layout.width
        self._driven = 0
        self._at: dict[str, tuple[int, int]] = {}
        low = layout.width
        for name, width in layout.fields:
            low -= width
            self._at[name] = low, width

    def width(self, name: str) -> int:
        """Return the bits of a field, of all elements."""
        return self._at[name][1] * self.count

    def get(self, name: str) -> int:
        """Return a field."""
        low, width = self._at[name]
        word, mask = int(self.handle.value) >> low, (1 << width) - 1
        return sum((word >> self.stride * i & mask) << width * i for i in range(self.count))

    def set(self, **values: int) -> None:
        """Drive fields; the others keep what they were driven with, zero at first."""
        for name, value in values.items():
            low, width = self._at[name]
            mask = (1 << width) - 1
            if not 0 <= value < 1 << width * self.count:
                raise ValueError(f"{name} = {value} does not fit {self.count} times {width} bits")
            for i in range(self.count):
                at = self.stride * i + low
                self._driven = self._driven & ~(mask << at) | (int(value) >> width * i & mask) << at
        self.handle.value = self._driven
