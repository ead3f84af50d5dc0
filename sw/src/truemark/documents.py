# SPDX-License-Identifier: BSD-3-Clause
"""The JSON documents that commands print with --json: `schema` is `truemark/NAME/VERSION`, units stand in the names.

`schema(NAME)` describes each by JSON Schema. What is taken away or changes its meaning makes another VERSION; what is
added does not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import (
    Any,
    NotRequired,  # pydantic takes only this one below Python 3.12
)

from typing_extensions import TypedDict

VERSION = 1


class DeviceAddress(TypedDict):
    """Which device it was; `simulated` is null where a server that is older than the tool does not say it."""

    address: str
    simulated: bool | None


class Amount(TypedDict):
    """Frames and their bytes."""

    packets: int
    bytes: int


class Identity(TypedDict):
    """What a build is."""

    version: str
    ports: int
    beat_bytes: int
    rows: int
    descriptors: int
    storage: int
    max_frame: int
    capabilities: dict[str, bool]
    queues: int


class Port(TypedDict):
    """The configuration of a port: policy, limits, laws."""

    port: int
    settings: dict[str, Any]


class Probe(TypedDict):
    """What is at an address."""

    device: DeviceAddress
    identity: Identity


class Queues(TypedDict):
    """Which queue of its line takes a frame: by what, of all others, and the queue of each entry."""

    by: str
    default: int
    table: dict[str, int]


class Show(TypedDict):
    """A device and its configuration as it was read back."""

    device: DeviceAddress
    identity: Identity
    ports: list[Port]
    queues: NotRequired[Queues]
    remarks: list[str]


class Apply(TypedDict):
    """The configuration that is in force now."""

    device: DeviceAddress
    ports: list[Port]
    remarks: list[str]


class PortStatus(TypedDict):
    """What a port holds, and how many packets of it came to what end since reset."""

    port: int
    policy: str
    held: Amount
    most: Amount
    arrived: int
    marked: int
    dropped: int
    departed: int
    cut_short: int


class PoolPort(TypedDict):
    """What a port has of the pool, the most it had, and how many of its frames a threshold refused since reset."""

    port: int
    cells: int
    watermark: int
    refused: int


class Pool(TypedDict):
    """The cells of the one memory of all ports; `broken` names the memories in which a parity was wrong.

    `watermark` is the most that were not free.
    """

    cell_bytes: int
    free: int
    held: int
    walking: int
    watermark: int
    faults: int
    broken: list[str]
    ports: list[PoolPort]


class Pauses(TypedDict):
    """The classes that the link partner of each port must pause, and the cells that came beyond headroom.

    `broken`: a parity was wrong, and levels mean nothing until a reset.
    """

    asked: list[list[int]]
    overruns: int
    broken: bool


class Status(TypedDict):
    """All ports at one instant."""

    device: DeviceAddress
    ports: list[PortStatus]
    pool: NotRequired[Pool]
    pauses: NotRequired[Pauses]
    remarks: list[str]


Counter = TypedDict("Counter", {"outcome": str, "class": str, "ece": bool, "packets": int, "bytes": int})


class Bin(TypedDict):
    """Frames that waited so long; `below_ns` is null in the last bin, which has no end."""

    from_ns: int
    below_ns: int | None
    frames: int


ClassAmount = TypedDict("ClassAmount", {"class": str, "packets": int, "bytes": int})


class Stats(TypedDict):
    """The counters of a port, and its waiting times in powers of two."""

    device: DeviceAddress
    port: int
    policy: str
    time_ns: int
    counters: list[Counter]
    sojourn: list[Bin]
    held: Amount
    most: Amount
    longest_sojourn_ns: int
    bad: dict[str, int]
    remarks: list[str]


class Snapshot(TypedDict):
    """What a port's queue is made of."""

    device: DeviceAddress
    port: int
    time_ns: int
    held: Amount
    classes: list[ClassAmount]
    remarks: list[str]


class PortPace(TypedDict):
    """The pacer of a port; the rate is null where it lets frames go as they can."""

    port: int
    bytes_per_cycle: float
    rate_bit_per_s: float | None


class Pace(TypedDict):
    """The pacers of ports."""

    device: DeviceAddress
    ns_per_cycle: float
    ports: list[PortPace]


class Clock(TypedDict):
    """What a device counts for a cycle."""

    device: DeviceAddress
    ns_per_cycle: float


class Unlock(TypedDict):
    """Whose lock was taken away; null for nobody's."""

    device: DeviceAddress
    owner: int | None


class Serve(TypedDict):
    """A server that listens now."""

    device: DeviceAddress
    address: str


class RegisterValue(TypedDict):
    """A word and its fields; one outside the map has no name and no field."""

    name: str | None
    offset: int
    value: int
    fields: dict[str, int]


class Registers(TypedDict):
    """Words as they were read, those of a port through its page."""

    device: DeviceAddress
    port: int
    registers: list[RegisterValue]
    remarks: list[str]


class Rule(TypedDict):
    """A rule, what was found, and whether it holds."""

    rule: str
    limit: int
    found: int
    passed: bool


class Check(TypedDict):
    """Rules of a device's port or of a capture's replay."""

    subject: str
    passed: bool
    rules: list[Rule]
    remarks: list[str]


class Replay(TypedDict):
    """A capture through one port; the summary's own names."""

    settings: dict[str, Any]
    frames: dict[str, int]
    load: dict[str, float]
    queue: dict[str, float]
    warning: dict[str, float]
    average: dict[str, dict[str, float]]
    total: dict[str, Any]
    classes: dict[str, dict[str, Any]]
    remarks: list[str]
    wrote: list[str]


class Point(TypedDict):
    """One replay of a sweep."""

    policy: str
    k_bytes: int | None
    load: float
    arrived: int
    marked: int
    dropped: int
    dropped_acks: int
    queue_mean_bytes: float
    queue_max_bytes: float
    sojourn_mean_ns: float
    sojourn_p99_ns: float


class SaiPort(TypedDict):
    """A port under SAI's names: what is set, and what is counted."""

    port: int
    attributes: dict[str, bool | int | str]
    counters: dict[str, int]


class Sai(TypedDict):
    """Ports under SAI's names."""

    device: DeviceAddress
    ports: list[SaiPort]
    remarks: list[str]


class Sweep(TypedDict):
    """One capture under many settings."""

    capture: str
    points: list[Point]
    remarks: list[str]
    wrote: list[str]


class Plan(TypedDict):
    """Settings that were worked out: their figures by name, with units."""

    plans: list[dict[str, Any]]
    wrote: list[str]


class Wrote(TypedDict):
    """Files."""

    wrote: list[str]


class LabPoint(TypedDict):
    """A point of a sweep: each measure by seed."""

    name: str
    runs: int
    measures: dict[str, list[float | None]]  # none where the run was struck before it was known


class Lab(TypedDict):
    """Runs of the network lab."""

    points: list[LabPoint]
    wrote: list[str]


class Wait(TypedDict):
    """The bin of a waiting time; `below_ns` is null in the last one, which has no end."""

    from_ns: int
    below_ns: int | None


class Rates(TypedDict):
    """Frames a second."""

    arrived: float
    marked: float
    dropped: float


class PortSample(TypedDict):
    """A port; `waits` are frames by the bins of `stats`, of those that left since the line before."""

    port: int
    policy: str
    held_bytes: int
    held_packets: int
    watermark_bytes: int
    k_bytes: int | None
    limit_bytes: int
    sent_bit_s: float
    all: Rates
    classes: dict[str, Rates]
    waits: list[int]
    wait_p50: Wait | None
    wait_p99: Wait | None
    pool_bytes: NotRequired[int | None]
    must_pause: NotRequired[list[int]]


class PoolSample(TypedDict):
    """The memory that all ports share, and what of it is not free."""

    size_bytes: int
    held_bytes: int


class Watch(TypedDict):
    """What happened at each port since the line before: a document a line."""

    device: DeviceAddress
    summary: NotRequired[str]  # of all ports, in words
    ports: list[PortSample]
    pool: NotRequired[PoolSample | None]


DOCUMENTS: dict[str, Any] = {
    "apply": Apply,
    "check": Check,
    "clock": Clock,
    "lab": Lab,
    "pace": Pace,
    "plan": Plan,
    "probe": Probe,
    "registers": Registers,
    "replay": Replay,
    "sai": Sai,
    "serve": Serve,
    "show": Show,
    "snapshot": Snapshot,
    "stats": Stats,
    "status": Status,
    "sweep": Sweep,
    "unlock": Unlock,
    "watch": Watch,
    "wrote": Wrote,
}


def named(name: str, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with the name of its schema."""
    return {"schema": f"truemark/{name}/{VERSION}", **content}


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of a document."""
    from pydantic import TypeAdapter  # 0.2 s to load

    found: dict[str, Any] = TypeAdapter(DOCUMENTS[name]).json_schema()
    about = re.sub(r"\s+", " ", found.get("description", ""))
    found["properties"] = {"schema": {"const": f"truemark/{name}/{VERSION}"}} | found["properties"]
    found["required"] = ["schema", *found["required"]]
    return (
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"truemark {name}"}
        | ({"description": about} if about else {})
        | {key: value for key, value in found.items() if key not in ("title", "description")}
    )
