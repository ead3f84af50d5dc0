# SPDX-License-Identifier: BSD-3-Clause
"""tm_pfc_receive: MAC control frames are taken off, and obeyed if they are PFC's; all others pass as they came."""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness, start
from cocotb_tests.pfc.frames import FIELDS, Line, Sent, pause_frame, random_frame

KINDS = ("other", "other", "pause", "pause", "opcode", "short", "bad", "long")


@cocotb.test()
async def takes_control_frames_off(dut: Any) -> None:
    """A received stream.

    Stimulus: 600 frames: others, half of them a bit away from a control frame; PFC frames of any classes and times,
    longer ones, cut ones, bad ones, ones of other opcodes; some end within the head;
    beats with gaps, a receiver that stops, and neither.
    Checks: the others come out, whole, in order, with their error; what each control frame asks for, once, in order;
    what is wrong with it is told otherwise. A full line loses no cycle.
    """
    rng = randomness("tm_pfc_receive")
    coverage = Coverage("tm_pfc_receive")
    line = Line(dut, rng)
    await start(dut, line.pins())
    told: list[tuple[int, ...] | str] = []
    passed: list[Sent] = []
    said: list[tuple[int, ...] | str] = []

    def look() -> None:
        told.extend(name for name in ("opcode", "malformed") if getattr(dut, f"{name}_o").value == 1)
        if dut.pause_valid_o.value == 1:
            word = int(dut.pause_o.value)  # enable, then the times, class 7 first
            enable = word >> 128
            told.append((enable, *(word >> 16 * each & 0xFFFF for each in range(8) if enable >> each & 1)))

    for part in range(12):
        full = part % 4 == 0
        line.busy, line.ready = ((1.0, 1.0), (0.6, 1.0), (1.0, 0.5), (0.7, 0.7))[part % 4]
        frames = []
        for _ in range(50):
            kind = rng.choice(KINDS)
            coverage.hit(kind)
            if kind == "other":
                frame = Sent(random_frame(rng), bad=rng.random() < 0.3)
                passed.append(frame)
            else:
                quanta = {
                    each: rng.choice((0, 1, 0xFFFF, rng.getrandbits(16))) for each in range(8) if rng.random() < 0.5
                }
                whole = pause_frame(
                    quanta, rng.randbytes(6), pad=rng.randbytes(rng.choice((0, 26, 100)) if kind == "long" else 26)
                )
                if kind == "opcode":
                    opcode = rng.choice((0x0001, 0x0100, 0x0102, 0x8101))
                    whole = pause_frame(quanta, opcode=opcode)
                frame = Sent(whole[: rng.randint(16, FIELDS - 1)] if kind == "short" else whole, bad=kind == "bad")
                enable = sum(1 << each for each in quanta)
                said.append(
                    "malformed"
                    if kind in ("short", "bad")
                    else kind
                    if kind == "opcode"
                    else (enable, *quanta.values())
                )
            frames.append(frame)
        frames += [
            Sent(each) for each in (pause_frame({0: 1})[: rng.choice((14, 15))], rng.randbytes(rng.randint(1, 8)))
        ]
        passed += frames[-2:]
        before = line.cycle
        line.put(*frames)
        await line.drain(each=look)
        if full:
            beats = sum(-(-len(each.data) // line.bytes) for each in frames)
            assert line.taken[-1][1] - before == beats, "a full line loses a cycle"
    assert told == said
    assert [(each.data, each.user >> 16) for each in line.got] == [(each.data, each.bad) for each in passed]
    coverage.check(dict.fromkeys(KINDS, 40))


@cocotb.test()
async def obeys_while_the_receiver_stops(dut: Any) -> None:
    """A frame for the receiver, which takes none of it, and a PFC frame behind it that is obeyed at once.

    Stimulus: a frame of one beat; a pause; a frame of one beat.
    Checks: the first beat stands, the pause is told in as many cycles as if all were taken, and nothing is lost.
    """
    rng = randomness("tm_pfc_receive")
    line = Line(dut, rng)
    await start(dut, line.pins())
    others = [Sent(rng.randbytes(line.bytes)) for _ in range(2)]

    async def tells(ready: float) -> int:
        """Return the cycles until the pause is told, and let what stands go."""
        line.ready, began = ready, line.cycle
        line.put(others[0], Sent(pause_frame({3: 7})), others[1])
        while dut.pause_valid_o.value != 1:
            await line.step()
            assert line.cycle < began + 60, "the pause waits for the receiver"
        cycles, line.ready = line.cycle - began, 1.0
        await line.drain()
        return cycles

    assert await tells(1.0) == await tells(0.0)
    assert [each.data for each in line.got] == 2 * [each.data for each in others]


@pytest.mark.parametrize("width", [64, *slow(256, 1024)])
def test_tm_pfc_receive(width: int) -> None:
    build_and_test("tm_pfc_receive", __name__, parameters={"DATA_W": width})
