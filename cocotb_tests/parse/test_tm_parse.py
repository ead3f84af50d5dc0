# SPDX-License-Identifier: BSD-3-Clause
"""tm_parse: every output of every cycle, for sound and broken frames, at every width and in every mode.

Its parts have no outputs but these, and are tested through them: tm_framer, tm_header_walk, tm_header_times,
tm_l3_walk, tm_fields, tm_chain_walk, tm_word_window, tm_classify, tm_checksum_mark.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import cocotb
import pytest
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.tm_pkg import L3, MISHAP, Bad, Class, Ecn
from cocotb_tests.parse.checker import Schedule, play
from cocotb_tests.parse.stream import Beat, Build, Frame, frame_of
from cocotb_tests.parse.vectors import (
    ACK,
    AUTH,
    DESTINATION,
    FIN,
    FRAGMENT,
    HOP,
    ROUTING,
    SYN,
    ethernet,
    ipv4,
    ipv6,
    random_frame,
    tcp,
)

FRAMES = 700


def build_of() -> Build:
    """The parameters of the build, as pytest chose them (one-bit parameters cannot be read through the simulator)."""
    return Build(**json.loads(os.environ["PARSE_BUILD"]))


async def begin(dut: Any) -> Build:
    """Reset, with idle pins."""
    await start(dut, s_valid_i=0, s_data_i=0, s_keep_i=0, s_last_i=0, s_dest_i=0, s_len_i=0, s_error_i=0)
    return build_of()


def punch_hole(frame: Frame, rng: random.Random, beat_bytes: int) -> None:
    """Spoil the keep of one beat."""
    beat = rng.choice(frame.beats)
    bad = [0, beat.keep & ~1, beat.keep & ~(1 << rng.randrange(beat_bytes)), rng.getrandbits(beat_bytes)]
    beat.keep = rng.choice(bad)


def spoil(frame: Frame, rng: random.Random, build: Build) -> Frame:
    """Make a frame wrong in one way or several, or leave it as it is."""
    for _ in range(rng.choice((1, 1, 1, 2))):
        match rng.randrange(8):
            case 0:
                frame.dest = 0
            case 1:
                frame.promised = rng.choice((0, 1, 12, 13))
            case 2:
                frame.promised = rng.choice((build.max_frame + 1, 0xFFFF, 0x4000, build.max_frame + build.beat_bytes))
            case 3:
                punch_hole(frame, rng, build.beat_bytes)
            case 4:
                frame.promised = max(14, frame.promised + rng.choice((-1, 1, -build.beat_bytes, build.beat_bytes)))
            case 5:
                frame.promised = rng.randrange(14, 300)
            case 6:
                frame.error = True
            case 7:
                data = rng.randbytes(rng.randrange(1, 20))
                return frame_of(data, build.beat_bytes, promised=rng.choice((len(data), 14, 60)), dest=1, filler=rng)
    return frame


def hit(coverage: Coverage, schedule: Schedule) -> None:
    """Count what the frames of a schedule were."""
    for _frame, framed, said in schedule.said:
        coverage.hit(f"bad {framed.bad.name}" if framed.bad is not None else "sound")
        if said is not None and not framed.misshaped:
            coverage.hit(f"class {said.class_id.name}")
            coverage.hit(f"ecn {said.ecn.name}")
            coverage.hit(f"{said.l3.name} behind {said.tags} tags")
            coverage.hit("AccECN", bool(said.flags["ae"]))
            coverage.hit("one beat", len(framed.rows) == 1)
            if said.l3 == L3.IPV6 and said.class_id > Class.OTHER_IP:
                coverage.hit(f"IPv6 TCP flags at {said.class_byte - 4 * said.tags - 67} bytes of extension headers")


@cocotb.test()
async def any_frames(dut: Any) -> None:
    """Every output, every cycle.

    Stimulus: sound frames of all kinds, then the same with faults, back to back and with pauses in and between frames.
    Checks: rows, strobes, meta and tally in exactly the cycles the contract names, and nothing in any other.
    """
    build = await begin(dut)
    rng = randomness("tm_parse")
    schedule = Schedule(build)
    for number in range(FRAMES):
        data = random_frame(rng)
        dest = rng.randrange(1, 1 << build.ports)
        frame = frame_of(data, build.beat_bytes, dest=dest, error=rng.random() < 0.02, filler=rng)
        if rng.random() < 0.3:
            frame = spoil(frame, rng, build)
        schedule.add(frame, rng, rng.choice((0.0, 0.0, 0.3)))
        if number % 3 == 0:
            schedule.idle(rng.choice((0, 0, 1, 2, 5)), rng)
    await play(dut, schedule)
    coverage = Coverage("tm_parse")
    hit(coverage, schedule)
    floors = {f"class {name.name}": 5 for name in Class} | {f"ecn {name.name}": 20 for name in Ecn}
    floors |= {f"{l3.name} behind {n} tags": 3 for l3 in (L3.IPV4, L3.IPV6) for n in range(4)}
    floors |= {"sound": 300, "AccECN": 10}
    bad = {Bad.NO_DESTINATION, Bad.RUNT, Bad.KEEP_HOLE, Bad.ERROR_BIT}
    if not build.store_and_forward:
        bad |= {Bad.OVERSIZE, Bad.LENGTH_MISMATCH}
    coverage.check(floors | {f"bad {kind.name}": 8 for kind in bad})


def edges(rng: random.Random) -> Iterator[bytes]:
    """Frames on either side of each bound in the header rules."""
    segment = tcp(ACK, data=b"data")
    for value in range(256):  # every version and header length
        packet = ipv4(segment + bytes(40), ecn=2)
        yield ethernet(0x0800, bytes((value,)) + packet[1:])
    for ecn in range(4):  # the checksum wraps
        for value in (0, 1, 2, 3, 0xFFFD, 0xFFFE, 0xFFFF):
            packet = ipv4(segment, ecn=ecn)
            packet = packet[:10] + value.to_bytes(2, "big") + packet[12:]
            yield ethernet(0x0800, packet, [0x8100] * rng.randrange(4))
    for bit in range(16):  # each bit of the fragment fields
        yield ethernet(0x0800, ipv4(segment, ecn=1, fragment=1 << bit), [0x88A8] * rng.randrange(4))
        for tags in range(4):
            offset = (1 << bit) >> 3
            yield ethernet(0x86DD, ipv6(segment, chain=[(FRAGMENT, 0, offset)]), [0x8100] * tags)
            yield ethernet(0x86DD, ipv6(segment, chain=[(HOP, tags, 0), (FRAGMENT, 0, offset)]), [0x8100] * tags)
    for kind in (HOP, ROUTING, DESTINATION, AUTH):  # the end of the window, from both extension headers
        for length in [*range(17), 31, 32, 64, 128, 255]:
            for other in range(6):
                chain = [(kind, length, 0), (AUTH, other, 0)]
                packet = ipv6(tcp(SYN, data=b"d"), ecn=3, chain=chain if rng.random() < 0.5 else chain[::-1])
                yield ethernet(0x86DD, packet, [0x8100] * rng.randrange(4))
    for offset in range(16):  # data offset against the IP length
        for size in range(36, 66):
            yield ethernet(0x0800, ipv4(tcp(FIN | ACK, offset=offset, data=bytes(48)), total=size))
    long = ethernet(0x86DD, ipv6(tcp(ACK), chain=[(HOP, 0, 0), (DESTINATION, 1, 0)]), [0x88A8, 0x8100])
    short = ethernet(0x0800, ipv4(tcp(ACK), options=3), [0x8100])
    for frame in (long, short):  # cut at every byte
        for length in range(14, len(frame) + 1):
            yield frame[:length]


@cocotb.test()
async def header_edges(dut: Any) -> None:
    """Every bound of the header rules.

    Stimulus: the frames of `edges`, back to back, rubbish behind their ends.
    Checks: every output, every cycle.
    """
    build = await begin(dut)
    rng = randomness("tm_parse edges")
    schedule = Schedule(build)
    for data in edges(rng):
        schedule.add(frame_of(data, build.beat_bytes, filler=rng), rng, 0.0)
    await play(dut, schedule)


@cocotb.test()
async def keep_edges(dut: Any) -> None:
    """Every relation of keep and promise on the last beat.

    Stimulus: frames of one to three beats, all kinds of last beat, with holes or not; promised lengths all around.
    Checks: every output, every cycle.
    """
    build = await begin(dut)
    rng = randomness("tm_parse keep")
    schedule = Schedule(build)
    width = build.beat_bytes
    step = max(1, width // 16)
    for beats in (1, 2, 3):
        for fill in {*range(1, width + 1, step), width - 1, width}:
            data = rng.randbytes((beats - 1) * width + fill)
            around = {-width, -step, -1, 0, 1, step, width, width - fill}
            for promised in (max(14, len(data) + change) for change in around):
                schedule.add(frame_of(data, width, promised=promised, filler=rng), rng, 0.0)
                holed = frame_of(data, width, promised=promised, filler=rng)
                punch_hole(holed, rng, width)
                schedule.add(holed, rng, 0.0)
    await play(dut, schedule)
    coverage = Coverage("tm_parse keep")
    for frame, framed, _ in schedule.said:
        last = frame.beats[-1].keep
        early = len(framed.rows) * width < frame.promised
        coverage.hit("hole in an early end", framed.bad == Bad.KEEP_HOLE and early and last & (last + 1) != 0)
        coverage.hit("hole in the last row", framed.bad == Bad.KEEP_HOLE and not early)
    coverage.check(
        ["hole in the last row"] if build.store_and_forward else ["hole in an early end", "hole in the last row"]
    )


@cocotb.test()
async def longest_frames(dut: Any) -> None:
    """Frames around MAX_FRAME, and far beyond.

    Stimulus: MAX_FRAME - 1 to + 1 bytes, one row more, twice as long; promised right, and promised as MAX_FRAME.
    Checks: as above; the frame after each is sound.
    """
    build = await begin(dut)
    rng = randomness("tm_parse longest")
    schedule = Schedule(build)
    for length in (-1, 0, 1, build.beat_bytes, build.max_frame):
        for promised in (build.max_frame + length, build.max_frame):
            data = rng.randbytes(build.max_frame + length)
            schedule.add(frame_of(data, build.beat_bytes, promised=promised, filler=rng), rng, 0.0)
            schedule.add(frame_of(random_frame(rng), build.beat_bytes, filler=rng), rng, 0.0)
    await play(dut, schedule)


@cocotb.test()
async def reset_in_frame(dut: Any) -> None:
    """A reset in mid-frame.

    Stimulus: reset after one beat of a longer frame, in a pause between frames, in a frame that is ignored, and in the
    discarded rest of a frame that was too long.
    Checks: reset_in_frame_o pulses in the first case alone; the first beat after reset is a first beat.
    """
    build = await begin(dut)
    rng = randomness("tm_parse reset")
    width = build.beat_bytes
    long = rng.randbytes(3 * width)

    async def cut(frame: Frame, beats: int) -> int:
        pulses = 0
        for beat in [*frame.beats[:beats], *[Beat(bytes(width), 0, False)] * 4]:
            dut.s_valid_i.value = int(beat.keep != 0)
            dut.rst_i.value = int(beat.keep == 0)
            dut.s_data_i.value = int.from_bytes(beat.data, "little")
            dut.s_keep_i.value, dut.s_last_i.value = beat.keep, int(beat.last)
            dut.s_dest_i.value, dut.s_len_i.value, dut.s_error_i.value = frame.dest, frame.promised, 0
            await cycle(dut)
            pulses += MISHAP.unpack(int(dut.mishap_o.value))["reset_in_frame"]
        dut.rst_i.value = 0
        return pulses

    cases = [
        (frame_of(long, width), 1, 1),
        (frame_of(long, width), 2, 1),
        (frame_of(long, width), 3, 0),
        (frame_of(long, width, dest=0), 1, 0),
    ]
    if not build.store_and_forward:
        cases.append((frame_of(long, width, promised=max(14, width)), 2, 0))
    for frame, beats, pulses in cases:
        assert await cut(frame, beats) == pulses
        schedule = Schedule(build)
        for _ in range(3):
            schedule.add(frame_of(random_frame(rng), width, filler=rng), rng, 0.0)
        await play(dut, schedule)


# The width; whether lengths are counted or promised; whether flags are waited for.
EVERY_DAY = [(64, "counted", "flags"), (256, "promised", "soon"), (1024, "counted", "soon")]
SLOW = [
    (64, "promised", "soon"),
    (128, "promised", "flags"),
    (256, "counted", "soon"),
    (256, "promised", "flags"),
    (512, "promised", "flags"),
    (1024, "promised", "flags"),
]


@pytest.mark.parametrize(("width", "lengths", "verdict"), [*EVERY_DAY, *slow(*SLOW)])
def test_tm_parse(width: int, lengths: str, verdict: str) -> None:
    counted, flags = int(lengths == "counted"), int(verdict == "flags")
    build = Build(width // 8, 1800, 5, bool(counted), bool(flags))
    parameters = {"DATA_W": width, "MAX_FRAME": 1800, "STORE_AND_FORWARD": counted, "FLAGS_VERDICT": flags}
    environment = {"PARSE_BUILD": json.dumps(asdict(build))}
    build_and_test("tm_parse", __name__, parameters=parameters, extra_env=environment)
