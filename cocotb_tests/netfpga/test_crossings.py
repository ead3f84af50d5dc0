# SPDX-License-Identifier: BSD-3-Clause
"""Clocks meet in one module: every path of the synthesized drop-in from a register of one clock to one of the other.

Yosys flattens the design; each register gets the clock on its pin, each path is followed backwards through the logic.
A path between the clocks must end in a first flip-flop of tm_prim_sync with no logic before it, or in one of the
registers of tm_axil_crossing that are read while their source stands still.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from truemark_dev.marks import slow
from truemark_dev.mutants import mutant
from truemark_dev.paths import ROOT
from truemark_dev.sources import file_list

# What may look at the other clock. The enable of the latter two is a level that has come through tm_prim_sync.
LEVEL = re.compile(r"body\.crossing\.(req|clear|ack|cleared|lost)_sync\.level_q")
HELD = re.compile(r"body\.crossing\.(doing_q|shown_q)")
PINS = {"S_AXI": "S_AXI_ACLK", "s_axis": "axis_aclk", "m_axis": "axis_aclk", "axis_r": "axis_aclk"}
PARAMETERS = "-G ROWS=600 -G DESCRIPTORS=100"
SEQUENTIAL = re.compile(r"\$(s|a|al)?d?ffs?(sr)?(e|ce)?$|\$dlatch.*|\$mem_v2")

Bit = int | str


@dataclass
class Netlist:
    """A flat module as Yosys writes it, by bit."""

    clock_of: dict[Bit, str] = field(default_factory=dict)  # of the register or the pin that drives it
    driver: dict[Bit, int] = field(default_factory=dict)  # the cell of logic that drives it
    inputs: list[list[Bit]] = field(default_factory=list)  # of each cell of logic
    registers: list[tuple[str, list[Bit], list[Bit]]] = field(default_factory=list)  # clock, outputs, inputs
    names: dict[Bit, str] = field(default_factory=dict)
    _behind: dict[int, dict[str, Bit]] = field(default_factory=dict)

    def sources(self, bit: Bit) -> dict[str, tuple[Bit, bool]]:
        """Return for each clock that reaches a bit one register or pin of it, and whether there is logic between."""
        if bit in self.clock_of:
            return {self.clock_of[bit]: (bit, False)}
        if bit not in self.driver:
            return {}
        return {clock: (source, True) for clock, source in self._clocks(self.driver[bit]).items()}

    def _clocks(self, start: int) -> dict[str, Bit]:
        """Return one source of each clock behind a cell of logic; every cell is looked at once."""
        waiting = [start]
        while waiting:
            cell = waiting[-1]
            if cell not in self._behind:
                self._behind[cell] = {}
                before = (self.driver[bit] for bit in self.inputs[cell] if bit in self.driver)
                waiting += [each for each in before if each not in self._behind]
                continue
            waiting.pop()
            found = self._behind[cell]
            for bit in self.inputs[cell]:
                if bit in self.clock_of:
                    found.setdefault(self.clock_of[bit], bit)
                elif bit in self.driver:
                    found.update(self._behind[self.driver[bit]] | found)
        return self._behind[start]


def is_table(cell: Mapping[str, Any]) -> bool:
    """Say whether a memory is never written and read without a clock: then it is logic like any other."""
    if not cell["type"].startswith("$mem"):
        return False
    written, clocked = (int(str(cell["parameters"][name]), 2) for name in ("WR_PORTS", "RD_CLK_ENABLE"))
    return not written and not clocked


def synthesize(sources: list[Path]) -> dict[str, Any]:
    """Return the flat netlist of the drop-in."""
    found = ROOT / "build" / f"crossings-{os.getpid()}.json"  # workers do the same side by side
    found.parent.mkdir(exist_ok=True)
    passes = [
        f"read_slang --ignore-assertions -I {ROOT / 'rtl'} --top output_queues -G ROWS=600 -G DESCRIPTORS=100 "
        + " ".join(map(str, sources)),
        "proc",
        "flatten",
        "opt_clean",
        "opt_dff",
        "memory_collect",
        "opt_clean",
        f"write_json {found}",
    ]
    script = (
        "import sys\nfrom pyosys import libyosys\ndesign = libyosys.Design()\n"
        "for step in sys.argv[1:]:\n    libyosys.run_pass(step, design)\n"
    )
    run = subprocess.run([sys.executable, "-c", script, *passes], capture_output=True, text=True, check=False)
    assert run.returncode == 0, (run.stdout + run.stderr)[-2000:]
    module = json.loads(found.read_text())["modules"]["output_queues"]
    assert isinstance(module, dict)
    return module


def read(module: Mapping[str, Any]) -> Netlist:
    """Sort a module's cells into registers and logic, its pins into clocks."""
    netlist = Netlist()
    clocks = {module["ports"][name]["bits"][0]: name for name in ("axis_aclk", "S_AXI_ACLK")}
    for name, port in module["ports"].items():
        clock = next((clock for prefix, clock in PINS.items() if name.startswith(prefix)), None)
        if port["direction"] == "input" and name not in clocks.values():
            assert clock, f"pin {name} belongs to no clock"
            netlist.clock_of |= dict.fromkeys(port["bits"], clock)
    for name, net in module["netnames"].items():
        for index, bit in enumerate(net["bits"]):
            # A register has every name that its value has on the way: the crossing's own is the one looked for.
            if bit not in netlist.names or LEVEL.match(name) or HELD.match(name):
                netlist.names[bit] = f"{name}[{index}]"
    for cell in module["cells"].values():
        pins, directions = cell["connections"], cell["port_directions"]
        outputs = [bit for pin, bits in pins.items() if directions[pin] == "output" for bit in bits]
        if SEQUENTIAL.match(cell["type"]) and not is_table(cell):
            on = {bit for pin in ("CLK", "RD_CLK", "WR_CLK") for bit in pins.get(pin, ()) if isinstance(bit, int)}
            used = {clocks.get(bit, f"{netlist.names.get(bit, bit)}, which is no clock") for bit in on}
            assert len(used) == 1, f"{cell['type']} {netlist.names.get(outputs[0])} on {sorted(used) or 'no clock'}"
            clock = used.pop()
            assert clock in clocks.values(), f"{cell['type']} {netlist.names.get(outputs[0])} on {clock}"
            inputs = [
                bit for pin, bits in pins.items() if directions[pin] == "input" and "CLK" not in pin for bit in bits
            ]
            netlist.clock_of |= dict.fromkeys(outputs, clock)
            netlist.registers.append((clock, outputs, inputs))
        else:
            inputs = [bit for pin, bits in pins.items() if directions[pin] == "input" for bit in bits]
            netlist.driver |= dict.fromkeys(outputs, len(netlist.inputs))
            netlist.inputs.append(list(set(inputs)))
    return netlist


def crossings(netlist: Netlist) -> Iterator[tuple[str, str, bool]]:
    """Yield (register, source of the other clock, logic between) of every path between the clocks."""
    for clock, outputs, inputs in netlist.registers:
        for bit in inputs:
            for other, (source, logic) in netlist.sources(bit).items():
                if other != clock:
                    yield netlist.names.get(outputs[0], "?"), netlist.names.get(source, "?"), logic


def faults(sources: list[Path]) -> tuple[set[str], list[str]]:
    """Return the registers at which the clocks meet as they should, and in words what should not be."""
    netlist = read(synthesize(sources))
    assert {clock for clock, _, _ in netlist.registers} == {"axis_aclk", "S_AXI_ACLK"}
    good, wrong = set[str](), defaultdict[str, set[str]](set)
    for register, source, logic in crossings(netlist):
        if (LEVEL.match(register) and not logic) or HELD.match(register):
            good.add(register.split("[")[0])
        else:
            wrong[register].add(source)
    return good, [f"{register} looks at {sorted(sources)[0]}" for register, sources in sorted(wrong.items())]


def listed() -> list[Path]:
    """Return the drop-in's sources."""
    return file_list(ROOT / "rtl/netfpga/sume.f")


def memory(outputs: list[Bit], inputs: list[Bit], clock: Bit, *, written: int, clocked: int) -> dict[str, Any]:
    """Return a memory as Yosys writes it."""
    pins: dict[str, list[Bit]] = {"RD_DATA": outputs, "RD_ADDR": inputs, "RD_CLK": [clock], "WR_CLK": [clock]}
    return {
        "type": "$mem_v2",
        "parameters": {"WR_PORTS": f"{written:032b}", "RD_CLK_ENABLE": str(clocked)},
        "connections": pins,
        "port_directions": {pin: "output" if pin == "RD_DATA" else "input" for pin in pins},
    }


def netlist_of(middle: dict[str, Any]) -> dict[str, Any]:
    """Return a module in which a cell stands between a pin of one clock and a register of the other."""
    ports = {"axis_aclk": 2, "S_AXI_ACLK": 3, "S_AXI_WDATA": 4}
    register = {
        "type": "$dff",
        "parameters": {},
        "connections": {"CLK": [2], "D": [5], "Q": [6]},
        "port_directions": {"CLK": "input", "D": "input", "Q": "output"},
    }
    return {
        "ports": {name: {"direction": "input", "bits": [bit]} for name, bit in ports.items()},
        "netnames": {"register": {"bits": [6]}, "gated": {"bits": [7]}},
        "cells": {"middle": middle, "register": register},
    }


def test_a_table_is_logic() -> None:
    found = list(crossings(read(netlist_of(memory([5], [4], "x", written=0, clocked=0)))))
    assert [(register, logic) for register, _, logic in found] == [("register[0]", True)]


@pytest.mark.parametrize(
    ("clock", "written", "clocked", "says"),
    [(7, 1, 1, "gated.0., which is no clock"), ("x", 1, 0, "no clock"), (7, 0, 1, "which is no clock")],
)
def test_a_memory_needs_a_clock(clock: Bit, written: int, clocked: int, says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        read(netlist_of(memory([5], [4], clock, written=written, clocked=clocked)))


def test_clocks_meet_in_one_module() -> None:
    good, wrong = faults(listed())
    assert not wrong, "\n".join(wrong[:20])
    levels = {f"body.crossing.{name}_sync.level_q" for name in ("req", "clear", "ack", "cleared", "lost")}
    assert levels <= good, f"not found: {levels - good}"
    assert len(good) > len(levels), "request and answer cross as well"


@pytest.mark.parametrize(
    ("file", "old", "new", "at"),
    [
        ("netfpga/tm_axil_crossing.sv", ".level_i(ack_q),", ".level_i(ack_q && !clear),", "ack_sync"),
        *slow(
            ("netfpga/tm_axil_crossing.sv", "if (clear) begin", "if (clear_q) begin", "lost_q"),
            (
                "netfpga/sume/output_queues.sv",
                "tready = {m_axis_4_tready",
                "tready = {m_axis_4_tready & S_AXI_ARESETN",
                ".",
            ),
        ),
    ],
)
def test_other_crossings_are_found(file: str, old: str, new: str, at: str) -> None:
    broken = mutant(file, old, new)
    sources = [broken if path.name == broken.name else path for path in listed()]
    _, wrong = faults(sources)
    assert any(at in line for line in wrong), f"a crossing at {at} was not found: {wrong[:5]}"
