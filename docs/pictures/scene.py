# SPDX-License-Identifier: BSD-3-Clause
"""What the waveforms of the documentation show: one port, 256 bits, limit off, a few frames. Runs under cocotb.

The last byte of a frame's destination MAC is its letter. Notes of the cycle in which each scene begins go to
`scenes.json` in the run's folder.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge

from cocotb_tests.env import packets
from cocotb_tests.env.config_words import OFF_BYTES, OFF_PACKETS
from cocotb_tests.env.fields import Fields
from cocotb_tests.env.line import PERMIT
from cocotb_tests.env.tm_pkg import CFG, Ecn, Law

BEAT = 32  # bytes
K = 150  # bytes


class Bench:
    """Drives the core one cycle at a time and counts cycles."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.permit = Fields(dut.permit_i, PERMIT)
        self.cycle = 0
        self.scenes: dict[str, int] = {}

    async def step(self, count: int = 1) -> None:
        """Let cycles pass; time goes on by 5 ns in each."""
        for _ in range(count):
            await RisingEdge(self.dut.clk_i)
            self.cycle += 1
            self.dut.time_i.value = 5 * self.cycle

    async def begin(self, name: str) -> None:
        """Note where a scene begins, after a pause that ends the one before."""
        await self.step(12)
        self.scenes[name] = self.cycle
        await self.step()

    async def send(self, letter: str, length: int, *, ecn: Ecn = Ecn.ECT0, error: bool = False) -> None:
        """Send one frame of TCP data."""
        frame = bytearray(packets.of_length(length, ecn=ecn))
        frame[5] = ord(letter)
        dut = self.dut
        for start in range(0, length, BEAT):
            piece = frame[start : start + BEAT]
            dut.s_valid_i.value = 1
            dut.s_data_i.value = int.from_bytes(piece, "little")
            dut.s_keep_i.value = (1 << len(piece)) - 1
            dut.s_last_i.value = start + BEAT >= length
            dut.s_error_i.value = error
            dut.s_dest_i.value = 1
            dut.s_len_i.value = length
            await self.step()
        dut.s_valid_i.value = 0


@cocotb.test()
async def scenes(dut: Any) -> None:
    """Show three scenes.

    Stimulus: a frame through an empty queue; five frames into a held queue with K at 150 bytes, then out; a frame with
    the error bit between two good ones.
    Checks: nothing; the pictures are looked at.
    """
    bench = Bench(dut)
    dut.rst_i.value = 1
    for pin in (dut.s_valid_i, dut.s_last_i, dut.s_error_i, dut.order_i, dut.time_i, dut.s_dest_i, dut.s_len_i):
        pin.value = 0
    dut.s_data_i.value = dut.s_keep_i.value = 0
    bench.permit.set(ready=1, tx_en=1)
    dut.cfg_i.value = CFG.pack(
        enable=1, limit_bytes=OFF_BYTES, limit_packets=OFF_PACKETS, slot_of=0b0001, law=int(Law.STEP), k=K
    )
    Clock(dut.clk_i, 5, unit="ns").start()
    await bench.step(4)
    dut.rst_i.value = 0

    await bench.begin("empty")
    await bench.send("A", 96)

    await bench.begin("threshold")
    bench.permit.set(tx_en=0)
    for letter in "ABCDE":
        await bench.send(letter, 64)
    await bench.step(3)
    bench.permit.set(ready=1, tx_en=1)
    await bench.step(12)

    await bench.begin("abort")
    bench.permit.set(tx_en=0)
    await bench.send("A", 64)
    await bench.send("B", 96, error=True)
    await bench.send("C", 64)
    await bench.step(3)
    bench.permit.set(ready=1, tx_en=1)
    await bench.step(12)
    Path("scenes.json").write_text(json.dumps(bench.scenes))
