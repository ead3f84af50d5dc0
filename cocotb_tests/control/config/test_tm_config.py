# SPDX-License-Identifier: BSD-3-Clause
"""tm_config: what a commit accepts, that it acts as a whole, and what begins again with it.

Parts tested through it: tm_config_check, tm_shape_check, tm_red_check, tm_slope_check, tm_config_change,
tm_config_place, tm_config_renewal, tm_config_words. What it refuses is in test_tm_config_faults.py.
"""

from __future__ import annotations

import itertools
import re
from typing import Any

import cocotb
import pytest
from cocotb.triggers import RisingEdge, ValueChange
from truemark.device import registers as reg
from truemark.device.registers import Fault
from truemark_dev.marks import slow
from truemark_dev.paths import ROOT
from truemark_dev.runner import build_and_test

from cocotb_tests.control.config.config_bench import BUILDS, SHADOW, Shadow, begin
from cocotb_tests.control.config.configurations import anything, beyond, plain, rules
from cocotb_tests.env.bench import Coverage, cycle, randomness
from cocotb_tests.env.tm_pkg import Law


@cocotb.test()
async def starts_plain(dut: Any) -> None:
    """After reset.

    Stimulus: reset; load each port.
    Checks: every port accepts frames and has no limit and no law; each shadow word is what a plain commit would hold.
    """
    bench = await begin(dut)
    for port in range(bench.ports):
        assert bench.configuration(port) == bench.meaning(plain())
    assert await bench.contents() == bench.registers(plain())
    await bench.fill(anything(randomness("tm_config plain"), bench))
    await bench.command(bench.ports - 1, load=True)
    assert await bench.contents() == bench.registers(plain())
    assert not dut.refused_o.value


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
            if bench.order.get("seed_load"):
                pulses.append((bench.order.get("seed_load"), bench.order.get("seed") & 0xFFFFFFFF))

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


AVERAGED = ("weight", "spacing", "packets")  # what an average depends on, with the law


def begins_anew(old: Shadow, new: Shadow) -> tuple[int, int, int]:
    """Say which slots' laws and loads, and whether CoDel, begin again with a change."""
    law = load = 0
    for slot in range(2):
        r = f"red{slot}_"
        if any(old[name] != new[name] for name in (f"law{slot}", *(r + name for name in AVERAGED))):
            law |= 1 << slot
        elif any(old[r + name] != new[r + name] for name in ("maxp", "slope", "reciprocal")):
            load |= 1 << slot
    return law, load, int(old["codel_on"] != new["codel_on"])


@cocotb.test()
async def takes_its_time(dut: Any) -> None:
    """How long a commit takes.

    Stimulus: commits, accepted and refused, with and without laws, and one that changes the configuration.
    Checks: docs/ports.md: the configuration changes 66 cycles after the command, 124 with CoDel, 490 with RED; each
    is busy as long, and longer by the copying if it was accepted.
    """
    bench = await begin(dut)
    rng = randomness("tm_config time")
    expected = 490 if bench.red else 124 if bench.codel else 66
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
    Checks: both laws and CoDel of those ports begin again, the configuration stays.
    """
    bench = await begin(dut)
    kept = [bench.configuration(port) for port in range(bench.ports)]
    everyone = (1 << bench.ports) - 1
    for ports in (1, everyone):
        dut.reset_i.value = ports
        await cycle(dut)
        dut.reset_i.value = 0
        await cycle(dut)
        told = bench.anew()
        both = sum(3 << 2 * p for p in range(bench.ports) if ports >> p & 1)
        assert told == ((ports, both, 0, ports) if bench.red or bench.codel else (0,) * 4)
        await cycle(dut)
        assert not bench.order.get("commit")
    assert [bench.configuration(port) for port in range(bench.ports)] == kept


@cocotb.test()
async def commits_as_a_whole(dut: Any) -> None:
    """Random configurations for random ports.

    Stimulus: shadows on and around every bound, commit and load, alone and together, with requests and commands that
    come while it is busy; in every fifth turn one rule of RED or CoDel is broken, each in turn.
    Checks: fault and refusal; exactly one port changes, in exactly one cycle, to the whole of the new configuration, or
    none does; what begins again is told in that cycle and in no other; load brings back the words of the last accepted
    commit; shadow words read back.
    """
    bench = await begin(dut)
    rng = randomness("tm_config")
    coverage = Coverage("tm_config")
    held = {port: plain() for port in range(bench.ports)}
    changes: list[list[dict[str, int]]] = []

    anew: list[tuple[list[dict[str, int]], int, int, int, int]] = []

    async def watch_orders() -> None:
        while True:
            await RisingEdge(dut.clk_i)
            pulses = bench.anew()
            if any(pulses):
                anew.append(([bench.configuration(port) for port in range(bench.ports)], *pulses))
            else:
                await ValueChange(dut.order_o)

    async def watch_changes() -> None:
        while True:
            await ValueChange(dut.cfg_o)
            await RisingEdge(dut.clk_i)
            changes.append([bench.configuration(port) for port in range(bench.ports)])

    cocotb.start_soon(watch_orders())
    cocotb.start_soon(watch_changes())
    await cycle(dut, 2)
    shadow = plain()
    broken = itertools.cycle(rules(bench))
    for turn in range(400):
        breaks = turn % 5 == 0
        if breaks:
            rule = next(broken)
            before, shadow = shadow, beyond(rule, rng, bench)
            assert bench.fault(shadow) == rule
            await bench.fill(shadow, before)
        elif rng.random() < 0.9:
            before, shadow = shadow, anything(rng, bench)
            if bench.red and rng.random() < 0.3:  # often only thresholds and slopes are others: RED is loaded
                kept = held[rng.randrange(bench.ports)]
                shadow |= {f"red{slot}_{name}": kept[f"red{slot}_{name}"] for slot in (0, 1) for name in AVERAGED}
            await bench.fill(shadow, before)
        port = rng.randrange(min(16, bench.ports + (not breaks and rng.random() < 0.1)))
        commit = breaks or rng.random() < 0.8
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
            if load and port < bench.ports and not commit:
                assert word == bench.registers(held[port])[reg.LIMIT_BYTES]
        await bench.done()
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
            assert await bench.contents() == bench.registers(shadow)
    floors = {fault.name: 2 for fault in Fault if fault <= Fault.CONTROL and fault not in (Fault.PROTECT, Fault.PORT)}
    floors |= {"NONE": 60, "load": 40} | ({} if bench.flags else {"PROTECT": 10})
    floors |= {rule.name: 80 // len(rules(bench)) for rule in rules(bench)}
    floors |= {"law reset": 30, "RED loaded": 3} if bench.red else {}
    floors |= {"CoDel reset": 10} if bench.codel else {}
    coverage.check(floors | ({"PORT": 3} if bench.ports < 16 else {}))


@pytest.mark.parametrize("build", ["deep", "shaping", *slow(*sorted({*BUILDS} - {"deep", "shaping"}))])
def test_tm_config(build: str) -> None:
    build_and_test("tm_config", __name__, parameters=BUILDS[build].parameters)
