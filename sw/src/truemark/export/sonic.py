# SPDX-License-Identifier: BSD-3-Clause
"""Ports as tables of SONiC's config_db.json, alone or laid into a switch's own: the way back from `plan sonic`."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Collection, Sequence
from typing import Any

from truemark.errors import TruemarkError
from truemark.export.wred import Wred, not_kept, wred
from truemark.laws.policies import PortSettings
from truemark.plan.sonic import COLOURS, DROPS, MARKS, bare, expanded

Config = dict[str, dict[str, Any]]
POOL = "truemark_pool"
PROPOSED = "sonic-yang-models had them as a proposal in July 2026, releases before refuse them"
LANES = 4  # SONiC numbers interfaces by their lanes: Ethernet0, Ethernet4


def names(count: int) -> list[str]:
    """Return the interfaces' names if there are no others."""
    return [f"Ethernet{LANES * number}" for number in range(count)]


def config(
    ports: Sequence[PortSettings],
    places: Sequence[tuple[str, int]],
    memory: int,
    rate: int | None = None,
    base: Config | None = None,
    kept: Collection[str] = (),
) -> tuple[Config, list[str]]:
    """Return the tables, laid over those of `base`, and what they lose; a port is a queue of an interface (`places`).

    The memory is that of all ports in bytes, the rate in bit/s; what is `kept` of their settings the caller writes.
    """
    found, lost = copy.deepcopy(base or {}), []
    interfaces = list(dict.fromkeys(interface for interface, _ in places))
    for number, ((interface, queue), port) in enumerate(zip(places, ports, strict=True)):
        switch = wred(port, kept)
        if switch.weight:
            switch.lost.append(f"W = {switch.weight}: SONiC sets weight 0, the queue as it is")
        lost += not_kept(number, switch)
        if switch.drop and switch.mark not in (None, switch.drop):
            lost.append(f"port {number}: thresholds of ECN's own ({MARKS[0].format('green')}) are new: {PROPOSED}")
        refer(found, "QUEUE", interface, queue, "wred_profile", "WRED_PROFILE", wred_fields(switch))
        refer(found, "BUFFER_QUEUE", interface, queue, "profile", "BUFFER_PROFILE", buffer_fields(port))
    if rate is not None:
        if rate % 10**6:
            raise TruemarkError(f"rate = {rate} bit/s: SONiC counts in whole Mbit/s")
        for interface in interfaces:
            found.setdefault("PORT", {}).setdefault(bare(interface), {})["speed"] = str(rate // 10**6)
    if any(port.limit_bytes is not None for port in ports):
        found.setdefault("BUFFER_POOL", {})[POOL] = {"type": "egress", "mode": "static", "size": str(memory)}
    unsaid = [name for name in interfaces if "speed" not in found.get("PORT", {}).get(bare(name), {})]
    if unsaid:
        lost.append(f"PORT: no speed of {', '.join(unsaid)}: a device does not know it; --rate says it")
    return filled(found, base), lost


def filled(found: Config, base: Config | None) -> Config:
    """Return the tables without those that are empty and that `base` does not have."""
    return {name: table for name, table in found.items() if table or name in (base or {})}


def refer(
    found: Config, user: str, interface: str, queue: int, field: str, table: str, content: dict[str, str]
) -> None:
    """Let a field of an interface's queue name an object of this content; without content, take the field away."""
    alone(found.get(user, {}), interface, queue)
    entry = found.setdefault(user, {}).setdefault(f"{interface}|{queue}", {})
    entry.pop(field, None)
    if content:
        entry[field] = name_of(found.setdefault(table, {}), content)
    if not entry:
        del found[user][f"{interface}|{queue}"]


def alone(table: dict[str, Any], interface: str, queue: int) -> None:
    """Take an interface's queue out of the keys that hold several, such as `Ethernet0,Ethernet4|3-4`."""
    for key in [each for each in table if (interface, queue) in expanded(each) and each != f"{interface}|{queue}"]:
        content = table.pop(key)
        for name, number in expanded(key):
            table[f"{name}|{number}"] = dict(content)


def name_of(table: dict[str, Any], content: dict[str, str]) -> str:
    """Return the object that has this content; a new one, under a name that none has, if there is none."""
    for name, there in table.items():
        if there == content:
            return name
    name = next(name for name in (f"TRUEMARK_{number}" for number in itertools.count()) if name not in table)
    table[name] = content
    return name


def wred_fields(switch: Wred) -> dict[str, str]:
    """Return a WRED profile, the same for every colour; nothing if the port neither marks nor drops early."""
    if switch.mark is None and switch.drop is None:
        return {}
    found = {"ecn": "ecn_all" if switch.mark else "ecn_none"}
    for colour in COLOURS:
        found[f"wred_{colour}_enable"] = str(switch.drop is not None).lower()
        for keys, curve in ((DROPS, switch.drop or switch.mark), (MARKS, switch.mark)):
            if curve is None or (keys is MARKS and switch.drop in (None, curve)):
                continue
            values = (curve.low, curve.high, curve.percent)
            found |= {key.format(colour): str(value) for key, value in zip(keys, values, strict=True)}
    return found


def buffer_fields(port: PortSettings) -> dict[str, str]:
    """Return a buffer profile with a static limit, if the port has one."""
    if port.limit_bytes is None:
        return {}
    return {"pool": POOL, "size": "0", "static_th": str(port.limit_bytes)}
