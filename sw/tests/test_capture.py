# SPDX-License-Identifier: BSD-3-Clause
"""Captures in every form they come in, and every way in which one can be unusable."""

from __future__ import annotations

import gzip
import random
import struct
from pathlib import Path

import pytest
from scapy.layers.l2 import Ether
from scapy.utils import PcapNgWriter, RawPcapReader
from sw.tests.frames import START, pcap_header, tcp_frame, write_capture

from truemark.errors import TruemarkError
from truemark.replay.capture import Reader, Writer

FRAMES = [(0, tcp_frame(60)), (1_234, tcp_frame(1514)), (5_000_001_000, tcp_frame(90, ipv6=True))]


def block(kind: int, body: bytes, order: str = "<") -> bytes:
    """Return a pcapng block."""
    body += bytes(-len(body) % 4)
    return struct.pack(order + "II", kind, len(body) + 12) + body + struct.pack(order + "I", len(body) + 12)


def section(order: str = "<") -> bytes:
    """Return a pcapng section header."""
    return block(0x0A0D0D0A, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1), order)


ETHERNET = block(1, struct.pack("<HHI", 1, 0, 0))


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    with Reader(write_capture(tmp_path / "a.pcap", FRAMES)) as reader:
        assert [(frame.time_ns - START, frame.data) for frame in reader] == FRAMES


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize(("magic", "unit"), [(0xA1B2C3D4, 1000), (0xA1B23C4D, 1)])
def test_pcap_byte_orders_and_clocks(tmp_path: Path, order: str, magic: int, unit: int) -> None:
    path = tmp_path / "a.pcap"
    path.write_bytes(pcap_header(1, magic, order) + struct.pack(order + "IIII", 7, 9, 4, 60) + b"abcd")
    with Reader(path) as reader:
        (frame,) = reader
    assert (frame.time_ns, frame.data, frame.length) == (7 * 10**9 + 9 * unit, b"abcd", 60)
    assert frame.padded() == b"abcd" + bytes(56)


@pytest.mark.parametrize("order", ["<", ">"])
def test_pcapng_with_nanoseconds_and_other_blocks(tmp_path: Path, order: str) -> None:
    """Two interfaces with clocks of their own; unknown blocks are passed over; a second section starts again."""
    resolution = struct.pack(order + "HHB3xHH", 9, 1, 9, 0, 0)
    interfaces = block(1, struct.pack(order + "HHI", 1, 0, 0) + resolution, order) + block(
        1, struct.pack(order + "HHI", 1, 0, 0), order
    )
    time_ns, time_us = 1_700_000_000_000_000_007, 1_700_000_000_000_009

    def packet(interface: int, time: int) -> bytes:
        return block(6, struct.pack(order + "IIIII", interface, time >> 32, time & 0xFFFFFFFF, 5, 64) + b"hello", order)

    path = tmp_path / "a.pcapng"
    body = interfaces + block(0xBAD, b"????", order) + packet(0, time_ns) + packet(1, time_us)
    microseconds_only = block(1, struct.pack(order + "HHI", 1, 0, 0), order) + packet(0, time_us)
    path.write_bytes(section(order) + body + section(order) + microseconds_only)
    with Reader(path) as reader:
        frames = list(reader)
    assert [frame.time_ns for frame in frames] == [time_ns, time_us * 1000, time_us * 1000]
    assert {(frame.data, frame.length) for frame in frames} == {(b"hello", 64)}


def test_pcapng_of_another_writer(tmp_path: Path) -> None:
    path = tmp_path / "a.pcapng"
    with PcapNgWriter(str(path)) as writer:
        for _, data in FRAMES:
            writer.write(Ether(data))
    with Reader(path) as reader:
        assert [frame.data for frame in reader] == [data for _, data in FRAMES]


def test_gzip(tmp_path: Path) -> None:
    path = write_capture(tmp_path / "a.pcap", FRAMES)
    path.write_bytes(gzip.compress(path.read_bytes()))
    with Reader(path) as reader:
        assert [frame.data for frame in reader] == [data for _, data in FRAMES]


def whole(folder: Path) -> bytes:
    """Return the bytes of a good capture."""
    return write_capture(folder / "whole.pcap", FRAMES).read_bytes()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("cut frame", "truncated capture: the frame after frame 2 has 70 of 90 bytes"),
        ("cut header", "truncated capture: the frame header after frame 3 has 7 of 16 bytes"),
        ("cut file header", "truncated capture: the file header after frame 0 has 8 of 20 bytes"),
        ("cut gzip", "truncated or damaged gzip file"),
        ("damaged gzip", "truncated or damaged gzip file .* after [0-3] frames"),
        ("damaged pcapng gzip", "truncated or damaged gzip file"),
        ("cut pcapng", "truncated capture: a block after frame 0"),
        ("cut pcapng gzip", "truncated or damaged gzip file"),
        ("no interface", "damaged pcapng after frame 0"),
        ("no timestamps", "frames without timestamps"),
        ("wrong link", r"wrong link type 113 \(Linux cooked\): frames must be Ethernet"),
        ("wrong link pcapng", r"wrong link type 101 \(raw IP\)"),
        ("no frame", "empty capture: it holds no frame"),
        ("no byte", r"the file is empty \(0 bytes\)"),
        ("text", "not a capture: it begins with 23 21 2f 62"),
        ("damaged length", r"damaged capture: the header of frame 1 says 4294967295 bytes"),
    ],
)
def test_unusable_captures_say_why(tmp_path: Path, name: str, says: str) -> None:
    good = whole(tmp_path)
    content = {
        "cut frame": good[:-20],
        "cut header": good + bytes(7),
        "cut file header": good[:12],
        "cut gzip": gzip.compress(good)[:-30],
        "damaged gzip": gzip.compress(good)[:40] + b"\xff" * 40 + gzip.compress(good)[80:],
        "damaged pcapng gzip": gzip.compress(section() + ETHERNET)[:20] + b"\xff" * 40,
        "cut pcapng": section() + block(1, struct.pack("<HHI", 1, 0, 0))[:-6],
        "cut pcapng gzip": gzip.compress(section() + ETHERNET)[:-12],
        "no interface": section() + block(6, struct.pack("<IIIII", 0, 0, 9, 4, 4) + b"abcd"),
        "no timestamps": section() + ETHERNET + block(3, struct.pack("<I", 4) + b"abcd"),
        "wrong link": pcap_header(113) + good[24:],
        "wrong link pcapng": section() + block(1, struct.pack("<HHI", 101, 0, 0)),
        "no frame": good[:24],
        "no byte": b"",
        "text": b"#!/bin/sh\n" * 10,
        "damaged length": good[:24] + b"\xff" * 16,
    }[name]
    path = tmp_path / "bad.pcap"
    path.write_bytes(content)
    with Reader(path) as reader, pytest.raises(TruemarkError, match=f"bad.pcap: {says}"):
        list(reader)


@pytest.mark.parametrize("kind", ["pcap", "pcapng"])
@pytest.mark.parametrize("zipped", [False, True])
def test_damage_anywhere_is_said_or_harmless(tmp_path: Path, kind: str, zipped: bool) -> None:
    """Bytes that are changed, left out or put in: an error in words or other frames, and nothing else."""
    refused: list[str]
    draw, path, refused = random.Random(f"{kind} {zipped}"), tmp_path / "bad.pcap", []
    packet = struct.pack("<IIIII", 0, 1, 2, 60, 60) + bytes(60)
    good = whole(tmp_path) if kind == "pcap" else section() + ETHERNET + block(6, packet) * 4
    content = gzip.compress(good) if zipped else good
    for _ in range(300):
        damaged = bytearray(content)
        for _ in range(draw.randint(1, 4)):
            at = draw.randrange(2 if zipped else 4, len(damaged))  # it stays a capture by its first bytes
            damaged[at : at + draw.choice((0, 1, 1, 1, 4))] = draw.randbytes(draw.choice((0, 1, 1, 1, 4)))
        path.write_bytes(damaged)
        try:
            with Reader(path) as reader:
                list(reader)
        except TruemarkError as error:
            refused.append(str(error))
    assert len(refused) > 100
    assert all(said.startswith(f"{path}: ") for said in refused)


def test_missing_capture(tmp_path: Path) -> None:
    with pytest.raises(TruemarkError, match=r"none\.pcap: there is no such capture"):
        Reader(tmp_path / "none.pcap")


def test_nothing_is_left_half_written(tmp_path: Path) -> None:
    path = tmp_path / "out.pcap"
    with pytest.raises(RuntimeError), Writer(path) as writer:  # noqa: PT012 - the failure is in the middle of writing
        writer.write(START, b"frame", 5)
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("time_ns", [-1, 10**9 << 32])
def test_a_time_that_no_pcap_can_hold(tmp_path: Path, time_ns: int) -> None:
    path = tmp_path / "out.pcap"
    says = f"^{path}: cannot be written: frame 2 leaves at second {time_ns // 10**9} since 1970"
    frames = [((10**9 << 32) - 1 - START, b""), (time_ns - START, b"")]
    with pytest.raises(TruemarkError, match=says):
        write_capture(path, frames)
    assert not list(tmp_path.iterdir())


def test_others_read_what_is_written(tmp_path: Path) -> None:
    path = write_capture(tmp_path / "a.pcap", FRAMES)
    read = [(meta.sec * 10**9 + meta.usec, data) for data, meta in RawPcapReader(str(path))]
    assert read == [(START + time_ns, data) for time_ns, data in FRAMES]
