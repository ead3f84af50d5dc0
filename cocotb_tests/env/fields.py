# SPDX-License-Identifier: BSD-3-Clause
"""A port that is a packed struct, or an array of them, field by field: a new field touches only who needs it."""

from __future__ import annotations

from typing import Any

from cocotb_tests.env.packed import Packed


class Fields:
    """Reads and drives each field as the pin it would be, those of all elements side by side, element 0 lowest."""

    def __init__(self, handle: Any, layout: Packed) -> None:
        self.handle = handle
        self._driven = 0
        self._places: dict[str, tuple[int, range]] = {}  # how wide a field is, and where that of each element begins
        low = layout.width
        for name, width in layout.fields:
            low -= width
            self._places[name] = width, range(low, len(handle), layout.width)

    def width(self, name: str) -> int:
        """Return the bits of a field, of all elements."""
        width, places = self._places[name]
        return width * len(places)

    def get(self, name: str) -> int:
        """Return a field."""
        width, places = self._places[name]
        word, mask = int(self.handle.value), (1 << width) - 1
        if len(places) == 1:
            return word >> places[0] & mask
        return sum((word >> at & mask) << width * i for i, at in enumerate(places))

    def set(self, **values: int) -> None:
        """Drive fields; the others keep what they were driven with, zero at first."""
        word = self._driven
        for name, value in values.items():
            width, places = self._places[name]
            number, mask = int(value), (1 << width) - 1
            if not 0 <= number < 1 << width * len(places):
                raise ValueError(f"{name} = {number} does not fit {len(places)} times {width} bits")
            for at in places:
                word ^= ((word >> at ^ number) & mask) << at
                number >>= width
        self._driven = self.handle.value = word
