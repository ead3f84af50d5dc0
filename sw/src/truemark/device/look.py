# SPDX-License-Identifier: BSD-3-Clause
"""One look at a device: all its counters at one instant, with what its ports are set to. Watch, web and export show it.

A look takes thousands of reads. `recorded` keeps the words that were read, so that a server looks once for all who ask,
and `replayed` makes of them what `look` makes of a device. The order of the reads is part of the protocol: tools in use
expect it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from truemark.device.device import Device, Identity, Snapshot
from truemark.device.flow_control import PauseState, pause_state
from truemark.device.pool import PoolState, pool_state
from truemark.device.registers import Register
from truemark.errors import LinkError
from truemark.laws.policies import PortSettings

WORD = 0xFFFFFFFF


class OtherLookError(LinkError):
    """The words are of a look of another version."""


@dataclass(frozen=True)
class Reading:
    """A device at one instant, with the configuration of its ports."""

    identity: Identity
    settings: list[PortSettings]
    ports: list[Snapshot]
    pool: PoolState | None  # none where ports have memories of their own
    pauses: PauseState | None  # none where there are no levels
    simulated: bool | None = False  # no board; none: not known


def look(device: Device, ports: Sequence[int] | None = None) -> Reading:
    """Freeze the counters of all ports at one instant; read those of some ports or all, their configuration.

    Then pool and pauses: what came with a later version comes later, so an older tool understands what a server has
    recorded.
    """
    identity = device.identity()
    there = range(identity.check_ports(ports or []))
    chosen = there if ports is None else ports
    frozen = device.freeze(chosen)
    settings = [device.settings(port) for port in chosen]
    pool = pool_state(device, len(there))
    pauses = pause_state(device, len(there)) if identity.capabilities["pfc"] else None
    return Reading(identity, settings, frozen, pool, pauses)


class _Recorder(Device):
    """A device that keeps what is read of another; of a number that may rise, the two words that belong together."""

    def __init__(self, device: Device) -> None:
        super().__init__(self._recorded, device.write_at)
        self._device = device
        self.words: list[str] = []

    def _recorded(self, offset: int) -> int:
        word = self._device.read_at(offset)
        self._keep(offset, word)
        return word

    def _keep(self, offset: int, word: int) -> None:
        self.words.append(f"{offset:x}:{word:x}")

    def _rising(self, low: Register, high: Register) -> int:
        value = self._device._rising(low, high)
        self._keep(low.address, value & WORD)
        self._keep(high.address, value >> 32)
        return value


class _Replayed(Device):
    """A device of words that were read before: they stand still."""

    _rising = Device.wide


def recorded(device: Device) -> str:
    """Look at a device; return what was read, `offset:word` in the order of the reads."""
    recorder = _Recorder(device)
    look(recorder)
    return " ".join(recorder.words)


def replayed(words: str) -> Reading:
    """Return the look that `recorded` has kept."""
    left = iter(words.split())

    def read(offset: int) -> int:
        at, _, word = next(left, "").partition(":")
        if at != f"{offset:x}" or not word:
            raise OtherLookError("the server has read other registers than this tool expects")
        return int(word, 16)

    return look(_Replayed(read, lambda _offset, _value: None))
