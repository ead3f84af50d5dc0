# SPDX-License-Identifier: BSD-3-Clause
"""A design of Amaranth that brings Truemark's streams out as pins, as a bench knows them."""

from __future__ import annotations

from typing import Any

from amaranth.back import rtlil
from amaranth.hdl import ClockDomain, ClockSignal, Module, ResetSignal, Signal
from amaranth.lib.wiring import Out
from truemark.hdl import amaranth
from truemark_dev import yosys
from truemark_dev.paths import BUILD, ROOT

PORTS, DATA_W = 3, 128


class Files(dict[str, str]):
    """Stands in for a platform: keeps what is to be built."""

    add_file = dict.__setitem__


def files() -> dict[str, str]:
    """Return the sources, the RTL first."""
    platform = Files()
    amaranth.add_sources(platform, ROOT / "rtl")
    return platform | {"with_amaranth.v": verilog()}


def verilog() -> str:
    """Return the design as Verilog."""
    m = Module()
    m.domains.sync = ClockDomain()
    m.submodules.truemark = truemark = amaranth.Truemark(ports=PORTS, data_w=DATA_W, ROWS=1024)
    pins: list[Any] = []

    def pin(name: str, inside: Any, *, into: bool) -> None:
        outside = Signal(len(inside), name=name)
        m.d.comb += inside.eq(outside) if into else outside.eq(inside)
        pins.append(outside)

    pin("clk", ClockSignal(), into=True)
    pin("rst", ResetSignal(), into=True)
    pin("tx_en_i", truemark.tx_en, into=True)
    for prefix, stream, into in [
        ("s_axis_t", truemark.source, True),
        *((f"m{n:02}_axis_t", sink, False) for n, sink in enumerate(truemark.sinks)),
    ]:
        pin(prefix + "valid", stream.valid, into=into)
        pin(prefix + "ready", stream.ready, into=not into)
        for name in stream.payload.shape().members:
            pin(prefix + name, getattr(stream.payload, name), into=into)
    for name, member in amaranth.AXIL.members.items():
        pin(f"s_axil_{name}", getattr(truemark.axil, name), into=member.flow is Out)
    folder = BUILD / "designs"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "with_amaranth.il").write_text(rtlil.convert(m, name="with_amaranth", ports=pins))
    passes = ["read_rtlil with_amaranth.il", "proc", "clean", "write_verilog -noattr with_amaranth.raw"]
    yosys.run(passes, folder=folder, log=folder / "with_amaranth.log")
    return (folder / "with_amaranth.raw").read_text()
