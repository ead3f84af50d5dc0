# SPDX-License-Identifier: BSD-3-Clause
"""The drop-in `output_queues` on its bench: what the tests of its queues, its registers and its pacers share."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from truemark.device import registers
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import randomness
from cocotb_tests.netfpga.host import Host
from cocotb_tests.netfpga.stream import PERIOD_PS, Got, Packet, Receiver, Sender, settle, wait

NOTHING = 0xDEADBEEF
PACE = 0xC0
ID, VERSION, RESET, FLIP, DEBUG, PKTIN, PKTOUT, PORT0 = 0x00, 0x04, 0x08, 0x0C, 0x10, 0x14, 0x18, 0x1C
STORED, REMOVED, DROPPED, QUEUED = 0, 8, 16, 24  # packets; bytes are the next word
MAX_FRAME = 16256  # bytes, of the drop-ins


@dataclass(frozen=True)
class Board:
    """A build of the drop-in: storage small enough to be filled in a test."""

    name: str
    ports: int
    width: int
    axi_ps: int  # period of S_AXI_ACLK; that of axis_aclk is PERIOD_PS
    rows: int = 700
    frames: int = 200

    def parameters(self) -> dict[str, int]:
        """Return the parameters of the module."""
        widths = {"C_S_AXIS_DATA_WIDTH": self.width, "C_M_AXIS_DATA_WIDTH": self.width}
        return {**widths, "ROWS": self.rows, "DESCRIPTORS": self.frames}

    def queues(self, destination: int) -> set[int]:
        """Return the queues that a destination byte names, as NetFPGA's documentation has it."""
        odd = range(1, 2 * (self.ports - 1), 2)
        return {q for q in range(self.ports - 1) if destination >> 2 * q & 1} | (
            {self.ports - 1} if any(destination >> bit & 1 for bit in odd) else set()
        )

    def bit(self, queue: int) -> int:
        """Return a destination byte for one queue."""
        return 2 if queue == self.ports - 1 else 1 << 2 * queue


BOARDS = (Board("sume", 5, 256, 5000), Board("plus", 3, 512, 8126), Board("plus", 3, 1024, 2634))
FULL = {"FLAGS_VERDICT": 1, "RED": 1, "CODEL": 1}  # as docs/board_demo.md builds it


class Bench:
    """The drop-in with a sender, a receiver on each port, a host on another clock and counters on its statistics."""

    def __init__(self, dut: Any, name: str) -> None:
        self.dut, self.rng = dut, randomness(name)
        self.board = Board(**json.loads(os.environ["BOARD"]))
        self.sender: Sender
        self.receivers: list[Receiver] = []
        self.host = Host(dut, "S_AXI", "S_AXI_ACLK", rng=self.rng)
        self.statistics: Counter[str] = Counter()

    async def start(self) -> Bench:
        """Start the clocks and leave the reset."""
        dut = self.dut
        dut.axis_resetn.value = dut.S_AXI_ARESETN.value = 0
        Clock(dut.axis_aclk, PERIOD_PS, unit="ps", impl="gpi").start()
        Clock(dut.S_AXI_ACLK, self.board.axi_ps, unit="ps", impl="gpi").start()
        self.sender = Sender(dut, "s_axis", dut.axis_aclk, self.rng)
        self.receivers = [Receiver(dut, f"m_axis_{q}", dut.axis_aclk) for q in range(self.board.ports)]
        await RisingEdge(dut.axis_aclk)
        await wait(dut.axis_aclk, 192 * self.board.ports + 20)
        dut.axis_resetn.value = dut.S_AXI_ARESETN.value = 1
        await wait(dut.axis_aclk, 40)
        ports = range(self.board.ports)
        for what in ("stored", "dropped"):
            names = [f"{what}{q}" for q in ports]
            cocotb.start_soon(self._count(getattr(dut, f"pkt_{what}"), getattr(dut, f"bytes_{what}"), names))
        for q in ports:
            removed = getattr(dut, f"pkt_removed_{q}"), getattr(dut, f"bytes_removed_{q}")
            cocotb.start_soon(self._count(*removed, [f"removed{q}"]))
        return self

    async def _count(self, pulses: Any, length: Any, names: list[str]) -> None:
        edge = RisingEdge(self.dut.axis_aclk)
        while True:
            await edge
            bits = int(pulses.value)
            if not bits:
                await pulses.value_change
            for place, name in enumerate(names):
                if bits >> place & 1:
                    self.statistics[name] += 1
                    self.statistics[f"{name} bytes"] += int(length.value)

    async def settled(self) -> None:
        """Wait until whatever can come out has come out and been counted."""
        await self.sender.drain()
        await settle(self.dut.axis_aclk, self.receivers)

    async def write(self, register: int, value: int) -> None:
        """Write a register by its address."""
        await self.host.write(register, value)

    async def commit(self, port: int) -> None:
        """Give a port what is in the shadow."""
        await self.write(registers.PAGE.address, port)
        await self.write(registers.COMMAND.address, registers.COMMAND.pack(commit=1))
        while (status := registers.STATUS.unpack(await self.host.read(registers.STATUS.address)))["commit_busy"]:
            pass
        assert not status["refused"], status

    async def port(self, queue: int) -> Counter[str]:
        """Read a port's counters, which clears them; keys as in `statistics`."""
        words = [await self.host.read(PORT0 + 0x1C * queue + 4 * word) for word in range(6)]
        names = ("stored", "removed", "dropped")
        keys = [f"{name}{queue}{unit}" for name in names for unit in ("", " bytes")]
        return Counter(dict(zip(keys, words, strict=True)))

    async def in_queue(self, queue: int) -> int:
        """Read PKTINQUEUE."""
        return await self.host.read(PORT0 + 0x1C * queue + QUEUED)

    async def check_counters(self, *queues: int) -> None:
        """Compare the registers of these ports with what the statistics outputs have said since the start."""
        for q in queues:
            told = Counter({key: count for key, count in self.statistics.items() if key[-7:].startswith(f"{q} ")})
            told |= Counter({key: count for key, count in self.statistics.items() if key.split(" ")[0][-1] == str(q)})
            read = await self.port(q)
            assert +read == +told, f"port {q}: registers {dict(read)}, outputs {dict(told)}"


def packets(bench: Bench, count: int, destinations: Sequence[int], lengths: Sequence[int]) -> Iterator[Packet]:
    """Yield random frames; each begins with its number, so that none is like another."""
    rng = bench.rng
    for number in range(count):
        length = rng.choice(lengths)
        data = number.to_bytes(4, "big") + rng.randbytes(length - 4)
        yield Packet(data, rng.choice(destinations), rng.getrandbits(8), rng.getrandbits(96))


def expected(bench: Bench, sent: Sequence[Packet], queue: int) -> list[tuple[bytes, int]]:
    """Return what must come out of a queue: data and the first beat's tuser."""
    return [(each.data, each.user) for each in sent if queue in bench.board.queues(each.destination)]


def seen(got: Sequence[Got]) -> list[tuple[bytes, int]]:
    """Return what came out, also."""
    return [(each.data, each.user) for each in got]


def intact(got: Sequence[Got], sent: Sequence[tuple[bytes, int]]) -> int:
    """Fail unless every frame that came out is one that was sent, whole, once and in order; return how many."""
    waiting = iter(sent)
    for index, frame in enumerate(seen(got)):
        assert frame in waiting, f"frame {index} out is corrupt, doubled or out of order: {frame[0][:8].hex()}"
    return len(got)


def run(board: Board, test_module: str, testcase: str | Sequence[str] | None = None, **parameters: int) -> Path:
    """Build the drop-in for a board and run a module's tests on it; every module runs on the same build except for
    `parameters`.
    """
    return build_and_test(
        "output_queues",
        test_module,
        listing=f"rtl/netfpga/{board.name}.f",
        parameters=board.parameters() | parameters,
        testcase=testcase,
        extra_env={"BOARD": json.dumps(asdict(board))},
        seen=["tm_core.held_o"],
    )
