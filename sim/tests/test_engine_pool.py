# SPDX-License-Identifier: BSD-3-Clause
"""The memory that ports share, frame by frame: the golden model's device and the RTL agree on every register of it."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from truemark.device import registers
from truemark.device.device import Device
from truemark.device.engine import SHARED, Engine, open_engine
from truemark.device.outcomes import Outcome
from truemark.laws import profile

# Lockstep has a pool every day.
pytestmark = [pytest.mark.builds("engine:both_pool"), pytest.mark.slow]

PORTS, CELL, ROW = 5, 64, 32
OF_ALL = (registers.POOL_FREE, registers.POOL_HELD, registers.POOL_WALKING, registers.POOL_WATERMARK)
OF_PORT = (registers.POOL_CELLS, registers.POOL_REFUSED, registers.WATERMARK_CELLS, registers.PFC_XOFF)
FRAMES = 300
SOURCES = (0, 0, 0, 3, PORTS)  # the last is no port
ALPHAS = ("1/128", "1/8", "1/2", "1", "2", "8")
LAWS = (
    "",
    'policy = "true-mark"\nk = 6000',
    'policy = "codel"\ncodel = { target = "5us", interval = "20us" }',
    'policy = "dual-step"\nk = 6000\nred = { min = 3000, max = 9000, probability = 0.1, weight = 2 }\nprotect = "ece"',
)


def text_of(rng: random.Random, cells: int, *, pauses: bool) -> str:
    """Return a profile in which one port keeps nearly all of the pool, so that the rest of it is short.

    Either sources pause, or ports have laws.
    """
    short = rng.randint(300, 900)  # cells for the others, headroom with them
    keeper = rng.randrange(PORTS)
    lines = ['policy = "droptail"', 'rate = "10Gb/s"']
    headroom = 0
    if pauses:
        classes = [0, *rng.sample(range(1, 8), rng.randint(0, 1))]
        headroom = rng.randint(0, 6)
        xoff = rng.choice([f"static = {CELL * rng.randint(20, 90)}", 'alpha = "1/128"'])
        lines += ["[pfc]", f"classes = {classes}", f"headroom = {headroom * CELL}", xoff, f"xon = {CELL * 10}"]
        headroom *= PORTS * len(classes)
    for port in range(PORTS):
        lines.append(f"[port.{port}]")
        if port == keeper:
            lines.append(f"pool_reserve = {(cells - short - headroom) * CELL}")
            continue
        reserve = rng.choice([0, 0, rng.randint(1, 20)])
        share = rng.choice(["", f"pool_static = {CELL * rng.randint(1, 120)}", f'pool_alpha = "{rng.choice(ALPHAS)}"'])
        lines += [f"pool_reserve = {reserve * CELL}"] * (reserve > 0) + [share]
        if not pauses:
            lines += [rng.choice(LAWS)]
    return "\n".join(lines) + "\n"


def frame_of(rng: random.Random) -> bytes:
    """Return a frame of any size, in half of the cases with the tag of a priority."""
    length = rng.choice([rng.randint(60, 130), rng.randint(60, 1600), 1514, rng.randint(60, 9000)])
    tag = bytes.fromhex("8100") + (rng.randrange(8) << 13).to_bytes(2, "big") if rng.random() < 0.5 else b""
    start = bytes(12) + tag + bytes.fromhex("0800 45") + bytes([rng.choice((0, 1, 2, 3))])
    rest = bytes(7) + bytes([6]) + bytes(22) + bytes([0x50, rng.choice((0x10, 0x02, 0x50))])
    whole = start + (length - 14 - len(tag)).to_bytes(2, "big") + rest
    return (whole + bytes(length))[:length]


def boot(engine: Engine, path: Path, text: str) -> Device:
    """Return the engine's device, as a profile says."""
    path.write_text(text)
    device = Device(engine.read, engine.write)
    identity = device.identity()
    planned = [each.settings for each in profile.plan(profile.read_profile(path), PORTS, identity.limits, str(path))]
    for port in device.in_order(planned, device.before_commits(PORTS), str(path)):
        device.commit(port, planned[port])
    return device


@pytest.mark.parametrize("seed", range(6))
def test_model_and_rtl_agree(seed: int, tmp_path: Path) -> None:
    """Frames of all sizes, some wrong, to one port or several, until the pool is full and again.

    *Checks*: verdicts, departures and every register of the pool and of pauses, by the engine itself; nothing is held
    in the end.
    """
    rng, pauses = random.Random(seed), seed % 2 == 0
    met: Counter[str] = Counter()
    with open_engine("both", features=SHARED) as engine:
        device = boot(engine, tmp_path / "profile.toml", text_of(rng, engine.build.storage // CELL, pauses=pauses))
        held: Counter[int] = Counter()
        for now in range(1000, 1000 * FRAMES, 1000):
            ports = rng.choice([1 << rng.randrange(PORTS), 1 << rng.randrange(PORTS), rng.randrange(1, 1 << PORTS)])
            engine.offer(now, frame_of(rng), ports, error=rng.random() < 0.1, source=rng.choice(SOURCES))
            for event in engine.events():
                outcome = Outcome(event.outcome)
                met[outcome.name] += 1
                held[event.port] += outcome <= Outcome.PROTECTED
            for port in range(PORTS):
                if held[port] and rng.random() < 0.15:
                    held[port] -= engine.take(now, port) is not None
            device.select(rng.choice(SOURCES[:-1]))
            if rng.random() < 0.02:
                port = rng.randrange(PORTS)
                device.command("flush", port)
                held[port] = 0
            met["xoff"] += device.read(registers.PFC_XOFF) != 0
            for register in rng.sample((*OF_ALL, *OF_PORT, registers.PFC_OVERRUNS), 2):
                device.read(register)
        for port in range(PORTS):
            while engine.take(now, port) is not None:
                pass
        assert device.read(registers.POOL_HELD) == 0
        met["overruns"] = device.read(registers.PFC_OVERRUNS)
    print(dict(met))
    assert min(met["PASS"], met["NO_ROOM"]) > 50
    assert (met["xoff"] > 0) == pauses


def test_a_frame_that_is_not_kept_has_had_cells(tmp_path: Path) -> None:
    """Wrong and refused frames of 2 to 13 rows, alone and behind one that waits: watermarks know what they had.

    *Checks*: the registers, by the engine itself; a wrong frame has had all its cells, or all but the last.
    """
    with open_engine("both", features=SHARED) as engine:
        device = boot(engine, tmp_path / "profile.toml", f'policy = "droptail"\n[port.1]\npool_static = {CELL}\n')
        for waits in (False, True):
            if waits:
                engine.offer(1000, bytes(9000), 3)
            for length in (max(60, ROW * rows - less) for rows in range(2, 14) for less in (0, ROW - 1)):
                for port in range(2):
                    device.command("clear_watermarks", port)
                before = device.read(registers.POOL_HELD)
                engine.offer(2000, bytes(length), 1, error=True)
                assert device.read(registers.POOL_WATERMARK) - before in (-(-length // CELL), -(-length // CELL) - 1)
                engine.offer(2000, bytes(length), 2)
                for port in range(2):
                    device.select(port)
                    device.read(registers.WATERMARK_CELLS)
