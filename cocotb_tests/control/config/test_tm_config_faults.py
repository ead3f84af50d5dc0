# SPDX-License-Identifier: BSD-3-Clause
"""tm_config: what a commit refuses and why, fault by fault."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import cocotb
import pytest
from truemark.device.registers import Fault
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.control.config.config_bench import ALL20, ALL24, BUILDS, ONE, Bench, Shadow, begin
from cocotb_tests.control.config.configurations import plain
from cocotb_tests.env.tm_pkg import Spacing


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
        (Fault.LAW, {"tcn_threshold": 1}),
        (Fault.LAW, {"tcn_threshold": 1 << 29}),
        (Fault.K0, {"k0": bench.storage + 1}),
        (Fault.K0, {"k0": bench.storage + 1, "limit_bytes_on": 0}),
        (Fault.K0, {"limit_bytes": 1000, "k0": 1001, "k1": 1000}),
        (Fault.K1, {"limit_bytes": 1000, "k0": 1000, "k1": 1001}),
        (Fault.K1, {"k1": ALL24}),
        (Fault.CONTROL, {"mark_on_departure": 1}),
        (Fault.CONTROL, {"mark_on_departure": 1, "law0": 0, "law1": 0}),
        (Fault.CONTROL, {"mark_on_departure": 1, "law0": 0, "noecn": 1}),
        (Fault.CONTROL, {"mark_on_departure": 1, "law1": 0, "harddrop": 1}),
        (Fault.NONE if bench.departs else Fault.CONTROL, {"mark_on_departure": 1, "law0": 0}),
        (Fault.NONE if bench.departs else Fault.CONTROL, {"mark_on_departure": 1, "law1": 0}),
        (Fault.NODROP, {"noecn": 1, "protect": 1, "law0": 0, "law1": 0}),
        (Fault.NONE, {"noecn": 1, "protect": 0}),
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


async def each_is_named(
    dut: Any, bench: Bench, good: Shadow, cases: list[tuple[str, dict[str, int]]], port: int = 0
) -> None:
    """Commit what is good, with one change at a time, and expect each fault, or the configuration in force."""
    for name, change in cases:
        shadow = good | change
        assert bench.fault(shadow, port).name == name, change
        await bench.fill(shadow)
        await bench.command(port, commit=True)
        assert dut.fault_o.value.to_unsigned() == Fault[name], (name, change)
        if name == "NONE":
            assert bench.configuration(port) == bench.meaning(shadow), change


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
        ("CODEL", {"codel_interval": 1 << 31}),
        ("NONE", {"codel_interval": (1 << 31) - 1}),
        ("CODEL", {"codel_exempt_bytes": 0}),
        ("CODEL", {"codel_ce_threshold": 1 << 31}),
        ("NONE", {"codel_exempt_bytes": 0, "codel_exempt_below": 0}),
        ("NONE", {"codel_target": 6, "codel_ce_threshold": 1 << 31, "codel_on": 0}),
        ("NODROP", {"codel_ecn": 0}),
        ("NODROP", {"noecn": 1, "codel_on": 0}),
        ("NONE", {"codel_ecn": 0, "protect": 0}),
        # Of several the lowest code, whichever word comes first.
        ("WEIGHT0", {"red0_weight": 25, "red1_weight": 25, "codel_interval": 0, "idle_reciprocal": 0}),
        ("BAND1", {"red1_min": 3001, "red0_maxp": 0, "codel_ecn": 0}),
        ("LIMIT_BYTES", {"limit_bytes_on": 1, "red0_maxp": 0, "codel_ecn": 0}),
    ]
    await each_is_named(dut, bench, good, cases)


@cocotb.test()
async def names_each_fault_of_linux(dut: Any) -> None:
    """What Linux's spacing cannot be combined with, in either slot.

    Stimulus: an accepted configuration with RED in both slots, spaced as in Linux, then one change for each rule, just
    beyond and just within it.
    Checks: the code; what is within is accepted; nothing is looked at where the law is another.
    """
    bench = await begin(dut)
    if not bench.linux:
        return
    # From 0 to 1 within 65537 bytes.
    good = plain() | {"law0": 2, "law1": 2, "slot_of": 1, "idle_reciprocal": 1}
    for slot in range(2):
        good |= {f"red{slot}_{name}": value for name, value in {
            "weight": 9, "min": 0, "max": 65537, "maxp": ONE, "slope": 65535, "spacing": Spacing.LINUX,
        }.items()}  # fmt: skip
    cases: list[tuple[str, dict[str, int]]] = [("NONE", {})]
    for number in "01":
        r = f"red{number}_"
        cases += [
            (f"SLOPE{number}", {r + "slope_scale": 1, r + "slope": 65535 << 8}),
            (f"SLOPE{number}", {r + "max": 256, r + "slope": 1 << 24}),
            ("NONE", {r + "max": 257, r + "slope": (1 << 32) // 257}),
            (f"SLOPE{number}", {r + "maxp": 1, r + "slope": 0}),
            ("NONE", {r + "maxp": 1, r + "slope": 1}),
            (f"GENTLE{number}", {r + "gentle": 1, r + "gentle_slope": 0}),
            (f"ADAPTIVE{number}", {r + "adaptive": 1, r + "bottom": 1, r + "reciprocal": 65535, "adapt_interval": 1}),
            ("NONE", {r + "gentle": 1, r + "adaptive": 1, r + "slope_scale": 3, f"law{number}": 1}),
            # min = max: no slope is looked at, except for its scale.
            ("NONE", {r + "min": 65537, r + "slope": 0}),
            (f"SLOPE{number}", {r + "min": 65537, r + "slope_scale": 1}),
        ]
    await each_is_named(dut, bench, good, cases)


@cocotb.test()
async def names_each_fault_of_shapes(dut: Any) -> None:
    """Every fault code of rates and bursts alone, and which port they are a line's for.

    Stimulus: rates and bursts just beyond and just within each rule, for every port.
    Checks: the code; what is within is in force, whole; a burst without a rate is not looked at; the line's rate is
    that of its first queue, of a line of several.
    """
    bench = await begin(dut)
    if not bench.shaping:
        return
    most, least = bench.beat, bench.max_frame
    cases: list[tuple[str, dict[str, int]]] = [
        ("SHAPE_RATE", {"shape_rate": most + 1, "shape_burst": least}),
        ("SHAPE_BURST", {"shape_rate": 1, "shape_burst": least - 1}),
        ("SHAPE_BURST", {"shape_rate": most, "shape_burst": 0}),
        ("NONE", {"shape_rate": most, "shape_burst": least}),
        ("NONE", {"shape_rate": 1, "shape_burst": ALL20}),
        ("NONE", {"shape_rate": 0, "shape_burst": least - 1}),
        ("LINE_RATE", {"line_rate": most + 1, "line_burst": least}),
        ("NONE", {"line_rate": 0, "line_burst": least - 1}),
        # Of several the lowest code.
        ("SHAPE_RATE", {"shape_rate": most + 1, "line_rate": most + 1}),
    ]
    for port in range(bench.ports):
        mine = list(cases)
        if bench.queues > 1 and port % bench.queues == 0:
            mine += [
                ("LINE_BURST", {"line_rate": 1, "line_burst": least - 1}),
                ("NONE", {"line_rate": most, "line_burst": least, "shape_rate": 1, "shape_burst": ALL20}),
            ]
        else:
            mine += [("LINE_RATE", {"line_rate": 1, "line_burst": least})]
        await each_is_named(dut, bench, plain(), mine, port)


@pytest.mark.parametrize("build", ["full", "linux", *slow(*sorted({*BUILDS} - {"full", "linux"}))])
def test_tm_config_faults(build: str) -> None:
    build_and_test("tm_config", __name__, parameters=BUILDS[build].parameters)
