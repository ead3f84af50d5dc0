# SPDX-License-Identifier: BSD-3-Clause
"""The golden model of RED and CoDel against numbers that others made: rates, exact decay, Linux's decisions."""

from __future__ import annotations

import math
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from truemark.device import registers
from truemark.device.engine import EVERY_LAW, Build, Engine, find_libraries
from truemark.device.outcomes import Outcome
from truemark.laws import codel
from truemark_dev.paths import ROOT

pytestmark = pytest.mark.builds("engine:model", "model-programs")

MS = 1_000_000
ECT, NOT_ECT = 2, 0


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(find_libraries("model")[0], Build(ports=1, switches=EVERY_LAW)) as opened:
        yield opened


def frame(length: int, ecn: int) -> bytes:
    """Return TCP data over IPv4."""
    ip = struct.pack(">BBHHHBBH8x", 0x45, ecn, length - 14, 0, 0, 64, 6, 0)
    tcp = struct.pack(">HHIIBBHHH", 1, 2, 0, 0, 0x50, 0x10, 0, 0, 0)
    return (bytes(12) + b"\x08\x00" + ip + tcp).ljust(length, b"\0")


def commit(engine: Engine, **values: int) -> None:
    """Write the shadow registers by name and commit them."""
    for name, value in values.items():
        engine.write(getattr(registers, name).address, value)
    engine.write(registers.COMMAND.address, 1)
    assert not engine.read(registers.STATUS.address) & 2


@dataclass
class Left:
    """What one departure brought."""

    sent: int
    dropped: int
    kind: int


def take(engine: Engine, time: int) -> Left:
    """Take a frame and count what went with it."""
    before = engine.read(registers.OCCUPANCY_PACKETS.address)
    departure = engine.take(time)
    gone = before - engine.read(registers.OCCUPANCY_PACKETS.address)
    return Left(departure is not None, gone - (departure is not None), departure.kind if departure else 0)


CODEL = {"CODEL_TARGET": 4882, "CODEL_INTERVAL": 97656, "CODEL_CE_THRESHOLD": codel.NEVER, "CODEL_EXEMPT_BYTES": 1500}


# ns-3's suite codel-queue-disc (references/aqm.md, section 4.4): 20 frames of 1000 bytes come at 0.
def fill(engine: Engine, ect: int) -> None:
    """Offer them: the first so many can be marked."""
    for i in range(20):
        engine.offer(0, frame(1000, ECT if i < ect else NOT_ECT))
    assert {event.outcome for event in engine.events()} == {Outcome.PASS}


def test_codel_drops_as_linux_and_ns3(engine: Engine) -> None:
    """One drop when the sojourn has stood for an interval, three in one departure later."""
    commit(engine, **CODEL, CODEL_SETTINGS=3)
    fill(engine, 0)
    drops = [take(engine, t * MS).dropped for t in (10, 210, 210, 420)]
    assert drops == [0, 1, 0, 3]
    assert engine.read(registers.OCCUPANCY_PACKETS.address) == 12


def test_codel_marks_as_linux_and_ns3(engine: Engine) -> None:
    """Marks instead of drops; with Linux a second mark is due in the same time in which ns-3 gives the first only."""
    commit(engine, **CODEL, CODEL_SETTINGS=3)
    fill(engine, 20)
    left = [take(engine, t * MS) for t in (10, 210, 210, 420)]
    assert [each.kind for each in left] == [0, 2, 0, 2]
    assert not any(each.dropped for each in left)


# Linux's gaps between signals (references/aqm.md, surprise C1), in units of 1024 ns, for an interval of 100 ms.
LINUX_GAPS = (97654, 48829, 54931, 47635, 43116, 39459, 36638, 34327, 32403, 30766)


def test_codel_keeps_linux_time(engine: Engine) -> None:
    """The unit in which each next signal falls is Linux's: a departure one unit earlier is not marked."""
    commit(engine, **CODEL, CODEL_SETTINGS=3)
    now = 0
    for _ in range(60):
        engine.offer(0, frame(1000, ECT))
    first = 10_000
    assert take(engine, first * 1024).kind == 0
    now = first + 97656 + 1
    assert take(engine, (now - 1) * 1024).kind == 0  # not after first_above yet
    assert take(engine, now * 1024).kind == 2
    for gap in LINUX_GAPS:
        now += gap
        assert take(engine, (now - 1) * 1024).kind == 0
        assert take(engine, now * 1024).kind == 2


def raise_average(engine: Engine, weight: int) -> float:
    """Hold 190 frames under RED of the weight until the average is known; it is never signalled."""
    commit(
        engine,
        CONTROL=1 | 2 << 8,
        RED0_SETTINGS=weight,
        RED0_MIN=(1 << 23) - 256,
        RED0_MAX=1 << 23,
        RED0_MAXP=1 << 16,
        RED0_SLOPE=1 << 16,
        IDLE_RECIPROCAL=55924,  # 1/1200 ns
        IDLE_SHIFT=26,
    )
    average = 0.0
    for i in range(4000):
        held = 1500 * min(i, 190)
        engine.offer(0, frame(1500, ECT))
        if held == 1500 * 190:
            engine.take(0)
        average += (held - average) / 2**weight
    assert {event.outcome for event in engine.events()} == {Outcome.PASS}
    return average


@pytest.mark.parametrize("weight", [1, 4, 9, 12, 16, 20])
@pytest.mark.parametrize("elapsed", [0, 1, 1200, 30_000, 1_000_000, 10**9, (1 << 42) - 1])
def test_average_decays_exactly(engine: Engine, weight: int, elapsed: int) -> None:
    """However long it is, an idle time leaves avg * (1 - 2^-W)^m within 2^-14, and the next arrival adds its step."""
    average = raise_average(engine, weight)
    while engine.take(0) is not None:
        pass
    assert abs(engine.read(registers.AVERAGE0.address) - average) <= 1
    ticks = elapsed * 55924 >> 26
    engine.advance(elapsed)
    faded = average * math.exp(ticks * math.log1p(-(2.0**-weight)))
    assert abs(engine.read(registers.AVERAGE0.address) - faded) <= faded * 2**-14 + 1
    engine.offer(elapsed, frame(60, ECT))
    stepped = faded * (1 - 2.0**-weight)
    assert abs(engine.read(registers.AVERAGE0.address) - stepped) <= faded * 2**-14 + 1


def test_spacings_have_their_rates() -> None:
    """10^6 verdicts on each of four ports: p, 2 p, 2/3 p and 2 p within 2 %, the distances, ports uncorrelated."""
    result = subprocess.run([str(ROOT / "build/sim/model/spacing_table")], capture_output=True, text=True, check=False)
    print(result.stdout + result.stderr)
    assert result.returncode == 0
