# SPDX-License-Identifier: BSD-3-Clause
"""What a profile says of a port's share of a pool, and the registers that it becomes."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import Mock

import pytest
from rich.console import Console
from sw.tests.frames import Command
from sw.tests.test_transport import served

from truemark.device import board, registers, simulated, tables
from truemark.device.device import Device
from truemark.device.engine import EVERY_LAW, Build, Engine, find_libraries, open_engine
from truemark.device.flow_control import PauseState
from truemark.device.pool import PoolState, PortCells
from truemark.errors import TruemarkError
from truemark.laws import policies
from truemark.laws.law import Limits
from truemark.laws.policies import PortSettings
from truemark.laws.port import PortTable
from truemark.laws.share import Share
from truemark.link.transport import open_transport

LIMITS = Limits(storage=65_536, descriptors=100, able=frozenset({"step", "pool"}))


def port(**keys: object) -> PortSettings:
    """Return the settings of a port with these keys of a profile."""
    return PortTable.model_validate({"policy": "droptail", **keys}).planned().settings


@pytest.mark.parametrize(
    ("keys", "reserve", "threshold"),
    [
        ({"pool_reserve": "10kB"}, 157, 0),
        ({"pool_static": "1000B"}, 0, 16),
        ({"pool_alpha": "1/8"}, 0, 1 << 31 | 13 << 24),
        ({"pool_alpha": 1}, 0, 1 << 31),
        ({"pool_reserve": "64B", "pool_alpha": "8"}, 1, 1 << 31 | 3 << 24),
    ],
)
def test_keys_become_words(keys: dict[str, object], reserve: int, threshold: int) -> None:
    """A reserve and a static threshold are rounded up to whole cells; alpha is a power of two."""
    share = port(**keys).pool_share
    assert share is not None
    words = dict(share.words(64))
    assert words == {registers.POOL_RESERVE: reserve, registers.POOL_THRESHOLD: threshold}
    assert Share.read(words.__getitem__, 64) == Share(64 * reserve, share.static and 1024, share.exponent)


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"pool_alpha": "1/3"}, "pool_alpha = '1/3': a power of two from 1/128 to 8 is wanted"),
        ({"pool_alpha": "16"}, "pool_alpha = '16'"),
        ({"pool_alpha": "much"}, "pool_alpha = 'much'"),
        ({"pool_alpha": "1", "pool_static": "1kB"}, "a threshold is one of them"),
        ({"pool_static": "0B"}, "pool_static = 0: leave it out for no threshold"),
    ],
)
def test_wrong_keys_are_named(keys: dict[str, object], says: str) -> None:
    with pytest.raises(TruemarkError, match=says):
        port(**keys)


def test_device_must_have_it() -> None:
    """More than the pool, and a device without one; a reserve, and a device that keeps none."""
    with pytest.raises(TruemarkError, match="pool_reserve = 100000 B: this build's pool has 65536 B"):
        policies.check(port(pool_reserve="100kB"), LIMITS)
    with pytest.raises(TruemarkError, match="this build's ports have memories of their own"):
        policies.check(port(pool_alpha="1"), Limits(storage=65_536, descriptors=100))
    policies.check(port(pool_reserve="60kB", pool_static="60kB"), LIMITS)
    stored = replace(LIMITS, able=LIMITS.able | {"store_and_forward"})
    with pytest.raises(TruemarkError, match="pool_reserve = 10000 B: this build stores a frame before it judges it"):
        policies.check(port(pool_reserve="10kB"), stored)
    policies.check(port(pool_alpha="1"), stored)


def test_reserves_that_shrink_come_first() -> None:
    """No commit on the way from one profile to another finds more reserves than the pool has; too many are refused."""
    words = {
        registers.CAPABILITIES.address: registers.CAPABILITIES.pack(pool=1),
        registers.BUILD.address: registers.BUILD.pack(ports=3, data_bytes=32),
        registers.ROWS.address: 2048,
    }
    shadow: dict[int, dict[int, int]] = {}
    page = [0]

    def read(address: int) -> int:
        return words.get(address, shadow.get(page[0], {}).get(address, 0))

    def write(address: int, word: int) -> None:
        if address == registers.PAGE.address:
            page[0] = word
        else:
            shadow.setdefault(page[0], {})[address] = word

    for number, reserve in enumerate((0, 900, 100)):
        shadow[number] = {registers.POOL_RESERVE.address: reserve}
    device = Device(read, write)
    ports = [PortSettings("droptail", pool_share=Share(64 * reserve)) for reserve in (900, 0, 116)]
    before = device.before_commits(3)
    assert device.in_order(ports, before, "profile.toml") == [1, 0, 2]
    ports[2] = PortSettings("droptail", pool_share=Share(64 * 117))
    with pytest.raises(TruemarkError, match=r"profile.toml: pool_reserve and headroom of all ports come to 65088 B"):
        device.in_order(ports, before, "profile.toml")


@dataclass
class Pooled:
    """An engine whose pool has 7 of everything: the model's ports have memories of their own."""

    engine: Engine
    SHOWN = frozenset(
        getattr(registers, name).address
        for name in (
            "POOL_CELLS",
            "POOL_FAULTS",
            "POOL_FREE",
            "POOL_HELD",
            "POOL_REFUSED",
            "POOL_WALKING",
            "POOL_WATERMARK",
            "WATERMARK_CELLS",
        )
    )

    def read(self, offset: int) -> int:
        """Read a word."""
        return 7 if offset in self.SHOWN else self.engine.read(offset)

    def write(self, offset: int, value: int) -> None:
        """Write a word."""
        self.engine.write(offset, value)


@pytest.mark.builds("engine:model")
def test_status_opens_a_device_once(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One look shows ports and pool: a simulated device is booted for it once, a served one reached once."""
    boots, links = Mock(wraps=open_engine), Mock(wraps=open_transport)
    monkeypatch.setattr(simulated, "open_engine", boots)
    monkeypatch.setattr(board, "open_transport", links)
    assert command("status", "--device", f"sim:{tmp_path / 'device'}")[0] == 0
    assert boots.call_count == 1
    switches = EVERY_LAW | registers.CAPABILITIES.pack(pool=1)
    with (
        Engine(find_libraries("model")[0], Build(ports=3, switches=switches)) as engine,
        served(Pooled(engine)) as address,
    ):
        code, printed, error = command("status", "--json", "--device", address)
        assert code == 0, error
        shown = json.loads(printed)["pool"]
        assert shown["free"] == 7
        assert shown["ports"][2] == {"port": 2, "cells": 7, "watermark": 7, "refused": 7}
    assert links.call_count == 1


def test_the_pool_is_shown() -> None:
    """What ports have of the pool, in cells; and that a parity was wrong."""
    ports = (PortCells(0, 1200, 1500, 3), PortCells(1, 0, 40, 0))
    state = PoolState(64, 2000, 1195, 5, 1540, 0, (), ports)
    with io.StringIO() as shown:
        Console(file=shown, width=100).print(tables.pool_table(state))
        lines = [" ".join(line.split()) for line in shown.getvalue().splitlines()]
    for line in (
        "pool of cells of 64 B",
        "free 2,000",
        "held 1,195",
        "on their way back 5",
        "all that are not free 1,200 1,540",
        "port 0 1,200 1,500 3",
        "port 1 0 40 0",
    ):
        assert line in lines
    assert tables.pool_remarks(state) == []
    with io.StringIO() as shown:
        Console(file=shown, width=100).print(tables.pool_table(state, PauseState(((), (3, 5)), 0, broken=False)))
        lines = [" ".join(line.split()) for line in shown.getvalue().splitlines()]
    assert "port 0 1,200 1,500 3 -" in lines
    assert "port 1 0 40 0 3, 5" in lines
    assert tables.pause_remarks(PauseState(((), ()), 0, broken=False)) == []
    assert tables.pause_remarks(PauseState(((), ()), 1200, broken=True)) == [
        "pauses mean nothing until a reset: a parity was wrong",
        "1,200 cells came beyond headroom: lossless classes want more (plan pfc)",
    ]
    broken = replace(state, faults=255, broken=("free_cells", "copies"))
    assert tables.pool_remarks(broken) == [
        "the pool stores nothing until a reset: a parity was wrong, 255 or more times: free cells, copies"
    ]
