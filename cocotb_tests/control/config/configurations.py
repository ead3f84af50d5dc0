# SPDX-License-Identifier: BSD-3-Clause
"""Random configurations for tm_config: within every rule, on the edge of one, and beyond a chosen one."""

from __future__ import annotations

import random
from fractions import Fraction

from truemark.device import registers as reg
from truemark.device.registers import Fault

from cocotb_tests.control.config.config_bench import ALL20, ALL24, ONE, SETTINGS, SHADOW, Bench, Shadow, prefix, wide_of
from cocotb_tests.env.tm_pkg import Law


def plain() -> Shadow:
    """Return the configuration after reset."""
    fields = {prefix(register) + field.name: 0 for register in SETTINGS for field in register.fields}
    return fields | {register.name.lower(): 0 for register in SHADOW if register not in SETTINGS} | {"enable": 1}


def red(slot: int, rng: random.Random) -> Shadow:
    """Return words of RED that go together, up to and on the bounds of what is allowed."""
    top = rng.choice((1, 2, 1000, ALL24, rng.randint(1, ALL24)))
    low = rng.choice((0, top, top - 1, rng.randint(0, top)))
    maxp = rng.choice((1, ONE, ONE // 10, rng.randint(1, ONE)))
    gentle, adaptive = rng.getrandbits(1), rng.getrandbits(1)

    def slope(rise: Fraction) -> tuple[int, int]:
        scale = max((s for s in range(4) if rise * (1 << 32 + 8 * s) <= 1 << 32), default=0)
        exact = rise * (1 << 32 + 8 * rng.choice((scale, scale, rng.randint(0, scale))))
        scale = next(s for s in range(4) if rise * (1 << 32 + 8 * s) == exact)
        inside = [x for x in range(int(exact) - 2, int(exact) + 4) if abs(x - exact) <= 1 and 0 <= x < 1 << 32]
        return rng.choice((inside[0], inside[-1], rng.choice(inside))), scale

    width = top - low
    # One scale serves slope and reciprocal, which is the steeper.
    reciprocal, scale = slope(Fraction(1, width)) if width else (rng.getrandbits(32), rng.randrange(4))
    exact = Fraction(maxp, ONE * width) * (1 << 32 + 8 * scale) if width else Fraction(rng.getrandbits(32))
    choices = [x for x in range(int(exact) - 2, int(exact) + 4) if abs(x - exact) <= 1 and 0 <= x < 1 << 32]
    gentle_slope, gentle_scale = slope((1 - Fraction(maxp, ONE)) / top)
    band = sorted(rng.choice((0, ALL24, rng.getrandbits(24))) for _ in range(2))
    values = {
        "weight": rng.choice((0, 24, rng.randint(0, 24))), "spacing": rng.randrange(3), "gentle": gentle,
        "adaptive": adaptive, "slope_scale": scale, "gentle_scale": gentle_scale, "min": low, "max": top, "maxp": maxp,
        "slope": rng.choice(choices), "gentle_slope": gentle_slope if gentle else rng.getrandbits(32),
        "reciprocal": reciprocal if adaptive else rng.getrandbits(32), "bottom": rng.randint(1, min(maxp, ONE // 2)),
        "band_low": band[0], "band_high": band[1], "packets": int(rng.random() < 0.15),
    }  # fmt: skip
    return {f"red{slot}_{name}": value for name, value in values.items()}


def linux(slot: int, rng: random.Random) -> Shadow:
    """Return words of RED that go together where signals are spaced as in Linux."""
    top = rng.choice((2, 1000, ALL24, rng.randint(2, ALL24)))
    width = rng.randint(1, top)
    maxp = rng.randint(-(-width // 256), min(65535 * width, ONE))
    return red(slot, rng) | {
        f"red{slot}_{name}": value for name, value in {
            "spacing": 3, "gentle": 0, "adaptive": 0, "slope_scale": 0, "min": top - width, "max": top, "maxp": maxp,
            "slope": (maxp << 8) // width
        }.items()
    }  # fmt: skip


def codel(rng: random.Random) -> Shadow:
    """Return words of CoDel that go together."""
    interval = rng.choice((1, (1 << 32) - 1, rng.randint(1, 100_000)))
    values = {field.name: rng.getrandbits(1) for field in reg.CODEL_SETTINGS.fields}
    values |= {
        "on": int(rng.random() < 0.7),
        "interval": interval,
        "target": rng.choice((0, interval, rng.randint(0, interval))),
    }
    values |= {
        "ce_threshold": rng.choice((0, (1 << 31) - 1, rng.getrandbits(31))),
        "exempt_bytes": rng.randint(1, ALL24),
    }
    return {f"codel_{name}": value for name, value in values.items()}


def shapes(rng: random.Random, bench: Bench) -> Shadow:
    """Return rates and bursts up to and on the bounds of what is allowed; a line's only where it has several queues."""
    values: Shadow = {}
    for name in ("shape", "line") if bench.queues > 1 else ("shape",):
        values[f"{name}_rate"] = rng.choice((0, 1, bench.beat, rng.randint(0, bench.beat)))
        values[f"{name}_burst"] = rng.choice((bench.max_frame, ALL20, rng.randint(bench.max_frame, ALL20)))
    return values


def anything(rng: random.Random, bench: Bench) -> Shadow:
    """Return a configuration that is often on the edge of a rule, and often within all."""

    def near(top: int, bits: int) -> int:
        choices = (top, top + 1, max(top - 1, 0), 0, 1, rng.randint(0, top), rng.getrandbits(bits))
        return rng.choices(choices, (4, 1, 2, 1, 1, 8, 1))[0] & ((1 << bits) - 1)

    limit = near(bench.storage, 24)
    on = rng.random() < 0.6
    largest = limit if on else bench.storage
    laws = (5, 20, 30, 1) if bench.red else (10, 20, 1, 1)
    shadow = plain() | {
        "enable": rng.getrandbits(1),
        "limit_bytes_on": on,
        "limit_packets_on": rng.getrandbits(1),
        "mark_on_departure": rng.random() < (0.4 if bench.departs else 0.08),
        "slot_of": rng.getrandbits(4),
        "law0": rng.choices(range(4), laws)[0],
        "law1": rng.choices(range(4), laws)[0],
        "noecn": rng.random() < 0.2,
        "harddrop": rng.getrandbits(1),
        "limit_bytes": limit,
        "limit_packets": near(bench.descriptors, 20),
        "k0": near(largest, 24),
        "k1": near(largest, 24),
        "protect": rng.choice((0, 0, rng.getrandbits(14), 1 << rng.randrange(14))),
    }
    if bench.red:
        for slot in range(2):
            shadow |= linux(slot, rng) if bench.linux and rng.random() < 0.4 else red(slot, rng)
        shadow |= {"idle_reciprocal": rng.randint(1, (1 << 17) - 1), "idle_shift": rng.randrange(64)}
        shadow |= {"adapt_interval": rng.randint(1, (1 << 32) - 1)}
    if bench.codel:
        shadow |= codel(rng)
    elif rng.random() < 0.05:
        shadow |= {"codel_on": 1, "codel_ecn": 1}
    if bench.shaping:
        shadow |= shapes(rng, bench)
    if bench.shaping and rng.random() < 0.2:
        name = rng.choice([name for name in shadow if name.split("_")[0] in ("shape", "line")])
        at = bench.beat if name.endswith("rate") else bench.max_frame
        shadow[name] = rng.choice((0, 1, at - 1, at, at + 1, wide_of(name)))
    if (bench.red or bench.codel) and rng.random() < 0.4:
        # One thing is another: mostly wrong.
        name = rng.choice([name for name in shadow if name.split("_")[0] in ("red0", "red1", "idle", "adapt", "codel")])
        shadow[name] = rng.choice((0, wide_of(name), (shadow[name] + rng.choice((1, 2, -1, -2))) & wide_of(name)))
    return shadow


def rules(bench: Bench) -> list[Fault]:
    """Return the rules of RED, of CoDel and of ECN that a build has."""
    of_red = [fault for fault in Fault if Fault.WEIGHT0 <= fault <= Fault.IDLE] if bench.red else []
    of_shapes = [Fault.SHAPE_RATE, Fault.SHAPE_BURST, Fault.LINE_RATE] if bench.shaping else []
    return [*of_red, Fault.CODEL, Fault.NODROP, *of_shapes]


def beyond(fault: Fault, rng: random.Random, bench: Bench) -> Shadow:
    """Return a configuration within all rules but the one of `fault`, a rule of `rules`."""
    shadow = anything(rng, bench)
    while bench.fault(shadow):
        shadow = anything(rng, bench)
    shadow |= {"protect": 0, "mark_on_departure": 0}
    if fault is Fault.CODEL:
        wrong = {"codel_on": 1, "codel_ecn": 1}
        return shadow | wrong | (codel(rng) | wrong | {"codel_interval": 0} if bench.codel else {})
    if fault is Fault.NODROP:
        protect = {"protect": 1 << rng.randrange(14), "law0": Law.NONE, "law1": Law.NONE}
        if bench.codel and rng.random() < 0.5:
            return shadow | codel(rng) | {"codel_on": 1, "codel_ecn": 0, "protect": protect["protect"]}
        return shadow | protect | {"noecn": 1, "codel_on": 0}

    if fault >= Fault.SHAPE_RATE:
        beyond_rates = {
            Fault.SHAPE_RATE: {"shape_rate": bench.beat + 1},
            Fault.SHAPE_BURST: {"shape_rate": 1, "shape_burst": rng.randrange(bench.max_frame)},
            Fault.LINE_RATE: {"line_rate": bench.beat + 1},
        }
        return shadow | beyond_rates[fault]

    slot = int(fault.name[-1]) if fault is not Fault.IDLE else rng.randrange(2)
    mine = f"red{slot}_"
    words = red(slot, rng)
    while words[mine + "min"] == words[mine + "max"]:  # a rule of slopes needs one
        words = red(slot, rng)
    shadow |= words | {f"law{slot}": Law.RED, "idle_reciprocal": 1, "adapt_interval": 1}
    match fault.name.rstrip("01"):
        case "WEIGHT":
            shadow |= {mine + "weight": rng.randint(25, 31)}
        case "BAND":
            shadow |= {mine + "min": ALL24, mine + "max": rng.randrange(ALL24)}
        case "MAXP":
            shadow |= {mine + "maxp": rng.choice((0, rng.randint(ONE + 1, 2 * ONE - 1)))}
        case "SLOPE":
            shadow[mine + "slope"] ^= 1 << 31
        case "GENTLE":
            # Steeper than any is.
            shadow |= {mine + "gentle": 1, mine + "gentle_scale": 0, mine + "gentle_slope": (1 << 32) - 1}
        case "ADAPTIVE":
            shadow |= {mine + "adaptive": 1, mine + "bottom": 0}
        case _:
            shadow |= {mine + "weight": rng.randint(1, 24), "idle_reciprocal": 0}
    return shadow
