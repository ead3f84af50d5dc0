# SPDX-License-Identifier: BSD-3-Clause
"""Truemark as a module of LiteX: AXI streams, AXI4-Lite and the other ports of rtl/truemark.sv."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from litex.gen import LiteXModule
from litex.soc.interconnect.axi import AXILiteInterface, AXIStreamInterface
from migen import Cat, ClockSignal, Instance, ResetSignal, Signal

from truemark.hdl import file_list, lines_of, sources


class Truemark(LiteXModule):  # type: ignore[misc]
    """The RTL in the domain `sys`.

    Frames go into `source` and come out of `sinks`, one for each port.
    `parameters` are further ones of rtl/truemark.sv, by their names there. `source` has dest, a bitmap of ports.
    With QUEUES that is one of lines, and there is a sink for each line. Telemetry (`event_o`, `depart_*`) is not
    connected.
    """

    def __init__(self, ports: int = 5, data_w: int = 256, tuser_w: int = 17, **parameters: int) -> None:
        lines = lines_of(ports, parameters)
        beat = {"data_width": data_w, "keep_width": data_w // 8, "user_width": tuser_w}
        self.source = AXIStreamInterface(**beat, dest_width=lines)
        self.sinks = [AXIStreamInterface(**beat) for _ in range(lines)]
        self.axil = AXILiteInterface(data_width=32, address_width=12)
        self.tx_en = Signal(ports, reset=(1 << ports) - 1)
        self.time_external, self.time_in, self.time_out = Signal(), Signal(64), Signal(64)
        pins = {
            "i_clk": ClockSignal(),
            "i_rst": ResetSignal(),
            "i_time_external_i": self.time_external,
            "i_time_i": self.time_in,
            "o_time_o": self.time_out,
            "i_tx_en_i": self.tx_en,
            "i_s_axis_tdest": self.source.dest,
            "i_s_axis_tid": 0,
            "i_pfc_pause_i": 0,
            "i_s_axil_awprot": 0,
            "i_s_axil_arprot": 0,
        }
        for name in ("valid", "last", "data", "keep", "user"):
            pins[f"i_s_axis_t{name}"] = getattr(self.source, name)
            pins[f"o_m_axis_t{name}"] = Cat(*(getattr(sink, name) for sink in self.sinks))
        pins["o_s_axis_tready"] = self.source.ready
        pins["i_m_axis_tready"] = Cat(*(sink.ready for sink in self.sinks))
        for channel, way, fields in (
            ("aw", "i", ["addr"]),
            ("w", "i", ["data", "strb"]),
            ("b", "o", ["resp"]),
            ("ar", "i", ["addr"]),
            ("r", "o", ["data", "resp"]),
        ):
            signals = getattr(self.axil, channel)
            for name in ("valid", *fields):
                pins[f"{way}_s_axil_{channel}{name}"] = getattr(signals, name)
            pins[f"{'o' if way == 'i' else 'i'}_s_axil_{channel}ready"] = signals.ready
        given = {"PORTS": ports, "DATA_W": data_w, "TUSER_W": tuser_w, **parameters}
        self.specials += Instance("truemark", **{f"p_{name}": value for name, value in given.items()}, **pins)


def add_sources(platform: Any, rtl: Path | None = None) -> None:
    """Add the RTL of a folder, or that of the package, to what a platform builds."""
    rtl = rtl or file_list().parent
    platform.add_verilog_include_path(str(rtl))
    for path in sources(rtl):
        platform.add_source(str(path))
