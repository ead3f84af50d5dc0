# SPDX-License-Identifier: BSD-3-Clause
"""tm_core with CoDel, in it tm_port, tm_laws, tm_egress and tm_depart: what leaves is what Linux lets go, in time."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import cocotb
import pytest

from cocotb_tests.depart.codel_reference import U32, Codel, Settings, Waiting
from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.packets import marked, non_ip, of_length, padded, tcp
from cocotb_tests.env.words import CFG, CODEL, OFF_BYTES, OFF_PACKETS, STAMP_W, Class, Departure, Ecn, Law
from cocotb_tests.runner import build_and_test

IDLE = dict.fromkeys(
    [
        "s_valid_i", "s_data_i", "s_keep_i", "s_last_i", "s_dest_i", "s_len_i", "s_user_i", "s_error_i", "time_i",
        "tx_en_i", "m_ready_i", "flush_i", "cfg_i", "commit_i", "law_reset_i", "red_load_i", "codel_reset_i",
        "seed_load_i", "seed_i",
    ],
    0,
)  # fmt: skip
MARKED = frozenset({Departure.MARKED, Departure.THRESHOLD, Departure.MARKED_THRESHOLD})
QUIET = 40  # cycles after which nothing more comes of a departure
UNIT = 1024  # ns


@dataclass
class Tally:
    """A departure as the port tells it."""

    cycle: int
    port: int
    kind: Departure
    length: int


@dataclass
class Bench:
    """Pins of a core, cycle by cycle."""

    dut: Any
    ports: int
    width: int
    now: int = 0
    tallies: deque[Tally] = field(default_factory=deque)
    frames: list[list[bytes]] = field(default_factory=list)
    begun: list[list[int]] = field(default_factory=list)  # cycles in which a frame's first row stood first
    _open: list[bytes] = field(default_factory=list)
    _stands: list[bool] = field(default_factory=list)

    async def start(self, settings: list[Settings], **policy: int) -> None:
        """Reset; every sink is ready, no port may send."""
        await start(self.dut, IDLE)
        self.frames = [[] for _ in range(self.ports)]
        self.begun = [[] for _ in range(self.ports)]
        self._open = [b""] * self.ports
        self._stands = [False] * self.ports
        self.configure(settings, **policy)
        self.ready((1 << self.ports) - 1)
        await self.reset()

    def configure(self, settings: list[Settings], **policy: int) -> None:
        """Give each port its configuration."""
        word = 0
        for port, each in enumerate(settings):
            cfg: dict[str, int] = {"enable": 1, "limit_bytes": OFF_BYTES, "limit_packets": OFF_PACKETS}
            cfg |= {"codel": CODEL.pack(**vars(each))} | policy
            word |= CFG.pack(**cfg) << CFG.width * port
        self.dut.cfg_i.value = word

    async def reset(self) -> None:
        """Let CoDel start anew everywhere."""
        self.dut.codel_reset_i.value = (1 << self.ports) - 1
        await self.tick()
        self.dut.codel_reset_i.value = 0
        await self.tick(4)

    def time(self, units: int) -> None:
        """Set the time."""
        self.dut.time_i.value = (units % (1 << 32)) * UNIT % (1 << STAMP_W)

    def ready(self, ports: int) -> None:
        """Say which sinks take rows."""
        self._ready = ports
        self.dut.m_ready_i.value = ports

    async def tick(self, count: int = 1) -> None:
        """Let cycles end, and note what they showed."""
        dut = self.dut
        for _ in range(count):
            await cycle(dut)
            self.now += 1
            valid = int(dut.depart_valid_o.value)
            if valid:
                kinds, lengths = int(dut.depart_kind_o.value), int(dut.depart_len_o.value)
                for port in range(self.ports):
                    if valid >> port & 1:
                        kind = Departure(kinds >> 3 * port & 7)
                        self.tallies.append(Tally(self.now, port, kind, lengths >> 14 * port & 0x3FFF))
            valid = int(dut.m_valid_o.value)
            if valid:
                self._rows(valid)

    def _rows(self, valid: int) -> None:
        width = self.width
        data, keep, last = (int(pin.value) for pin in (self.dut.m_data_o, self.dut.m_keep_o, self.dut.m_last_o))
        for port in range(self.ports):
            if not valid >> port & 1:
                continue
            if not self._open[port] and not self._stands[port]:
                self.begun[port].append(self.now)
            self._stands[port] = not self._ready >> port & 1
            if self._stands[port]:
                continue
            count = (keep >> width * port & (1 << width) - 1).bit_count()
            row = (data >> 8 * width * port & (1 << 8 * width) - 1).to_bytes(width, "little")[:count]
            self._open[port] += row
            if last >> port & 1:
                self.frames[port].append(self._open[port])
                self._open[port] = b""

    async def send(self, frame: bytes, ports: int = 1) -> None:
        """Offer a frame, one beat a cycle."""
        dut, width = self.dut, self.width
        dut.s_valid_i.value, dut.s_dest_i.value, dut.s_len_i.value = 1, ports, len(frame)
        for at in range(0, len(frame), width):
            row = frame[at : at + width]
            dut.s_data_i.value = int.from_bytes(row, "little")
            dut.s_keep_i.value = (1 << len(row)) - 1
            dut.s_last_i.value = at + width >= len(frame)
            await self.tick()
        dut.s_valid_i.value = 0

    async def take(self, ports: int = 1, quiet: int = QUIET) -> list[Tally]:
        """Let ports take their next frame; return what their departures did, once nothing more comes."""
        self.tallies.clear()
        self.dut.tx_en_i.value = ports
        await self.tick()
        self.dut.tx_en_i.value = 0
        since, seen = 0, 0
        while since < quiet:
            await self.tick()
            since = since + 1 if len(self.tallies) == seen and not any(self._open) else 0
            seen = len(self.tallies)
        return list(self.tallies)


def random_frame(rng: random.Random) -> tuple[bytes, Ecn, Class]:
    """Return a frame of some kind, its codepoint and class."""
    length = rng.choice((60, 64, 65, 97, 128, 300))
    kind = rng.random()
    if kind < 0.4:
        ecn = rng.choice((Ecn.ECT0, Ecn.ECT1, Ecn.CE))
        return of_length(length, ecn=ecn), ecn, Class.DATA
    if kind < 0.7:
        return of_length(length, ecn=Ecn.NOT_ECT), Ecn.NOT_ECT, Class.DATA
    if kind < 0.85:
        return padded(tcp(flags="A", ecn=Ecn.NOT_ECT)), Ecn.NOT_ECT, Class.ACK
    return non_ip(length), Ecn.NOT_ECT, Class.NON_IP


def random_settings(rng: random.Random) -> Settings:
    """Return settings under which much happens."""
    settings = Settings(
        ecn=rng.getrandbits(1), target=rng.choice((0, 5, 5, 20)), interval=rng.choice((60, 100, 100, 700))
    )
    settings.exempt_bytes = rng.choice((0, 64, 300))
    settings.ce_threshold = rng.choice((0x7FFFFFFF, 0x7FFFFFFF, 0, 40, 200))
    if rng.random() < 0.5:
        for name in ("at_once", "exempt_below", "exempt_largest", "mark_from_now", "reentry_past", "threshold_once"):
            setattr(settings, name, int(rng.random() < 0.4))
        settings.converge = int(rng.random() < 0.4)
        settings.keep_first_above = int(rng.random() < 0.4)
        if settings.exempt_below:
            settings.exempt_bytes = max(settings.exempt_bytes, 1)
    return settings


@cocotb.test()
async def as_linux_does(dut: Any) -> None:
    """Decisions, one departure at a time.

    Stimulus: 60 runs of 30 departures with the queue kept at up to 14 frames; in each run other settings, every
    switch, and a time that starts anywhere in the clock's 32 bits, runs on by part of an interval or by many, wraps,
    and goes backwards.
    Checks: every departure drops, marks and sends exactly what Linux's algorithm does; bytes held; every frame that is
    sent is whole, and CE exactly if it was marked.
    """
    rng = randomness("as_linux_does")
    coverage = Coverage("as_linux_does")
    bench = Bench(dut, 1, len(dut.s_keep_i))
    flags = int(dut.FLAGS_VERDICT.value)
    await bench.start([Settings()])
    for _ in range(60):
        settings = random_settings(rng)
        protect = {each for each in Class if rng.random() < 0.3} if flags and settings.ecn else set()
        k = rng.choice((OFF_BYTES, OFF_BYTES, 900))
        policy = {
            "slot_of": 1, "law": int(Law.STEP), "k": k, "wait_flags": flags,
            "protect": sum(3 << 2 * each for each in protect),
        }  # fmt: skip
        # Nothing of the last run is left.
        while int(dut.bytes_o.value):
            await bench.take()
        bench.configure([settings], **policy)
        linux = Codel(settings)
        await bench.reset()
        now = rng.choice((rng.getrandbits(32), U32 - rng.randrange(3 * settings.interval), 0, 1 << 31))
        sent: dict[int, bytes] = {}
        for number in range(30):
            for _ in range(rng.randrange(7) if len(linux.queue) < 14 else 0):
                frame, ecn, class_id = random_frame(rng)
                held = sum(each.length for each in linux.queue)
                bench.time(now)
                await bench.send(frame)
                if ecn in (Ecn.ECT0, Ecn.ECT1) and held > k:
                    frame, ecn = marked(frame), Ecn.CE
                    coverage.hit("marked by its verdict")
                key = len(sent)
                sent[key] = frame
                linux.arrive(Waiting(len(frame), now, ecn, class_id in protect, key))
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
            before, was_dropping, count = linux.first_above, linux.dropping, linux.count
            taken = linux.dequeue(now)
            expected = [(kind, frame.length) for frame, kind in taken]
            where = (
                f"departure {number} at {now}: {settings}, first_above {before}, dropping {was_dropping}, count {count}"
            )
            assert got == expected, f"{where}: {got}, not {expected}"
            assert int(dut.bytes_o.value) == sum(each.length for each in linux.queue), where
            left = [(frame, kind) for frame, kind in taken if kind != Departure.HEAD_DROPPED]
            wanted = [marked(sent[frame.key]) if kind in MARKED else sent[frame.key] for frame, kind in left]
            assert bench.frames[0] == wanted, f"{where}: frames differ, {[kind.name for _, kind in left]}"
            for _, kind in taken:
                coverage.hit(kind.name)
            coverage.hit("several drops", len(taken) > 2)
            coverage.hit("dropped down to one", len(taken) > 1 and not linux.queue)
            coverage.hit("a failed pull", not taken)
            coverage.hit("entered", linux.dropping and not was_dropping)
            coverage.hit("count taken up", linux.dropping and not was_dropping and linux.count > 1)
            coverage.hit("left", was_dropping and not linux.dropping)
    names = [kind.name for kind in Departure if flags or kind != Departure.PROTECTED]
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


# The queue has stood for 1000 units of a target of 5: what is pulled now is above, and a signal is not far.
STANDING = {"target": 5, "interval": 100, "exempt_bytes": 64}


async def standing(bench: Bench, frames: int, length: int = 64, ecn: Ecn = Ecn.NOT_ECT) -> None:
    """Fill every port at time 0, and take a frame of each at 1000 units: first_above is 1100."""
    bench.time(0)
    await bench.tick(4)
    for _ in range(frames):
        await bench.send(of_length(length, ecn=ecn), (1 << bench.ports) - 1)
    bench.time(1000)
    await bench.tick(6)
    await bench.take((1 << bench.ports) - 1)


@cocotb.test()
async def cost_of_a_drop(dut: Any) -> None:
    """How long the drops of one departure take, one port at work.

    Stimulus: 60 frames of 64 bytes, late by far: one departure enters, the next drops until the queue is short.
    Checks: after the entering drop the next frame's first row stands 4 cycles later; from drop to drop 7 cycles once,
    then 8; from the last drop to the first row of the frame that is sent 8 at most.
    """
    bench = Bench(dut, 1, len(dut.s_keep_i))
    await bench.start([Settings(**STANDING)])
    await standing(bench, 60)
    bench.time(1200)
    await bench.tick(4)
    first, second = await bench.take()
    assert (first.kind, second.kind) == (Departure.HEAD_DROPPED, Departure.PLAIN)
    assert bench.begun[0][-1] - (first.cycle - 3) == 4
    bench.time(100_000)
    await bench.tick(4)
    tallies = await bench.take()
    drops = [each.cycle - 3 for each in tallies if each.kind == Departure.HEAD_DROPPED]
    # 57 waited; one is sent, one stays behind it, as 64 bytes are exempt.
    assert len(drops) == 55, f"{len(drops)} drops"
    gaps = [later - earlier for earlier, later in pairwise(drops)]
    assert gaps == [7] + [8] * 53, f"cycles from drop to drop: {gaps}"
    assert bench.begun[0][-1] - drops[-1] <= 8
    assert int(dut.bytes_o.value) == 64


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


@cocotb.test()
async def one_each_cycle(dut: Any) -> None:
    """A backlog of one-beat frames.

    Stimulus: 120 frames of one beat, CoDel on and the port in each state in which nothing is dropped: the queue fresh,
    above the target but not for an interval, and dropping with the next drop in the future.
    Checks: 20 frames leave in 20 cycles in each.
    """
    bench = Bench(dut, 1, len(dut.s_keep_i))
    await bench.start([Settings(**STANDING)])
    bench.time(0)
    await bench.tick(4)
    for _ in range(120):
        await bench.send(of_length(60, ecn=Ecn.NOT_ECT))
    for now, takes in ((0, 0), (1000, 1), (1200, 1)):
        bench.time(now)
        await bench.tick(6)
        for _ in range(takes):
            await bench.take()
        before = len(bench.begun[0])
        dut.tx_en_i.value = 1
        await bench.tick(20)
        dut.tx_en_i.value = 0
        await bench.tick(5)
        left = bench.begun[0][before:]
        assert len(left) == 20, f"at {now}: {len(left)} frames"
        assert left[-1] - left[0] == 19, f"at {now}: {left}"


@cocotb.test()
async def others_go_on(dut: Any) -> None:
    """One port drops; another does not notice.

    Stimulus: the same frames to two ports twice; port 0 drops most of its queue the first time, and has no CoDel the
    second time. Port 1 sends all the while.
    Checks: port 1's frames stand in the same cycles both times, without a gap between them.
    """
    bench = Bench(dut, 2, len(dut.s_keep_i))
    quiet = Settings(on=0)
    runs = []
    await bench.start([quiet, quiet])
    for settings in (Settings(**STANDING), quiet):
        dut.tx_en_i.value, dut.rst_i.value = 0, 1
        await bench.tick(4)
        dut.rst_i.value = 0
        bench.configure([settings, quiet])
        await bench.reset()
        await standing(bench, 60)
        bench.time(1200)
        await bench.tick(4)
        await bench.take(1)
        bench.time(100_000)
        await bench.tick(4)
        bench.tallies.clear()
        began = bench.now
        bench.begun[1].clear()
        dut.tx_en_i.value = 3
        await bench.tick(400)
        dropped = sum(each.kind == Departure.HEAD_DROPPED and each.port == 0 for each in bench.tallies)
        runs.append((dropped, [each - began for each in bench.begun[1]]))
    assert runs[0][0] >= 45
    assert runs[1][0] == 0
    assert runs[0][1] == runs[1][1]
    rows = -(-64 // bench.width)
    assert [later - earlier for earlier, later in pairwise(runs[0][1])] == [rows] * 58


@cocotb.test()
async def sixteen_ports_drop(dut: Any) -> None:
    """All ports want the engine.

    Stimulus: 16 ports with 30 frames each, which have all entered; late by far, all are allowed to send in one cycle.
    Checks: every port drops all but the one it sends and the exempt one; from drop to drop a port takes no more than
    its turn and 15 others, eight cycles each.
    """
    ports = 16
    bench = Bench(dut, ports, len(dut.s_keep_i))
    await bench.start([Settings(**STANDING)] * ports)
    await standing(bench, 30)
    bench.time(1200)
    await bench.tick(4)
    entering = await bench.take((1 << ports) - 1, quiet=16 * 19)
    assert sum(each.kind == Departure.HEAD_DROPPED for each in entering) == ports
    bench.time(100_000)
    await bench.tick(4)
    tallies = await bench.take((1 << ports) - 1, quiet=16 * 19)
    longest = 0
    for port in range(ports):
        drops = [each.cycle - 3 for each in tallies if each.port == port and each.kind == Departure.HEAD_DROPPED]
        assert len(drops) == 25, f"port {port}: {len(drops)} drops"
        longest = max(longest, *(later - earlier for earlier, later in pairwise(drops)))
    print(f"longest time from drop to drop: {longest} cycles")
    assert 8 * (ports - 1) <= longest <= 8 * ports


@cocotb.test()
async def flush_while_dropping(dut: Any) -> None:
    """A flush, a reset of CoDel, a paused sink and a stopped port in the middle of a departure's drops.

    Stimulus: 60 frames, most of which one departure would drop; after 1 to 40 cycles of it a flush; twenty times.
    Checks: every frame is tallied exactly once, dropped or sent; nothing is held in the end, and the next frame passes.
    """
    rng = randomness("flush_while_dropping")
    bench = Bench(dut, 1, len(dut.s_keep_i))
    await bench.start([Settings(**STANDING)])
    for after in range(1, 41, 2):
        await standing(bench, 60)
        bench.tallies.clear()
        bench.time(1200)
        await bench.tick(4)
        gone = 1 + len(await bench.take())
        bench.time(100_000)
        await bench.tick(4)
        bench.tallies.clear()
        dut.tx_en_i.value = 1
        await bench.tick()
        dut.tx_en_i.value = rng.getrandbits(1)
        await bench.tick(after)
        dut.flush_i.value, dut.codel_reset_i.value = 1, rng.getrandbits(1)
        bench.ready(rng.getrandbits(1))
        await bench.tick()
        dut.flush_i.value = dut.codel_reset_i.value = 0
        await bench.tick(30)
        bench.ready(1)
        dut.tx_en_i.value = 0
        await bench.tick(30 if int(dut.packets_o.value) == 0 else 700)
        assert gone + len(bench.tallies) == 60, f"flush after {after} cycles: {gone} and {len(bench.tallies)}"
        assert int(dut.bytes_o.value) == int(dut.packets_o.value) == 0
        await bench.send(of_length(64))
        await bench.tick(4)
        assert [each.kind for each in await bench.take()] == [Departure.PLAIN]
        await bench.reset()


@cocotb.test()
async def any_traffic(dut: Any) -> None:
    """Arrivals, departures and drops all at once.

    Stimulus: 1500 frames at random times into a slow port, one in ten with an error at its end; sinks that stall,
    flushes, resets of CoDel, new settings, and a time that runs on, jumps and goes backwards under way.
    Checks: frames come out in order, each whole and changed in nothing but its mark; in the end nothing is held.
    """
    rng = randomness("any_traffic")
    coverage = Coverage("any_traffic")
    bench = Bench(dut, 1, len(dut.s_keep_i))
    await bench.start([random_settings(rng)])
    stored: deque[bytes] = deque()
    now = U32 - 5000
    for number in range(1500):
        if number % 50 == 0:
            bench.configure([random_settings(rng)])
            if rng.random() < 0.5:
                await bench.reset()
        frame, _, _ = random_frame(rng)
        bad = rng.random() < 0.1
        dut.tx_en_i.value = rng.random() < 0.4
        bench.ready(rng.random() < 0.8)
        dut.s_error_i.value = bad
        await bench.send(frame)
        dut.s_error_i.value = 0
        if rng.random() < 0.01:
            dut.flush_i.value = 1
        await bench.tick()
        dut.flush_i.value = 0
        stored.append(frame)
        if rng.random() < 0.5:
            dut.tx_en_i.value = rng.random() < 0.5
            now = (now + rng.choice((0, 1, 30, 60, 200, -100 if rng.random() < 0.05 else 10))) & U32
            bench.time(now)
            await bench.tick(rng.choice((1, 2, 5, 30)))
        for each in bench.tallies:
            coverage.hit(each.kind.name)
        bench.tallies.clear()
    bench.ready(1)
    dut.tx_en_i.value = 1
    await bench.tick(3000)
    assert int(dut.bytes_o.value) == int(dut.packets_o.value) == 0, "something is held"
    frames = deque(bench.frames[0])
    for frame in stored:
        if frames and (frames[0] == frame or (frame[12:14] == b"\x08\x00" and frames[0] == marked(frame))):
            coverage.hit("sent", True)
            frames.popleft()
    assert not frames, f"{len(frames)} frames that nobody sent"
    coverage.check({"sent": 200, "HEAD_DROPPED": 100, "MARKED": 5})


@pytest.mark.parametrize(
    ("width", "testcases"),
    [
        (256, ["cost_of_a_drop", "intervals_of_linux"]),
        (512, ["one_each_cycle", "cost_of_a_drop"]),
    ],
)
def test_one_port(width: int, testcases: list[str]) -> None:
    parameters = {"PORTS": 1, "DATA_W": width, "ROWS": 300, "DESCRIPTORS": 140, "CODEL": 1}
    build_and_test("tm_core", __name__, parameters=parameters, testcase=testcases)


@pytest.mark.parametrize(("width", "whole", "ultra"), [(256, 0, 0), (64, 1, 0), (512, 0, 1)])
def test_in_the_middle(width: int, whole: int, ultra: int) -> None:
    parameters = {"PORTS": 1, "DATA_W": width, "ROWS": 900, "DESCRIPTORS": 140, "CODEL": 1, "STORE_AND_FORWARD": whole}
    parameters["ULTRA"] = ultra
    build_and_test("tm_core", __name__, parameters=parameters, testcase=["flush_while_dropping", "any_traffic"])


def test_two_ports() -> None:
    parameters = {"PORTS": 2, "DATA_W": 256, "ROWS": 300, "DESCRIPTORS": 140, "CODEL": 1}
    build_and_test("tm_core", __name__, parameters=parameters, testcase="others_go_on")


def test_sixteen_ports() -> None:
    parameters = {"PORTS": 16, "DATA_W": 64, "ROWS": 400, "DESCRIPTORS": 60, "CODEL": 1}
    build_and_test("tm_core", __name__, parameters=parameters, testcase="sixteen_ports_drop")


@pytest.mark.parametrize(("width", "flags", "ultra", "whole"), [(256, 1, 0, 0), (64, 0, 0, 1), (512, 1, 1, 0)])
def test_as_linux_does(width: int, flags: int, ultra: int, whole: int) -> None:
    parameters = {"PORTS": 1, "DATA_W": width, "ROWS": 1000, "DESCRIPTORS": 60, "CODEL": 1, "FLAGS_VERDICT": flags}
    parameters |= {"ULTRA": ultra, "STORE_AND_FORWARD": whole}
    build_and_test("tm_core", __name__, parameters=parameters, testcase="as_linux_does")
