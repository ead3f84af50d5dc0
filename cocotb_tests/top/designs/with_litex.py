# SPDX-License-Identifier: BSD-3-Clause
"""A design of LiteX that brings Truemark's streams out as pins, as a bench knows them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from litex.gen.fhdl import verilog as fhdl
from migen import ClockDomain, Module, Signal
from truemark.hdl import litex
from truemark_dev.paths import ROOT

PORTS, DATA_W = 2, 64


class Files:
    """Stands in for a platform: keeps what is to be built."""

    def __init__(self) -> None:
        self.sources: list[Path] = []
        self.include: list[str] = []

    def add_source(self, path: str) -> None:
        """Keep a source."""
        self.sources.append(Path(path))

    def add_verilog_include_path(self, path: str) -> None:
        """Keep a folder of included files."""
        self.include.append(path)


def platform() -> Files:
    """Return the RTL as a platform is given it."""
    files = Files()
    litex.add_sources(files, ROOT / "rtl")
    return files


def verilog() -> str:
    """Return the design as Verilog."""
    m = Module()
    m.clock_domains.cd_sys = sys = ClockDomain()
    m.submodules.truemark = truemark = litex.Truemark(ports=PORTS, data_w=DATA_W, ROWS=2048)
    pins: set[Any] = set()

    def pin(name: str, inside: Any, *, into: bool) -> None:
        outside = Signal(len(inside), name=name)
        m.comb += inside.eq(outside) if into else outside.eq(inside)
        pins.add(outside)

    pin("clk", sys.clk, into=True)
    pin("rst", sys.rst, into=True)
    pin("tx_en_i", truemark.tx_en, into=True)
    streams = [("s_axis", truemark.source), *((f"m{n:02}_axis", sink) for n, sink in enumerate(truemark.sinks))]
    for prefix, stream in streams:
        into = prefix == "s_axis"
        pin(f"{prefix}_tready", stream.ready, into=not into)
        for name in ("valid", "last", "data", "keep", "user", *(["dest"] if into else [])):
            pin(f"{prefix}_t{name}", getattr(stream, name), into=into)
    for channel, names in (
        ("aw", ["addr"]),
        ("w", ["data", "strb"]),
        ("b", ["resp"]),
        ("ar", ["addr"]),
        ("r", ["data", "resp"]),
    ):
        signals, into = getattr(truemark.axil, channel), channel not in ("b", "r")
        pin(f"s_axil_{channel}ready", signals.ready, into=not into)
        for name in ("valid", *names):
            pin(f"s_axil_{channel}{name}", getattr(signals, name), into=into)
    return str(fhdl.convert(m, pins, name="with_litex"))
