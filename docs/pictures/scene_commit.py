# SPDX-License-Identifier: BSD-3-Clause
"""What the waveform of a commit shows: the whole top over AXI4-Lite, one port, 256 bits. Runs under cocotb."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.simtime import get_sim_time
from cocotb.triggers import ClockCycles, RisingEdge
from truemark.device import registers as reg


async def write(dut: Any, register: reg.Register, value: int) -> None:
    """Write one register: address and data together, then wait for the answer."""
    dut.s_axil_awaddr.value, dut.s_axil_wdata.value, dut.s_axil_wstrb.value = register.address, value, 0xF
    dut.s_axil_awvalid.value = dut.s_axil_wvalid.value = 1
    waiting = {"aw", "w"}
    while waiting:
        await RisingEdge(dut.clk)
        for channel, valid, ready in (
            ("aw", dut.s_axil_awvalid, dut.s_axil_awready),
            ("w", dut.s_axil_wvalid, dut.s_axil_wready),
        ):
            if channel in waiting and ready.value == 1:
                valid.value = 0
                waiting.remove(channel)
    while True:
        await RisingEdge(dut.clk)
        if dut.s_axil_bvalid.value == 1:
            return


@cocotb.test()
async def commits(dut: Any) -> None:
    """Show an accepted commit and a refused one.

    Stimulus: limit 16,000 and K 150 are written and committed, then K 20,000.
    Checks: nothing; the picture is looked at.
    """
    for pin in ("tvalid", "tdata", "tkeep", "tlast", "tdest", "tuser"):
        getattr(dut, f"s_axis_{pin}").value = 0
    for pin in ("awvalid", "wvalid", "arvalid", "awprot", "arprot", "awaddr", "araddr", "wdata", "wstrb"):
        getattr(dut, f"s_axil_{pin}").value = 0
    dut.s_axil_bready.value = dut.s_axil_rready.value = 1
    dut.time_external_i.value = dut.time_i.value = 0
    dut.tx_en_i.value = dut.m_axis_tready.value = 1
    dut.rst.value = 1
    Clock(dut.clk, 5, unit="ns").start()
    await ClockCycles(dut.clk, 600)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 20)
    await write(dut, reg.LIMIT_BYTES, 16_000)
    await write(dut, reg.CONTROL, reg.CONTROL.pack(enable=1, limit_bytes_on=1, slot_of=1, law0=reg.Law.STEP))
    await ClockCycles(dut.clk, 2)
    start = int(get_sim_time("ns")) // 5
    for threshold in (150, 20_000):
        await write(dut, reg.K0, threshold)
        await write(dut, reg.COMMAND, reg.COMMAND.pack(commit=1))
        await ClockCycles(dut.clk, 70)
    Path("scenes.json").write_text(json.dumps({"commit": start}))
