# SPDX-License-Identifier: BSD-3-Clause
"""The environment itself: frames arrive as they were sent, cycles are those on the pins, broken rules are caught."""

import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import ClockCycles
from cocotbext.truemark import sinks as axis_sinks
from cocotbext.truemark import source as axis
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

HARNESS = ["cocotb_tests/env/loop.sv"]


async def begin(dut: Any, ready: axis.ReadyPattern, mischief: int = 0) -> tuple[axis.Source, axis_sinks.Sinks]:
    """Bring the loop out of reset with a source and a sink on it."""
    dut.mischief_i.value = mischief
    source = axis.Source(dut)
    sinks = axis_sinks.Sinks(dut, ready=ready)
    await axis.start(dut, clock="clk", reset="rst")
    return source, sinks


@cocotb.test()
async def frames_come_through(dut: Any) -> None:
    """
    Stimulus: 200 frames of 1 to 100 bytes, gaps between beats, some with the error bit, sink always ready.
    Checks: every byte, length and error bit; one cycle from beat in to beat out.
    """
    rng = random.Random(cocotb.RANDOM_SEED)
    source, sinks = await begin(dut, axis.always)
    source.gaps = axis.random_gaps(rng, 0.2)
    frames = [axis.Frame(rng.randbytes(rng.randint(1, 100)), error=rng.random() < 0.2) for _ in range(200)]
    await source.send(*frames)
    await sinks.wait(len(frames))
    for sent, got in zip(source.sent, sinks.received[0], strict=True):
        assert (got.data, got.length, got.error) == (sent.frame.data, len(sent.frame.data), sent.frame.error)
        assert (got.first, got.last) == (sent.first + 1, sent.last + 1)


async def provoke(dut: Any, mischief: int) -> None:
    """Send one frame into a sink that is not ready; what the sink complains of fails the test."""
    source, _ = await begin(dut, axis.never, mischief)
    source.put(axis.Frame(bytes(64)))
    await ClockCycles(dut.clk, 40)


@cocotb.test(expect_fail=True)
async def fallen_valid_is_caught(dut: Any) -> None:
    """
    Stimulus: valid falls before the beat is taken.
    Checks: the sink's task fails, and the test with it.
    """
    await provoke(dut, 1)


@cocotb.test(expect_fail=True)
async def changed_beat_is_caught(dut: Any) -> None:
    """
    Stimulus: data change while the beat waits.
    Checks: the sink's task fails, and the test with it.
    """
    await provoke(dut, 2)


@pytest.mark.parametrize("width", [64, *slow(256)])
def test_axis_environment(width: int) -> None:
    build_and_test("loop", __name__, extra_sources=HARNESS, parameters={"DATA_W": width})
