# SPDX-License-Identifier: BSD-3-Clause
"""output_queues with POOL and PFC: the source port of `tuser` is whose a frame is, and `pfc_xoff` who must pause."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from cocotbext.truemark.source import always, never
from truemark.device import registers
from truemark_dev.marks import slow

from cocotb_tests.env import packets
from cocotb_tests.env.bench import Coverage
from cocotb_tests.netfpga.queues_bench import BOARDS, Bench, Board, run
from cocotb_tests.netfpga.stream import Packet
from cocotb_tests.pfc.sources import give

STORAGE = 24_576  # bytes
NO_PORT = -1


def source_of(board: Board, byte: int) -> int:
    """Return the port that a source byte names: the lowest of several, the host's last."""
    named = sorted(board.queues(byte))
    return named[0] if named else NO_PORT


async def levels(bench: Bench) -> list[int]:
    """Return which classes of each port must pause, as pins and registers say it, once nothing has come for a while."""
    for _ in range(120):  # every class has been looked at
        await RisingEdge(bench.dut.axis_aclk)
    pins = int(bench.dut.pfc_xoff.value)
    for port in range(bench.board.ports):
        await bench.host.write(registers.PAGE.address, port)
        assert await bench.host.read(registers.PFC_XOFF.address) == pins >> 8 * port & 0xFF, f"port {port}"
    return [pins >> 8 * port & 0xFF for port in range(bench.board.ports)]


def a_frame(rng: random.Random, board: Board, sources: list[int]) -> tuple[Packet, int]:
    """Return a short frame from one of these source bytes, with its class: the priority of its tag, 0 without."""
    priority = rng.choice((None, *range(8)))
    data = packets.of_priority(rng.randint(60, 200), priority)
    destination = rng.choice(
        [board.bit(queue) for queue in range(board.ports)] + [0x55 & (1 << 2 * board.ports - 2) - 1]
    )
    return Packet(data, destination, rng.choice(sources), rng.getrandbits(96)), priority or 0


@cocotb.test()
async def a_frame_is_its_source_ports(dut: Any) -> None:
    """
    Stimulus: behind a frame that blocks every port, frames from two sources alone, then from any: each port's MAC, the
        host's side of it, no port, ports that there are not, several; with a tag of any priority or without; random
        upper bits of tuser, zero or garbage behind the first beat. Then all leave.
    Checks: on the pins and in the registers exactly those classes of those sources must pause that hold more than the
        threshold; nobody, once all has left.
    """
    bench = await Bench(dut, "pfc").start()
    rng, board, coverage = bench.rng, bench.board, Coverage("pfc")
    cell = max(64, board.width // 8)
    everywhere = 0x57 & (1 << 2 * board.ports - 2) - 1
    any_of_them = [0, 1, 2, 4, 8, 16, 32, 64, 64, 128, 65, *(rng.randrange(256) for _ in range(4))]
    for sources in ([1, 4], [2, 1], any_of_them, any_of_them):
        limit = rng.randint(1, 4)
        for port in range(board.ports):
            await give(bench, port, classes=0xFF, cells=limit if port == 0 else 0)
        for receiver in bench.receivers:
            receiver.ready = never
        await bench.sender.send(Packet(rng.randbytes(1500), everywhere))
        held: Counter[tuple[int, int]] = Counter()
        sent = [a_frame(rng, board, sources) for _ in range(90)]
        for packet, priority in sent:
            held[source_of(board, packet.source), priority] += -(-len(packet.data) // cell)
        await bench.sender.send(*(packet for packet, _ in sent))
        await bench.sender.drain()
        expected = [
            sum((held[port, priority] > limit) << priority for priority in range(8)) for port in range(board.ports)
        ]
        assert await levels(bench) == expected, f"limit {limit}, {held}"
        for (source, _), has in held.items():
            coverage.hit(f"port {source}", source >= 0 and has > limit)
            coverage.hit("no port, above", source == NO_PORT and has > limit)
        coverage.hit("one source alone pauses", sources != [1, 4] or sum(map(bool, expected)) == 2)
        for receiver in bench.receivers:
            receiver.ready = always
        await bench.settled()
        assert sum(len(receiver.got) for receiver in bench.receivers) > 0
        assert await levels(bench) == [0] * board.ports
    coverage.check([*(f"port {port}" for port in range(board.ports)), "no port, above", "one source alone pauses"])


@pytest.mark.parametrize(
    "board", [BOARDS[1], *slow(BOARDS[0], BOARDS[2])], ids=lambda board: f"{board.name}-{board.width}"
)
def test_output_queues_pfc(board: Board) -> None:
    rows = STORAGE * 8 // board.width * max(1, board.width // 512)  # as many cells with each width
    run(replace(board, rows=rows, frames=450), __name__, POOL=1, PFC=1)
