# SPDX-License-Identifier: BSD-3-Clause
"""tm_config: what a commit accepts, what it refuses and why, that it acts as a whole, and what begins anew with it.

Parts tested through it: tm_config_check, tm_red_check, tm_slope_check, tm_config_change, tm_config_place,
tm_config_renewal, tm_config_words.
"""

from __future__ import annotations

import random
import re
from fractions import Fraction
from typing import Any

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from truemark import registers as reg
from truemark.registers import Fault, Register

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.words import (
    ADAPT_INTERVAL,
    CFG,
    CODEL,
    IDLE_RECIPROCAL,
    IDLE_SHIFT,
    OFF_BYTES,
    OFF_PACKETS,
    RED,
    RED_SETTINGS,
    RED_WORD,
    RED_WORDS,
    Law,
    Spacing,
    red_place,
)
from cocotb_tests.runner import build_and_test
from cocotb_tests.verilate import ROOT

SHADOW = tuple(
    register
    for register in reg.REGISTERS.values()
    if register.access == "rw" and (reg.CONTROL.address <= register.address)
    and register.address not in (reg.QUERY.address,)
)  # fmt: skip
ALL24, ALL20 = (1 << 24) - 1, (1 << 20) - 1
ONE = 1 << 24  # a probability
# The settings go by the names of their fields, all other words by the names of their registers.
SETTINGS = (reg.CONTROL, reg.RED0_SETTINGS, reg.RED1_SETTINGS, reg.CODEL_SETTINGS)
Shadow = dict[str, int]


def prefix(register: Register) -> str:
    """Return what stands before the field names of a register of settings."""
    return "" if register is reg.CONTROL else register.name.lower().removesuffix("settings")


def wide(register: Register) -> int:
    """Return the bits a register has."""
    return sum(field.mask for field in register.fields)


class Bench:
    """One tm_config, its build, and what each port should have."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.ports = dut.PORTS.value.to_unsigned()
        self.storage = dut.STORAGE.value.to_unsigned()
        self.descriptors = dut.DESCRIPTORS.value.to_unsigned()
        self.flags = dut.FLAGS_VERDICT.value.to_unsigned()
        self.red = dut.RED.value.to_unsigned()
        self.codel = dut.CODEL.value.to_unsigned()
        # The words of RED as the ports have them, by port, set and place.
        self.words: dict[tuple[int, int, int], int] = {}

    async def keep_words(self) -> None:
        """Keep the words of RED as they come."""
        while True:
            await RisingEdge(self.dut.clk_i)
            for port in range(self.ports):
                if self.dut.word_valid_o.value.to_unsigned() >> port & 1:
                    word = RED_WORD.unpack(self.dut.word_o.value.to_unsigned())
                    assert (word["data"] % (1 << 24) + word["minus"]) % (1 << 25) == 0
                    self.words[port, word["bank"], word["place"]] = word["data"]

    async def ready(self) -> None:
        """Wait until nothing is busy."""
        await cycle(self.dut)
        while self.dut.busy_o.value:
            await cycle(self.dut)

    async def access(self, register: Register, word: int | None = None, strobe: int = 15) -> int:
        """Write a shadow register, or read it."""
        self.dut.req_i.value, self.dut.write_i.value = 1, word is not None
        self.dut.index_i.value, self.dut.data_i.value = register.address // 4, word or 0
        self.dut.strobe_i.value = strobe
        await cycle(self.dut)
        self.dut.req_i.value = 0
        await cycle(self.dut)
        while not self.dut.ack_o.value:
            assert not self.dut.data_o.value.to_unsigned()
            await cycle(self.dut)
        return int(self.dut.data_o.value.to_unsigned())

    async def fill(self, shadow: Shadow, held: Shadow | None = None) -> None:
        """Write all shadow registers, or those that differ from what is held."""
        had = words(held) if held is not None else {}
        for register, word in words(shadow).items():
            if had.get(register) != word:
                await self.access(register, word)

    async def contents(self) -> dict[Register, int]:
        """Read all shadow registers."""
        return {register: await self.access(register) for register in SHADOW}

    async def command(self, port: int, *, commit: bool = False, load: bool = False) -> None:
        """Give commands and wait until they are carried out."""
        self.dut.page_i.value, self.dut.commit_i.value, self.dut.load_i.value = port, commit, load
        await cycle(self.dut)
        self.dut.commit_i.value = self.dut.load_i.value = 0
        await self.ready()

    def configuration(self, port: int) -> dict[str, int]:
        """Return what a port has, field by field."""
        bits = self.dut.cfg_o.value.to_unsigned() >> (CFG.width * port) & ((1 << CFG.width) - 1)
        values = CFG.unpack(bits)
        both, bank = values.pop("red"), values.pop("red_bank")
        words = {place: self.words.get((port, bank, place), 0) for place in range(64)}
        for slot in range(2):
            kept = RED.unpack(both >> slot * RED.width & (1 << RED.width) - 1)
            place = red_place(slot)
            settings = RED_SETTINGS.unpack(words[place])
            assert not any(value for name, value in settings.items() if name.startswith("unused"))
            assert not self.red or all(settings[name] == value for name, value in kept.items())
            kept |= {name: value for name, value in settings.items() if not name.startswith("unused")}
            kept |= {name: words[place + 1 + i] for i, name in enumerate(RED_WORDS)}
            values |= {f"red{slot}_{name}": value for name, value in kept.items()}
        values |= {"idle_reciprocal": words[IDLE_RECIPROCAL], "idle_shift": words[IDLE_SHIFT]}
        values |= {"adapt_interval": words[ADAPT_INTERVAL]}
        return values | {f"codel_{name}": value for name, value in CODEL.unpack(values.pop("codel")).items()}

    def fault(self, shadow: Shadow, port: int = 0) -> Fault:
        """Say what is wrong with a configuration, by the words of docs/registers.md."""
        s = shadow
        largest = s["limit_bytes"] if s["limit_bytes_on"] else self.storage
        not_ect_law = s["law1"] if s["slot_of"] & 1 else s["law0"]
        laws = (Law.NONE, Law.STEP, Law.RED) if self.red else (Law.NONE, Law.STEP)
        on = s["codel_on"]
        found: dict[Fault, Any] = {
            Fault.LIMIT_BYTES: s["limit_bytes_on"] and not 1 <= s["limit_bytes"] <= self.storage,
            Fault.LIMIT_PACKETS: s["limit_packets_on"] and not 1 <= s["limit_packets"] <= self.descriptors,
            Fault.LAW: s["law0"] not in laws or s["law1"] not in laws,
            Fault.K0: s["law0"] == Law.STEP and s["k0"] > largest,
            Fault.K1: s["law1"] == Law.STEP and s["k1"] > largest,
            Fault.PROTECT: not self.flags and (not_ect_law != Law.NONE or on) and s["protect"],
            Fault.CONTROL: s["mark_on_departure"],
            Fault.CODEL: on and not self.codel,
        }
        if self.codel:
            found[Fault.CODEL] = on and (
                not s["codel_interval"]
                or s["codel_target"] > s["codel_interval"]
                or (s["codel_exempt_below"] and not s["codel_exempt_bytes"])
                or s["codel_ce_threshold"] >> 31
            )
            found[Fault.NODROP] = on and not s["codel_ecn"] and s["protect"]
        for slot in range(2):
            if self.red:
                mine = {name.removeprefix(f"red{slot}_"): value for name, value in s.items()}
                for name, wrong in red_faults(mine).items():
                    # The average runs under every law.
                    if s[f"law{slot}"] != Law.RED and name != "WEIGHT":
                        continue
                    found[Fault[name if name == "IDLE" else f"{name}{slot}"]] = wrong or (
                        name == "IDLE" and found.get(Fault.IDLE)
                    )
        if port >= self.ports:
            return Fault.PORT
        return min((fault for fault, is_so in found.items() if is_so), default=Fault.NONE)

    def meaning(self, shadow: Shadow) -> dict[str, int]:
        """Say what a port makes of an accepted configuration."""
        s = shadow
        not_ect_law = s["law1"] if s["slot_of"] & 1 else s["law0"]
        signals = not_ect_law != Law.NONE or s["codel_on"]
        here = {"red": self.red, "idle": self.red, "adapt": self.red, "codel": self.codel}
        kept = {
            name: value if here.get(name.split("_")[0].rstrip("01"), 1) else 0
            for name, value in s.items()
            if name not in ("limit_bytes_on", "limit_packets_on", "mark_on_departure", "law0", "law1", "k0", "k1")
        }
        return kept | {
            "wait_flags": int(bool(self.flags and signals and s["protect"])),
            "limit_packets": s["limit_packets"] if s["limit_packets_on"] else OFF_PACKETS,
            "limit_bytes": s["limit_bytes"] if s["limit_bytes_on"] else OFF_BYTES,
            "law": s["law0"] | s["law1"] << 2,
            "k": s["k0"] | s["k1"] << 24,
        }


def red_faults(s: Shadow) -> dict[str, Any]:
    """Say what is wrong with RED in a slot."""
    width = s["max"] - s["min"]

    def off(slope: int, exact: Fraction, scale: int) -> bool:
        return abs(slope - exact * (1 << 32 + 8 * scale)) > 1

    maxp = Fraction(s["maxp"], ONE)
    faults: dict[str, Any] = {
        "WEIGHT": s["weight"] > 24 or s["spacing"] == Spacing.LINUX,
        "BAND": width < 0 or not s["max"],
        "MAXP": not 1 <= s["maxp"] <= ONE,
        "IDLE": s["weight"] and not s["idle_reciprocal"],
        "ADAPTIVE": s["adaptive"]
        and (
            not 1 <= s["bottom"] <= min(ONE // 2, s["maxp"])
            or s["band_low"] > s["band_high"]
            or not s["adapt_interval"]
        ),
    }
    if width > 0:
        faults["SLOPE"] = off(s["slope"], maxp / width, s["slope_scale"])
        faults["ADAPTIVE"] |= s["adaptive"] and off(s["reciprocal"], Fraction(1, width), s["slope_scale"])
    if s["max"]:
        faults["GENTLE"] = s["gentle"] and off(s["gentle_slope"], (1 - maxp) / s["max"], s["gentle_scale"])
    return faults


def words(shadow: Shadow) -> dict[Register, int]:
    """Return each shadow register's word."""
    return {
        register: register.pack(**{field.name: shadow[prefix(register) + field.name] for field in register.fields})
        if register in SETTINGS
        else shadow[register.name.lower()]
        for register in SHADOW
    }


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
        "band_low": band[0], "band_high": band[1],
    }  # fmt: skip
    return {f"red{slot}_{name}": value for name, value in values.items()}


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
        "mark_on_departure": rng.random() < 0.05,
        "slot_of": rng.getrandbits(4),
        "law0": rng.choices(range(4), laws)[0],
        "law1": rng.choices(range(4), laws)[0],
        "harddrop": rng.getrandbits(1),
        "limit_bytes": limit,
        "limit_packets": near(bench.descriptors, 20),
        "k0": near(largest, 24),
        "k1": near(largest, 24),
        "protect": rng.choice((0, 0, rng.getrandbits(14), 1 << rng.randrange(14))),
    }
    if bench.red:
        shadow |= red(0, rng) | red(1, rng)
        shadow |= {"idle_reciprocal": rng.randint(1, (1 << 17) - 1), "idle_shift": rng.randrange(64)}
        shadow |= {"adapt_interval": rng.randint(1, (1 << 32) - 1)}
    if bench.codel:
        shadow |= codel(rng)
    elif rng.random() < 0.05:
        shadow |= {"codel_on": 1, "codel_ecn": 1}
    if (bench.red or bench.codel) and rng.random() < 0.4:
        # One thing is another: mostly wrong.
        name = rng.choice([name for name in shadow if name.split("_")[0] in ("red0", "red1", "idle", "adapt", "codel")])
        shadow[name] = rng.choice((0, wide_of(name), (shadow[name] + rng.choice((1, 2, -1, -2))) & wide_of(name)))
    return shadow


def wide_of(name: str) -> int:
    """Return the largest value of a word or of a field of settings."""
    for register in SHADOW:
        if register in SETTINGS:
            for field in register.fields:
                if prefix(register) + field.name == name:
                    return field.maximum
        elif register.name.lower() == name:
            return wide(register)
    raise KeyError(name)


async def begin(dut: Any) -> Bench:
    await start(dut, req_i=0, write_i=0, index_i=0, data_i=0, strobe_i=0, commit_i=0, load_i=0, page_i=0, reset_i=0)
    bench = Bench(dut)
    cocotb.start_soon(bench.keep_words())
    await bench.ready()
    return bench


@cocotb.test()
async def starts_plain(dut: Any) -> None:
    """After reset.

    Stimulus: reset; load each port.
    Checks: every port accepts frames and has no limit and no law; each shadow word is what a plain commit would hold.
    """
    bench = await begin(dut)
    for port in range(bench.ports):
        assert bench.configuration(port) == bench.meaning(plain())
    assert await bench.contents() == words(plain())
    await bench.fill(anything(randomness("tm_config plain"), bench))
    await bench.command(bench.ports - 1, load=True)
    assert await bench.contents() == words(plain())
    assert not dut.refused_o.value


@cocotb.test()
async def names_each_fault(dut: Any) -> None:
    """Every fault code alone.

    Stimulus: an accepted configuration, then one change for each rule, just beyond and just within it.
    Checks: the code; the port keeps its configuration; the change within is accepted.
    """
    bench = await begin(dut)
    good = plain() | {
        "limit_bytes_on": 1, "limit_bytes": bench.storage, "limit_packets_on": 1, "limit_packets": bench.descriptors,
        "law0": 1, "law1": 1, "slot_of": 1, "k0": bench.storage, "k1": bench.storage,
    }  # fmt: skip
    await bench.fill(good)
    await bench.command(0, commit=True)
    assert bench.configuration(0) == bench.meaning(good)
    beyond = [
        (Fault.LIMIT_BYTES, {"limit_bytes": 0}),
        (Fault.LIMIT_BYTES, {"limit_bytes": bench.storage + 1}),
        (Fault.LIMIT_PACKETS, {"limit_packets": 0}),
        (Fault.LIMIT_PACKETS, {"limit_packets": bench.descriptors + 1}),
        (Fault.LAW, {"law0": 3}),
        (Fault.LAW, {"law1": 3}),
        (Fault.K0, {"k0": bench.storage + 1}),
        (Fault.K0, {"k0": bench.storage + 1, "limit_bytes_on": 0}),
        (Fault.K0, {"limit_bytes": 1000, "k0": 1001, "k1": 1000}),
        (Fault.K1, {"limit_bytes": 1000, "k0": 1000, "k1": 1001}),
        (Fault.K1, {"k1": ALL24}),
        (Fault.CONTROL, {"mark_on_departure": 1}),
        (Fault.NONE, {"limit_bytes_on": 0, "limit_bytes": 0}),
        (Fault.NONE, {"limit_packets_on": 0, "limit_packets": ALL20}),
        (Fault.NONE, {"law0": 0, "k0": ALL24}),
        (Fault.NONE, {"law1": 0, "k1": ALL24, "protect": 1 << 13}),
        (Fault.NONE, {"limit_bytes": 1000, "k0": 1000, "k1": 1000}),
        (Fault.NONE, {"limit_bytes": 1, "k0": 0, "k1": 0}),
    ]
    if not bench.flags:
        beyond += [(Fault.PROTECT, {"protect": 1 << bit}) for bit in range(14)]
    if not bench.red:
        beyond += [(Fault.LAW, {"law0": 2}), (Fault.LAW, {"law1": 2})]
    if not bench.codel:
        beyond += [(Fault.CODEL, {"codel_on": 1, "codel_ecn": 1})]
    held = bench.meaning(good)
    for fault, change in beyond:
        shadow = good | change
        await bench.fill(shadow)
        await bench.command(0, commit=True)
        assert (dut.fault_o.value.to_unsigned(), bool(dut.refused_o.value)) == (fault, fault != Fault.NONE), change
        if fault == Fault.NONE:
            held = bench.meaning(shadow)
        assert bench.configuration(0) == held, change
    if bench.ports < 16:
        await bench.command(bench.ports, commit=True)
        assert dut.fault_o.value.to_unsigned() == Fault.PORT
    for port in range(1, bench.ports):
        assert bench.configuration(port) == bench.meaning(plain())


@cocotb.test()
async def names_each_fault_of_red(dut: Any) -> None:
    """Every fault code of RED and CoDel alone, in either slot.

    Stimulus: an accepted configuration with RED in both slots and CoDel, then one change for each rule, just beyond and
    just within it.
    Checks: the code; what is within is accepted; nothing is looked at where the law is another or CoDel is off.
    """
    bench = await begin(dut)
    if not (bench.red and bench.codel and bench.flags):
        return
    # 1/10 between 1000 and 3000 bytes, to 1 at 6000; slopes to scale.
    good = plain() | {
        "law0": 2, "law1": 2, "slot_of": 1, "idle_reciprocal": 1, "adapt_interval": 1, "codel_on": 1, "codel_ecn": 1,
        "codel_target": 5, "codel_interval": 5, "codel_exempt_below": 1, "codel_exempt_bytes": 1,
        "codel_ce_threshold": (1 << 31) - 1, "protect": 3,
    }  # fmt: skip
    maxp = 1677722
    gentle, reciprocal = round(Fraction(ONE - maxp, ONE * 3000) * 2**40), round(Fraction(1, 2000) * 2**40)
    slope = round(Fraction(maxp, ONE * 2000) * 2**40)
    for slot in range(2):
        good |= {f"red{slot}_{name}": value for name, value in {
            "weight": 24, "min": 1000, "max": 3000, "maxp": maxp, "slope": slope, "slope_scale": 1, "gentle": 1,
            "gentle_slope": gentle, "gentle_scale": 1, "adaptive": 1, "reciprocal": reciprocal, "bottom": maxp,
            "band_low": 2000, "band_high": 2000, "spacing": 2}.items()}  # fmt: skip
    await bench.fill(good)
    await bench.command(0, commit=True)
    assert not dut.fault_o.value.to_unsigned()
    cases: list[tuple[str, dict[str, int]]] = []
    for number in "01":
        r = f"red{number}_"
        cases += [
            (f"WEIGHT{number}", {r + "weight": 25}),
            (f"WEIGHT{number}", {r + "spacing": Spacing.LINUX}),
            (f"BAND{number}", {r + "min": 3001}),
            (f"BAND{number}", {r + "max": 0, r + "min": 0}),
            (f"MAXP{number}", {r + "maxp": 0}),
            (f"MAXP{number}", {r + "maxp": ONE + 1}),
            (f"SLOPE{number}", {r + "slope": slope + 2}),
            (f"SLOPE{number}", {r + "slope": slope - 2}),
            (f"SLOPE{number}", {r + "slope": 0}),
            (f"SLOPE{number}", {r + "slope": slope ^ 1 << 31}),
            (f"SLOPE{number}", {r + "slope_scale": 0}),
            (f"SLOPE{number}", {r + "maxp": maxp + 1, r + "slope": slope - 32}),
            (f"GENTLE{number}", {r + "gentle_slope": gentle + 2}),
            (f"GENTLE{number}", {r + "gentle_slope": gentle - 2}),
            (f"GENTLE{number}", {r + "gentle_scale": 3}),
            (f"ADAPTIVE{number}", {r + "reciprocal": reciprocal + 2}),
            (f"ADAPTIVE{number}", {r + "reciprocal": reciprocal - 2}),
            (f"ADAPTIVE{number}", {r + "bottom": 0}),
            (f"ADAPTIVE{number}", {r + "bottom": maxp + 1}),
            (f"ADAPTIVE{number}", {r + "band_low": 2001}),
            ("NONE", {r + "gentle_slope": 0, r + "gentle": 0}),
            ("NONE", {r + "reciprocal": 0, r + "bottom": 0, r + "band_low": 3000, r + "adaptive": 0}),
            ("NONE", {r + "max": 0, r + "maxp": 0, f"law{number}": 0}),
            (f"WEIGHT{number}", {r + "weight": 25, f"law{number}": 0}),
            (f"WEIGHT{number}", {r + "spacing": Spacing.LINUX, f"law{number}": 1}),
            ("NONE", {r + "slope": slope + 1 if slope * 2000 < maxp * 2**16 else slope - 1}),
            # min = max: no slope is looked at.
            ("NONE", {r + "min": 3000, r + "slope": 7, r + "reciprocal": 9}),
        ]
    # The steepest slope there is: 1 within one byte, and half of it as the highest least probability.
    steep = {"min": 0, "max": 1, "maxp": ONE, "slope": (1 << 32) - 1, "slope_scale": 0, "gentle_slope": 0,
             "reciprocal": (1 << 32) - 1, "bottom": ONE // 2}  # fmt: skip
    cases += [
        ("NONE", {f"red0_{name}": value for name, value in steep.items()}),
        ("ADAPTIVE0", {f"red0_{name}": value for name, value in (steep | {"bottom": ONE // 2 + 1}).items()}),
        ("ADAPTIVE0", {"adapt_interval": 0}),
        ("ADAPTIVE1", {"adapt_interval": 0, "law0": 1}),
        ("IDLE", {"idle_reciprocal": 0}),
        ("NONE", {"idle_reciprocal": 0, "red0_weight": 0, "red1_weight": 0}),
        ("CODEL", {"codel_interval": 0, "codel_target": 0}),
        ("CODEL", {"codel_target": 6}),
        ("CODEL", {"codel_exempt_bytes": 0}),
        ("CODEL", {"codel_ce_threshold": 1 << 31}),
        ("NONE", {"codel_exempt_bytes": 0, "codel_exempt_below": 0}),
        ("NONE", {"codel_target": 6, "codel_ce_threshold": 1 << 31, "codel_on": 0}),
        ("NODROP", {"codel_ecn": 0}),
        ("NONE", {"codel_ecn": 0, "protect": 0}),
        # Of several the lowest code, whichever word comes first.
        ("WEIGHT0", {"red0_weight": 25, "red1_weight": 25, "codel_interval": 0, "idle_reciprocal": 0}),
        ("BAND1", {"red1_min": 3001, "red0_maxp": 0, "codel_ecn": 0}),
        ("LIMIT_BYTES", {"limit_bytes_on": 1, "red0_maxp": 0, "codel_ecn": 0}),
    ]
    for name, change in cases:
        shadow = good | change
        assert bench.fault(shadow).name == name, change
        await bench.fill(shadow)
        await bench.command(0, commit=True)
        assert dut.fault_o.value.to_unsigned() == Fault[name], (name, change)
        if name == "NONE":
            assert bench.configuration(0) == bench.meaning(shadow), change


@cocotb.test()
async def follows_the_guide(dut: Any) -> None:
    """The programmer's guide.

    Stimulus: the numbered steps of docs/programmers-guide.md that write the shadow, section by section.
    Checks: each commit is accepted by a build that has what it asks for, and the words are those in force.
    """
    bench = await begin(dut)
    if not (bench.red and bench.codel and bench.flags):
        return
    guide = (ROOT / "docs/programmers-guide.md").read_text()
    steps = re.findall(r"^\| (\d+)\.\d+ \| (\w+) \((0x\w+)\) ← \| (\w+) \|", guide, re.MULTILINE)
    committed = []
    for section, name, address, value in steps:
        register, word = reg.REGISTERS[name], int(value, 0)
        assert register.address == int(address, 16), name
        if register in SHADOW:
            await bench.access(register, word)
            assert await bench.access(register) == word, name
        elif register is reg.COMMAND:
            await bench.command(0, commit=True)
            assert not dut.fault_o.value.to_unsigned(), section
            committed.append(section)
            now = bench.configuration(0)
            assert (now["law"] == Law.RED) == (section == "6")
            assert now["codel_on"] == (section == "7")
    assert committed == ["4", "6", "7"]


@cocotb.test()
async def seeds_the_generators(dut: Any) -> None:
    """SEED.

    Stimulus: writes with and without all strobes, a load, a soft reset of one port.
    Checks: it reads back, 1 after reset; each write starts all generators once with the whole word, a soft reset its
    port's; nothing else does, and a build without RED starts none.
    """
    bench = await begin(dut)
    pulses: list[tuple[int, int]] = []

    async def watch() -> None:
        while True:
            await RisingEdge(dut.clk_i)
            if dut.seed_load_o.value.to_unsigned():
                pulses.append((dut.seed_load_o.value.to_unsigned(), dut.seed_o.value.to_unsigned()))

    cocotb.start_soon(watch())
    everyone = (1 << bench.ports) - 1
    assert await bench.access(reg.SEED) == 1
    await bench.access(reg.SEED, 0x89ABCDEF)
    await bench.access(reg.SEED, 0x12345678, strobe=0b0110)
    await bench.command(0, load=True)
    await bench.access(reg.K0, 5)
    assert await bench.access(reg.SEED) == 0x893456EF
    dut.reset_i.value = 1 << bench.ports - 1
    await cycle(dut)
    dut.reset_i.value = 0
    await cycle(dut, 3)
    expected = [(everyone, 0x89ABCDEF), (everyone, 0x893456EF), (1 << bench.ports - 1, 0x893456EF)]
    assert pulses == (expected if bench.red else [])


def begins_anew(old: Shadow, new: Shadow) -> tuple[int, int, int]:
    """Say which slots' laws and loads, and whether CoDel, begin anew with a change."""
    law = load = 0
    for slot in range(2):
        r = f"red{slot}_"
        if any(old[name] != new[name] for name in (f"law{slot}", r + "weight", r + "spacing")):
            law |= 1 << slot
        elif any(old[r + name] != new[r + name] for name in ("maxp", "slope", "reciprocal")):
            load |= 1 << slot
    return law, load, int(old["codel_on"] != new["codel_on"])


@cocotb.test()
async def takes_its_time(dut: Any) -> None:
    """How long a commit takes.

    Stimulus: commits, accepted and refused, with and without laws, and one that changes the configuration.
    Checks: docs/control.md: the configuration changes 62 cycles after the command, 120 with CoDel, 474 with RED; each
    is busy as long, and longer by the copying if it was accepted.
    """
    bench = await begin(dut)
    rng = randomness("tm_config time")
    expected = 474 if bench.red else 120 if bench.codel else 62
    spent = set()
    certain = [plain() | {"k0": 1}, plain() | {"mark_on_departure": 1}]
    for shadow in [*certain, *(anything(rng, bench) for _ in range(6))]:
        await bench.fill(shadow)
        before, changed = dut.cfg_o.value, 0
        dut.page_i.value, dut.commit_i.value = 0, 1
        await cycle(dut)
        dut.commit_i.value = 0
        lasted = 0
        while dut.busy_o.value or not lasted:
            await cycle(dut)
            lasted += 1
            if dut.cfg_o.value != before and not changed:
                changed = lasted
        accepted = bench.fault(shadow) == Fault.NONE
        assert changed == (expected if accepted else 0)
        spent.add((accepted, lasted))
    assert len(spent) == 2, spent


@cocotb.test()
async def resets_softly(dut: Any) -> None:
    """Soft reset.

    Stimulus: a soft reset of one port, of all.
    Checks: both laws and CoDel of those ports begin anew, the configuration stays.
    """
    bench = await begin(dut)
    kept = [bench.configuration(port) for port in range(bench.ports)]
    everyone = (1 << bench.ports) - 1
    for ports in (1, everyone):
        dut.reset_i.value = ports
        await cycle(dut)
        dut.reset_i.value = 0
        await cycle(dut)
        told = [pin.value.to_unsigned() for pin in (dut.commit_o, dut.law_reset_o, dut.red_load_o, dut.codel_reset_o)]
        both = sum(3 << 2 * p for p in range(bench.ports) if ports >> p & 1)
        assert told == ([ports, both, 0, ports] if bench.red or bench.codel else [0] * 4)
        await cycle(dut)
        assert not dut.commit_o.value.to_unsigned()
    assert [bench.configuration(port) for port in range(bench.ports)] == kept


@cocotb.test()
async def commits_as_a_whole(dut: Any) -> None:
    """Random configurations for random ports.

    Stimulus: shadows on and around every bound, commit and load, alone and together, with requests and commands that
    come while it is busy.
    Checks: fault and refusal; exactly one port changes, in exactly one cycle, to the whole of the new configuration, or
    none does; what begins anew is told in that cycle and in no other; load brings back the words of the last accepted
    commit; shadow words read back.
    """
    bench = await begin(dut)
    rng = randomness("tm_config")
    coverage = Coverage("tm_config")
    held = {port: plain() for port in range(bench.ports)}
    changes: list[list[dict[str, int]]] = []

    anew: list[tuple[list[dict[str, int]], int, int, int, int]] = []

    async def watch() -> None:
        last = None
        while True:
            await RisingEdge(dut.clk_i)
            pulses = [
                pin.value.to_unsigned() for pin in (dut.commit_o, dut.law_reset_o, dut.red_load_o, dut.codel_reset_o)
            ]
            if any(pulses):
                anew.append(([bench.configuration(port) for port in range(bench.ports)], *pulses))
            now = dut.cfg_o.value
            if now != last:
                changes.append([bench.configuration(port) for port in range(bench.ports)])
            last = now

    cocotb.start_soon(watch())
    await cycle(dut, 2)
    shadow = plain()
    for _ in range(400):
        if rng.random() < 0.9:
            before, shadow = shadow, anything(rng, bench)
            await bench.fill(shadow, before)
        port = rng.randrange(min(16, bench.ports + (rng.random() < 0.1)))
        commit = rng.random() < 0.8
        load = not commit or rng.random() < 0.2
        changes.clear()
        anew.clear()
        dut.page_i.value, dut.commit_i.value, dut.load_i.value = port, commit, load
        await cycle(dut)
        # A second command while the first is busy does nothing, on whatever page; a request waits.
        dut.page_i.value, dut.commit_i.value, dut.load_i.value = (
            rng.randrange(16),
            rng.getrandbits(1) if port < bench.ports else 0,
            0,
        )
        await cycle(dut)
        dut.commit_i.value = 0
        if rng.random() < 0.3:
            word = await bench.access(reg.LIMIT_BYTES)
            assert word == (words(held[port])[reg.LIMIT_BYTES] if load and port < bench.ports and not commit else word)
        while dut.busy_o.value:
            await cycle(dut)
        await cycle(dut, 2)
        if commit:
            fault = bench.fault(shadow, port)
            coverage.hit(fault.name)
            assert dut.fault_o.value.to_unsigned() == fault, f"{shadow} port {port}"
            assert bool(dut.refused_o.value) == (fault != Fault.NONE)
            if fault == Fault.NONE:
                old, held[port] = held[port], dict(shadow)
                expect = begins_anew(old, shadow)
                coverage.hit("law reset", bool(expect[0]))
                coverage.hit("RED loaded", bool(expect[1]))
                coverage.hit("CoDel reset", bool(expect[2]))
                if bench.red or bench.codel:
                    after = [bench.meaning(held[p]) for p in range(bench.ports)]
                    shift = (port, 2 * port, 2 * port, port)
                    told = [value << by for value, by in zip((1, *expect), shift, strict=True)]
                    assert anew == [(after, *told)], f"{old} {shadow}"
            else:
                assert not anew
        expected = [bench.meaning(held[p]) for p in range(bench.ports)]
        assert [bench.configuration(p) for p in range(bench.ports)] == expected
        assert changes in ([], [expected])
        if load and port < bench.ports:
            shadow = dict(held[port])
            coverage.hit("load")
        if rng.random() < 0.3 or load:
            assert await bench.contents() == words(shadow)
    floors = {fault.name: 2 for fault in Fault if fault <= Fault.CONTROL and fault not in (Fault.PROTECT, Fault.PORT)}
    floors |= {"NONE": 60, "load": 40} | ({} if bench.flags else {"PROTECT": 10})
    floors |= {"law reset": 30, "RED loaded": 3, "SLOPE0": 1} if bench.red else {}
    floors |= {"CoDel reset": 10, "NODROP": 3} if bench.codel else {"CODEL": 2}
    coverage.check(floors | ({"PORT": 3} if bench.ports < 16 else {}))


@pytest.mark.parametrize(
    ("ports", "storage", "descriptors", "options"),
    [
        (5, 16384, 508, {}),
        (1, 300032, 4000, {"FLAGS_VERDICT": 1, "RED": 1, "CODEL": 1}),
        (2, 300032, 4000, {"RED": 1}),
        (2, 300032, 4000, {"FLAGS_VERDICT": 1, "CODEL": 1}),
        (16, 2_430_016, 37000, {"FLAGS_VERDICT": 1}),
    ],
)
def test_tm_config(ports: int, storage: int, descriptors: int, options: dict[str, int]) -> None:
    parameters = {"PORTS": ports, "STORAGE": storage, "DESCRIPTORS": descriptors, **options}
    build_and_test("tm_config", __name__, parameters=parameters)
