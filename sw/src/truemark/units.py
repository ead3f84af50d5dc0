# SPDX-License-Identifier: BSD-3-Clause
"""Quantities as people write them: sizes (`30kB`, `293KiB`, `20pkt`, `24us`), rates (`10G`), times (`100us`).

k, M and G are powers of 1000; Ki, Mi and Gi are powers of 1024. A size may be a time, which means the bytes that the
rate carries in that time, and a number of packets, which needs the size of a packet.
"""

from __future__ import annotations

import re
from fractions import Fraction

from truemark.errors import TruemarkError

BYTES = {"B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
SECONDS = {"ns": Fraction(1, 10**9), "us": Fraction(1, 10**6), "µs": Fraction(1, 10**6)}
SECONDS |= {"ms": Fraction(1, 10**3), "s": Fraction(1)}
PACKETS = ("pkt", "pkts", "packet", "packets")
BITS = {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}

NUMBER = re.compile(r"\s*([0-9][0-9_]*(?:\.[0-9]+)?|\.[0-9]+)\s*([A-Za-zµ/]*)\s*")


def split(text: str, what: str, example: str) -> tuple[Fraction, str]:
    """The number and the unit of `text`."""
    match = NUMBER.fullmatch(text)
    if not match:
        raise TruemarkError(f"{what} '{text}' is not a number with a unit; write for example {example}")
    return Fraction(match[1].replace("_", "")), match[2]


def parse_rate(text: str, what: str = "rate") -> int:
    """Bits per second of `10G`, `2.5G`, `100M`, `10Gbit/s`, `10Gb/s`, `10Gbps`."""
    number, unit = split(text, what, "10G, 2.5G or 100M")
    prefix = re.sub(r"(bit/s|bps|b/s|bit)$", "", unit)
    if prefix not in BITS:
        raise TruemarkError(
            f"{what} '{text}': unknown unit '{unit}'; rates are in bit/s with k, M, G or T: 10G, 2.5G, 100M"
        )
    rate = number * BITS[prefix]
    if rate < 1:
        raise TruemarkError(f"{what} '{text}' must be at least 1 bit/s")
    return int(rate)


def parse_frequency(text: str, what: str = "frequency") -> int:
    """Hertz of `200M`, `340MHz`, `312.5M`."""
    number, unit = split(text, what, "200M or 340MHz")
    prefix = unit.removesuffix("Hz")
    if prefix not in BITS:
        raise TruemarkError(
            f"{what} '{text}': unknown unit '{unit}'; frequencies are in Hz with k, M or G: 200M, 340MHz"
        )
    if number * BITS[prefix] < 1:
        raise TruemarkError(f"{what} '{text}' must be at least 1 Hz")
    return int(number * BITS[prefix])


def parse_time(text: str, what: str = "time") -> int:
    """Nanoseconds of `24us`, `1.5ms`, `100ns`, `2s`."""
    number, unit = split(text, what, "100us")
    if unit not in SECONDS:
        raise TruemarkError(f"{what} '{text}': unknown unit '{unit}'; times are in ns, us, ms or s: 100us")
    return round(number * SECONDS[unit] * 10**9)


def parse_size(text: str, what: str = "size", rate: int | None = None, packet: int | None = None) -> int:
    """Bytes of a size; `rate` (bit/s) gives a time its meaning, `packet` (bytes) a number of packets."""
    number, unit = split(text, what, "30kB, 293KiB, 20pkt or 24us")
    if unit in BYTES or unit == "":
        size = number * BYTES[unit or "B"]
    elif unit in PACKETS:
        if packet is None:
            raise TruemarkError(f"{what} '{text}': how many bytes is a packet? State it, for example --packet 1514")
        size = number * packet
    elif unit in SECONDS:
        if rate is None:
            raise TruemarkError(
                f"{what} '{text}' is a time, which is a size only at a rate: state it, for example --rate 10G"
            )
        size = number * SECONDS[unit] * rate / 8
    else:
        known = "B, kB, MB (powers of 1000), KiB, MiB (powers of 1024), pkt, or a time at the rate (ns, us, ms)"
        raise TruemarkError(f"{what} '{text}': unknown unit '{unit}'; sizes are in {known}")
    if unit in BYTES and size.denominator != 1:
        raise TruemarkError(f"{what} '{text}' is {float(size):g} bytes; it must be a whole number of bytes")
    return round(size)


def show_size(size: float) -> str:
    """A size with the unit that suits it, powers of 1000."""
    for unit, scale in (("MB", 1e6), ("kB", 1e3)):
        if abs(size) >= scale:
            return f"{size / scale:.4g} {unit}"
    return f"{size:.4g} B"


def show_time(nanoseconds: float) -> str:
    """A time with the unit that suits it."""
    for unit, scale in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if abs(nanoseconds) >= scale:
            return f"{nanoseconds / scale:.4g} {unit}"
    return f"{nanoseconds:.4g} ns"


def show_rate(rate: float) -> str:
    """A rate with the unit that suits it."""
    for unit, scale in (("Tbit/s", 1e12), ("Gbit/s", 1e9), ("Mbit/s", 1e6), ("kbit/s", 1e3)):
        if abs(rate) >= scale:
            return f"{rate / scale:.4g} {unit}"
    return f"{rate:.4g} bit/s"


def marking_rule(rate: int, rtt_ns: int) -> float:
    """C * RTT / 7 in bytes: the least K that keeps the link busy (RFC 8257 section 4.1, from the DCTCP analysis)."""
    return rate / 8 * rtt_ns / 1e9 / 7
