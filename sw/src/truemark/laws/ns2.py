# SPDX-License-Identifier: BSD-3-Clause
"""Automatic RED as ns-2 has it: thresholds, weight and least probability from a rate and a delay."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from truemark.errors import TruemarkError
from truemark.laws.red import nearest_weight
from truemark.laws.slopes import WEIGHT_MAX
from truemark.units import read_size

if TYPE_CHECKING:
    from truemark.laws.tables import RedTable

PACKET = 500  # bytes: mean_pktsize_
FLOOR = 5  # packets: the least min
PROBABILITY = Fraction(1, 10)  # 1/linterm_


def round_bytes(value: Fraction) -> int:
    """Return whole bytes."""
    return math.floor(value + Fraction(1, 2))


def thresholds(rate: int, delay_ns: int) -> tuple[Fraction, Fraction]:
    """Return auto-RED's min and max in packets, as ns-2."""
    minimum = max(Fraction(FLOOR), Fraction(delay_ns * rate, 16 * PACKET * 10**9))
    return minimum, 3 * minimum


def weight(rate: int) -> float:
    """Return the automatic weight of ns-2: one second of packets."""
    return -math.expm1(-8 * PACKET / rate)


def bottom(rate: int) -> Fraction:
    """Return the automatic least probability of ns-2."""
    return min(Fraction(1, 100), Fraction(80_000, rate))


def parse_weight(text: str, rate: int) -> tuple[int, float]:
    """Return W and the weight that was wanted: `ns2`, W as a whole number, or a weight such as 0.002."""
    if text == "ns2":
        wanted = weight(rate)
        return min(max(nearest_weight(wanted), 0), WEIGHT_MAX), wanted
    try:
        whole = "." not in text and "e" not in text.lower()
        wanted = float(text)
    except ValueError:
        raise TruemarkError(f"weight '{text}' is neither ns2, nor W (0 to 24), nor a weight such as 0.002") from None
    if whole and not 0 <= wanted <= WEIGHT_MAX:
        raise TruemarkError(f"weight W = {text}: allowed is 0 to {WEIGHT_MAX} (the average moves by 2^-W)")
    if whole:
        return int(text), 2.0 ** -int(text)
    if not 0 < wanted <= 1:
        raise TruemarkError(f"weight {text}: allowed is more than 0 and at most 1")
    return nearest_weight(wanted), wanted


def auto_red(rate: int, delay_ns: int, text: str) -> RedTable:
    """Return auto-RED's table for a delay, with a weight as `parse_weight` reads it."""
    from truemark.laws.tables import RedTable  # pydantic takes 0.2 s to load

    least, most = thresholds(rate, delay_ns)
    minimum, maximum = (str(round_bytes(packets * PACKET)) for packets in (least, most))
    return RedTable(
        min=read_size(minimum),
        max=read_size(maximum),
        probability=PROBABILITY,
        weight=parse_weight(text, rate)[0],
        spacing="wait",
        gentle=True,
    )
