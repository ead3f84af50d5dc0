# SPDX-License-Identifier: BSD-3-Clause
"""tm_pfc_discard: what a class in a storm sends is thrown away whole, all else passes, by its head (tm_pfc_head)."""

from __future__ import annotations

import random
from typing import Any

import cocotb
import pytest
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness, start
from cocotb_tests.pfc.frames import Line, Sent

TAGS = (b"\x81\x00", b"\x88\xa8")


def frame_of(rng: random.Random, kind: str, of_class: int, length: int) -> bytes:
    """Return a frame with a tag of a class, or one without: a type a bit away from a tag's, or cut within the head."""
    tag = rng.choice(TAGS)
    if kind == "untagged":
        tag = (int.from_bytes(tag, "big") ^ 1 << rng.randrange(16)).to_bytes(2, "big")
    word = (of_class << 13 | rng.getrandbits(13)).to_bytes(2, "big")
    frame = rng.randbytes(12) + tag + word + rng.randbytes(length)
    return frame[: rng.randint(1, 15)] if kind == "cut" else frame


@cocotb.test()
async def throws_away(dut: Any) -> None:
    """A stream to the line.

    Stimulus: groups of frames with a tag of any class, without one, cut within the head, before each of which other
    classes are in a storm; beats with gaps, a line that stops, and neither.
    Checks: those of a class in a storm are told and do not pass, the others come out whole, in order; a full line loses
    no cycle, and what is thrown away takes a beat a cycle though the line stands still.
    """
    rng = randomness("tm_pfc_discard")
    coverage = Coverage("tm_pfc_discard")
    line = Line(dut, rng)
    await start(dut, {**line.pins(), "storm_i": 0})
    passed: list[Sent] = []
    dropped = told = 0

    def look() -> None:
        nonlocal told
        told += int(dut.dropped_o.value)

    for part in range(80):
        line.busy, line.ready = ((1.0, 1.0), (0.6, 1.0), (1.0, 0.5), (1.0, 0.0))[part % 4]
        storm = rng.getrandbits(8)
        dut.storm_i.value = storm
        frames = []
        for _ in range(8):
            kind = rng.choice(("tagged", "tagged", "untagged", "cut"))
            of_class = rng.randrange(8)
            falls = bool(storm >> (of_class if kind == "tagged" else 0) & 1)
            if line.ready == 0 and not falls:
                continue
            frames.append(Sent(frame_of(rng, kind, of_class, rng.randint(0, 300)), bad=rng.random() < 0.3))
            coverage.hit(f"{kind}, {'dropped' if falls else 'passes'}")
            dropped += falls
            passed += [] if falls else frames[-1:]
        before = line.cycle
        line.put(*frames)
        await line.drain(each=look)
        if line.busy == 1 and part % 4 != 2 and frames:
            beats = sum(-(-len(each.data) // line.bytes) for each in frames)
            assert line.taken[-1][1] - before == beats, "a cycle is lost"
    assert told == dropped
    assert [(each.data, each.user >> 16) for each in line.got] == [(each.data, each.bad) for each in passed]
    kinds = ("tagged", "untagged", "cut")
    coverage.check([f"{kind}, {what}" for kind in kinds for what in ("dropped", "passes")])


@cocotb.test()
async def decides_once(dut: Any) -> None:
    """A storm that begins or ends while a frame is on its way.

    Stimulus: a frame waits for the line as its class's storm begins, and another is half out; the storm ends while a
    third one is thrown away; a fourth one follows.
    Checks: the first two and the fourth come out whole, the third does not.
    """
    rng = randomness("tm_pfc_discard decides")
    line = Line(dut, rng)
    await start(dut, {**line.pins(), "storm_i": 0})
    frames = [frame_of(rng, "tagged", 3, 600) for _ in range(4)]
    for frame in frames[:2]:
        line.ready = 0.0 if frame is frames[0] else 1.0
        line.put(frame)
        for _ in range(3):
            await line.step()
        dut.storm_i.value = 1 << 3
        for _ in range(3):
            await line.step()
        line.ready = 1.0
        await line.drain(more=200)
        assert line.got[-1].data == frame
        dut.storm_i.value = 0
    dut.storm_i.value = 1 << 3
    line.put(frames[2])
    for _ in range(3):
        await line.step()
    dut.storm_i.value = 0
    await line.drain()
    line.put(frames[3])
    await line.drain(more=200)
    assert [each.data for each in line.got] == [*frames[:2], frames[3]]


@pytest.mark.parametrize("width", [64, *slow(256, 1024)])
def test_tm_pfc_discard(width: int) -> None:
    build_and_test("tm_pfc_discard", __name__, parameters={"DATA_W": width})
