# SPDX-License-Identifier: BSD-3-Clause
"""PROFILE.toml: what a person writes down of a device's configuration.

rate = "10G"            # what times such as k = "24us" refer to
policy = "true-mark"
k = "30kB"
buffer = "shallow"

[port.3]                # what differs at one port
policy = "red"
buffer = "deep"
mean_packet = "1500B"   # its time on the line is the tick by which the average of an idle queue decays
[port.3.red]
min = "62.5kB"
max = "187.5kB"
probability = 0.1       # at max
weight = 9              # W: the average moves by 2^-9 of the difference

[queues]                # where lines have several queues: which one takes a frame, one table for all ports
by = "dscp"             # or pcp, ecn, class, fixed
default = 0
dscp = { 46 = 3, 8-15 = 1 }

[queue.1]               # what differs at this queue of every line; [port.N] goes before it
quantum = "3kB"         # it sends so much in a turn with others; without, it is strict and sends before them
shape_rate = "2G"       # it sends no more, where a build has SHAPING; without [queue.N] each port's, or queue's
shape_burst = "20kB"    # except for so much at once; line_rate and line_burst are of a line of several queues

[port.2]                # where a build has POOL: one memory for all ports
pool_reserve = "10kB"   # it is kept for the port
pool_alpha = "1/8"      # beyond it, the port has at most so many times what is free; or pool_static = "1MB"

[queue.3]               # where a build has PFC: the queue begins no frame while the line's link partner pauses one of
paused_by = [3]         # these classes
[pfc]                   # and which classes must pause, of all ports as sources (or sources = [0, 1])
classes = [3, 4]
headroom = "60kB"       # of each; plan pfc works it out
alpha = "1/8"           # a class must pause above so many times what is free; or static = "100kB"
xon_offset = "3kB"      # and may send again so much below; or xon = "50kB"

Policy dual-step has its RED in [red], dual-slope in [ect] and [not_ect], codel its target and interval in [codel].
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import Field

from truemark.device.registers import PAGE, QueueMode
from truemark.errors import TruemarkError
from truemark.fields import FROM_FILE
from truemark.laws import policies
from truemark.laws.law import Limits, Line
from truemark.laws.policies import PortSettings
from truemark.laws.port import Port, PortTable
from truemark.laws.queue_map import MOST, QueueMap
from truemark.laws.tables import PfcTable, QueuesTable
from truemark.toml_errors import place_of, read_toml, validated

LAST_PORT = PAGE["port"].maximum


class Profile(PortTable):
    """The whole file."""

    port: dict[str, PortTable] = Field(default_factory=dict, description="tables by number: what differs at a port")
    queue: dict[str, PortTable] = Field(
        default_factory=dict, description="tables by number: settings of a queue of every line"
    )
    queues: QueuesTable | None = Field(default=None, description="which queue of its line takes a frame")
    pfc: PfcTable | None = Field(default=None, description="which classes of which source must pause, and when")

    def table(self, port: int, queues: int = 1) -> PortTable:
        """Return the settings of one port of a device whose lines have so many queues."""
        queue = self.queue.get(str(port % queues), PortTable()).laid_over(self)
        return self.port.get(str(port), PortTable()).laid_over(queue)

    def features(self) -> frozenset[str]:
        """Return what a build must be able to do for this profile; nothing is checked yet."""
        tables = [self, *(each.laid_over(self) for each in (*self.queue.values(), *self.port.values()))]
        wanted = frozenset[str]().union(*map(PortTable.features, tables))
        wanted |= {"pool", "pfc"} if self.pfc else set()
        return wanted | ({"flags_verdict"} if self.queues and self.queues.by == "class" else set())

    def line_queues(self) -> int:
        """Return the queues that a line must have for this profile, as builds have them."""
        planned = self.queues.planned() if self.queues else None
        named = [int(name) for name in self.queue] + ([planned.default, *planned.table] if planned else [])
        return max(2, 1 << max(named).bit_length()) if named else 1


def read_profile(path: Path) -> Profile:
    """Read and check a profile; every error names the file, the line and the key."""
    return checked(*read_toml(path), path)


def checked(content: dict[str, Any], text: str, path: Path) -> Profile:
    """Check what was read of a profile, as `read_profile` does."""
    profile = validated(Profile, content, text, str(path), FROM_FILE)
    for name in profile.port:
        if name not in map(str, range(LAST_PORT + 1)):
            at = place_of(str(path), text, ("port", name))
            raise TruemarkError(f"{at}: port.{name}: ports are numbers, 0 to {LAST_PORT}")
    for name in profile.queue:
        if name not in map(str, range(MOST)):
            at = place_of(str(path), text, ("queue", name))
            raise TruemarkError(f"{at}: queue.{name}: queues of a line are numbers, 0 to {MOST - 1}")
    try:
        profile.line_queues()
    except TruemarkError as error:
        raise TruemarkError(f"{place_of(str(path), text, ('queues',))}: {error}") from None
    return profile


def plan_queues(profile: Profile, queues: int, limits: Limits, where: str) -> QueueMap | None:
    """Which queue takes a frame, as a profile says, checked for a device whose lines have so many."""
    if profile.queues is None:
        return None
    planned = profile.queues.planned()
    planned.check(queues, limits.able, where)
    return planned


def port_table(text: str) -> PortTable:
    """Return the settings of one port, from a profile of it alone."""
    return validated(PortTable, tomllib.loads(text), text, "port", FROM_FILE)


def plan(profile: Profile, ports: int, limits: Limits, where: str) -> list[Port]:
    """Return every port of a device as it will be, all of them checked before any is written."""
    for name in profile.port:
        if int(name) >= ports:
            raise TruemarkError(f"{where}: port.{name}: this device has ports 0 to {ports - 1}")
    for name in profile.queue:
        if int(name) >= limits.queues:
            has = f"has queues 0 to {limits.queues - 1}" if limits.queues > 1 else "has one queue"
            raise TruemarkError(f"{where}: queue.{name}: a line of this device {has}")
    for kind, numbers in (("queue", profile.queue), ("port", profile.port)):
        for name, each in numbers.items():
            if each.line_rate is not None and int(name) % limits.queues:
                raise TruemarkError(f"{where}: {kind}.{name}: line_rate is of the line: write it at its first queue")
    for source in (profile.pfc.sources or []) if profile.pfc else []:
        if source >= ports:
            raise TruemarkError(f"{where}: [pfc] sources: {source}: this device has ports 0 to {ports - 1}")
    planned = []
    for port in range(ports):
        own = str(port) in profile.port or str(port % limits.queues) in profile.queue
        place = f"{where}: port {port}" if own else where
        try:
            written = profile.table(port, limits.queues)
            found = written.planned()
            if written.strict and limits.queues == 1:
                raise TruemarkError("strict = true: a line of this device has one queue, which waits for none")
            if port % limits.queues:  # a line's rate is kept with its first queue
                found = replace(found, settings=replace(found.settings, line_shape=None))
            if profile.pfc is not None:
                level = profile.pfc.of_port(port, Line(profile.rate, profile.packet))
                found = replace(found, settings=found.settings.with_level(level))
            planned.append(replace(found, storage=limits.storage))
        except TruemarkError as error:
            raise TruemarkError(f"{place}: {error}") from None
        policies.check(planned[-1].settings, limits, place)
    if profile.pfc is not None:
        check_lossless(profile.pfc, profile.queues, [each.settings for each in planned], limits.queues, where)
    table = profile.queues.planned() if profile.queues else None
    lines = [planned[first : first + limits.queues] for first in range(0, ports, limits.queues)]
    return [port for line in lines for port in with_unheld(table, line)]


def with_unheld(table: QueueMap | None, line: list[Port]) -> list[Port]:
    """Return a line's queues, each with the classes that pause another one and whose frames leave by it.

    None where the profile does not say which queue takes a frame, or goes by what says no class.
    """
    if table is None or table.mode not in (QueueMode.FIXED, QueueMode.PCP):
        return line
    pausing = [set(each.settings.pause.paused_by) if each.settings.pause else set[int]() for each in line]
    leaving = {each: table.reached([each], len(line)) for each in set[int]().union(*pausing)}
    return [
        replace(port, unheld=tuple(each for each in sorted(leaving) if queue in leaving[each] and each not in held))
        for queue, (port, held) in enumerate(zip(line, pausing, strict=True))
    ]


def check_lossless(
    pfc: PfcTable, table: QueuesTable | None, ports: list[PortSettings], queues: int, where: str
) -> None:
    """Refuse a law that drops where frames of a lossless class may come to its queue."""
    if pfc.sources == []:
        return
    reached = (table.planned() if table else QueueMap()).reached(pfc.classes, queues)
    for port, settings in enumerate(ports):
        if port % queues in reached and settings.drops:
            classes = ", ".join(map(str, sorted(set(pfc.classes))))
            raise TruemarkError(
                f"{where}: port {port}: policy = '{settings.policy}': frames of [pfc] classes {classes} may leave by "
                f"it, and it drops {settings.drops}"
            )
