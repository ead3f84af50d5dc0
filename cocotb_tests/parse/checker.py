# SPDX-License-Identifier: BSD-3-Clause
"""Drives frames into a parser and compares every output of every cycle with what was predicted for that cycle."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from cocotb_tests.env.bench import cycle
from cocotb_tests.env.tm_pkg import L3, META, MISHAP, STROBES, TALLY, Bad, Class, Ecn
from cocotb_tests.parse.headers import FLAG_NAMES, Headers, read_headers
from cocotb_tests.parse.stream import Build, Frame, Framed, expect

Prediction = dict[int, tuple[Any, ...]]


@dataclass
class Schedule:
    """Pin values by cycle, and what each output has to say in which cycle; a channel is silent in all others."""

    build: Build
    pins: list[tuple[int, ...]] = field(default_factory=list)
    beats: Prediction = field(default_factory=dict)
    marked: Prediction = field(default_factory=dict)  # the row next to a beat, of frames that may be marked
    ecn: Prediction = field(default_factory=dict)
    flags: Prediction = field(default_factory=dict)
    end: Prediction = field(default_factory=dict)
    tally: Prediction = field(default_factory=dict)
    bad: Prediction = field(default_factory=dict)
    over: list[int] = field(default_factory=list)  # a beat that is not the frame's: meta may go after it
    said: list[tuple[Frame, Framed, Headers | None]] = field(default_factory=list)

    def idle(self, count: int, rng: random.Random) -> None:
        """Add cycles without a beat, with rubbish on the pins."""
        width = 8 * self.build.beat_bytes
        for _ in range(count):
            noise = (rng.getrandbits(width), rng.getrandbits(width // 8), rng.getrandbits(1))
            self.pins.append((0, *noise, rng.getrandbits(self.build.ports), rng.getrandbits(16), rng.getrandbits(1)))

    def add(self, frame: Frame, rng: random.Random, gaps: float) -> None:
        """Add a frame, with pauses between its beats."""
        build = self.build
        times = []
        for number, beat in enumerate(frame.beats):
            while number and rng.random() < gaps:
                self.idle(1, rng)
            times.append(len(self.pins))
            dest, length = (
                (frame.dest, frame.promised) if number == 0 else (rng.getrandbits(build.ports), rng.getrandbits(16))
            )
            error = frame.error if beat.last else bool(rng.getrandbits(1))
            data = int.from_bytes(beat.data, "little")
            self.pins.append((1, data, beat.keep, int(beat.last), dest, length, int(error)))
        self._predict(frame, times)

    def _predict(self, frame: Frame, times: list[int]) -> None:
        build = self.build
        framed = expect(frame, build)
        # The beat bus is one cycle behind the pins, and two more where the class is waited for.
        late = 3 if build.flags_verdict else 1
        self.over += [times[number] + late for number in (0, len(framed.rows)) if number < len(times)]
        if not framed.rows:
            self.bad[times[0] + 1] = (framed.bad,)
            self.said.append((frame, framed, None))
            return
        end = len(framed.rows) - 1
        seen = b"".join(row.data for row in framed.rows)
        said = read_headers(seen, framed.length)
        marked = mark(seen, said) if said.ecn in {Ecn.ECT0, Ecn.ECT1} else None
        for number, row in enumerate(framed.rows):
            stored = ((row.keep >> 1) << 1 | row.last) << 8 * build.beat_bytes
            place = slice(number * build.beat_bytes, (number + 1) * build.beat_bytes)
            value = stored | int.from_bytes(row.data, "little")
            dest = frame.dest if number == 0 else None
            self.beats[times[number] + late] = (number == 0, row.last, dest, value, row.length)
            if marked is not None:
                self.marked[times[number] + late] = (stored | int.from_bytes(marked[place], "little"),)
        if framed.bad is not None:
            self.bad[times[end] + 1] = (framed.bad,)
        self.end[times[end] + late + 1] = (framed.bad is not None,)

        self.said.append((frame, framed, said))
        trusted = None if framed.misshaped else said

        def when(byte: int) -> int:
            beat = end if build.store_and_forward else min(byte // build.beat_bytes, end)
            return times[beat] + late + 1

        self.ecn[when(said.ecn_byte)] = (trusted,)
        if build.flags_verdict:
            self.flags[when(said.class_byte)] = (trusted,)
        if framed.misshaped:
            self.tally[times[end] + late + 3] = (Class.NON_IP, 0, Ecn.NOT_ECT, framed.length)
        else:
            self.tally[times[end] + late + 3] = (said.class_id, said.ece, said.ecn, framed.length)


def mark(frame: bytes, said: Headers) -> bytes:
    """Return an ECT frame as it leaves marked."""
    out, place = bytearray(frame), 15 + 4 * said.tags
    out[place] |= 0x30 if said.l3 == L3.IPV6 else 0x03
    if said.marked_checksum is not None:
        out[place + 9 : place + 11] = said.marked_checksum.to_bytes(2, "big")
    return bytes(out)


def compare_ecn(meta: dict[str, int], want: Headers, where: str) -> None:
    """Check the part of meta that holds from the ECN strobe on."""
    assert (meta["l3"], meta["ecn"]) == (want.l3, want.ecn), f"{where}: {meta}, not {want}"
    if want.l3:
        assert meta["tags"] == want.tags, f"{where}: {meta}, not {want}"
    if want.marked_checksum is not None:
        assert meta["checksum"] == want.marked_checksum, f"{where}: {meta}, not {want}"


def compare_class(meta: dict[str, int], want: Headers, where: str) -> None:
    """Check the part of meta that holds from the flags strobe on."""
    got = (meta["class_id"], bool(meta["payload"]), *(meta[name] for name in FLAG_NAMES))
    assert got == (want.class_id, want.payload, *want.flags.values()), f"{where}: {meta}, not {want}"


async def play(dut: Any, schedule: Schedule) -> None:
    """Drive the pins and check every cycle; meta is checked again in each cycle it has to hold."""
    build = schedule.build
    drive = [dut.s_valid_i, dut.s_data_i, dut.s_keep_i, dut.s_last_i, dut.s_dest_i, dut.s_len_i, dut.s_error_i]
    over = sorted(schedule.over)
    ecn: Headers | None = None
    flags: Headers | None = None
    idle = (0, 0, 0, 0, 0, 0, 0)
    next_ecn: int | None = None
    for now, pins in enumerate([*schedule.pins, *[idle] * 8]):
        for handle, value in zip(drive, pins, strict=True):
            handle.value = value
        await cycle(dut)
        where = f"cycle {now}"
        beat = schedule.beats.get(now)
        strobes = STROBES.unpack(int(dut.strobes_o.value))
        assert bool(strobes["valid"]) == (beat is not None), f"{where}: beat_valid is not {beat is not None}"
        if beat is not None:
            first, last, dest, row, _ = beat
            assert (strobes["first"], strobes["last"]) == (first, last), where
            assert dest is None or int(dut.beat_ports_o.value) == dest, where
            assert int(dut.beat_row_o.value) == row, f"{where}: row {int(dut.beat_row_o.value):x}, not {row:x}"
        if now + 1 in schedule.beats:
            soon = int(dut.soon_len_o.value)
            assert soon == schedule.beats[now + 1][-1], f"{where}: length {soon}, not {schedule.beats[now + 1][-1]}"
        if now in schedule.marked:
            got_marked, (once_marked,) = int(dut.beat_marked_o.value), schedule.marked[now]
            assert got_marked == once_marked, f"{where}: marked row {got_marked:x}, not {once_marked:x}"
        mishap = MISHAP.unpack(int(dut.mishap_o.value))
        tally = TALLY.unpack(int(dut.tally_o.value))
        _strobe(where, "end", int(dut.next_end_o.value), schedule.end.get(now + 1), (int(dut.next_bad_o.value),))
        _strobe(where, "bad", mishap["valid"], schedule.bad.get(now), (mishap["kind"],))
        got_tally = (tally["class_id"], tally["ece"], tally["ecn"], tally["len"])
        _strobe(where, "tally", int(dut.tally_valid_o.value), schedule.tally.get(now), got_tally)
        _strobe(where, "ecn", strobes["next_ecn_valid"], schedule.ecn.get(now + 1), ())
        _strobe(where, "flags", strobes["next_flags_valid"], schedule.flags.get(now + 1), ())
        while over and now > over[0]:
            ecn = None
            over.pop(0)
        if now in schedule.ecn:
            ecn = schedule.ecn[now][0]
        if now in schedule.flags:
            flags = schedule.flags[now][0]
        meta = META.unpack(int(dut.meta_o.value))
        assert next_ecn in (None, meta["ecn"]), f"{where}: next_ecn was {next_ecn}, meta has {meta['ecn']}"
        next_ecn = int(dut.next_ecn_o.value)
        if ecn is not None or flags is not None:
            if ecn is not None:
                compare_ecn(meta, ecn, where)
            if flags is not None and build.flags_verdict:
                compare_class(meta, flags, where)
                own = 1 << (2 * meta["class_id"] + meta["ece"])
                assert int(dut.class_ece_o.value) == own, f"{where}: class_ece is not that of meta"
        assert build.flags_verdict or int(dut.class_ece_o.value) == 0, where


def _strobe(where: str, name: str, valid: int, want: tuple[Any, ...] | None, got: tuple[int, ...]) -> None:
    assert bool(valid) == (want is not None), f"{where}: {name} strobe is {valid}, not {want}"
    if want is not None:
        values = tuple(int(value) for value in want) if got else ()
        assert got == values, f"{where}: {name} says {got}, not {values}"


def kinds(schedule: Schedule) -> list[Bad | None]:
    """Return what was found of each frame, in order."""
    return [framed.bad for _, framed, _ in schedule.said]
