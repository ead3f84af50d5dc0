# SPDX-License-Identifier: BSD-3-Clause
"""tm_config: what a commit accepts, what it refuses and why, and that it acts as a whole."""

from __future__ import annotations

import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from truemark import registers as reg
from truemark.registers import Fault

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.runner import build_and_test

SHADOW = (reg.CONTROL, reg.LIMIT_BYTES, reg.LIMIT_PACKETS, reg.K0, reg.K1, reg.PROTECT)
ALL24, ALL20 = (1 << 24) - 1, (1 << 20) - 1
# From the last bit of tm_pkg::cfg_t up.
CFG = (("wait_flags", 1), ("harddrop", 1), ("protect", 14), ("k0", 24), ("k1", 24), ("law0", 2), ("law1", 2),
       ("slot_of", 4), ("limit_packets", 20), ("limit_bytes", 24), ("enable", 1))  # fmt: skip
CFG_BITS = sum(width for _, width in CFG)
Shadow = dict[str, int]


class Bench:
    """One tm_config, its build, and what each port should have."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.ports = dut.PORTS.value.to_unsigned()
        self.storage = dut.STORAGE.value.to_unsigned()
        self.descriptors = dut.DESCRIPTORS.value.to_unsigned()
        self.flags = dut.FLAGS_VERDICT.value.to_unsigned()

    async def ready(self) -> None:
        """Wait until nothing is busy."""
        await cycle(self.dut)
        while self.dut.busy_o.value:
            await cycle(self.dut)

    async def access(self, index: int, word: int | None = None, strobe: int = 15) -> int:
        """Write a shadow register, or read it."""
        self.dut.req_i.value, self.dut.write_i.value = 1, word is not None
        self.dut.index_i.value, self.dut.data_i.value, self.dut.strobe_i.value = index, (word or 0) & ALL24, strobe & 7
        await cycle(self.dut)
        self.dut.req_i.value = 0
        await cycle(self.dut)
        while not self.dut.ack_o.value:
            assert not self.dut.data_o.value.to_unsigned()
            await cycle(self.dut)
        return int(self.dut.data_o.value.to_unsigned())

    async def fill(self, shadow: Shadow) -> None:
        """Write all six shadow registers."""
        for index, word in enumerate(words(shadow)):
            await self.access(index, word)

    async def contents(self) -> list[int]:
        """Read all six shadow registers."""
        return [await self.access(index) for index in range(6)]

    async def command(self, port: int, *, commit: bool = False, load: bool = False) -> None:
        """Give commands and wait until they are carried out."""
        self.dut.page_i.value, self.dut.commit_i.value, self.dut.load_i.value = port, commit, load
        await cycle(self.dut)
        self.dut.commit_i.value = self.dut.load_i.value = 0
        await self.ready()

    def configuration(self, port: int) -> dict[str, int]:
        """Return what a port has, field by field."""
        bits = self.dut.cfg_o.value.to_unsigned() >> (CFG_BITS * port)
        values = {}
        for name, width in CFG:
            values[name] = bits & ((1 << width) - 1)
            bits >>= width
        return values

    def fault(self, shadow: Shadow, port: int = 0) -> Fault:
        """Say what is wrong with a configuration, by the words of docs/registers.md."""
        s = shadow
        largest = s["limit_bytes"] if s["limit_bytes_on"] else self.storage
        not_ect_law = s["law1"] if s["slot_of"] & 1 else s["law0"]
        found = {
            Fault.PORT: port >= self.ports,
            Fault.LIMIT_BYTES: s["limit_bytes_on"] and not 1 <= s["limit_bytes"] <= self.storage,
            Fault.LIMIT_PACKETS: s["limit_packets_on"] and not 1 <= s["limit_packets"] <= self.descriptors,
            Fault.LAW: s["law0"] > 1 or s["law1"] > 1,
            Fault.K0: s["law0"] == 1 and s["k0"] > largest,
            Fault.K1: s["law1"] == 1 and s["k1"] > largest,
            Fault.PROTECT: not self.flags and not_ect_law == 1 and s["protect"],
            Fault.CONTROL: s["mark_on_departure"],
        }
        return next((fault for fault, is_so in found.items() if is_so), Fault.NONE)

    def meaning(self, shadow: Shadow) -> dict[str, int]:
        """Say what a port makes of an accepted configuration."""
        s = shadow
        not_ect_law = s["law1"] if s["slot_of"] & 1 else s["law0"]
        return {
            "wait_flags": int(bool(self.flags and not_ect_law == 1 and s["protect"])),
            "limit_packets": s["limit_packets"] if s["limit_packets_on"] else ALL20,
            "limit_bytes": s["limit_bytes"] if s["limit_bytes_on"] else ALL24,
            **{name: s[name] for name in ("harddrop", "protect", "k0", "k1", "law0", "law1", "slot_of", "enable")},
        }


def words(shadow: Shadow) -> list[int]:
    control = reg.CONTROL.pack(**{field.name: shadow[field.name] for field in reg.CONTROL.fields})
    return [control, *(shadow[name] for name in ("limit_bytes", "limit_packets", "k0", "k1", "protect"))]


def plain() -> Shadow:
    """Return the configuration after reset."""
    return {
        **{field.name: 0 for field in reg.CONTROL.fields},
        **dict.fromkeys(("limit_bytes", "limit_packets", "k0", "k1", "protect"), 0),
        "enable": 1,
    }


def anything(rng: random.Random, bench: Bench) -> Shadow:
    """Return a configuration that is often on the edge of a rule, and often within all."""

    def near(top: int, bits: int) -> int:
        choices = (top, top + 1, max(top - 1, 0), 0, 1, rng.randint(0, top), rng.getrandbits(bits))
        return rng.choices(choices, (4, 1, 2, 1, 1, 8, 1))[0] & ((1 << bits) - 1)

    limit = near(bench.storage, 24)
    on = rng.random() < 0.6
    largest = limit if on else bench.storage
    return {
        "enable": rng.getrandbits(1),
        "limit_bytes_on": on,
        "limit_packets_on": rng.getrandbits(1),
        "mark_on_departure": rng.random() < 0.05,
        "slot_of": rng.getrandbits(4),
        "law0": rng.choices(range(4), (10, 20, 1, 1))[0],
        "law1": rng.choices(range(4), (10, 20, 1, 1))[0],
        "harddrop": rng.getrandbits(1),
        "limit_bytes": limit,
        "limit_packets": near(bench.descriptors, 20),
        "k0": near(largest, 24),
        "k1": near(largest, 24),
        "protect": rng.choice((0, 0, rng.getrandbits(14), 1 << rng.randrange(14))),
    }


async def begin(dut: Any) -> Bench:
    await start(dut, req_i=0, write_i=0, index_i=0, data_i=0, strobe_i=0, commit_i=0, load_i=0, page_i=0)
    bench = Bench(dut)
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
        (Fault.LAW, {"law0": 2}),
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
async def commits_as_a_whole(dut: Any) -> None:
    """Random configurations for random ports.

    Stimulus: shadows on and around every bound, commit and load, alone and together, with requests and commands that
    come while it is busy.
    Checks: fault and refusal; exactly one port changes, in exactly one cycle, to the whole of the new configuration, or
    none does; load brings back the words of the last accepted commit; shadow words read back.
    """
    bench = await begin(dut)
    rng = randomness("tm_config")
    coverage = Coverage("tm_config")
    held = {port: plain() for port in range(bench.ports)}
    changes: list[list[dict[str, int]]] = []

    async def watch() -> None:
        last = None
        while True:
            await RisingEdge(dut.clk_i)
            now = [bench.configuration(port) for port in range(bench.ports)]
            if now != last:
                changes.append(now)
            last = now

    cocotb.start_soon(watch())
    await cycle(dut, 2)
    shadow = plain()
    for _ in range(400):
        if rng.random() < 0.9:
            shadow = anything(rng, bench)
            await bench.fill(shadow)
        port = rng.randrange(min(16, bench.ports + (rng.random() < 0.1)))
        commit = rng.random() < 0.8
        load = not commit or rng.random() < 0.2
        changes.clear()
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
            word = await bench.access(1)
            assert word == (words(held[port])[1] if load and port < bench.ports and not commit else word)
        await bench.ready()
        await cycle(dut, 2)
        if commit:
            fault = bench.fault(shadow, port)
            coverage.hit(fault.name)
            assert dut.fault_o.value.to_unsigned() == fault, f"{shadow} port {port}"
            assert bool(dut.refused_o.value) == (fault != Fault.NONE)
            if fault == Fault.NONE:
                held[port] = dict(shadow)
        expected = [bench.meaning(held[p]) for p in range(bench.ports)]
        assert [bench.configuration(p) for p in range(bench.ports)] == expected
        assert changes in ([], [expected])
        if load and port < bench.ports:
            shadow = dict(held[port])
            coverage.hit("load")
        if rng.random() < 0.3 or load:
            assert await bench.contents() == words(shadow)
    floors = {fault.name: 5 for fault in Fault if fault not in (Fault.PROTECT, Fault.PORT)} | {"NONE": 60, "load": 40}
    floors |= {} if bench.flags else {"PROTECT": 10}
    coverage.check(floors | ({"PORT": 3} if bench.ports < 16 else {}))


@pytest.mark.parametrize(
    ("ports", "storage", "descriptors", "flags"), [(5, 16384, 508, 0), (1, 300032, 4000, 1), (16, 2_430_016, 37000, 1)]
)
def test_tm_config(ports: int, storage: int, descriptors: int, flags: int) -> None:
    parameters = {"PORTS": ports, "STORAGE": storage, "DESCRIPTORS": descriptors, "FLAGS_VERDICT": flags}
    build_and_test("tm_config", __name__, parameters=parameters)
