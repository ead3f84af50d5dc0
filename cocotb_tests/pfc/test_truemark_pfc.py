# SPDX-License-Identifier: BSD-3-Clause
"""truemark_pfc, two of them on a link: what one's levels say stops the other's classes, for as long as they say it.

No real peer stands against it: Linux has PFC in its drivers' hardware only (`dcbnl`), and a veth carries the frames and
obeys none. The bytes are held against the layout in `frames.py`.
"""

from __future__ import annotations

from typing import Any

import cocotb
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness, start
from cocotb_tests.pfc.frames import Line, Sent, pause_frame, random_frame

ADDRESS = bytes.fromhex("02005E0A0B0C")
QUANTA = 100
STEP = 1 << 22  # a quarter of a quantum a cycle
UNIT = 64  # cycles


@cocotb.test()
async def obeys_and_asks(dut: Any) -> None:
    """A port on a line.

    Stimulus: both ways frames of all lengths; frames of flow control from the link partner, and levels that change.
    Checks: others pass both ways, whole, in order; a class is paused as the frames say, to a quantum and two cycles;
    what was obeyed, refused and sent is counted (tm_pfc_counters); a pause that is always renewed becomes a storm: the
    class may send, and is told to drop, until the pauses have ended.
    """
    rng = randomness("truemark_pfc")
    coverage = Coverage("truemark_pfc")
    rx, tx = Line(dut, rng, "rx_", clock="clk"), Line(dut, rng, "tx_", clock="clk")
    config = {"step_i": STEP, "quanta_i": QUANTA, "address_i": int.from_bytes(ADDRESS, "big"), "xoff_i": 0}
    await start(
        dut,
        {**rx.pins(), **tx.pins(), **config, "detection_i": 10, "restoration_i": 3},
        clock="clk",
        reset="rst",
    )

    async def step() -> None:
        tx.drive()
        await rx.step()
        tx.look()

    # A pause of 20 quanta is one of 80 cycles (tm_pfc_quanta) or up to six more.
    for quanta in (20, 1, 50):
        rx.put(pause_frame({3: quanta}))
        while dut.pause_o.value == 0:
            await step()
        cycles = 0
        while dut.pause_o.value == 1 << 3:
            await step()
            cycles += 1
        assert 4 * quanta <= cycles <= 4 * quanta + 6, f"{cycles} cycles for {quanta} quanta"
        coverage.hit("paused")
    # Traffic both ways.
    passed: dict[int, list[Sent]] = {}
    for line in (rx, tx):
        passed[id(line)] = [Sent(random_frame(rng, 600), bad=rng.random() < 0.2) for _ in range(150)]
        line.put(*passed[id(line)])
    rx.put(pause_frame({0: 9}, opcode=1), pause_frame({0: 9})[:30])
    while rx.queue or tx.queue or rx.beats or tx.beats:
        if rng.random() < 0.03:
            dut.xoff_i.value = rng.getrandbits(8)
        await step()
    dut.xoff_i.value = 0
    for _ in range(60):
        await step()
    assert [each.data for each in rx.got] == [each.data for each in passed[id(rx)]]
    own = [
        each for each in tx.got if each.data[:6] == bytes.fromhex("0180C2000001") and each.data[12:14] == b"\x88\x08"
    ]
    assert [each.data for each in tx.got if each not in own] == [each.data for each in passed[id(tx)]]
    assert len(own) > 10
    counts = int(dut.counts_o.value)  # in the order of events_t, its last field lowest
    assert [counts >> 32 * at & 0xFFFFFFFF for at in range(5)] == [0, len(own), 1, 1, 3]
    # A link partner that never stops asking.
    for _ in range(14):
        rx.put(pause_frame({5: 100}))
        for _ in range(UNIT):
            await step()
        coverage.hit("paused, and no storm", dut.pause_o.value == 1 << 5 and dut.storm_o.value == 0)
        coverage.hit("a storm", dut.pause_o.value == 0 and dut.storm_o.value == 1 << 5)
        assert dut.pause_o.value | dut.storm_o.value == 1 << 5
    rx.put(pause_frame({5: 0}))
    for _ in range(6 * UNIT):
        await step()
    assert dut.storm_o.value == 0
    assert int(dut.counts_o.value) & 0xFFFFFFFF == 1
    coverage.check({"paused": 3, "paused, and no storm": 9, "a storm": 1})


def test_truemark_pfc() -> None:
    build_and_test("truemark_pfc", __name__, parameters={"UNIT_W": 6})
