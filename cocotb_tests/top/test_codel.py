# SPDX-License-Identifier: BSD-3-Clause
"""tm_core with CoDel: what leaves is what the golden model lets go.

In it are tm_port, tm_laws, tm_departure_laws, tm_egress and tm_depart.
That the model does as Linux does is shown by the peers (sim/peers/test_codel.py).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

import cocotb
import pytest
from truemark_dev import build_type
from truemark_dev.golden import golden
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, randomness
from cocotb_tests.env.config_words import OFF_BYTES
from cocotb_tests.env.packets import marked, of_length
from cocotb_tests.env.tm_pkg import LAST_CODES, LAW_CODES, Class, Departure, Ecn, Law
from cocotb_tests.top.codel_bench import QUIET, U32, Bench, Settings, random_frame, random_settings

pytestmark = pytest.mark.builds("golden")

MARKED = frozenset({Departure.MARKED, Departure.THRESHOLD, Departure.MARKED_THRESHOLD})


@dataclass
class Waiting:
    """A frame in the queue."""

    length: int
    stamp: int
    ecn: Ecn
    protected: bool = False
    key: int = 0


@dataclass
class Queue:
    """What one queue holds, and the golden model's CoDel on it."""

    codel: Any
    frames: deque[Waiting] = field(default_factory=deque)

    def arrive(self, frame: Waiting) -> None:
        """Hold a frame."""
        self.frames.append(frame)
        self.codel.stored(frame.length)

    def held(self) -> int:
        """Return the bytes held."""
        return sum(frame.length for frame in self.frames)

    def dequeue(self, now: int) -> list[tuple[Waiting, Departure]]:
        """Return what one departure takes: the frames that were dropped, then the one that is sent, if any is left."""
        gone: list[tuple[Waiting, Departure]] = []
        while self.frames:
            frame = self.frames.popleft()
            kind = Departure(self.codel.meet(now, frame.stamp, frame.ecn, frame.protected, self.held()))
            gone.append((frame, kind))
            if kind != Departure.HEAD_DROPPED:
                return gone
        self.codel.ran_out()
        return gone


@cocotb.test()
async def as_linux_does(dut: Any) -> None:
    """Decisions, one departure at a time.

    Stimulus: 30 runs of 30 departures with the queue kept at up to 14 frames; in each run other settings, every
    switch, and a time that starts anywhere in the clock's 32 bits, runs on by part of an interval or by many, wraps,
    and goes backwards.
    Checks: every departure drops, marks and sends exactly what the golden model does; bytes held; every frame that is
    sent is whole, and CE exactly if it was marked.
    """
    rng = randomness("as_linux_does")
    coverage = Coverage("as_linux_does")
    bench = Bench(dut, 1, len(dut.s_keep_i))
    flags = build_type.of(dut)["FLAGS_VERDICT"]
    await bench.start([Settings()])
    for _ in range(30):
        settings = random_settings(rng)
        protect = {each for each in Class if rng.random() < 0.3} if flags and settings.ecn else set()
        k = rng.choice((OFF_BYTES, OFF_BYTES, 900))
        policy = {
            "slot_of": 1, "law": int(Law.STEP), "k": k, "wait_flags": flags,
            "protect": sum(3 << 2 * each for each in protect),
        }  # fmt: skip
        # Nothing of the last run is left.
        while bench.held.get("bytes"):
            await bench.take()
        bench.configure([settings], **policy)
        queue = Queue(golden().CodelQueue(vars(settings)))
        await bench.reset()
        now = rng.choice((rng.getrandbits(32), U32 - rng.randrange(3 * settings.interval), 0, 1 << 31))
        sent: dict[int, bytes] = {}
        for number in range(30):
            for _ in range(rng.randrange(7) if len(queue.frames) < 14 else 0):
                frame, ecn, class_id = random_frame(rng)
                held = queue.held()
                bench.time(now)
                await bench.send(frame)
                if ecn in (Ecn.ECT0, Ecn.ECT1) and held > k:
                    frame, ecn = marked(frame), Ecn.CE
                    coverage.hit("marked by its verdict")
                key = len(sent)
                sent[key] = frame
                queue.arrive(Waiting(len(frame), now, ecn, class_id in protect, key))
                await bench.tick(4)
            step = rng.choice(
                (0, 1, settings.interval // 3, settings.interval // 2, settings.interval, 2 * settings.interval)
            )
            if rng.random() < 0.02:
                step = rng.choice((-settings.interval, 20 * settings.interval, 1 << 31, (1 << 31) + 5))
                coverage.hit("time jumps")
            coverage.hit("clock wraps", now + step > U32)
            now = (now + step) & U32
            bench.time(now)
            await bench.tick(4)
            bench.frames[0].clear()
            got = [(each.kind, each.length) for each in await bench.take(quiet=90 if settings.converge else QUIET)]
            codel = queue.codel
            before, was_dropping, count = codel.first_above, codel.dropping, codel.count
            taken = queue.dequeue(now)
            expected = [(kind, frame.length) for frame, kind in taken]
            where = (
                f"departure {number} at {now}: {settings}, first_above {before}, dropping {was_dropping}, count {count}"
            )
            assert got == expected, f"{where}: {got}, not {expected}"
            assert bench.held.get("bytes") == queue.held(), where
            left = [(frame, kind) for frame, kind in taken if kind != Departure.HEAD_DROPPED]
            wanted = [marked(sent[frame.key]) if kind in MARKED else sent[frame.key] for frame, kind in left]
            assert bench.frames[0] == wanted, f"{where}: frames differ, {[kind.name for _, kind in left]}"
            for _, kind in taken:
                coverage.hit(kind.name)
            coverage.hit("several drops", len(taken) > 2)
            coverage.hit("dropped down to one", len(taken) > 1 and not queue.frames)
            coverage.hit("a failed pull", not taken)
            coverage.hit("entered", codel.dropping and not was_dropping)
            coverage.hit("count taken up", codel.dropping and not was_dropping and codel.count > 1)
            coverage.hit("left", was_dropping and not codel.dropping)
    never = {kind for kind in Departure if LAW_CODES + kind - Departure.MARKED > LAST_CODES["codel"]}  # other laws'
    never |= set() if flags else {Departure.PROTECTED}
    names = [kind.name for kind in Departure if kind not in never]
    names += [
        "several drops",
        "dropped down to one",
        "a failed pull",
        "entered",
        "count taken up",
        "left",
        "time jumps",
    ]
    coverage.check(dict.fromkeys([*names, "clock wraps", "marked by its verdict"], 5))


@cocotb.test()
async def intervals_of_linux(dut: Any) -> None:
    """The known sequence of a standing queue.

    Stimulus: 100 ms and 5 ms; 40 frames late from the start, one departure at every unit at which Linux drops, and one
    just before.
    Checks: no drop one unit early, one drop at each time; the gaps are those of Linux: 97654, 48829, 54931 units ...
    """
    bench = Bench(dut, 1, len(dut.s_keep_i))
    await bench.start([Settings(exempt_bytes=64)])
    bench.time(0)
    for _ in range(40):
        await bench.send(of_length(64, ecn=Ecn.NOT_ECT))
    now = 10_000
    bench.time(now)
    await bench.tick(6)
    await bench.take()
    now += 97656 + 1
    bench.time(now)
    await bench.tick(6)
    assert [each.kind for each in await bench.take()] == [Departure.HEAD_DROPPED, Departure.PLAIN]
    for gap in (97654, 48829, 54931, 47635, 43116, 39459, 36638, 34327, 32403, 30766):
        for late in (-1, 0):
            bench.time(now + gap + late)
            await bench.tick(6)
            kinds = [each.kind for each in await bench.take()]
            expected = [Departure.PLAIN] if late else [Departure.HEAD_DROPPED, Departure.PLAIN]
            assert kinds == expected, f"{gap} units after {now}, {late}: {kinds}"
        now += gap


@pytest.mark.parametrize(("width", "flags", "ultra", "whole"), [(256, 1, 0, 0), *slow((64, 0, 0, 1), (512, 1, 1, 0))])
def test_as_linux_does(width: int, flags: int, ultra: int, whole: int) -> None:
    parameters = {"PORTS": 1, "DATA_W": width, "ROWS": 1000, "DESCRIPTORS": 60, "CODEL": 1, "FLAGS_VERDICT": flags}
    parameters |= {"ULTRA": ultra, "STORE_AND_FORWARD": whole}
    build_and_test("tm_core", __name__, parameters=parameters, testcase="as_linux_does")


def test_intervals() -> None:
    parameters = {"PORTS": 1, "DATA_W": 256, "ROWS": 300, "DESCRIPTORS": 140, "CODEL": 1}
    build_and_test("tm_core", __name__, parameters=parameters, testcase="intervals_of_linux")
