# SPDX-License-Identifier: BSD-3-Clause
"""output_queues of both boards as a whole, and in it tm_netfpga_queues, tm_axil_request: NetFPGA's interface, and none
of the faults measured in NetFPGA's own (overload, multicast with a full port, jumbo frames, counters that lie).
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from truemark import registers

from cocotb_tests.env.axis import chance, never, random_gaps
from cocotb_tests.env.bench import Coverage, randomness
from cocotb_tests.netfpga.host import OKAY, SLVERR, Host
from cocotb_tests.netfpga.stream import Cycles, Got, Packet, Receiver, Sender, settle
from cocotb_tests.runner import build_and_test

NOTHING = 0xDEADBEEF
PACE = 0xC0
ID, VERSION, RESET, FLIP, DEBUG, PKTIN, PKTOUT, PORT0 = 0x00, 0x04, 0x08, 0x0C, 0x10, 0x14, 0x18, 0x1C
STORED, REMOVED, DROPPED, QUEUED = 0, 8, 16, 24  # packets; bytes are the next word
OVERFLOW = 1 << 31


@dataclass(frozen=True)
class Board:
    """A build of the drop-in: storage small enough to be filled in a test."""

    name: str
    ports: int
    width: int
    axi_ps: int  # period of S_AXI_ACLK; that of axis_aclk is 5000
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
AXIS_PS = 5000


class Bench:
    """The drop-in with a sender, a receiver on each port, a host on another clock and counters on its statistics."""

    def __init__(self, dut: Any, name: str) -> None:
        self.dut, self.rng = dut, randomness(name)
        self.board = Board(**json.loads(os.environ["BOARD"]))
        self.cycles: Cycles
        self.sender: Sender
        self.receivers: list[Receiver] = []
        self.host = Host(dut, "S_AXI", "S_AXI_ACLK", rng=self.rng)
        self.statistics: Counter[str] = Counter()

    async def start(self) -> Bench:
        """Start the clocks and leave the reset."""
        dut = self.dut
        dut.axis_resetn.value = dut.S_AXI_ARESETN.value = 0
        Clock(dut.axis_aclk, AXIS_PS, unit="ps", impl="gpi").start()
        Clock(dut.S_AXI_ACLK, self.board.axi_ps, unit="ps", impl="gpi").start()
        self.cycles = Cycles(dut.axis_aclk)
        self.sender = Sender(dut, "s_axis", dut.axis_aclk, self.cycles, self.rng)
        self.receivers = [Receiver(dut, f"m_axis_{q}", dut.axis_aclk, self.cycles) for q in range(self.board.ports)]
        for _ in range(192 * self.board.ports + 20):
            await RisingEdge(dut.axis_aclk)
        dut.axis_resetn.value = dut.S_AXI_ARESETN.value = 1
        for _ in range(40):
            await RisingEdge(dut.axis_aclk)
        cocotb.start_soon(self._watch())
        return self

    async def _watch(self) -> None:
        dut, edge = self.dut, RisingEdge(self.dut.axis_aclk)
        removed = [
            (getattr(dut, f"pkt_removed_{q}"), getattr(dut, f"bytes_removed_{q}")) for q in range(self.board.ports)
        ]
        while True:
            await edge
            stored, dropped = int(dut.pkt_stored.value), int(dut.pkt_dropped.value)
            for q in range(self.board.ports):
                for what, bits, length in (
                    ("stored", stored, dut.bytes_stored),
                    ("dropped", dropped, dut.bytes_dropped),
                ):
                    if bits >> q & 1:
                        self.statistics[f"{what}{q}"] += 1
                        self.statistics[f"{what}{q} bytes"] += int(length.value)
                if removed[q][0].value == 1:
                    self.statistics[f"removed{q}"] += 1
                    self.statistics[f"removed{q} bytes"] += int(removed[q][1].value)

    async def settled(self) -> None:
        """Wait until whatever can come out has come out and been counted."""
        await self.sender.drain()
        await settle(self.dut.axis_aclk, self.receivers)

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
    """Return what came out, likewise."""
    return [(each.data, each.user) for each in got]


def intact(got: Sequence[Got], sent: Sequence[tuple[bytes, int]]) -> int:
    """Fail unless every frame that came out is one that was sent, whole, once and in order; return how many."""
    waiting = iter(sent)
    for index, frame in enumerate(seen(got)):
        assert frame in waiting, f"frame {index} out is corrupt, doubled or out of order: {frame[0][:8].hex()}"
    return len(got)


@cocotb.test()
async def every_destination(dut: Any) -> None:
    """
    Stimulus: 250 frames of 60 to 1518 bytes to random destination bitmaps, none among them, with gaps; sinks ready at
        random; random source and upper tuser bits; zero or garbage in tuser after the first beat.
    Checks: each queue gets the frames whose bitmap names it, in order, with data and tuser as they came; registers and
        statistics outputs agree; frames without a destination are counted as such and as PKTIN.
    """
    bench = await Bench(dut, "every_destination").start()
    rng, board, coverage = bench.rng, bench.board, Coverage("destinations")
    for receiver in bench.receivers:
        receiver.ready = chance(rng, 0.9)
    bench.sender.gaps = random_gaps(rng, 0.6, 3)
    sent = list(packets(bench, 250, [0, 0, *range(1 << 2 * (board.ports - 1))], (60, 64, 65, 128, 577, 1518)))
    await bench.sender.send(*sent)
    await bench.settled()
    for queue, receiver in enumerate(bench.receivers):
        want = expected(bench, sent, queue)
        coverage.hit(f"queue {queue}", len(want) > 40)
        assert seen(receiver.got) == want, f"queue {queue}: {len(receiver.got)} of {len(want)} frames, or others"
    lost = sum(not board.queues(each.destination) for each in sent)
    coverage.hit("no destination", lost > 0)
    assert await bench.host.read(registers.BAD_NO_DESTINATION.address) == lost
    assert await bench.host.read(PKTIN) == len(sent)
    assert await bench.host.read(PKTOUT) == sum(len(each.got) for each in bench.receivers)
    await bench.check_counters(*range(board.ports))
    coverage.check([*(f"queue {queue}" for queue in range(board.ports)), "no destination"])


@cocotb.test()
async def blocked_port(dut: Any) -> None:
    """
    Stimulus: 500 frames back to back, alternating between a port that is blocked and one that is not.
    Checks: the free port gets all of its frames; the blocked one holds those stored and drops the rest whole, counted
        in packets and in bytes; PKTINQUEUE reads the same twice, is the queue, and is 0 once it has drained intact.
    """
    bench = await Bench(dut, "blocked_port").start()
    board = bench.board
    bench.receivers[0].ready = never
    sent = [
        Packet(each.data, board.bit(index % 2), each.source, each.more)
        for index, each in enumerate(packets(bench, 500, [0], (64, 300, 1500)))
    ]
    await bench.sender.send(*sent)
    await bench.settled()
    assert seen(bench.receivers[1].got) == expected(bench, sent, 1)
    mine = expected(bench, sent, 0)
    held = await bench.in_queue(0)
    # The frame on the output pins has departed from the queue, but has not left: it is removed with its last beat.
    assert held == await bench.in_queue(0) == bench.statistics["stored0"] > 20
    assert bench.statistics["dropped0"] == len(mine) - held > 20
    await bench.host.write(RESET, 1)
    assert await bench.in_queue(0) == held
    bench.receivers[0].ready = chance(bench.rng, 0.5)
    await bench.settled()
    assert intact(bench.receivers[0].got, mine) == held
    assert await bench.in_queue(0) == 0
    lost = Counter(mine) - Counter(seen(bench.receivers[0].got))
    assert bench.statistics["dropped0 bytes"] == sum(len(data) for data, _ in lost)


@cocotb.test()
async def overload(dut: Any) -> None:
    """
    Stimulus: 600 frames at full rate to port 0, which takes half of them; then 20 more after it has drained.
    Checks: nothing corrupt, doubled or out of order comes out, tuser included; arrived is stored plus dropped; the
        fresh frames all come out.
    """
    bench = await Bench(dut, "overload").start()
    bench.receivers[0].ready = chance(bench.rng, 0.5)
    sent = list(packets(bench, 600, [bench.board.bit(0)], (64, 60, 65, 256, 1500, 1518)))
    await bench.sender.send(*sent)
    await bench.settled()
    out = intact(bench.receivers[0].got, expected(bench, sent, 0))
    assert bench.statistics["stored0"] == bench.statistics["removed0"] == out
    assert bench.statistics["dropped0"] == len(sent) - out > 50
    fresh = list(packets(bench, 20, [bench.board.bit(0)], (64, 1500)))
    await bench.sender.send(*fresh)
    await bench.settled()
    assert seen(bench.receivers[0].got[out:]) == expected(bench, fresh, 0)
    await bench.check_counters(0)


@cocotb.test()
async def multicast_with_a_full_port(dut: Any) -> None:
    """
    Stimulus: 200 frames to ports 0 and 1 at once with port 0 blocked, at full rate.
    Checks: port 1 gets all 200 (NetFPGA-PLUS: 42); port 0 drops its copies alone.
    """
    bench = await Bench(dut, "multicast_with_a_full_port").start()
    bench.receivers[0].ready = never
    both = bench.board.bit(0) | bench.board.bit(1)
    sent = list(packets(bench, 200, [both], (300, 1500)))
    await bench.sender.send(*sent)
    await bench.settled()
    assert seen(bench.receivers[1].got) == expected(bench, sent, 1)
    assert bench.statistics["dropped0"] + bench.statistics["stored0"] == 200
    assert bench.statistics["dropped0"] > 100
    assert bench.statistics["dropped1"] == 0
    await bench.check_counters(0, 1)


@cocotb.test()
async def jumbo_frames(dut: Any) -> None:
    """
    Stimulus: frames of 9000 and 9216 bytes among small ones, more than the queue holds; then one of 9217, and one that
        promises 9000 bytes and brings 200.
    Checks: what comes out is whole (NetFPGA-PLUS: 0 of 300); 9217 is refused and counted as oversize; the false promise
        harms no neighbour.
    """
    bench = await Bench(dut, "jumbo_frames").start()
    rng, board = bench.rng, bench.board
    bench.receivers[0].ready = chance(rng, 0.5)
    sent = list(packets(bench, 60, [board.bit(0)], (64, 9000, 9216)))
    await bench.sender.send(*sent)
    await bench.settled()
    out = intact(bench.receivers[0].got, expected(bench, sent, 0))
    assert sum(len(each.data) >= 9000 for each in bench.receivers[0].got) >= 5
    assert out + bench.statistics["dropped0"] == len(sent)
    assert bench.statistics["dropped0"] >= 5
    bench.receivers[0].ready = lambda: True
    after = list(packets(bench, 3, [board.bit(0)], (64, 577)))
    false = Packet(rng.randbytes(200), board.bit(0), promised=9000)
    await bench.sender.send(Packet(bytes(9217), board.bit(0)), after[0], false, *after[1:])
    await bench.settled()
    assert await bench.host.read(registers.BAD_OVERSIZE.address) == 1
    assert await bench.host.read(registers.BAD_LENGTH_MISMATCH.address) == 1
    rest = seen(bench.receivers[0].got[out:])
    assert [frame for frame in rest if frame[1] != false.user] == expected(bench, after, 0)


@cocotb.test()
async def latency(dut: Any) -> None:
    """
    Stimulus: single frames of 60 to 9000 bytes into an empty queue.
    Checks: two cycles from first beat in to first beat out (NetFPGA: 3).
    """
    bench = await Bench(dut, "latency").start()
    for index, each in enumerate(packets(bench, 6, [bench.board.bit(1)], (60, 64, 65, 256, 1500, 9000))):
        await bench.sender.send(each)
        await bench.settled()
        got = bench.receivers[1].got[index]
        assert got.data == each.data
        assert got.first - bench.sender.first[index] == 2, (
            f"{len(each.data)} bytes: {got.first - bench.sender.first[index]}"
        )


@cocotb.test()
async def counters_lose_nothing(dut: Any) -> None:
    """
    Stimulus: 1500 frames of 64 bytes at full rate while the host reads PKTIN, PKTOUT and PKTSTORED without a pause.
    Checks: the sums of what was read are the truth (NetFPGA: 2284 of 4000), and no read found an overflow.
    """
    bench = await Bench(dut, "counters_lose_nothing").start()
    sent = list(packets(bench, 1500, [bench.board.bit(1)], (64,)))
    sums, reads = Counter[int](), 0
    addresses = (PKTIN, PKTOUT, PORT0 + 0x1C + STORED, PORT0 + 0x1C + STORED + 4)

    async def poll(rounds: int) -> None:
        nonlocal reads
        for _ in range(rounds):
            for address in addresses:
                sums[address] += await bench.host.read(address)
                reads += 1

    bench.sender.put(*sent)
    drained = cocotb.start_soon(bench.sender.drain())
    while not drained.done():
        await poll(1)
    await bench.settled()
    await poll(1)
    assert reads > 40
    assert [sums[address] for address in addresses] == [1500, 1500, 1500, 1500 * 64]
    assert [await bench.host.read(address) for address in addresses] == [0, 0, 0, 0]


@cocotb.test()
async def both_register_maps(dut: Any) -> None:
    """
    Stimulus: every NetFPGA register and every gap read; FLIP, DEBUG and RESET written, whole and by bytes; Truemark's
        identification read, a port configured to mark, an address without a register read.
    Checks: NetFPGA's meanings; 0xDEADBEEF in gaps with OKAY; TRMK; a commit that takes effect on the stream; SLVERR
        from 0x100 up where there is nothing.
    """
    bench = await Bench(dut, "both_register_maps").start()
    host, board = bench.host, bench.board
    assert [await host.read(address) for address in (ID, VERSION, RESET, FLIP, DEBUG)] == [
        0xDA03,
        1,
        NOTHING,
        0xFFFF_FFFF,
        0,
    ]
    pacers = range(PACE, PACE + 4 * board.ports, 4)
    assert [await host.read(address) for address in pacers] == [0] * board.ports, "pacers are off after reset"
    for address in sorted(set(range(PORT0 + 0x1C * board.ports, 0x100, 4)) - set(pacers)):
        assert await host.read(address) == NOTHING, f"{address:#x}"
        await host.write(address, 1)
    await host.write(FLIP, 0x1234_5678)
    await host.write(DEBUG, 0xCAFE_F00D)
    assert (await host.read(FLIP), await host.read(DEBUG)) == (0xEDCB_A987, 0xCAFE_F00D)
    assert (await host.try_write(DEBUG, 0x1111_1111, strobe=0b0101)).response == OKAY
    assert await host.read(DEBUG) == 0xCA11_F011
    await bench.sender.send(*packets(bench, 5, [board.bit(0)], (64,)))
    await bench.settled()
    await host.write(RESET, 0x100)  # not a bit that this module knows
    assert await host.read(FLIP) == 0xEDCB_A987
    await host.write(RESET, 0x01)
    assert (await host.read(PKTIN), await host.read(PORT0), await host.read(FLIP)) == (0, 0, 0xEDCB_A987)
    await bench.sender.send(*packets(bench, 5, [board.bit(0)], (64,)))
    await bench.settled()
    await host.write(RESET, 0x10)
    assert (await host.read(PKTIN), await host.read(FLIP), await host.read(DEBUG)) == (0, 0xFFFF_FFFF, 0)
    # Truemark's own, on the same window
    assert await host.read(registers.ID.address) == 0x5452_4D4B
    assert registers.BUILD.unpack(await host.read(registers.BUILD.address)) == {
        "data_bytes": board.width // 8,
        "ports": board.ports,
    }
    assert (await host.try_read(0x1FC + 0x800)).response == SLVERR
    assert (await host.try_write(0xFFC, 1)).response == SLVERR
    while await host.read(registers.STATUS.address) & registers.STATUS["snapshot_busy"].mask:
        pass
    await host.write(registers.PAGE.address, 0)
    await host.write(registers.CONTROL.address, 0)
    await host.write(registers.COMMAND.address, registers.COMMAND.pack(commit=1))
    while await host.read(registers.STATUS.address) & registers.STATUS["commit_busy"].mask:
        pass
    before = len(bench.receivers[0].got)
    await bench.sender.send(*packets(bench, 4, [board.bit(0) | board.bit(1)], (64,)))
    await bench.settled()
    assert len(bench.receivers[0].got) == before, "port 0 is disabled"
    assert len(bench.receivers[1].got) == 4
    assert bench.statistics["dropped0"] == 4


@cocotb.test()
async def line_rate(dut: Any) -> None:
    """
    Stimulus: 400 frames of 64 bytes back to back over all ports, sinks ready.
    Checks: they are taken and leave at one beat per cycle, none lost.
    """
    bench = await Bench(dut, "line_rate").start()
    board = bench.board
    sent = list(packets(bench, 400, [board.bit(queue) for queue in range(board.ports)], (64,)))
    await bench.sender.send(*sent)
    await bench.settled()
    beats = 64 * 8 // board.width or 1
    assert bench.sender.first[-1] - bench.sender.first[0] == 399 * beats
    for queue, receiver in enumerate(bench.receivers):
        assert seen(receiver.got) == expected(bench, sent, queue)
    assert max(each.got[-1].last for each in bench.receivers) - bench.sender.first[0] == 400 * beats + 1


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
        queued = self._bench.dut.queues.queues.core.bytes_o
        width = len(queued) // self._bench.board.ports
        while True:
            await edge
            # Whole frames, with preamble and gap: what stands in the FIFO is time on the line.
            self.held += sum(len(each.data) + 24 for each in receiver.got[seen:])
            seen = len(receiver.got)
            self.held = max(0.0, self.held - self._rate)
            shown = int(queued.value) >> width * self._port & (1 << width) - 1
            self.samples.append((shown, self.held))


@cocotb.test()
async def pacing(dut: Any) -> None:
    """
    Stimulus: 18 frames of 1500 bytes at four times what the line takes, into a queue that feeds an 11.5 kB FIFO drained
        at 6.25 bytes per cycle (10G at 200 MHz), first without and then with the pacer.
    Checks: without it 11.5 kB wait where the queue does not show them; with it no more than a frame; the frames leave
        exactly as far apart as the line needs.
    """
    bench = await Bench(dut, "pacing").start()
    board, rate, length, count = bench.board, 6.25, 1500, 18
    hidden = []
    for setting in (0, round(rate * 65536)):
        await bench.host.write(PACE, setting)
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


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: f"{board.name}-{board.width}")
def test_output_queues(board: Board) -> None:
    build_and_test(
        "output_queues",
        __name__,
        listing=f"rtl/netfpga/{board.name}.f",
        parameters=board.parameters(),
        extra_env={"BOARD": json.dumps(asdict(board))},
    )
