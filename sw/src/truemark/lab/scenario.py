# SPDX-License-Identifier: BSD-3-Clause
"""What a scenario file can say. Every field names where its default comes from; the timers have none, on purpose."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, ValidationInfo, model_validator

from truemark import policies, units
from truemark.errors import TruemarkError
from truemark.profile import RedTable, line_of


def _from_file(value: object, info: ValidationInfo, kind: str, example: str) -> None:
    """Refuse a bare number where a file needs a unit; what was parsed before has none any more."""
    if info.context == FROM_FILE and not isinstance(value, str):
        raise TruemarkError(f"{info.field_name} = {value!r} has no unit; a {kind} is written as {example}")


def _time(value: object, info: ValidationInfo) -> object:
    _from_file(value, info, "time", '"200ms"')
    return units.parse_time(value, str(info.field_name)) if isinstance(value, str) else value


def _rate(value: object, info: ValidationInfo) -> object:
    _from_file(value, info, "rate", '"10G"')
    return units.parse_rate(value, str(info.field_name)) if isinstance(value, str) else value


def _bytes(value: object, info: ValidationInfo) -> object:
    return units.parse_size(value, str(info.field_name)) if isinstance(value, str) else value


FROM_FILE = "from a file"


def given(default: Any = ..., *, description: str) -> Any:
    """A field whose default may be written as in a file."""
    return Field(default, description=description)


def table(model: type[BaseModel], description: str) -> Any:
    """A table that is there with its defaults when the file lacks it."""
    return Field(default_factory=model, description=description)


DURATION = "duration"  # marks the fields that the runner reads under NAME_ns
Duration = Annotated[int, BeforeValidator(_time), Field(ge=0), DURATION]
Rate = Annotated[int, BeforeValidator(_rate), Field(gt=0)]
Bytes = Annotated[int, BeforeValidator(_bytes), Field(ge=0)]
Some = Annotated[int, Field(ge=1)]


class Table(BaseModel):
    """A table of the file: no unknown keys."""

    model_config = ConfigDict(extra="forbid", validate_default=True)

    def for_runner(self) -> dict[str, Any]:
        """The table as the runner reads it: every duration under NAME_ns."""
        found: dict[str, Any] = {}
        for name, info in type(self).model_fields.items():
            value = getattr(self, name)
            key = f"{name}_ns" if DURATION in info.metadata else name
            found[key] = value.for_runner() if isinstance(value, Table) else value
            if isinstance(value, RedTable):
                found[key] = value.model_dump()
        return found


class Topology(Table):
    """Racks of hosts below leaf switches; every leaf is linked to every spine."""

    kind: Literal["leaf-spine"] = given("leaf-spine", description="the marking-threshold paper's topology")
    racks: Annotated[int, Field(ge=1, le=200)] = given(4, description="the marking-threshold paper")
    hosts_per_rack: Annotated[int, Field(ge=1, le=1000)] = given(
        10, description="a quarter of the paper's 40, as its prototype here"
    )
    spines: Annotated[int, Field(ge=1, le=64)] = given(2, description="the marking-threshold paper")
    host_rate: Rate = given("1G", description="the marking-threshold paper")
    uplink_rate: Rate = given("2.5G", description="a quarter of the paper's 10G, so that it stays 2:1")
    link_delay: Duration = given("5us", description="one link; ours: 40 us around an idle network, a data centre's")
    ecmp: Literal["flow", "packet-rr"] = given(
        "flow", description="how a leaf chooses an uplink: switches by flow, the papers' ns-2 packet by packet"
    )
    wire_overhead: Bytes = given(24, description="IEEE 802.3: preamble 8, FCS 4, gap 12 bytes of time per frame")


class Ns3Red(Table):
    """Settings of ns-3's RedQueueDisc, used when it takes Truemark's place."""

    min: Bytes = given(30_001, description="bytes; one more than K is the step law, for ns-3 compares with >=")
    max: Bytes = given(30_001, description="bytes; equal to min: no probability in between")
    weight: Annotated[float, Field(gt=0, le=1)] = given(1.0, description="1: the instantaneous queue")
    maxp: Annotated[float, Field(gt=0, le=1)] = given(0.1, description="Floyd 1997")
    gentle: bool = given(False, description="off: at min = max all that matters is forced")
    mean_packet: Bytes = given(500, description="ns-3 3.44; it scales probabilities by a packet's length over this")
    measured: bool = given(True, description="off: stock ns-3, for a comparison of run time")


class Queue(Table):
    """The queue at every switch port."""

    implementation: Literal["truemark", "ns3-red"] = given("truemark", description="ns3-red: for comparison")
    engine: Literal["model", "rtl", "both"] = given("model", description="golden model, Verilated RTL, both compared")
    rtl_ports: list[str] = given([], description="ports that the RTL serves whatever `engine` is, as leaf0.host3")
    policy: str = given("true-mark", description="a name of docs/verdict.md's policies")
    k: str | int | None = given(None, description="threshold of true-mark; a time means bytes at each port's rate")
    buffer: str = given("shallow", description="limit of every port: shallow (293 KiB), deep (2.43 MB), or a size")
    packet: Some = given(1514, description="bytes of a packet where sizes are given in packets: a full frame")
    protect: str | None = given(None, description="which Not-ECT packets a signal passes over")
    target_delay: str | None = given(None, description="auto-RED as ns-2, in packets of 500 B (docs/red.md)")
    weight: str | None = given(None, description="of target_delay: W, a weight, or ns2; by default 0, instantaneous")
    codel: str | None = given(None, description="target/interval of policy codel, such as 500us/20ms")
    red: RedTable | None = given(None, description="RED by its numbers, a profile's table, instead of target_delay")
    ect: RedTable | None = given(None, description="the same for dual-slope, ECT packets")
    not_ect: RedTable | None = given(None, description="the same for dual-slope, Not-ECT packets")
    ns3_red: Ns3Red = table(Ns3Red, "only for implementation ns3-red")


class Transport(Table):
    """TCP at the hosts."""

    kind: Literal["tcp-ecn", "dctcp", "reno"] = given("tcp-ecn", description="the marking-threshold paper's first")
    syn_timeout: Duration = given(description="wait for a SYN-ACK: ns-3 3s, Linux 1s; decides the job time")
    min_rto: Duration = given(description="least retransmission timeout: ns-3 and RFC 6298 1s, Linux 200ms")
    initial_rto: Duration = given(description="before the first sample: RFC 6298 1s, Linux 1s")
    socket_type: str | None = given(None, description="ns-3's class; by default TcpNewReno, for dctcp TcpDctcp")
    recovery: str = given("ns3::TcpPrrRecovery", description="ns-3 3.44, RFC 6937")
    ecn: bool | None = given(None, description="by default on, for reno off")
    sack: bool = given(True, description="Linux, ns-3 3.44")
    segment: Some = given(1448, description="Ethernet's 1500 less IPv4, TCP and timestamps")
    initial_window: Some = given(10, description="segments; RFC 6928, Linux")
    send_buffer: Bytes = given("1MB", description="ours: more than any window that the path fills")
    receive_buffer: Bytes = given("1MB", description="the same")
    delayed_ack: Annotated[int, Field(ge=1, le=16)] | None = Field(
        None, description="ACK every n-th segment: by default 2 for dctcp, else 1 (off)"
    )
    delayed_ack_timeout: Duration = given("40ms", description="Linux; RFC 1122 allows 500ms")
    clock_granularity: Duration = given("1ms", description="of the timeout's calculation: ns-3 3.44, Linux at 1000 Hz")
    syn_retries: Some = given(6, description="Linux tcp_syn_retries, ns-3 3.44")
    data_retries: Some = given(15, description="Linux tcp_retries2; ns-3's 6 would end connections")
    retransmit_ect: Literal["ns2", "rfc3168"] = given(
        "rfc3168", description="retransmissions Not-ECT (RFC 3168 section 6.1.5), or ECT as in the papers' ns-2"
    )
    ack_bytes: Bytes = given(150, description="the papers' size of ACK, SYN and FIN; shorter frames are padded to it")
    checksums: bool = given(True, description="TCP and IPv4 checksums are computed and checked")
    guards: bool = given(True, description="around assertions that end stock ns-3; off only to show that they do")

    @model_validator(mode="after")
    def _fill(self) -> Transport:
        dctcp = self.kind == "dctcp"
        if self.socket_type is None:
            self.socket_type = "ns3::TcpDctcp" if dctcp else "ns3::TcpNewReno"
        if self.ecn is None:
            self.ecn = self.kind != "reno"
        if self.delayed_ack is None:
            self.delayed_ack = 2 if dctcp else 1
        return self

    def for_runner(self) -> dict[str, Any]:
        """As every table, and the shortest frame instead of `ack_bytes`."""
        found = super().for_runner()
        return found | {"shortest_frame": max(60, found.pop("ack_bytes"))}


class Workload(Table):
    """The shuffle of a MapReduce job: every reducer fetches one flow from every mapper but itself."""

    kind: Literal["shuffle"] = given("shuffle", description="the marking-threshold paper's Terasort")
    mappers: Some = given(25, description="a quarter of the paper's 100")
    reducers: Some = given(39, description="every host but one, as the paper's 159 of 160")
    flow_bytes: Some = given(402_516, description="the paper's 6.4 GB / (100 * 159): flows are never scaled")
    parallel_fetches: Some = given(5, description="per reducer: Hadoop's mapreduce.reduce.shuffle.parallelcopies")
    mapper_placement: Literal["spread", "packed", "random"] = given(
        "spread", description="ours: evenly over the racks; packed: the first hosts"
    )
    map_time: Duration = given("0s", description="ours: when the first map output is there")
    map_jitter: Duration = given("10ms", description="ours: map outputs come within this time, uniformly")
    opened_by: Literal["mapper", "reducer"] = given(
        "mapper", description="who sends the SYN: the papers' ns-2 opens from the sender, Hadoop from the reducer"
    )


class Measure(Table):
    """What is written down beside the sums."""

    sample: Duration = given("1ms", description="step of the occupancy series; 0s: none")
    decisions: bool = given(False, description="write every decision of every port to decisions.txt")


class Scenario(Table):
    """The whole file."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")] = given(description="of the results' folder")
    title: str = given("", description="for the report")
    seed: Annotated[int, Field(ge=1, lt=2**32)] = given(1, description="ours: of placement, jitter, order and RED")
    stop: Duration = given("60s", description="ours: simulated time at which a run that has not finished is given up")
    topology: Topology = table(Topology, "the network")
    queue: Queue = table(Queue, "the queue under test")
    transport: Transport = given(description="TCP")
    workload: Workload = table(Workload, "the traffic")
    measure: Measure = table(Measure, "what is written down")

    @property
    def hosts(self) -> int:
        """Hosts in all."""
        return self.topology.racks * self.topology.hosts_per_rack


def tables(model: type[Table], place: str = "") -> Iterator[tuple[str, type[Table]]]:
    """Every table of the file with its place."""
    yield place, model
    for name, info in model.model_fields.items():
        if isinstance(info.annotation, type) and issubclass(info.annotation, Table):
            yield from tables(info.annotation, f"{place}.{name}" if place else name)


def check(scenario: Scenario) -> None:
    """Refuse what cannot be run, with the field, its value and what is allowed."""
    work, hosts = scenario.workload, scenario.hosts
    for name, value in (("workload.mappers", work.mappers), ("workload.reducers", work.reducers)):
        if value > hosts:
            raise TruemarkError(f"{name} = {value}: the topology has {hosts} hosts")
    if scenario.stop == 0:
        raise TruemarkError("stop = 0: a run needs a time at which it is given up, for example 60s")
    policies.find_policy(scenario.queue.policy)
    if scenario.transport.segment > 8960:
        raise TruemarkError(f"transport.segment = {scenario.transport.segment}: at most 8960 B fit into a frame")
    if work.mappers * work.reducers < 2 and work.mappers == work.reducers:
        raise TruemarkError("workload: one mapper and one reducer on the same host have nothing to send")


# What belongs to the policy it was written for, and goes with it when a change names another.
OF_THE_POLICY = ("k", "protect", "target_delay", "weight", "codel", "red", "ect", "not_ect")


def merged(base: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """The tables of `base` with `changes` laid over them, key by key."""
    result = dict(base)
    if "policy" in changes and changes["policy"] != base.get("policy"):
        result = {key: value for key, value in base.items() if key not in OF_THE_POLICY}
    for key, value in changes.items():
        under = result.get(key)
        result[key] = merged(under, value) if isinstance(value, dict) and isinstance(under, dict) else value
    return result


def parse_change(text: str) -> dict[str, Any]:
    """`queue.k=24us` as nested tables; what is no TOML value is a text."""
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise TruemarkError(f"--set '{text}' is not KEY=VALUE, for example queue.policy=droptail")
    try:
        found: Any = tomllib.loads(f"v = {value}")["v"]
    except tomllib.TOMLDecodeError:
        found = value.strip()
    for part in reversed(key.strip().split(".")):
        found = {part: found}
    return dict(found)


def read_toml(path: Path) -> tuple[dict[str, Any], str]:
    """A TOML file and its text."""
    try:
        text = path.read_text(encoding="utf-8")
        return tomllib.loads(text), text
    except FileNotFoundError:
        raise TruemarkError(f"{path}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise TruemarkError(f"{path}: cannot be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise TruemarkError(f"{path}: not valid TOML: {error}") from None


def validated(content: dict[str, Any], text: str, where: str) -> Scenario:
    """The scenario of a file's content; errors name the line if `text` has the key."""
    try:
        scenario = Scenario.model_validate(content, context=FROM_FILE)
    except ValidationError as errors:
        first = errors.errors()[0]
        place = tuple(str(part) for part in first["loc"] if part not in ("str", "int", "constrained-int"))
        at = f"{where}:{line_of(text, place)}: {'.'.join(place)}"
        if first["type"] == "extra_forbidden":
            known = dict(tables(Scenario)).get(".".join(place[:-1]), Scenario).model_fields
            raise TruemarkError(f"{at}: unknown key; {policies.suggest(place[-1], list(known))}") from None
        if first["type"] == "missing":
            raise TruemarkError(f"{at} is missing; it has no default because results depend on it") from None
        raise TruemarkError(f"{at} = {first['input']!r}: {first['msg']}") from None
    except TruemarkError as error:
        raise TruemarkError(f"{where}: {error}") from None
    check(scenario)
    return scenario


def read_scenario(path: Path, changes: list[dict[str, Any]] | None = None) -> Scenario:
    """Read and check a scenario file, with changes laid over it."""
    content, text = read_toml(path)
    for change in changes or []:
        content = merged(content, change)
    return validated(content, text, str(path))
