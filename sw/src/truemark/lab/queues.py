# SPDX-License-Identifier: BSD-3-Clause
"""Several queues at each port, one for each priority of flows, as a scenario file says them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from truemark.device.registers import QueueMode
from truemark.errors import TruemarkError
from truemark.lab.fields import SomeBytes, Table, given
from truemark.laws.policies import QUANTUM_MAX, find_policy
from truemark.laws.queue_map import BY, QueueMap

MOST = 8
SELECTOR = 8  # DSCP of a priority: that of its class selector (RFC 2474)
Priority = Annotated[int, Field(ge=0, lt=MOST)]


class Queues(Table):
    """A queue for each priority, 0 the lowest, at every port of a switch and at every host."""

    count: Literal[1, 2, 4, 8] = given(2, description="of a port: ours")
    quantum: dict[str, SomeBytes] = given(
        {}, description="bytes of a queue in a turn with others, by its number; those without are strict and go before"
    )

    def allowed(self) -> str:
        """For messages: which there are."""
        return f"ports have queues 0 to {self.count - 1}" if self.count > 1 else "ports have one queue, 0"

    def check(self, priorities: dict[str, int], classes: list[int]) -> None:
        """Refuse queues that are not there, of flows by the names of their keys, and of lossless classes."""
        for name, value in self.quantum.items():
            if name not in map(str, range(self.count)):
                raise TruemarkError(f"queues.quantum.{name}: {self.allowed()}")
            if value > QUANTUM_MAX:
                raise TruemarkError(f"queues.quantum.{name} = {value}: at most {QUANTUM_MAX}")
            if self.count == 1:
                raise TruemarkError("queues.quantum.0: one queue waits for none; leave it out")
        wanted = {**priorities, **{f"pfc.classes = {classes}": each for each in classes}}
        for name, value in wanted.items():
            if value >= self.count:
                enough = next(count for count in (2, 4, 8) if count > value)
                key = name if name.startswith("pfc") else f"{name} = {value}"
                raise TruemarkError(f"{key}: {self.allowed()}; set queues.count = {enough}")

    def check_engine(self, implementation: str, engine: str, rtl_ports: list[str], policy: str) -> None:
        """Refuse what has one queue a port only."""
        has = f"queues.count = {self.count}: "
        if implementation != "truemark":
            raise TruemarkError(f"{has}queue.implementation = '{implementation}' has one queue; take 'truemark'")
        if engine != "model" or rtl_ports:
            key = f"queue.engine = '{engine}'" if engine != "model" else f"queue.rtl_ports = {rtl_ports}"
            raise TruemarkError(f"{has}{key}: an engine over the RTL has one queue a line; take engine = 'model' alone")
        if "codel" in find_policy(policy).departures:
            raise TruemarkError(
                f"{has}queue.policy = '{policy}' drops at the head, which the lab follows in one queue; set count = 1"
            )

    def quanta(self) -> list[int]:
        """Return what each queue sends in a turn; 0: it is strict."""
        return [self.quantum.get(str(queue), 0) for queue in range(self.count)]

    def queue_map(self) -> QueueMap:
        """Return which queue takes a frame: that of its priority."""
        own = {str(SELECTOR * queue): queue for queue in range(self.count)}
        return QueueMap.of(next(name for name, mode in BY.items() if mode is QueueMode.DSCP), 0, own)

    def __str__(self) -> str:
        """For a report."""
        turns = ", ".join(f"{name} in turns of {value} B" for name, value in self.quantum.items())
        return f"{self.count} queues a port{f', {turns}' if turns else ''}"


ONE = Queues(count=1)
