# SPDX-License-Identifier: BSD-3-Clause
"""Quantities as people write them: sizes (`30kB`, `293KiB`, `20pkt`, `24us`), rates (`10G`), times (`100us`).

k, M and G are powers of 1000; Ki, Mi and Gi are powers of 1024. A size may be a time, which means the bytes that the
rate carries in that time, and a number of packets, which needs the size of a packet. Own code instead of a library such
as pint, whose errors do not say what would be right.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from truemark.errors import TruemarkError

BYTES = {"B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
SECONDS = {"ns": Fraction(1, 10**9), "us": Fraction(1, 10**6), "µs": Fraction(1, 10**6)}
SECONDS |= {"ms": Fraction(1, 10**3), "s": Fraction(1)}
PACKETS = ("pkt", "pkts", "packet", "packets")
METRES = {"m": 1, "km": 1000}
BITS = {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}

MOST_DIGITS = 100  # of a number: beyond that it is no quantity, and takes for ever to work out
NUMBER = re.compile(r"\s*(-?)([0-9][0-9_]*(?:\.[0-9]+)?|\.[0-9]+)\s*([A-Za-zµ/]*)\s*")


def fraction(text: str) -> Fraction:
    """Return a number as it is written: `3`, `0.5`, `1/8`, `1e-3`; ValueError: it is none, or too long to work out."""
    exponent = text.lower().partition("e")[2]
    if len(text) > MOST_DIGITS or (exponent and abs(int(exponent)) > MOST_DIGITS):
        raise ValueError(f"{text[:MOST_DIGITS]}: more than {MOST_DIGITS} digits")
    return Fraction(text)


def whole(text: str, most: int = 2**64 - 1) -> int | None:
    """Return a whole number in decimal digits up to `most`, by default what 64 bits hold; None for any other text."""
    return int(text) if re.fullmatch(r"[0-9]{1,20}", text) and int(text) <= most else None


def split(text: str, what: str, example: str) -> tuple[Fraction, str]:
    """Return the number and the unit of `text`."""
    match = NUMBER.fullmatch(text)
    if not match:
        raise TruemarkError(f"{what} '{text}' is not a number with a unit; write for example {example}")
    if match[1]:
        raise TruemarkError(f"{what} '{text}' must not be negative")
    if len(match[2]) > MOST_DIGITS:
        raise TruemarkError(f"{what} '{text[:20]}...' has more than {MOST_DIGITS} digits; write for example {example}")
    return Fraction(match[2].replace("_", "")), match[3]


def unknown(what: str, text: str, unit: str, known: str, meant: str) -> TruemarkError:
    """Return the error of a unit that is none; where there is no unit at all, what was probably meant."""
    said = f"unknown unit '{unit}'" if unit else f"a unit is missing; did you mean {text.strip()}{meant}?"
    return TruemarkError(f"{what} '{text}': {said}; {known}")


def parse_rate(text: str, what: str = "rate") -> int:
    """Return bits per second of `10G`, `2.5G`, `100M`, `10Gbit/s`, `10Gb/s`, and of tc's `10gbit`."""
    number, unit = split(text, what, "10G, 2.5G or 100M")
    known = "rates are in bit/s with k, M, G or T: 10G, 2.5G, 100M"
    if unit.endswith("bps"):
        raise TruemarkError(f"{what} '{text}': bps is bytes per second in tc and bits elsewhere; {known}")
    if not unit:
        raise unknown(what, text, unit, known, "G")
    prefix = re.sub(r"(bit/s|b/s|bit)$", "", unit)
    prefix = prefix.replace("m", "M").replace("g", "G").replace("t", "T") if unit.endswith("bit") else prefix
    if prefix not in BITS:
        raise unknown(what, text, unit, known, "")
    rate = number * BITS[prefix]
    if rate < 1:
        raise TruemarkError(f"{what} '{text}' must be at least 1 bit/s")
    return int(rate)


def parse_frequency(text: str, what: str = "frequency") -> int:
    """Return hertz of `200M`, `340MHz`, `312.5M`."""
    number, unit = split(text, what, "200M or 340MHz")
    prefix = unit.removesuffix("Hz")
    if prefix not in BITS:
        raise unknown(what, text, unit, "frequencies are in Hz with k, M or G: 200M, 340MHz", "")
    if number * BITS[prefix] < 1:
        raise TruemarkError(f"{what} '{text}' must be at least 1 Hz")
    return int(number * BITS[prefix])


def parse_time(text: str, what: str = "time") -> int:
    """Return nanoseconds of `24us`, `1.5ms`, `100ns`, `2s`."""
    number, unit = split(text, what, "100us")
    if unit not in SECONDS:
        raise unknown(what, text, unit, "times are in ns, us, ms or s: 100us", "us")
    return round(number * SECONDS[unit] * 10**9)


def parse_length(text: str, what: str = "length") -> Fraction:
    """Return metres of `300m`, `2km`."""
    number, unit = split(text, what, "300m or 2km")
    if unit not in METRES:
        raise unknown(what, text, unit, "lengths are in m or km: 300m, 2km", "m")
    return number * METRES[unit]


@dataclass(frozen=True)
class Size:
    """A size as a person writes it: bytes, or packets or a time, which become bytes at a port."""

    text: str
    number: Fraction  # of bytes, packets or seconds
    unit: str  # "B", "pkt" or "s"

    def __str__(self) -> str:
        return self.text

    def to_bytes(self, what: str, rate: int | None = None, packet: int | None = None) -> int:
        """Return bytes; `rate` (bit/s) gives a time its meaning, `packet` (bytes) a number of packets."""
        if self.unit == "pkt" and packet is None:
            raise TruemarkError(
                f"{what} '{self.text}': how many bytes is a packet? State it: --packet 1514, or packet = 1514 in a "
                "profile"
            )
        if self.unit == "s" and rate is None:
            raise TruemarkError(
                f"{what} '{self.text}' is a time, which is a size only at a rate; state it: --rate 10G, or "
                'rate = "10G" in a profile'
            )
        scale = {"B": Fraction(1), "pkt": Fraction(packet or 0), "s": Fraction(rate or 0, 8)}
        return round(self.number * scale[self.unit])


def read_size(text: str, what: str = "size") -> Size:
    """Return the size that a text says."""
    number, unit = split(text, what, "30kB, 293KiB, 20pkt or 24us")
    if unit in PACKETS:
        return Size(text, number, "pkt")
    if unit in SECONDS:
        return Size(text, number * SECONDS[unit], "s")
    if unit and unit not in BYTES:
        known = "B, kB, MB (powers of 1000), KiB, MiB (powers of 1024), pkt, or a time at the rate (ns, us, ms)"
        raise TruemarkError(f"{what} '{text}': unknown unit '{unit}'; sizes are in {known}")
    size = number * BYTES[unit or "B"]
    if size.denominator != 1:
        raise TruemarkError(f"{what} '{text}' is {float(size):g} bytes; it must be a whole number of bytes")
    return Size(text, size, "B")


def parse_size(text: str, what: str = "size", rate: int | None = None, packet: int | None = None) -> int:
    """Return the bytes of a size at a port."""
    return read_size(text, what).to_bytes(what, rate, packet)


def parse_bytes(text: str, what: str, example: str) -> int:
    """Return the bytes of a size that is none of packets and no time."""
    size = read_size(text, what)
    if size.unit != "B":
        kind = "a time" if size.unit == "s" else "a number of packets"
        raise TruemarkError(f"{what} '{text}' is {kind}; bytes are wanted, such as {example}")
    return size.to_bytes(what)


def show_size(size: float) -> str:
    """Return a size with the unit that suits it, powers of 1000."""
    for unit, scale in (("MB", 1e6), ("kB", 1e3)):
        if abs(size) >= scale:
            return f"{size / scale:.4g} {unit}"
    return f"{size:.4g} B"


def show_time(nanoseconds: float) -> str:
    """Return a time with the unit that suits it; `us` is for who types."""
    for unit, scale in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if abs(nanoseconds) >= scale:
            return f"{nanoseconds / scale:.4g} {unit}"
    return f"{nanoseconds:.4g} ns"


def show_times(text: str) -> str:
    """Return a name or sentence with its times as they are shown: `RED 100us` stays the key of kept runs."""
    return re.sub(r"(?<![\w.])(\d+(?:\.\d+)?)([um])s\b", lambda at: f"{at[1]} {'µ' if at[2] == 'u' else 'm'}s", text)


def show_rate(rate: float) -> str:
    """Return a rate with the unit that suits it."""
    for unit, scale in (("Tbit/s", 1e12), ("Gbit/s", 1e9), ("Mbit/s", 1e6), ("kbit/s", 1e3)):
        if abs(rate) >= scale:
            return f"{rate / scale:.4g} {unit}"
    return f"{rate:.4g} bit/s"


def marking_rule(rate: int, rtt_ns: int) -> float:
    """Return C * RTT / 7 in bytes: the least K that keeps the link busy (RFC 8257 section 4.1, from the analysis)."""
    return rate / 8 * rtt_ns / 1e9 / 7
