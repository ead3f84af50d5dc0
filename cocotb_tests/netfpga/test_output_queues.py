# SPDX-License-Identifier: BSD-3-Clause
"""output_queues of both boards as a whole, in it tm_netfpga_dropin, tm_netfpga_queues: frames, drops, latency, rate.

None of the faults measured in NetFPGA's own: overload, multicast with a full port, jumbo frames.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import cocotb
import pytest
from cocotbext.truemark.source import chance, never, random_gaps
from truemark.device import registers
from truemark_dev.marks import slow

from cocotb_tests.env.bench import Coverage
from cocotb_tests.netfpga.queues_bench import (
    BOARDS,
    FULL,
    MAX_FRAME,
    PKTIN,
    PKTOUT,
    RESET,
    Bench,
    Board,
    expected,
    intact,
    packets,
    run,
    seen,
)
from cocotb_tests.netfpga.stream import Packet

LATENCY = 4  # cycles, first beat in to first beat out
FLAGS_WAIT = 2  # more, with FLAGS_VERDICT


@cocotb.test()
async def every_destination(dut: Any) -> None:
    """
    Stimulus: 250 frames of 60 to 1518 bytes to random destination bitmaps, none and (PLUS) queues that there are not
        among them, with gaps; sinks ready at random; random source and upper tuser bits; zero or garbage in tuser after
        the first beat.
    Checks: each queue gets the frames whose bitmap names it, in order, with data and tuser as they came; registers and
        statistics outputs agree; frames without a destination are counted as such and as PKTIN.
    """
    bench = await Bench(dut, "every_destination").start()
    rng, board, coverage = bench.rng, bench.board, Coverage("destinations")
    for receiver in bench.receivers:
        receiver.ready = chance(rng, 0.9)
    bench.sender.gaps = random_gaps(rng, 0.6, 3)
    sent = list(packets(bench, 250, [0, 0x10, 0xF0, *range(1 << 2 * (board.ports - 1))], (60, 64, 65, 128, 577, 1518)))
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
    Stimulus: 300 frames back to back, alternating between a port that is blocked and one that is not.
    Checks: the free port gets all of its frames; the blocked one holds those stored and drops the rest whole, counted
        in packets and in bytes; PKTINQUEUE reads the same twice, is the queue, and is 0 once it has drained intact.
    """
    bench = await Bench(dut, "blocked_port").start()
    board = bench.board
    bench.receivers[0].ready = never
    sent = [
        Packet(each.data, board.bit(index % 2), each.source, each.more)
        for index, each in enumerate(packets(bench, 300, [0], (64, 300, 1500)))
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
    Stimulus: 350 frames at full rate to port 0, which takes half of them; then 20 more after it has drained.
    Checks: nothing corrupt, doubled or out of order comes out, tuser included; arrived is stored plus dropped; the
        fresh frames all come out.
    """
    bench = await Bench(dut, "overload").start()
    bench.receivers[0].ready = chance(bench.rng, 0.5)
    sent = list(packets(bench, 350, [bench.board.bit(0)], (64, 60, 65, 256, 1500, 1518)))
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
    Stimulus: frames of 9000 and of MAX_FRAME bytes among small ones, more than the queue holds; then one that is a byte
        longer, and one that promises 9000 bytes and brings 200.
    Checks: what comes out is whole (NetFPGA-PLUS: 0 of 300); the longer one is counted as oversize; the false promise
        harms no neighbour; what NetFPGA's own pass, 16,000 bytes, is at most MAX_FRAME.
    """
    bench = await Bench(dut, "jumbo_frames").start()
    rng, board = bench.rng, bench.board
    bench.receivers[0].ready = chance(rng, 0.5)
    sent = list(packets(bench, 40, [board.bit(0)], (64, 9000, MAX_FRAME)))
    await bench.sender.send(*sent)
    await bench.settled()
    out = intact(bench.receivers[0].got, expected(bench, sent, 0))
    assert sum(len(each.data) >= 9000 for each in bench.receivers[0].got) >= 5
    assert out + bench.statistics["dropped0"] == len(sent)
    assert bench.statistics["dropped0"] >= 5
    bench.receivers[0].ready = lambda: True
    after = list(packets(bench, 3, [board.bit(0)], (64, 577)))
    false = Packet(rng.randbytes(200), board.bit(0), promised=9000)
    await bench.sender.send(Packet(bytes(MAX_FRAME + 1), board.bit(0)), after[0], false, *after[1:])
    await bench.settled()
    assert await bench.host.read(registers.BAD_OVERSIZE.address) == 1
    assert await bench.host.read(registers.BAD_LENGTH_MISMATCH.address) == 1
    rest = seen(bench.receivers[0].got[out:])
    assert [frame for frame in rest if frame[1] != false.user] == expected(bench, after, 0)
    assert await bench.host.read(registers.MAX_FRAME.address) == MAX_FRAME >= 16_000


@cocotb.test()
async def refused_frames(dut: Any) -> None:
    """
    Stimulus: 300 frames to random queues, back to back or up to six cycles apart; among them runts of 1 to 13 bytes,
        frames longer than MAX_FRAME, and (where lengths are not counted) good ones that promise 0, 13, MAX_FRAME + 1
        or 65,535 bytes.
    Checks: only good ones come out; every copy that arrives is stored or dropped, in registers and on the outputs, with
        its bytes, and those of refused frames are the dropped ones, with the bytes that they promised.
    """
    bench = await Bench(dut, "refused_frames").start()
    rng, board, coverage = bench.rng, bench.board, Coverage("refused")
    bench.sender.gaps = random_gaps(rng, 0.5, 6)
    whole = bool(int(dut.STORE_AND_FORWARD.value))
    sent = list(packets(bench, 300, range(1, 1 << 2 * (board.ports - 1)), (60, 64, 65, 300)))
    refused = dict[int, Packet]()
    for number, each in enumerate(sent):
        match rng.randrange(8):
            case 0:
                refused[number] = replace(each, data=rng.randbytes(rng.randint(1, 13)))
            case 1 if number % 8 == 0:
                refused[number] = replace(each, data=rng.randbytes(MAX_FRAME + rng.choice((1, 100))))
            case 2 if not whole:
                refused[number] = replace(each, promised=rng.choice((0, 13, MAX_FRAME + 1, 0xFFFF)))
    await bench.sender.send(*(refused.get(number, each) for number, each in enumerate(sent)))
    await bench.settled()
    good = [each for number, each in enumerate(sent) if number not in refused]
    wrong = [await bench.host.read(each.address) for each in (registers.BAD_RUNT, registers.BAD_OVERSIZE)]
    assert sum(wrong) == sum(len(board.queues(each.destination)) > 0 for each in refused.values())
    assert await bench.host.read(PKTIN) == len(sent)
    for queue, receiver in enumerate(bench.receivers):
        copies = [each for each in refused.values() if queue in board.queues(each.destination)]
        assert seen(receiver.got) == expected(bench, good, queue)
        assert bench.statistics[f"stored{queue}"] == len(expected(bench, good, queue))
        assert bench.statistics[f"dropped{queue}"] == len(copies)
        if not whole:
            assert bench.statistics[f"dropped{queue} bytes"] == sum(each.user & 0xFFFF for each in copies)
            kept = sum(len(each.data) for each in good if queue in board.queues(each.destination))
            assert bench.statistics[f"stored{queue} bytes"] == kept
        coverage.hit("refused", len(copies) > 15)
    await bench.check_counters(*range(board.ports))
    coverage.hit("both kinds", min(wrong) > 1)
    coverage.check({"refused": board.ports, "both kinds": 1})


@cocotb.test()
async def latency(dut: Any) -> None:
    """
    Stimulus: single frames of 60 to 9000 bytes into an empty queue.
    Checks: four cycles from first beat in to first beat out, one more than NetFPGA's, which looks at no header; two
        more with FLAGS_VERDICT.
    """
    bench = await Bench(dut, "latency").start()
    late = LATENCY + FLAGS_WAIT * int(dut.FLAGS_VERDICT.value)
    for index, each in enumerate(packets(bench, 6, [bench.board.bit(1)], (60, 64, 65, 256, 1500, 9000))):
        await bench.sender.send(each)
        await bench.settled()
        got = bench.receivers[1].got[index]
        assert got.data == each.data
        assert got.first - bench.sender.first[index] == late, (
            f"{len(each.data)} bytes: {got.first - bench.sender.first[index]}"
        )


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
    assert max(each.got[-1].last for each in bench.receivers) - bench.sender.first[0] == 400 * beats - 1 + LATENCY


@pytest.mark.parametrize("board", [BOARDS[0], *slow(*BOARDS[1:])], ids=lambda board: f"{board.name}-{board.width}")
def test_output_queues(board: Board) -> None:
    run(board, __name__)


@pytest.mark.parametrize(
    ("switches", "tests"),
    [
        *slow(({"STORE_AND_FORWARD": 1}, ["refused_frames"])),
        (FULL, ["refused_frames", "latency"]),
    ],
    ids=["store_and_forward", "flags_verdict"],
)
def test_what_depends_on_when_a_frame_is_judged(switches: dict[str, int], tests: list[str]) -> None:
    run(BOARDS[0], __name__, tests, **switches)
