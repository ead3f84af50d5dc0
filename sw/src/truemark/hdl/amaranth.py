# SPDX-License-Identifier: BSD-3-Clause
"""Truemark as a component of Amaranth: streams, AXI4-Lite and the other ports of rtl/truemark.sv."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from amaranth.hdl import Cat, ClockSignal, Const, Instance, ResetSignal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from truemark.hdl import expanded, file_list, lines_of, sources

AXIL = wiring.Signature(
    {
        **{f"{way}addr": Out(12) for way in ("aw", "ar")},
        **{f"{way}prot": Out(3) for way in ("aw", "ar")},
        **{f"{way}valid": Out(1) for way in ("aw", "w", "ar")},
        **{f"{way}ready": In(1) for way in ("aw", "w", "ar")},
        "wdata": Out(32),
        "wstrb": Out(4),
        **{f"{way}valid": In(1) for way in ("b", "r")},
        **{f"{way}ready": Out(1) for way in ("b", "r")},
        **{f"{way}resp": In(2) for way in ("b", "r")},
        "rdata": In(32),
    }
)


class Truemark(wiring.Component):  # type: ignore[misc]
    """The RTL in the domain `sync`, whose reset must be synchronous.

    Frames go into `source` and come out of `sinks`, one for each port. `parameters` are further ones of
    rtl/truemark.sv, by their names there. A payload has data, keep, last and user, and in `source` dest, a bitmap of
    ports. With QUEUES that is one of lines, and there is a sink for each line. Telemetry (`event_o`, `depart_*`) is not
    connected.
    """

    def __init__(self, ports: int = 5, data_w: int = 256, tuser_w: int = 17, **parameters: int) -> None:
        self.parameters = {"PORTS": ports, "DATA_W": data_w, "TUSER_W": tuser_w, **parameters}
        lines = lines_of(ports, parameters)
        beat = {"data": data_w, "keep": data_w // 8, "last": 1, "user": tuser_w}
        super().__init__(
            {
                "source": In(stream.Signature(data.StructLayout({**beat, "dest": lines}))),
                "sinks": Out(stream.Signature(data.StructLayout(beat))).array(lines),
                "axil": In(AXIL),
                "tx_en": In(ports, init=(1 << ports) - 1),
                "time_external": In(1),
                "time_in": In(64),
                "time_out": Out(64),
            }
        )

    def elaborate(self, platform: Any) -> Any:
        """Return the instance."""
        pins = {
            "i_clk": ClockSignal(),
            "i_rst": ResetSignal(allow_reset_less=True),
            "i_time_external_i": self.time_external,
            "i_time_i": self.time_in,
            "o_time_o": self.time_out,
            "i_tx_en_i": self.tx_en,
            "i_s_axis_tid": Const(0, 4),  # PFC is refused (lines_of): nobody looks at it, nor at the pauses
            "i_pfc_pause_i": Const(0, 8 * len(self.sinks)),
            "i_s_axis_tvalid": self.source.valid,
            "o_s_axis_tready": self.source.ready,
            "o_m_axis_tvalid": Cat(sink.valid for sink in self.sinks),
            "i_m_axis_tready": Cat(sink.ready for sink in self.sinks),
        }
        for name in ("data", "keep", "last", "dest", "user"):
            pins[f"i_s_axis_t{name}"] = getattr(self.source.payload, name)
            if name != "dest":
                pins[f"o_m_axis_t{name}"] = Cat(getattr(sink.payload, name) for sink in self.sinks)
        for name, member in AXIL.members.items():
            pins[f"{'i' if member.flow is Out else 'o'}_s_axil_{name}"] = getattr(self.axil, name)
        return Instance("truemark", **{f"p_{name}": value for name, value in self.parameters.items()}, **pins)


def add_sources(platform: Any, rtl: Path | None = None) -> None:
    """Add the RTL of a folder, or that of the package, to what a platform builds."""
    rtl = rtl or file_list().parent
    for path in sources(rtl):
        platform.add_file(path.name, expanded(path, rtl))
