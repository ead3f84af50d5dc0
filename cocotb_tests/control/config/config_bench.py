# SPDX-License-Identifier: BSD-3-Clause
"""One tm_config on the bench: its words, what it accepts by docs/registers.md, and what its ports then have."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge, ValueChange
from truemark.device import registers as reg
from truemark.device.registers import Fault, Register
from truemark_dev import build_type, builds

from cocotb_tests.env.bench import cycle, start
from cocotb_tests.env.config_words import (
    ADAPT_INTERVAL,
    IDLE_RECIPROCAL,
    IDLE_SHIFT,
    OFF_BYTES,
    OFF_PACKETS,
    RED_SETTINGS,
    RED_WORDS,
    red_place,
)
from cocotb_tests.env.fields import Fields
from cocotb_tests.env.tm_pkg import CFG, CODEL, ORDER, RATE_FRACTION_W, RED, RED_WORD, SHAPE, TCN, Law, Spacing

SHADOW = tuple(
    register
    for register in reg.REGISTERS.values()
    if register.access == "rw" and (reg.CONTROL.address <= register.address)
    and register.address not in (reg.QUERY.address,)
    and not register.name.startswith("QUEUE_")  # of builds with several queues a line: lockstep's queues256
    and not register.name.startswith("POOL_")  # of builds with a pool: test_tm_share_check, and lockstep's pool256
    and not register.name.startswith("PFC_")  # of those with PFC: test_tm_share_check, and lockstep's pool512
)  # fmt: skip
BUILDS = builds.builds("config")
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


class Bench:
    """One tm_config, its build, and what each port should have."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        build = build_type.of(dut)
        self.ports, self.descriptors = build["PORTS"], build["DESCRIPTORS"]
        self.storage = build["ROWS"] * build["DATA_W"] // 8
        self.flags, self.codel = build["FLAGS_VERDICT"], build["CODEL"]
        self.red, self.linux = build["RED"], build["RED_LINUX"]
        self.departs = build["MARK_ON_DEPARTURE"]
        self.queues, self.shaping, self.max_frame = build["QUEUES"], build["SHAPING"], build["MAX_FRAME"]
        self.beat = build["DATA_W"] // 8 << RATE_FRACTION_W  # the highest rate
        self.shadow = [register for register in SHADOW if self.shaping or register.needs != "shaping"]
        self.order = Fields(dut.order_o, ORDER)
        # The words of RED as the ports have them, by port, set and place.
        self.words: dict[tuple[int, int, int], int] = {}

    async def keep_words(self) -> None:
        """Keep the words of RED as they come; while there is none, nothing comes before the orders change."""
        while True:
            await RisingEdge(self.dut.clk_i)
            valid = self.order.get("word_valid")
            if not valid:
                await ValueChange(self.dut.order_o)
                continue
            for port in range(self.ports):
                if valid >> port & 1:
                    word = RED_WORD.unpack(self.dut.word_o.value.to_unsigned())
                    assert (word["data"] % (1 << 24) + word["minus"]) % (1 << 25) == 0
                    self.words[port, word["bank"], word["place"]] = word["data"]

    def anew(self) -> tuple[int, int, int, int]:
        """Return the ports told that a configuration changes, and what of theirs begins again."""
        order = self.order
        return order.get("commit"), order.get("law_reset"), order.get("red_load"), order.get("codel_reset")

    async def ready(self) -> None:
        """Wait until nothing is busy."""
        await cycle(self.dut)
        await self.done()

    async def done(self) -> None:
        """End the cycles in which it is busy, without looking at each."""
        while self.dut.busy_o.value:
            await FallingEdge(self.dut.busy_o)
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

    def registers(self, shadow: Shadow) -> dict[Register, int]:
        """Return each shadow register's word."""
        return {
            register: register.pack(**{field.name: shadow[prefix(register) + field.name] for field in register.fields})
            if register in SETTINGS
            else shadow[register.name.lower()]
            for register in self.shadow
        }

    async def fill(self, shadow: Shadow, held: Shadow | None = None) -> None:
        """Write all shadow registers, or those that differ from what is held."""
        had = self.registers(held) if held is not None else {}
        for register, word in self.registers(shadow).items():
            if had.get(register) != word:
                await self.access(register, word)

    async def contents(self) -> dict[Register, int]:
        """Read all shadow registers."""
        return {register: await self.access(register) for register in self.shadow}

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
        assert values.pop("shares") == values.pop("quantum") == 0  # one queue
        assert values.pop("pool_share") == values.pop("pfc") == 0  # no pool
        words = {place: self.words.get((port, bank, place), 0) for place in range(64)}
        for slot in range(2):
            kept = RED.unpack(both >> slot * RED.width & (1 << RED.width) - 1)
            place = red_place(slot)
            settings = RED_SETTINGS.unpack(words[place])
            assert not any(value for name, value in settings.items() if name.startswith("unused"))
            assert not self.red or all(settings[name] == value for name, value in kept.items())
            kept |= {name: value for name, value in settings.items() if not name.startswith("unused")}
            kept |= {name: words[place + 1 + i] for i, name in enumerate(RED_WORDS)}
            if kept["spacing"] == Spacing.LINUX:  # its slope is sent where the bits that count are another's
                kept["slope"] >>= 8
            values |= {f"red{slot}_{name}": value for name, value in kept.items()}
        values |= {"idle_reciprocal": words[IDLE_RECIPROCAL], "idle_shift": words[IDLE_SHIFT]}
        values |= {"adapt_interval": words[ADAPT_INTERVAL]}
        for name, part in (("shape", "shape"), ("line", "line_shape")):
            shape = SHAPE.unpack(values.pop(part))
            assert shape["on"] == (shape["rate"] != 0)
            values |= {f"{name}_rate": shape["rate"], f"{name}_burst": shape["burst"]}
        tcn = TCN.unpack(values.pop("tcn"))
        assert tcn["on"] == (tcn["threshold"] != 0)
        values |= {"tcn_threshold": tcn["threshold"]}
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
            Fault.CONTROL: s["mark_on_departure"] and not (self.departs and self.one_step(s)),
            Fault.CODEL: on and not self.codel,
            Fault.NODROP: s["noecn"] and s["protect"],
        }
        if self.codel:
            found[Fault.CODEL] = on and (
                not 0 < s["codel_interval"] < 1 << 31
                or s["codel_target"] > s["codel_interval"]
                or (s["codel_exempt_below"] and not s["codel_exempt_bytes"])
                or s["codel_ce_threshold"] >> 31
            )
            found[Fault.NODROP] = (s["noecn"] or (on and not s["codel_ecn"])) and s["protect"]
        for slot in range(2):
            if self.red:
                mine = {name.removeprefix(f"red{slot}_"): value for name, value in s.items()}
                for name, wrong in red_faults(mine, bool(self.linux)).items():
                    # The average runs under every law.
                    if s[f"law{slot}"] != Law.RED and name != "WEIGHT":
                        continue
                    found[Fault[name if name == "IDLE" else f"{name}{slot}"]] = wrong or (
                        name == "IDLE" and found.get(Fault.IDLE)
                    )
        if self.shaping:
            first = self.queues > 1 and port % self.queues == 0
            for name, other in (("shape", False), ("line", not first)):
                rate, burst = s[f"{name}_rate"], s[f"{name}_burst"]
                found[Fault[f"{name.upper()}_RATE"]] = rate > (0 if other else self.beat)
                found[Fault[f"{name.upper()}_BURST"]] = rate and burst < self.max_frame
        if port >= self.ports:
            return Fault.PORT
        return min((fault for fault, is_so in found.items() if is_so), default=Fault.NONE)

    @staticmethod
    def one_step(s: Shadow) -> bool:
        """Say whether the step law of one slot marks, and drops nothing: it can judge frames as they leave."""
        return (s["law0"] == Law.STEP) != (s["law1"] == Law.STEP) and not s["noecn"] and not s["harddrop"]

    def meaning(self, shadow: Shadow) -> dict[str, int]:
        """Say what a port makes of an accepted configuration."""
        s = shadow
        not_ect_law = s["law1"] if s["slot_of"] & 1 else s["law0"]
        signals = not_ect_law != Law.NONE or s["codel_on"]
        here = {"red": self.red, "idle": self.red, "adapt": self.red, "codel": self.codel}
        kept = {
            name: value if here.get(name.split("_")[0].rstrip("01"), 1) else 0
            for name, value in s.items()
            if name not in ("limit_bytes_on", "limit_packets_on", "law0", "law1", "k0", "k1")
        }
        for slope, spacing in (("red0_slope", "red0_spacing"), ("red1_slope", "red1_spacing")):
            if s[spacing] == Spacing.LINUX:
                kept[slope] %= 1 << 24
        return kept | {
            "wait_flags": int(bool(self.flags and signals and s["protect"])),
            "limit_packets": s["limit_packets"] if s["limit_packets_on"] else OFF_PACKETS,
            "limit_bytes": s["limit_bytes"] if s["limit_bytes_on"] else OFF_BYTES,
            "law": s["law0"] | s["law1"] << 2,
            "k": s["k0"] | s["k1"] << 24,
        }


def red_faults(s: Shadow, linux: bool) -> dict[str, Any]:
    """Say what is wrong with RED in a slot; `linux`: the build has Linux's spacing."""
    width = s["max"] - s["min"]

    def off(slope: int, exact: Fraction, scale: int) -> bool:
        return abs(slope - exact * (1 << 32 + 8 * scale)) > 1

    maxp = Fraction(s["maxp"], ONE)
    faults: dict[str, Any] = {
        "WEIGHT": s["weight"] > 24 or (s["spacing"] == Spacing.LINUX and not linux),
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
    if s["spacing"] == Spacing.LINUX:
        faults["SLOPE"] = faults.get("SLOPE") or s["slope_scale"] or (width and not 1 <= s["slope"] < 1 << 24)
        faults |= {"GENTLE": s["gentle"], "ADAPTIVE": s["adaptive"]}
    return faults


async def begin(dut: Any) -> Bench:
    """Reset a tm_config and wait until it has written each port's first configuration."""
    await start(dut, req_i=0, write_i=0, index_i=0, data_i=0, strobe_i=0, commit_i=0, load_i=0, page_i=0, reset_i=0)
    bench = Bench(dut)
    cocotb.start_soon(bench.keep_words())
    await bench.ready()
    return bench
