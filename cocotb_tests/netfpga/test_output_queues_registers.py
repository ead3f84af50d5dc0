# SPDX-License-Identifier: BSD-3-Clause
"""output_queues' two register maps, in it tm_axil_request: counters lose nothing, NetFPGA's meanings, our commits."""

from __future__ import annotations

from collections import Counter
from typing import Any

import cocotb
import pytest
from truemark.device import registers
from truemark_dev.marks import slow

from cocotb_tests.netfpga.host import OKAY, SLVERR
from cocotb_tests.netfpga.queues_bench import (
    BOARDS,
    DEBUG,
    FLIP,
    ID,
    NOTHING,
    PACE,
    PKTIN,
    PKTOUT,
    PORT0,
    RESET,
    STORED,
    VERSION,
    Bench,
    Board,
    packets,
    run,
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
        "more_queues": 0,
    }
    assert (await host.try_read(0x1FC + 0x800)).response == SLVERR
    assert (await host.try_write(0xFFC, 1)).response == SLVERR
    while await host.read(registers.STATUS.address) & registers.STATUS["snapshot_busy"].mask:
        pass
    await host.write(registers.CONTROL.address, 0)
    await bench.commit(0)
    before = len(bench.receivers[0].got)
    await bench.sender.send(*packets(bench, 4, [board.bit(0) | board.bit(1)], (64,)))
    await bench.settled()
    assert len(bench.receivers[0].got) == before, "port 0 is disabled"
    assert len(bench.receivers[1].got) == 4
    assert bench.statistics["dropped0"] == 4


@pytest.mark.parametrize("board", [BOARDS[0], *slow(*BOARDS[1:])], ids=lambda board: f"{board.name}-{board.width}")
def test_output_queues_registers(board: Board) -> None:
    run(board, __name__)
