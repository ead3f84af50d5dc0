# SPDX-License-Identifier: BSD-3-Clause
"""tm_pfc_send: the link partner knows at any time which classes must pause, and no other frame is touched."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness, start
from cocotb_tests.env.breaches import Breach, breaches
from cocotb_tests.pfc.frames import CONTROL_ADDRESS, SHORTEST, Line, Sent, pause_frame, quanta_of, random_frame

ADDRESS = bytes.fromhex("02005E0A0B0C")
QUANTA = 400


async def begin(dut: Any, name: str) -> tuple[Line, Any]:
    """Reset; return the line and its randomness."""
    rng = randomness(name)
    line = Line(dut, rng)
    idle = {"xoff_i": 0, "elapsed_i": 0, "address_i": int.from_bytes(ADDRESS, "big"), "quanta_i": QUANTA}
    await start(dut, {**line.pins(), **idle})
    return line, rng


@cocotb.test()
async def any_traffic(dut: Any) -> None:
    """Frames on a line whose classes must pause, and need not.

    Stimulus: 400 frames of all lengths with gaps, or none, to a line that stops, or not; levels that change now and
    then, also while a frame goes out; one or two quanta a cycle.
    Checks: the frames come out once, whole, in order; each frame between them is the layout's, byte by byte, and says
    what the levels were in the cycle it was told of; after the last the link partner knows the levels; a class
    that stays at xoff is never left without a pause, and after a frame that came back nothing is said.
    """
    line, rng = await begin(dut, "tm_pfc_send.any_traffic")
    coverage = Coverage("tm_pfc_send")
    passed = [Sent(random_frame(rng, 600), bad=rng.random() < 0.3) for _ in range(400)]
    expected: list[bytes] = []
    said = xoff = 0
    since: int | None = None  # quanta since the last frame was told of
    line.put(*passed)
    in_frame = False
    rest = 60  # cycles in which all comes to rest
    while rest:
        rest -= not line.queue and not line.beats and line.cycle > 14_000
        if line.cycle % 500 == 0 or rest < 60:
            line.busy, line.ready = rng.choice(((1.0, 1.0), (0.3, 1.0), (1.0, 0.5))) if rest == 60 else (1.0, 1.0)
            often = rng.choice((0.0005, 0.0005, 0.03))
        if rng.random() < often and rest == 60:
            xoff = rng.choice((0, 1 << rng.randrange(8), rng.getrandbits(8)))
        elapsed = rng.choice((0, 1, 2))
        dut.xoff_i.value, dut.elapsed_i.value = xoff, elapsed
        line.drive()
        await RisingEdge(dut.clk_i)
        moves_in = line._offer and line.s["tready"].value == 1
        sent = dut.sent_o.value == 1
        if sent:
            assert not in_frame
            assert not moves_in
            expected.append(
                pause_frame({c: QUANTA * (xoff >> c & 1) for c in range(8) if (xoff | said) >> c & 1}, ADDRESS)
            )
            coverage.hit("renewed", said == xoff)
            coverage.hit("xon", bool(said & ~xoff))
            coverage.hit("xoff", bool(xoff & ~said))
            said, since = xoff, 0
        elif since is not None:
            since += elapsed
            assert not said or since < QUANTA, "a pause has ended that must be renewed"
        coverage.hit("waits for a frame's end", in_frame and said != xoff)
        in_frame = not line.beats[0][2] if moves_in else in_frame
        line.look()
    own = [each for each in line.got if each.data[:6] == CONTROL_ADDRESS and each.data[12:14] == b"\x88\x08"]
    others = [each for each in line.got if each not in own]
    assert [(each.data, each.user >> 16) for each in others] == [(each.data, each.bad) for each in passed]
    assert [each.data for each in own] == expected
    assert {each.user for each in own} == {SHORTEST}
    paused: set[int] = set()
    for each in own:
        for which, time in quanta_of(each.data).items():
            (paused.add if time else paused.discard)(which)
    assert paused == {each for each in range(8) if xoff >> each & 1}
    coverage.check({"renewed": 20, "xon": 40, "xoff": 40, "waits for a frame's end": 5})


@cocotb.test()
async def at_once(dut: Any) -> None:
    """How long a level waits.

    Stimulus: a level that rises on a line at rest, and in the first cycle of a frame, before another; then no quanta.
    Checks: the first byte is on the line two cycles later, or right behind the frame, before the next one; a frame
    that waits loses the cycles of the pause frame and one; without time nothing is renewed; with quanta 0 it ends.
    """
    line, rng = await begin(dut, "tm_pfc_send.at_once")
    for _ in range(5):
        await line.step()
    dut.xoff_i.value, begun = 0x10, line.cycle
    await line.drain(20)
    assert line.got[-1].first - begun == 3
    assert quanta_of(line.got[-1].data) == {4: QUANTA}
    frames = [Sent(rng.randbytes(300)) for _ in range(2)]
    line.put(*frames)
    await line.step()
    dut.xoff_i.value = 0x30
    await line.drain(20)
    first, pause, second = line.got[-3:]
    assert (first.data, second.data) == (frames[0].data, frames[1].data)
    assert quanta_of(pause.data) == {4: QUANTA, 5: QUANTA}
    assert pause.first - first.last == 2
    assert second.first - pause.last == 1
    count = len(line.got)
    await line.drain(200)
    assert len(line.got) == count
    dut.xoff_i.value = 0
    await line.drain(20)
    assert quanta_of(line.got[-1].data) == {4: 0, 5: 0}
    await line.drain(200)
    assert len(line.got) == count + 1


@pytest.mark.parametrize("width", [64, *slow(256, 512)])
def test_tm_pfc_send(width: int) -> None:
    build_and_test("tm_pfc_send", __name__, parameters={"DATA_W": width})


test_assertion_fires = breaches(
    "tm_pfc_send",
    Breach("Quanta_A", "ask for a pause of a quantum", [{"quanta_i": 1, "xoff_i": 1}]),
    DATA_W=64,
)
