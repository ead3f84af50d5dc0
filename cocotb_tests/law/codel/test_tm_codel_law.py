# SPDX-License-Identifier: BSD-3-Clause
"""tm_codel_law: Linux's Newton step and control law bit for bit, in cycles of docs/codel-rules.md, ports in turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cocotb
import pytest
from truemark_dev.marks import slow
from truemark_dev.runner import build_and_test

from cocotb_tests.env.bench import Coverage, cycle, randomness, start
from cocotb_tests.env.breaches import Breach, breaches
from sim.peers.linux_codel import control_law, newton_step

IDLE = dict.fromkeys(["request_i", "entering_i", "from_now_i", "again_i", "interval_i", "converge_i"], 0)
NEWTON, NEXT, ENTERING = 9, 11, 4  # cycles
U32 = (1 << 32) - 1


@dataclass
class Kept:
    """What Linux keeps of a queue."""

    count: int = 0
    last_count: int = 0
    root: int = 0xFFFF
    ahead: int = 0  # the root of the next count
    entered: bool = False


def step(root: int, count: int, converge: int) -> int:
    """Do the Newton step of a count, or four."""
    for _ in range(4 if converge else 1):
        root = newton_step(root, count)
    return root


@dataclass
class Request:
    """What a port has asked for."""

    entering: int
    from_now: int
    again: int


class Engine:
    """The engine's cycles: who is served when, and what the strobes say."""

    def __init__(self, ports: int, coverage: Coverage) -> None:
        self.ports, self.coverage = ports, coverage
        self.kept = [Kept() for _ in range(ports)]
        self.pending: dict[int, Request] = {}
        self.batch: list[int] = []
        self.free_at = 0
        self.strobes: dict[int, tuple[str, int, int]] = {}  # cycle: which, port, increment

    def cycle(self, now: int, intervals: list[int], converge: list[int]) -> tuple[str, int, int] | None:
        """Start a program if the engine is free; return this cycle's strobe."""
        if now >= self.free_at and (self.batch or self.pending):
            self.batch = self.batch or sorted(self.pending)
            port = self.batch.pop(0)
            self._serve(now, port, self.pending.pop(port), intervals[port], converge[port])
        return self.strobes.pop(now, None)

    def _serve(self, now: int, port: int, request: Request, interval: int, converge: int) -> None:
        kept, more = self.kept[port], 3 * NEWTON * converge
        hit = self.coverage.hit
        if request.entering:
            self.strobes[now + 2] = ("step", port, 16 * interval & U32)
            self.strobes[now + 5] = ("now", port, 0)
            delta = (kept.count - kept.last_count) & U32
            again = bool(request.again) and kept.entered and delta > 1
            hit("count taken up", again)
            hit("count not taken up", not again)
            kept.count, kept.entered = (delta if again else 1), True
            now += ENTERING
            if again:
                kept.root = step(kept.root, kept.count, converge)
                now += NEWTON + more
            else:
                kept.root = 0xFFFF
            kept.last_count = kept.count
        else:
            kept.count = (kept.count + 1) & U32
            kept.root = kept.ahead
            if request.from_now:
                self.strobes[now + 2] = ("now", port, 0)
        hit("converge", bool(converge))
        hit("from now", bool(request.from_now))
        kept.ahead = step(kept.root, (kept.count + 1) & U32, converge)
        self.strobes[now + 4] = ("final", port, control_law(0, interval, kept.root))
        self.free_at = now + NEXT + more


def strobe(dut: Any) -> tuple[str, int, int] | None:
    """Return the strobe that is set: which, port, increment."""
    for name in ("step", "now", "final"):
        ports = int(getattr(dut, f"{name}_o").value)
        if ports:
            assert ports & (ports - 1) == 0, "two ports at a time"
            return name, ports.bit_length() - 1, int(dut.increment_o.value)
    return None


@cocotb.test()
async def serves_ports_in_turns(dut: Any) -> None:
    """All programs, all ports, at random.

    Stimulus: 12,000 cycles; ports that ask often or seldom, entering and not, with intervals from nothing to 32 bits.
    Checks: in every cycle which strobe is set for which port, and the increment that goes with it; no port waits for
    more than two rounds.
    """
    rng, ports = randomness("tm_codel_law"), dut.PORTS.value.to_unsigned()
    coverage = Coverage("tm_codel_law")
    await start(dut, IDLE)
    engine = Engine(ports, coverage)
    busy: dict[int, Request] = {}
    intervals, converge = [97656] * ports, [0] * ports
    asked = [0] * ports
    rate = 0.1
    for now in range(12_000):
        if now % 500 == 0:
            rate = rng.choice((0.02, 0.2, 1.0))
        requests = 0
        for port in range(ports):
            if port not in busy and rng.random() < rate:
                if not engine.kept[port].entered or rng.random() < 0.15:
                    busy[port] = Request(1, 0, rng.random() < 0.8 and engine.kept[port].entered)
                else:
                    busy[port] = Request(0, rng.random() < 0.2, 0)
                intervals[port] = rng.choice((97656, 97656, rng.getrandbits(32), rng.getrandbits(12), 1))
                converge[port] = int(rng.random() < 0.2)
                requests |= 1 << port
                asked[port] = now
        dut.request_i.value = requests
        for name in ("entering", "from_now", "again"):
            word = sum(getattr(busy[port], name) << port for port in busy)
            getattr(dut, f"{name}_i").value = int(word)
        dut.interval_i.value = sum(value << 32 * port for port, value in enumerate(intervals))
        dut.converge_i.value = sum(value << port for port, value in enumerate(converge))
        expected = engine.cycle(now, intervals, converge)
        await cycle(dut)
        got = strobe(dut)
        assert got == expected, f"cycle {now}: {got}, not {expected}"
        coverage.hit("several ports wait", len(engine.pending) > 1)
        if got is not None and got[0] == "final":
            del busy[got[1]]
            waited = now - asked[got[1]]
            assert waited <= 2 * ports * (ENTERING + 4 * NEWTON + 3 * NEWTON + NEXT), (
                f"port {got[1]} waited {waited} cycles"
            )
        for port in range(ports):
            if requests >> port & 1:
                engine.pending[port] = busy[port]
    floors = dict.fromkeys(("count taken up", "count not taken up", "converge", "from now"), 20)
    coverage.check(floors | ({"several ports wait": 100} if ports > 1 else {}))


async def next_after(dut: Any, now: int, count: int, root: int) -> tuple[int, int]:
    """Ask for the signal after the one numbered `count` - 2; return increment and the root of the one after it."""
    dut.counts.words[0].value, dut.next_roots.words[0].value = count - 1, root
    dut.request_i.value = 1
    await cycle(dut)
    dut.request_i.value = 0
    got = None
    for _ in range(15):
        await cycle(dut)
        got = strobe(dut) or got
    assert got is not None, f"nothing at {now}"
    assert got[0] == "final", f"{got} at {now}"
    return got[2], int(dut.next_roots.words[0].value)


@cocotb.test()
async def equalities_of_ns3(dut: Any) -> None:
    """The vectors of ns-3's codel-queue-disc suite.

    Stimulus: reciprocals 255, 127 .. 1 and counts 1, 2 .. 128; the same reciprocals and times from 0 to 20 s.
    Checks: 64 Newton steps and 1608 control laws equal Linux's.
    """
    await start(dut, IDLE | {"interval_i": 97656})
    steps = laws = 0
    for root in (255, 127, 63, 31, 15, 7, 3, 1):
        for power in range(8):
            law, stepped = await next_after(dut, 0, 1 << power, root)
            assert stepped == newton_step(root, 1 << power), f"root {root}, count {1 << power}"
            steps += 1
        for tenth in range(201):
            now = tenth * 100_000_000 >> 10
            linux = now + ((97656 * (root << 16)) >> 32)
            assert (now + law) & U32 == linux & U32
            laws += 1
    assert (steps, laws) == (64, 1608)


@cocotb.test()
async def any_step(dut: Any) -> None:
    """Newton steps on any numbers.

    Stimulus: 2500 counts of any size, with any reciprocal: also those that make Linux's 64 bits wrap.
    Checks: the step and the law are Linux's, bit for bit.
    """
    rng = randomness("tm_codel_law/steps")
    coverage = Coverage("tm_codel_law/steps")
    await start(dut, IDLE)
    for number in range(2500):
        count = rng.getrandbits(rng.randint(1, 32)) or 1
        root = rng.choice((rng.getrandbits(16), rng.getrandbits(8), 0xFFFF, min(0xFFFF, int(65536 / count**0.5))))
        interval = rng.getrandbits(32)
        dut.interval_i.value = interval
        law, stepped = await next_after(dut, number, count, root)
        assert law == control_law(0, interval, root), f"interval {interval}, root {root}"
        assert stepped == newton_step(root, count), f"root {root}, count {count}"
        coverage.hit("wraps", count * root * root > 3 << 32)
        coverage.hit("rounds", count * root * root % 4 != 0)
    coverage.check({"wraps": 200, "rounds": 200})


@pytest.mark.parametrize("ports", [5, *slow(1, 16)])
def test_tm_codel_law(ports: int) -> None:
    build_and_test("tm_codel_law", __name__, parameters={"PORTS": ports}, testcase="serves_ports_in_turns")


def test_equalities() -> None:
    cases = ["equalities_of_ns3", "any_step"]
    build_and_test("tm_codel_law", __name__, parameters={"PORTS": 1}, testcase=cases, seen=["tm_prim_lut_ram"])


test_assertion_fires = breaches(
    "tm_codel_law",
    Breach("OneRequest_A", "ask again before the engine has begun", [{"request_i": 3}, 30]),
    Breach(
        "OnePort_A",
        "let two ports ask; the mutant serves both at once",
        [{"request_i": 3}, {"request_i": 0}, 30],
        ("waiting & -waiting", "waiting"),
    ),
    PORTS=5,
)
