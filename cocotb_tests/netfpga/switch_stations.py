# SPDX-License-Identifier: BSD-3-Clause
"""The reference pipeline on its bench: a sender and a receiver at each port, stations behind them, a host."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import randomness
from cocotb_tests.netfpga.host import Host
from cocotb_tests.netfpga.stream import PERIOD_PS, Packet, Receiver, Sender, settle, wait

NOTHING = 0xDEADBEEF
LOOKUP, QUEUES = 0x1000, 0x2000  # the arbiter is at 0
RECEIVED, DROPPED = 0x10, 0x30
COMMAND, MAC_LOW, MAC_HIGH, PORTS, STORE = (LOOKUP + offset for offset in (0x4, 0x8, 0xC, 0x10, 0x14))
LEARNED, HITS, FLOODS, FILTERED = (LOOKUP + offset for offset in (0x20, 0x24, 0x28, 0x2C))
BROADCAST = b"\xff" * 6
TABLE_ROWS = 64
LATENCY = 10  # cycles, first beat in to first beat out; NetFPGA-SUME 13, -PLUS 12


@dataclass(frozen=True)
class Shape:
    """A build of the pipeline."""

    ports: int
    width: int

    @property
    def per_cycle(self) -> float:
        """Return the 64-byte frames per cycle that are promised."""
        return min(1.0, self.width / 512)


SHAPES = (Shape(5, 256), Shape(3, 512), Shape(3, 1024))


class Bench:
    """The pipeline with senders, receivers and a host on its own clock."""

    def __init__(self, dut: Any, name: str) -> None:
        self.dut, self.rng = dut, randomness(name)
        self.shape = Shape(**json.loads(os.environ["SHAPE"]))
        # A NetFPGA tree's datapath has its registers on the datapath's clock (sim/netfpga/tree_case.py).
        self.host = Host(dut, "s_axil", os.environ.get("HOST_CLOCK", "s_axil_aclk"), rng=self.rng)
        self.senders: list[Sender] = []
        self.receivers: list[Receiver] = []
        self.count = 0

    async def start(self) -> Bench:
        """Start the clocks, leave the reset, let the table be cleared."""
        dut, ports = self.dut, range(self.shape.ports)
        dut.rst.value = dut.s_axil_rst.value = 1
        Clock(dut.clk, PERIOD_PS, unit="ps", impl="gpi").start()
        Clock(dut.s_axil_aclk, 3334, unit="ps", impl="gpi").start()
        self.senders = [Sender(dut, f"s_axis[{p}]", dut.clk, self.rng) for p in ports]
        self.receivers = [Receiver(dut, f"m_axis[{p}]", dut.clk) for p in ports]
        await RisingEdge(dut.clk)
        await self.wait(8)
        dut.rst.value = dut.s_axil_rst.value = 0
        await self.wait(TABLE_ROWS + 192 * self.shape.ports + 20)
        return self

    async def wait(self, cycles: int) -> None:
        """Let time pass."""
        await wait(self.dut.clk, cycles)

    def source(self, port: int) -> int:
        """Return the source byte of frames from a port: even bits are MACs, bit 1 the host."""
        return 2 if port == self.shape.ports - 1 else 1 << 2 * port

    def mac(self, station: int) -> bytes:
        """Return a station's address."""
        return b"\x02\x00\x00\x00" + station.to_bytes(2, "big")

    def frame(self, port: int, destination: bytes, source: bytes, length: int = 64) -> Packet:
        """Return a frame as it enters at a port; its number makes it unlike any other."""
        self.count += 1
        body = self.count.to_bytes(4, "big") + self.rng.randbytes(length)
        return Packet(
            (destination + source + b"\x88\xb5" + body)[:length], 0, self.source(port), self.rng.getrandbits(96)
        )

    async def settled(self) -> None:
        """Wait until all that can come out has."""
        for sender in self.senders:
            await sender.drain()
        await settle(self.dut.clk, self.receivers)

    def flood(self, port: int) -> set[int]:
        """Return the ports a flooded frame goes to."""
        return set(range(self.shape.ports - 1)) - {port}

    def take(self) -> list[list[tuple[bytes, int]]]:
        """Return what has come out of each port since the last call: data and tuser."""
        got = [[(each.data, each.user) for each in receiver.got] for receiver in self.receivers]
        for receiver in self.receivers:
            receiver.got.clear()
        return got

    def out(self, packet: Packet, ports: set[int]) -> tuple[bytes, int]:
        """Return a frame as it must come out: destinations written, upper bits zero."""
        destination = sum(self.source(port) for port in ports)
        return packet.data, len(packet.data) | packet.source << 16 | destination << 24


def run(shape: Shape, test_module: str, variables: Mapping[str, str] | None = None) -> Path:
    """Build the pipeline and run a module's tests on it; every module runs on the same build."""
    return build_and_test(
        "tm_reference_switch",
        test_module,
        listing="rtl/netfpga/netfpga.f",
        parameters={
            "PORTS": shape.ports,
            "DATA_W": shape.width,
            "TABLE_ROWS": TABLE_ROWS,
            "INPUT_ROWS": 131072 // shape.width,  # 16 KiB: one frame of 9216 bytes, and little more
        },
        extra_env={"SHAPE": json.dumps(asdict(shape)), **(variables or {})},
    )


async def introduce(bench: Bench, homes: Sequence[int]) -> None:
    """Let each station send one broadcast from its port, one at a time, and check that it is flooded."""
    for station, port in enumerate(homes):
        packet = bench.frame(port, BROADCAST, bench.mac(station))
        await bench.senders[port].send(packet)
        await bench.settled()
        flood = bench.flood(port)
        want = [[bench.out(packet, flood)] if each in flood else [] for each in range(bench.shape.ports)]
        assert bench.take() == want, f"station {station} at port {port}"
