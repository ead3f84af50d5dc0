# SPDX-License-Identifier: BSD-3-Clause
"""output_queues with all laws, as docs/board_demo.md builds it: what is dropped at the head is removed, not sent."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotbext.truemark.source import always, chance, never
from truemark.device import registers

from cocotb_tests.env.tm_pkg import CODEL_NEVER
from cocotb_tests.netfpga.queues_bench import BOARDS, FULL, PKTOUT, Bench, expected, intact, packets, run, seen

BEING_SENT = 2  # frames at most that a flush leaves: on the pins, and on the way there


@cocotb.test()
async def a_flush_removes(dut: Any) -> None:
    """
    Stimulus: 60 frames to ports 0 and 1 at once; port 1 is blocked, told to flush, and then let go.
    Checks: what was being sent leaves whole, and nothing else; all that was stored is removed, in PKTREMOVED,
        BYTESREMOVED and PKTINQUEUE, and only what left is in PKTOUT; port 0 has sent every frame.
    """
    bench = await Bench(dut, "a_flush_removes").start()
    bench.receivers[1].ready = never
    sent = list(packets(bench, 60, [bench.board.bit(0) | bench.board.bit(1)], (64, 65, 300)))
    await bench.sender.send(*sent)
    await bench.settled()
    held = await bench.in_queue(1)
    assert held == bench.statistics["stored1"] == 60
    await bench.write(registers.PAGE.address, 1)
    await bench.write(registers.COMMAND.address, registers.COMMAND.pack(flush=1))
    bench.receivers[1].ready = always
    for _ in range(200):  # reads, of ten cycles and more; a frame takes eleven
        if not registers.STATUS.unpack(await bench.host.read(registers.STATUS.address))["flush_busy"]:
            break
    await bench.settled()
    left = len(bench.receivers[1].got)
    assert 1 <= left <= BEING_SENT
    assert seen(bench.receivers[1].got) == expected(bench, sent, 1)[:left]
    assert seen(bench.receivers[0].got) == expected(bench, sent, 0)
    assert await bench.in_queue(1) == 0
    assert bench.statistics["removed1"] == held
    assert bench.statistics["removed1 bytes"] == bench.statistics["stored1 bytes"]
    assert await bench.host.read(PKTOUT) == 60 + left
    await bench.check_counters(0, 1)


@cocotb.test()
async def codel_removes(dut: Any) -> None:
    """
    Stimulus: 400 frames at full rate to a port with CoDel, a target of 1 us and an interval of 4 us, whose line takes
        a third of them.
    Checks: some are dropped at the head; they count in PKTREMOVED and BYTESREMOVED and not in PKTOUT; the others leave
        whole and in order; PKTINQUEUE is 0 at the end.
    """
    bench = await Bench(dut, "codel_removes").start()
    bench.receivers[0].ready = chance(bench.rng, 0.3)
    for register, value in (
        (registers.CONTROL, registers.CONTROL.pack(enable=1)),
        (registers.CODEL_SETTINGS, registers.CODEL_SETTINGS.pack(on=1)),
        (registers.CODEL_TARGET, 1),
        (registers.CODEL_INTERVAL, 4),
        (registers.CODEL_CE_THRESHOLD, CODEL_NEVER),
    ):
        await bench.write(register.address, value)
    await bench.commit(0)
    sent = list(packets(bench, 400, [bench.board.bit(0)], (300,)))
    await bench.sender.send(*sent)
    for _ in range(1000):  # while several in a row are dropped nothing comes out
        if await bench.in_queue(0) == 0:
            break
    await bench.settled()
    out = intact(bench.receivers[0].got, expected(bench, sent, 0))
    told = bench.statistics
    print(f"{told['stored0']} frames stored, {told['stored0'] - out} of them dropped at the head")
    assert told["stored0"] - out > 5
    assert told["removed0"] == told["stored0"]
    assert told["removed0 bytes"] == told["stored0 bytes"]
    assert told["stored0"] + told["dropped0"] == len(sent)
    assert await bench.in_queue(0) == 0
    assert await bench.host.read(PKTOUT) == out
    await bench.check_counters(0)


def test_output_queues_codel() -> None:
    run(BOARDS[0], __name__, None, **FULL)
