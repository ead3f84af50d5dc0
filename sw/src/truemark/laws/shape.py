# SPDX-License-Identifier: BSD-3-Clause
"""What a port, or a line of several queues, is held to: a rate and a burst, as Linux's tbf and SAI's schedulers say it.

A device counts a rate in bytes a clock cycle, so what a rate is to it follows from its clock (TIME_STEP).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from truemark import units
from truemark.device import registers
from truemark.device.registers import Register
from truemark.errors import TruemarkError

STEP = 1 << 24  # TIME_STEP's units in a nanosecond
BURST_MOST = registers.SHAPE_BURST["value"].maximum
Pair = tuple[Register, Register]
OF_THE_PORT: Pair = registers.SHAPE_RATE, registers.SHAPE_BURST
OF_THE_LINE: Pair = registers.LINE_RATE, registers.LINE_BURST


def in_bits(rate: int, step: int) -> Fraction:
    """Return the bit/s of a rate as a register has it, in a device whose clock has this TIME_STEP."""
    return Fraction(rate * 8 * 10**9 * STEP, (max(step, 1)) << registers.RATE_FRACTION)


@dataclass(frozen=True)
class Shape:
    """A rate in bit/s and a burst in bytes."""

    rate: int
    burst: int

    def word(self, step: int) -> int:
        """Return the rate as a register has it."""
        return round(self.rate / in_bits(1, step))

    @classmethod
    def read(cls, rate: int, burst: int, step: int) -> Shape | None:
        """Return what two registers hold; nothing where nothing is held to a rate."""
        return cls(round(in_bits(rate, step)), burst) if rate else None

    def check(self, key: str, step: int, beat_bytes: int, max_frame: int) -> None:
        """Refuse what a device with this clock would refuse, by its key in a profile."""
        most = beat_bytes << registers.RATE_FRACTION
        if not 1 <= self.word(step) <= most:
            least, last = (units.show_rate(float(in_bits(word, step))) for word in (1, most))
            raise TruemarkError(
                f"{key}_rate = {units.show_rate(self.rate)}: at this device's clock allowed is {least} to {last}"
            )
        if not max_frame <= self.burst <= BURST_MOST:
            raise TruemarkError(
                f"{key}_burst = {self.burst} B: allowed is {max_frame} B, a longest frame, to {BURST_MOST} B"
            )

    @property
    def title(self) -> str:
        """What `show` says of it."""
        return f"{units.show_rate(self.rate)}, {self.burst} B at once"

    def facts(self) -> dict[str, int]:
        """Plain data for JSON."""
        return {"rate_bit_s": self.rate, "burst_bytes": self.burst}
