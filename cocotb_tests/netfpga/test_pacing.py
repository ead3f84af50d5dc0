# SPDX-License-Identifier: BSD-3-Clause
"""Pacing by `truemark pace` on the drop-in's RTL: what waits in the FIFO behind a port, where no threshold sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cocotb
import pytest
from cocotb.task import bridge, resume
from cocotb.triggers import RisingEdge
from truemark.cli.app import application
from truemark.device import board as boards
from truemark_dev.marks import slow
from typer.testing import CliRunner

from cocotb_tests.env.tm_pkg import HELD
from cocotb_tests.netfpga.host import Host
from cocotb_tests.netfpga.queues_bench import BOARDS, PACE, Bench, Board, expected, packets, run, seen


class Pins:
    """The drop-in's bus as a transport of the host tool, which runs in a thread of its own."""

    def __init__(self, host: Host) -> None:
        self.read: Callable[[int], int] = resume(host.read)
        self.write: Callable[[int, int], None] = resume(host.write)

    def close(self) -> None:
        """Leave the bus as it is."""


def truemark(host: Host, *words: str) -> str:
    """Run the command on the drop-in; return what it prints."""
    setattr(boards, "open_transport", lambda _: Pins(host))  # noqa: B010
    done = CliRunner().invoke(application(), [*words, "--device", "mem:0"])
    assert done.exit_code == 0, done.output or done.exception
    return done.output


class Line:
    """What is behind a port on a board: a FIFO that takes beats while it has room, drained at the rate of the line."""

    DEPTH = 11_500  # bytes of backlog behind NetFPGA-PLUS's output queues

    def __init__(self, bench: Bench, port: int, rate: float) -> None:
        self.held = 0.0
        self.samples: list[tuple[int, float]] = []  # bytes the queue shows, bytes behind it
        self._bench, self._port, self._rate = bench, port, rate
        bench.receivers[port].ready = lambda: self.held < self.DEPTH
        self.task = cocotb.start_soon(self._run())

    async def _run(self) -> None:
        receiver, edge, seen = self._bench.receivers[self._port], RisingEdge(self._bench.dut.axis_aclk), 0
        held = self._bench.dut.body.queues.queues.core.held_o
        while True:
            await edge
            # Whole frames, with preamble and gap: what stands in the FIFO is time on the line.
            self.held += sum(len(each.data) + 24 for each in receiver.got[seen:])
            seen = len(receiver.got)
            self.held = max(0.0, self.held - self._rate)
            shown = HELD.unpack(int(held.value) >> HELD.width * self._port)["bytes"]
            self.samples.append((shown, self.held))


@cocotb.test()
async def pacing(dut: Any) -> None:
    """
    Stimulus: 18 frames of 1500 bytes at four times what the line takes, into a queue that feeds an 11.5 kB FIFO drained
        at 6.25 bytes per cycle (10G at 200 MHz), first without and then with the pacer, which is set before a reset of
        the datapath.
    Checks: without it 11.5 kB wait where the queue does not show them; with it no more than a frame; the frames leave
        exactly as far apart as the line needs. The reset has left the pacer as it was.
    """
    bench = await Bench(dut, "pacing").start()
    board, rate, length, count = bench.board, 6.25, 1500, 18
    hidden = []
    command = bridge(truemark)
    for setting, words, says in (
        (0, ("off",), "port 0: off\n"),
        (round(rate * 65536), ("10G",), "port 0: 6.25 bytes per cycle, 10 Gbit/s at 5 ns\n"),
    ):
        assert await command(bench.host, "pace", *words, "--port", "0") == says
        dut.axis_resetn.value = 0
        for _ in range(192 * board.ports + 20):
            await RisingEdge(dut.axis_aclk)
        dut.axis_resetn.value = 1
        for _ in range(64 * (board.ports + 1)):
            await RisingEdge(dut.axis_aclk)
        others = f"ports 1-{board.ports - 1}: off\n"
        assert await command(bench.host, "pace") == (says + others if setting else f"ports 0-{board.ports - 1}: off\n")
        assert await bench.host.read(PACE) == setting
        bench.receivers[0].got.clear()
        line = Line(bench, 0, rate)
        idle = round((length + 24) / rate / 4) - -(-length * 8 // board.width)
        sent = list(packets(bench, count, [board.bit(0)], (length,)))
        for packet in sent:
            await bench.sender.send(packet)
            for _ in range(idle):
                await RisingEdge(dut.axis_aclk)
        for _ in range(count * round((length + 24) / rate)):
            await RisingEdge(dut.axis_aclk)
            if len(bench.receivers[0].got) == count:
                break
        assert seen(bench.receivers[0].got) == expected(bench, sent, 0)
        line.task.cancel()
        hidden.append(max(behind for shown, behind in line.samples if shown > 2 * length))
        print(f"pacer at {setting / 65536:.2f} bytes per cycle: {hidden[-1]:.0f} bytes wait unseen behind the queue")
    first, last = bench.receivers[0].got[5], bench.receivers[0].got[-1]
    assert abs((last.first - first.first) - (count - 6) * (length + 24) / rate) < 2
    assert hidden[0] > Line.DEPTH
    assert hidden[1] <= length + 24 + 4 * rate, "a frame, and the four cycles that the pacer may give back"


@pytest.mark.parametrize("board", [BOARDS[2], *slow(*BOARDS[:2])], ids=lambda board: f"{board.name}-{board.width}")
def test_pacing(board: Board) -> None:
    run(board, __name__)
