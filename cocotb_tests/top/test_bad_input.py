# SPDX-License-Identifier: BSD-3-Clause
"""truemark: bad frames are counted by kind, hurt nobody else, and are followed by normal service.

Every test sends a good frame before and good frames after the bad one, back to back.
"""

from __future__ import annotations

from typing import Any

import cocotb
import pytest
from cocotbext.truemark import registers
from cocotbext.truemark.sinks import Received
from cocotbext.truemark.source import Frame
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env import packets
from cocotb_tests.env.device import Device
from cocotb_tests.env.tm_pkg import Bad, Outcome
from cocotb_tests.top.bad_bench import AFTER, BEFORE, CUT_THROUGH, MAX_FRAME, WHOLE, around, beat_bytes, whole


async def dropped_whole(device: Device, kind: Bad, *bad: Frame, held_back: bool = True, offered: bool = True) -> None:
    """Check that wrong frames vanish and are counted once each, in their kind and as aborted copies."""
    assert await around(device, *bad, held_back=held_back) == []
    assert await device.bad() == {kind: len(bad)}
    assert (await device.outcomes(0)).get(Outcome.ABORTED, 0) == (len(bad) if offered else 0)
    assert await device.page(0, registers.CUT_SHORT) == 0


async def cut_short(device: Device, kind: Bad, bad: Frame, expected: bytes) -> None:
    """Check that a wrong frame that is already leaving ends in error with the shorter of its two lengths."""
    (received,) = await around(device, bad, held_back=False)
    assert received.error, "no error flag on a frame that is wrong"
    assert received.data == expected
    assert received.length == bad.length
    assert await device.bad() == {kind: 1}
    assert await device.page(0, registers.CUT_SHORT) == 1
    outcomes = await device.outcomes(0)
    assert outcomes[Outcome.DEPARTED] == 2 + len(AFTER)
    assert Outcome.ABORTED not in outcomes


@cocotb.test()
async def over_max_frame(dut: Any) -> None:
    """A frame longer than MAX_FRAME.

    Stimulus: MAX_FRAME bytes, which is allowed; then MAX_FRAME + 1, and three times as many.
    Checks: the first comes out, the others do not and are counted as oversize.
    """
    device = await Device(dut).start()
    longest = packets.of_length(MAX_FRAME)
    bad = [Frame(packets.of_length(size)) for size in (MAX_FRAME + 1, 3 * MAX_FRAME)]
    received = await around(device, Frame(longest), *bad, held_back=False)
    assert [frame.data for frame in received] == [longest]
    assert await device.bad() == {Bad.OVERSIZE: 2}


@cocotb.test()
async def runt(dut: Any) -> None:
    """A frame of 13 bytes.

    Stimulus: 13 bytes and one byte; 14 bytes, which is allowed.
    Checks: the runts do not come out and are counted, 14 bytes come out.
    """
    device = await Device(dut).start()
    header = packets.non_ip(60)[:14]
    received = await around(device, Frame(header[:13]), Frame(header[:1]), Frame(header), held_back=False)
    assert [frame.data for frame in received] == [header]
    assert await device.bad() == {Bad.RUNT: 2}


@cocotb.test()
async def longer_than_promised(dut: Any) -> None:
    """More beats than the length promises, held back.

    Stimulus: 700 bytes promised as 400, and 400 bytes promised as 399.
    Checks: dropped whole, counted as length mismatch (store-and-forward does not trust the promise: both come out).
    """
    device = await Device(dut).start()
    bad = [Frame(packets.of_length(700), promised=400), Frame(packets.of_length(400), promised=399)]
    if whole():
        assert [frame.data for frame in await around(device, *bad, held_back=True)] == [frame.data for frame in bad]
        assert await device.bad() == {}
    else:
        await dropped_whole(device, Bad.LENGTH_MISMATCH, *bad)


@cocotb.test()
async def shorter_than_promised(dut: Any) -> None:
    """Fewer beats than the length promises, held back.

    Stimulus: 400 bytes promised as 700, 60 bytes promised as 1500, 400 promised as 401.
    Checks: dropped whole, counted as length mismatch (in store-and-forward they come out with their true length).
    """
    device = await Device(dut).start()
    sizes = ((400, 700), (60, 1500), (400, 401))
    bad = [Frame(packets.of_length(size), promised=promised) for size, promised in sizes]
    if whole():
        received = await around(device, *bad, held_back=True)
        assert [frame.data for frame in received] == [frame.data for frame in bad]
        assert [frame.length for frame in received] == [size for size, _ in sizes]
        assert await device.bad() == {}
    else:
        await dropped_whole(device, Bad.LENGTH_MISMATCH, *bad)


@cocotb.test()
async def longer_while_leaving(dut: Any) -> None:
    """More beats than the length promises, already on its way out.

    Stimulus: 700 bytes promised as 400, the output ready.
    Checks: cut short at 400 bytes, with the error flag on the last beat (in store-and-forward it comes out whole).
    """
    device = await Device(dut).start()
    bad = Frame(packets.of_length(700), promised=400)
    if whole():
        (received,) = await around(device, bad, held_back=False)
        assert (received.data, received.error) == (bad.data, False)
    else:
        await cut_short(device, Bad.LENGTH_MISMATCH, bad, bad.data[:400])


@cocotb.test()
async def shorter_while_leaving(dut: Any) -> None:
    """Fewer beats than the length promises, already on its way out.

    Stimulus: 390 bytes promised as 700, the output ready.
    Checks: it ends with its 390 bytes and the error flag (in store-and-forward without).
    """
    device = await Device(dut).start()
    bad = Frame(packets.of_length(390), promised=700)
    if whole():
        (received,) = await around(device, bad, held_back=False)
        assert (received.data, received.length, received.error) == (bad.data, 390, False)
    else:
        await cut_short(device, Bad.LENGTH_MISMATCH, bad, bad.data)


@cocotb.test()
async def keep_hole(dut: Any) -> None:
    """Holes in tkeep.

    Stimulus: held back, a hole in the first beat, in a middle one, in the last, an empty beat, a beat that is not full
    before the last; with the output ready a hole in the fourth beat from the end.
    Checks: dropped whole and counted as keep holes; the leaving one ends in error, no byte more than it promised.
    """
    device = await Device(dut).start()
    data = packets.of_length(500)
    beats = -(-len(data) // beat_bytes(dut))
    full = (1 << beat_bytes(dut)) - 1
    holes = [{0: full ^ 4}, {beats // 2: full ^ 1}, {beats - 1: 0b101}, {1: 0}, {2: full >> 1}]
    await dropped_whole(device, Bad.KEEP_HOLE, *(Frame(data, keep=keep) for keep in holes))
    received = await around_again(device, Frame(data, keep={beats - 4: full ^ 2}))
    assert (await device.bad())[Bad.KEEP_HOLE] == len(holes) + 1
    if whole():
        assert received == []
    else:
        (frame,) = received
        assert frame.error
        assert frame.data == data
        assert await device.page(0, registers.CUT_SHORT) == 1


async def around_again(device: Device, bad: Frame) -> list[Received]:
    """Send between good frames again, on the same device, with the output ready."""
    for received in device.sinks.received:
        received.clear()
    return await around(device, bad, held_back=False)


@cocotb.test()
async def error_bit(dut: Any) -> None:
    """A frame that upstream found bad.

    Stimulus: the error bit on the last beat, held back; the same with the output ready, 600 bytes and one beat.
    Checks: dropped whole and counted; the leaving one goes out with the error flag, the one-beat frame never starts.
    """
    device = await Device(dut).start()
    await dropped_whole(device, Bad.ERROR_BIT, Frame(packets.of_length(600), error=True), Frame(BEFORE, error=True))
    received = await around_again(device, Frame(packets.of_length(600), error=True))
    assert await device.bad() == {Bad.ERROR_BIT: 3}
    assert [(frame.data, frame.error) for frame in received] == ([] if whole() else [(packets.of_length(600), True)])
    small = packets.of_length(60)[: beat_bytes(dut)] if beat_bytes(dut) >= 14 else packets.of_length(60)[:16]
    received = await around_again(device, Frame(small, error=True))
    assert received == []
    assert await device.bad() == {Bad.ERROR_BIT: 4}


@cocotb.test()
async def no_destination(dut: Any) -> None:
    """No destination bit.

    Stimulus: frames of one beat and many without a destination, between good ones.
    Checks: they vanish, counted; no port counts an arrival.
    """
    device = await Device(dut).start()
    bad = [Frame(data, ports=0) for data in (packets.of_length(64), packets.of_length(1000))]
    await dropped_whole(device, Bad.NO_DESTINATION, *bad, held_back=False, offered=False)
    assert sum((await device.outcomes(0)).values()) == 2 * (1 + len(AFTER))


@cocotb.test()
async def all_destinations(dut: Any) -> None:
    """All destination bits, one port stuck.

    Stimulus: 60 frames of 700 bytes to every port while port 1 takes nothing.
    Checks: the others get every frame; port 1 holds what its storage can and counts the rest as no room; afterwards it
    sends what it held.
    """
    device = await Device(dut).start()
    device.tx_en(0, 2)
    frames = [packets.of_length(700 + n % 7) for n in range(60)]
    await device.source.send(*(Frame(data, ports=0b111) for data in frames))
    await device.sinks.wait(120, cycles=10_000)
    held = await device.page(1, registers.OCCUPANCY_PACKETS)
    outcomes = await device.outcomes(1)
    assert outcomes == {Outcome.PASS: held, Outcome.NO_ROOM: 60 - held}
    device.tx_en(0, 1, 2)
    await device.sinks.wait(120 + held, cycles=10_000)
    for port, expected in ((0, frames), (1, frames[:held]), (2, frames)):
        assert [frame.data for frame in device.sinks.received[port]] == expected, f"port {port}"


@cocotb.test()
async def one_beat_frames_everywhere(dut: Any) -> None:
    """Back-to-back frames of one beat to every port.

    Stimulus: 200 frames of 14 bytes up to one beat (two beats of 64 bit) without a pause, each to all ports.
    Checks: all come out of every port, in order.
    """
    device = await Device(dut).start()
    longest = max(beat_bytes(dut), 16)
    frames = [packets.non_ip(60)[:12] + bytes([8, n]) + bytes(n % (longest - 13)) for n in range(200)]
    await device.source.send(*(Frame(data, ports=0b111) for data in frames))
    await device.sinks.wait(600)
    for port in range(3):
        assert [frame.data for frame in device.sinks.received[port]] == frames, f"port {port}"
    assert await device.bad() == {}


@pytest.mark.parametrize("parameters", [WHOLE, *slow(CUT_THROUGH)], ids=["store-and-forward", "cut-through"])
def test_bad_input(parameters: dict[str, int]) -> None:
    mode = str(parameters.get("STORE_AND_FORWARD", 0))
    build_and_test("truemark", __name__, parameters=parameters, extra_env={"STORE_AND_FORWARD": mode})
