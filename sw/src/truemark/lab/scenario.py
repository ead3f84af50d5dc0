# SPDX-License-Identifier: BSD-3-Clause
"""What a scenario file can say. Every field names where its default comes from; the timers have none, on purpose."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from math import ceil, floor
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from truemark import toml_errors, units
from truemark.errors import TruemarkError
from truemark.fields import FROM_FILE, Length
from truemark.lab.fields import Bytes, Delay, Duration, OptionalDelay, Rate, Some, Table, given, optional, table
from truemark.lab.ns2_red import LabRed
from truemark.lab.pfc import Link, Pfc
from truemark.lab.pool import Pool
from truemark.lab.queues import ONE, Queues
from truemark.lab.transport import Transport
from truemark.lab.workloads import AnyWorkload, Shuffle
from truemark.laws import policies
from truemark.laws.port import OF_THE_POLICY, PolicyTable
from truemark.toml_errors import read_toml

RACKS = {"leaf-spine": 4, "dumbbell": 2, "star": 1}
HEADERS = 14 + 20 + 20 + 40  # bytes of a frame besides its segment, with TCP's longest options


class Topology(Table):
    """Racks of hosts below leaf switches: every leaf linked to every spine, two leaves linked, one alone, or pods."""

    kind: Literal["leaf-spine", "dumbbell", "star", "fat-tree"] = given(
        "leaf-spine",
        description="the marking-threshold paper's; dumbbell: two switches and a link; star: one switch; fat-tree: "
        "three levels (Al-Fares et al., SIGCOMM 2008)",
    )
    pods: Annotated[int, Field(ge=2, le=20)] | None = optional(
        "k of a fat tree: as many pods, each of k/2 leaves and k/2 switches above, and k^3/4 hosts in all; the other "
        "numbers follow from it"
    )
    racks: Annotated[int, Field(ge=1, le=200)] | None = Field(
        None, description="switches that have hosts: the marking-threshold paper's 4; a dumbbell has 2, a star 1"
    )
    hosts_per_rack: Annotated[int, Field(ge=1, le=1000)] = given(
        10, description="a quarter of the paper's 40, as its prototype here"
    )
    spines: Annotated[int, Field(ge=1, le=64)] = given(2, description="the marking-threshold paper; leaf-spine only")
    host_rate: Rate = given("1G", description="the marking-threshold paper")
    uplink_rate: Rate = given(
        "2.5G", description="a quarter of the paper's 10G, so that it stays 2:1; of a dumbbell's link"
    )
    link_delay: Delay = given("5us", description="one link; ours: 40 µs around an idle network, a data centre's")
    uplink_delay: OptionalDelay = given(None, description="of links between switches; by default link_delay")
    switch_latency: Duration = given("0s", description="of a packet through a switch; race cars: 300 ns to 9 µs")
    ecmp: Literal["flow", "packet-rr"] = given(
        "flow", description="how a leaf chooses an uplink: switches by flow, the papers' ns-2 packet by packet"
    )
    wire_overhead: Bytes = given(24, description="IEEE 802.3: preamble 8, FCS 4, gap 12 bytes of time per frame")
    device_frames: Annotated[int, Field(ge=0, le=1)] = given(
        1, description="besides the one on the wire, outside the queue under test: ns-3's least; ns-2 has 0"
    )

    @model_validator(mode="after")
    def _fill(self) -> Topology:
        if self.kind == "fat-tree":
            for name, number in self.of_pods().items():
                if name not in self.model_fields_set or getattr(self, name) is None:
                    setattr(self, name, number)
        elif self.racks is None:
            self.racks = RACKS[self.kind]
        if self.uplink_delay is None:
            self.uplink_delay = self.link_delay
        return self

    @property
    def hosts(self) -> int:
        """Hosts in all."""
        return (self.racks or 0) * self.hosts_per_rack

    def of_pods(self) -> dict[str, int]:
        """Return what a fat tree's number of pods decides."""
        half = (self.pods or 0) // 2
        return {"racks": 2 * half * half, "hosts_per_rack": half, "spines": half * half}

    def check(self) -> None:
        """Refuse numbers that do not go with the kind."""
        if self.kind == "fat-tree":
            if self.pods is None:
                raise TruemarkError("topology.pods: a fat-tree needs it, for example 4 for 16 hosts, or 6 for 54")
            if self.pods % 2:
                raise TruemarkError(
                    f"topology.pods = {self.pods}: a fat-tree does not divide; half of the {self.pods} ports of a "
                    "switch go up and half down, so that it needs an even number"
                )
            for name, number in self.of_pods().items():
                if (own := getattr(self, name)) != number:
                    raise TruemarkError(
                        f"topology.{name} = {own}: a fat-tree of {self.pods} pods has {number}; leave it out"
                    )
            return
        if self.pods is not None:
            raise TruemarkError(f"topology.pods = {self.pods}: belongs to kind = 'fat-tree', not '{self.kind}'")
        if self.kind != "leaf-spine" and self.racks != RACKS[self.kind]:
            raise TruemarkError(f"topology.racks = {self.racks}: a {self.kind} has {RACKS[self.kind]}")

    def scaled(self, part: Fraction, links: bool) -> Topology:
        """Return it with a part of its hosts, rounded up, and of its links between switches if they scale.

        Of a fat tree it is the smallest that has so many: its links are those of the hosts, whatever its size.
        """
        if self.kind == "fat-tree" and self.pods:
            pods = next(each for each in range(2, self.pods + 2, 2) if each**3 >= part * self.pods**3)
            smaller = self.model_copy(update={"pods": pods})
            return smaller.model_copy(update=smaller.of_pods())
        changed = {"hosts_per_rack": ceil(part * self.hosts_per_rack)}
        if links and self.kind != "star":
            changed["uplink_rate"] = max(1, floor(part * self.uplink_rate))
        return self.model_copy(update=changed)

    @property
    def most_below(self) -> int:
        """Hosts below a switch, and so on one side of a port: all of a rack, or of a fat tree's pod."""
        return self.hosts_per_rack**2 if self.kind == "fat-tree" else self.hosts_per_rack

    @property
    def most_ports(self) -> int:
        """Of the switch that has the most."""
        if self.kind == "fat-tree":
            return self.pods or 0
        racks = self.racks or 0
        up = {"leaf-spine": self.spines, "dumbbell": 1, "star": 0}[self.kind]
        return max(self.hosts_per_rack + up, racks if self.kind == "leaf-spine" else 0)

    def links(self, tcp: Transport) -> tuple[dict[str, Link], int, int]:
        """Return the kinds of links, the bytes of a longest frame, and the links of the switch that has the most."""
        half, between = self.switch_latency // 2, self.uplink_delay or 0
        edge = Link(rate=self.host_rate, delay_ns=self.link_delay, frame_delay_ns=self.link_delay + half)
        found = {"edge": edge}
        if self.kind != "star":
            found["fabric"] = Link(rate=self.uplink_rate, delay_ns=between, frame_delay_ns=between + 2 * half)
        return found, tcp.segment + HEADERS, self.most_ports

    def for_runner(self) -> dict[str, Any]:
        """Without spines where there are none."""
        return super().for_runner() | ({} if self.kind in ("leaf-spine", "fat-tree") else {"spines": 0})


class Ns3Red(Table):
    """Settings of ns-3's RedQueueDisc, used when it takes Truemark's place."""

    min: Bytes = given(30_001, description="bytes; one more than K is the step law, for ns-3 compares with >=")
    max: Bytes = given(30_001, description="bytes; equal to min: no probability in between")
    weight: Annotated[float, Field(gt=0, le=1)] = given(1.0, description="1: the instantaneous queue")
    maxp: Annotated[float, Field(gt=0, le=1)] = given(0.1, description="Floyd 1997")
    gentle: bool = given(False, description="off: at min = max all that matters is forced")
    mean_packet: Bytes = given(500, description="ns-3 3.44; it scales probabilities by a packet's length over this")
    measured: bool = given(True, description="off: stock ns-3, for a comparison of run time")


class Fabric(Table):
    """What the queues of links between switches have of their own; what is left out is as at the ports to hosts."""

    k: Length | None = given(None, description="threshold")
    buffer: str | None = given(None, description="limit")
    red: LabRed | None = given(None, description="RED by its numbers")
    ns3_red: Ns3Red | None = given(None, description="only for implementation ns3-red")


class Queue(Table, PolicyTable):
    """The queue at every switch port, and if asked at every host's."""

    implementation: Literal["truemark", "ns3-red"] = given("truemark", description="ns3-red: for comparison")
    engine: Literal["model", "rtl", "both"] = given("model", description="golden model, Verilated RTL, both compared")
    rtl_ports: list[str] = given([], description="ports that the RTL serves whatever `engine` is, as leaf0.host3")
    policy: str = given("true-mark", description="a name of docs/verdict.md's policies")
    buffer: str = given("shallow", description="limit of every port: shallow (293 KiB), deep (2.43 MB), or a size")
    packet: Some = given(1514, description="bytes of a packet where sizes are given in packets: a full frame")
    red: LabRed | None = given(None, description="RED of policy red, or of dual-step for Not-ECT frames")
    at_hosts: bool = given(False, description="at a host's own port too, as an ns-2 duplex-link has it; else a FIFO")
    ns3_red: Ns3Red = table(Ns3Red, "only for implementation ns3-red")
    fabric: Fabric = table(Fabric, "links between switches, where they differ: ns-3's DCTCP example")

    def at(self, place: str) -> Queue:
        """Return the queue of `fabric` ports, or of `edge` ports."""
        own = {name: value for name in Fabric.model_fields if (value := getattr(self.fabric, name)) is not None}
        return self.model_copy(update=own) if place == "fabric" else self


class Measure(Table):
    """What is written down besides the sums."""

    sample: Duration = given("1ms", description="step of the occupancy series; 0s: none")
    decisions: bool = given(False, description="write every decision of every port to decisions.txt")


NAMES = ("name", "title")  # of a scenario: a run is the same under others


class Scenario(Table):
    """The whole file."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")] = given(description="of the results' folder")
    title: str = given("", description="for the report")
    seed: Annotated[int, Field(ge=1, lt=2**32)] = given(1, description="ours: of placement, jitter, order and RED")
    scale: Annotated[float, Field(gt=0, le=1)] = given(
        1.0, description="of hosts, links between switches and transfers; bytes of a flow stay as they are"
    )
    stop: Duration = given(
        "60s",
        description="ours: simulated time at which a run ends as failed; with a round of kind background, as open",
    )
    topology: Topology = table(Topology, "the network")
    queue: Queue = table(Queue, "the queue under test")
    queues: Queues | None = optional("a queue for each priority at every port; none: one queue for all")
    pool: Pool | None = optional("a memory that the ports of a switch share; none: each its own")
    pfc: Pfc | None = optional(
        "flow control of links whose frames fill a pool, so that nothing is lost; none: it drops"
    )
    transport: Transport = given(description="TCP")
    workload: AnyWorkload = Field(default_factory=Shuffle, description="the traffic")
    measure: Measure = table(Measure, "what is written down")

    def unnamed(self) -> Scenario:
        """Return what decides a run."""
        return self.model_copy(update=dict.fromkeys(NAMES, ""))

    @property
    def hosts(self) -> int:
        """Hosts in all."""
        return self.topology.hosts

    @property
    def port_queues(self) -> Queues:
        """Of every port: one, if the file says nothing."""
        return self.queues or ONE

    def pool_plan(self) -> dict[str, Any] | None:
        """Return what the runner is told of a pool, and of the links that it pauses."""
        if self.pool is None:
            return None
        queues, links = self.port_queues.count, self.topology.links(self.transport)
        pfc = {} if self.pfc is None else {"pfc": self.pfc.plan(self.pool, *links, queues)}
        return self.pool.plan(queues) | pfc


def scaled(scenario: Scenario) -> Scenario:
    """Return the scenario with its hosts (rounded up), its transfers (down) and its uplinks, times `scale`."""
    if scenario.scale == 1:
        return scenario
    part = Fraction(str(scenario.scale))
    topology, work = scenario.topology, scenario.workload
    changed = {"topology": topology.scaled(part, work.LINKS_SCALE), "workload": work.scaled(part)}
    return scenario.model_copy(update=changed)


def check(scenario: Scenario) -> None:
    """Refuse what cannot be run, with the field, its value and what is allowed."""
    topology, work = scenario.topology, scenario.workload
    topology.check()
    work.refuse(topology.kind, scenario.hosts)
    if scenario.stop == 0:
        raise TruemarkError("stop = 0: a run needs a time at which it is given up, for example 60s")
    least = work.lasts() + 8e9 * work.least_bytes_of_a_host(scenario.hosts) / topology.host_rate
    if scenario.stop <= least:
        raise TruemarkError(
            f"stop = {units.show_time(scenario.stop)}: this scenario cannot finish in less than "
            f"{units.show_time(least)}, however good the network is; raise `stop`"
        )
    policies.find_policy(scenario.queue.policy)
    queues, queue = scenario.port_queues, scenario.queue
    queues.check(work.priorities(), scenario.pfc.lossless(queues.count) if scenario.pfc else [])
    if queues.count > 1:
        queues.check_engine(queue.implementation, queue.engine, queue.rtl_ports, queue.policy)
    if scenario.pool:
        scenario.pool.check(topology.most_ports, scenario.port_queues.count)
        if scenario.queue.implementation != "truemark":
            raise TruemarkError(
                f"pool: queue.implementation = '{scenario.queue.implementation}': only queues of truemark ask the pool"
            )
        if scenario.queue.at_hosts:
            raise TruemarkError("pool: queue.at_hosts = true: the ports of a switch share its memory, a host has none")
    if scenario.pfc and scenario.pool is None:
        raise TruemarkError("pfc: links are paused by what they hold of a pool; add [pool] with its size")
    scenario.pool_plan()
    scenario.transport.check(work.second_transport)
    for place, red in (("queue.ns3_red", queue.ns3_red), ("queue.fabric.ns3_red", queue.fabric.ns3_red)):
        if red and red.min > red.max:
            raise TruemarkError(f"{place}.min = {red.min}: above {place}.max = {red.max}; min <= max must hold")


def merged(base: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return the tables of `base` with `changes` laid over them, key by key."""
    result = dict(base)
    if "policy" in changes and changes["policy"] != base.get("policy"):
        result = {key: value for key, value in base.items() if key not in (*OF_THE_POLICY, "fabric")}
    for key, value in changes.items():
        under = result.get(key)
        result[key] = merged(under, value) if isinstance(value, dict) and isinstance(under, dict) else value
    return result


def parse_change(text: str) -> dict[str, Any]:
    """Return `queue.k=24us` as nested tables; what is no TOML value is a text."""
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise TruemarkError(f"--set '{text}' is not KEY=VALUE, for example queue.policy=droptail")
    try:
        found: Any = tomllib.loads(f"v = {value}")["v"]
    except ValueError:  # no TOML, or a number that Python does not read
        found = value.strip()
    for part in reversed(key.strip().split(".")):
        found = {part: found}
    return dict(found)


def validated(content: dict[str, Any], text: str, where: str) -> Scenario:
    """Return the scenario of a file's content; errors name the line if `text` has the key."""
    scenario = toml_errors.validated(Scenario, content, text, where, FROM_FILE)
    scenario = scaled(scenario)
    check(scenario)
    return scenario


def read_scenario(path: Path, changes: list[dict[str, Any]] | None = None) -> Scenario:
    """Read and check a scenario file, with changes laid over it."""
    content, text = read_toml(path)
    if "base" in content:
        raise TruemarkError(f"{path}: a sweep, not a scenario: truemark lab sweep {path}")
    for change in changes or []:
        content = merged(content, change)
    return validated(content, text, str(path))
