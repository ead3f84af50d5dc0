# SPDX-License-Identifier: BSD-3-Clause
"""A simulated device with a pool and PFC, set by a profile, does what the profile says: golden model and RTL do."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import generate_latest
from sw.tests.frames import Command
from sw.tests.test_export import of, promtool, samples

from truemark.device import registers
from truemark.device.flow_control import PauseState
from truemark.device.look import Reading, look, recorded, replayed
from truemark.device.registers import Code
from truemark.device.simulated import SimulatedDevice
from truemark.export.prometheus import Queues
from truemark.watch.sample import PoolSample, between

MODEL = pytest.param("model", marks=pytest.mark.builds("engine:model"))
BOTH = pytest.param("both", marks=[pytest.mark.builds("engine:both_pool"), pytest.mark.slow])
CELL, FRAME_CELLS = 64, 24
FRAME = bytes(12) + b"\x08\x00" + bytes(CELL * FRAME_CELLS - 14)
PFC = """
[pfc]
classes = [3, 5]
headroom = "20kB"
static = "50kB"
xon = "10kB"
"""
KEPT = 5 * 2 * -(-20_000 // CELL)  # cells of headroom: ports, classes


@pytest.mark.parametrize(("greedy", "alpha"), [(1, "8"), (2, "1"), (4, "1/8")])
@pytest.mark.parametrize("kind", [MODEL, BOTH])
def test_a_simulated_device_has_one(command: Command, tmp_path: Path, kind: str, greedy: int, alpha: str) -> None:
    """A frame is stored while its port has no more than alpha times what is free.

    Ports that want more than they get have alpha B / (1 + S alpha) each, to a frame.
    """
    profile, address = tmp_path / "profile.toml", f"sim:{tmp_path / 'device'}"
    profile.write_text(f'policy = "droptail"\npool_alpha = "{alpha}"\n{PFC}')
    code, printed, error = command("apply", profile, "--device", address, "--engine", kind)
    assert code == 0, error
    assert "20000 B each; all: xoff above 50000 B" in printed
    engine, device, _ = SimulatedDevice(address).boot()
    with engine:
        cells = device.read(registers.POOL_FREE)
        taken = [0] * greedy
        refused = 0
        while refused < 3 * greedy:
            for port in range(greedy):
                fits = taken[port] + FRAME_CELLS <= (cells - KEPT - sum(taken)) * Fraction(alpha) // 1
                engine.offer(0, FRAME, 1 << port)
                (event,) = engine.events()
                assert event.outcome == (Code.PASS if fits else Code.NO_ROOM), f"port {port}, which has {taken} cells"
                taken[port] += FRAME_CELLS * fits
                refused += not fits
        wanted = (cells - KEPT) * Fraction(alpha) / (1 + greedy * Fraction(alpha))
        assert all(abs(each - wanted) < FRAME_CELLS for each in taken)
        assert device.read(registers.POOL_HELD) == sum(taken)
        for port in range(greedy):
            while engine.take(0, port):
                pass
        assert [device.read(each) for each in (registers.POOL_FREE, registers.POOL_WALKING)] == [cells, 0]


def registry(seen: Reading) -> CollectorRegistry:
    """Return what says in Prometheus' words what was seen."""
    found = CollectorRegistry()
    found.register(Queues(lambda: seen, print))
    return found


@pytest.mark.parametrize("kind", [MODEL, BOTH])
def test_a_simulated_device_asks_for_pauses(command: Command, tmp_path: Path, kind: str) -> None:
    """A class that holds more than its threshold must pause, until it holds no more than xon."""
    profile, address = tmp_path / "profile.toml", f"sim:{tmp_path / 'device'}"
    profile.write_text(f'policy = "droptail"\n{PFC}')
    assert command("apply", profile, "--device", address, "--engine", kind)[0] == 0
    code, printed, error = command("status", "--device", address)
    assert code == 0, error
    assert "its link partner must pause" in printed
    engine, device, _ = SimulatedDevice(address).boot()
    tagged = bytes(12) + bytes.fromhex("8100a000") + FRAME[12:]  # priority 5
    with engine:
        device.select(0)
        for cells in range(FRAME_CELLS + 1, 40 * (FRAME_CELLS + 1), FRAME_CELLS + 1):
            engine.offer(0, tagged)
            assert device.read(registers.PFC_XOFF) == (1 << 5 if cells > 50_000 // CELL else 0)
        seen = look(device)
        assert seen.pauses == PauseState(((5,), (), (), (), ()), 0, broken=False)
        assert replayed(recorded(device)) == seen
        sample = between(seen, seen)
        assert sample.pool == PoolSample(engine.build.storage, cells * CELL)
        assert [each.pool_bytes for each in sample.ports] == [cells * CELL, 0, 0, 0, 0]
        share = cells * CELL / engine.build.storage
        assert (
            str(sample)
            == f"5 ports, 0 marked and 0 dropped a second; pool {share:.0%} full; must pause: port 0 class 5"
        )
        text = generate_latest(registry(seen)).decode()
        assert of(samples(text), "truemark_pool_cells", state="held") == cells
        assert of(samples(text), "truemark_pool_port_cells", port="0") == cells
        assert (
            of(samples(text), "truemark_pfc_xoff")
            == of(samples(text), "truemark_pfc_xoff", port="0", **{"class": "5"})
            == 1
        )
        assert of(samples(text), "truemark_pfc_overrun_cells_total") == 0
        assert "truemark_" not in promtool("check", "metrics", text=text).stderr
        device.select(0)
        while engine.take(0):
            cells -= FRAME_CELLS + 1
            assert device.read(registers.PFC_XOFF) == (1 << 5 if cells > 10_000 // CELL else 0)
        assert cells == 0
