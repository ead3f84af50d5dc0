# SPDX-License-Identifier: BSD-3-Clause
"""Kinds of workload, each with its own fields, as a scenario file says them."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal, Self

from pydantic import Discriminator, Field, Tag

from truemark.errors import TruemarkError
from truemark.lab.fields import Bytes, Duration, OptionalDuration, Some, SomeBytes, given, optional
from truemark.lab.queues import Priority
from truemark.lab.transport import Second, TransportKind
from truemark.lab.workload import Workload, hosts_of


class Shuffle(Workload):
    """The shuffle of a MapReduce job: every reducer fetches one flow of every map task but its own host's."""

    COUNTS = ("mappers", "reducers")

    kind: Literal["shuffle"] = given("shuffle", description="the marking-threshold paper's Terasort")
    mappers: Some = given(25, description="a quarter of the paper's 100")
    map_tasks: Some = given(1, description="ours: map tasks of a mapper, each with a flow to every reducer but itself")
    reducers: Some = given(39, description="every host but one, as the paper's 159 of 160")
    processes_per_host: Some = given(1, description="reducers of a host; race cars has 10 of them on each")
    flow_bytes: SomeBytes = given(402_516, description="the paper's 6.4 GB / (100 * 159): flows are never scaled")
    parallel_fetches: Some = given(5, description="per reducer: Hadoop's mapreduce.reduce.shuffle.parallelcopies")
    mapper_placement: Literal["spread", "packed", "random", "apart"] = given(
        "spread", description="ours: evenly over the racks; packed: the first hosts; apart: those without a reducer"
    )
    map_time: Duration = given("0s", description="ours: when the first map output is there")
    compute_time: Duration = given(
        "0s", description="ours: of map and reduce, when nothing is sent; the figure `run_time` adds it to the shuffle"
    )
    map_jitter: Duration = given("10ms", description="ours: map outputs come within this time, uniformly")
    map_times: Literal["exponential", "uniform"] | None = optional(
        "ours: law of a map task's own computing, with `map_time` as its mean; none: all of them take `map_time`"
    )
    reduce_time: OptionalDuration = optional(
        "ours: computing of a reducer that has all its flows, by the law of `map_times` if there is one; with either "
        "the figure `run_time` begins with the map tasks and ends with the last reducer"
    )
    quiet_priority: Priority | None = optional("of flows to the last host, which has the fewest reducers")
    opened_by: Literal["mapper", "reducer"] = given(
        "mapper", description="who sends the SYN: the papers' ns-2 opens from the sender, Hadoop from the reducer"
    )

    def refuse(self, topology: str, hosts: int) -> None:
        """Check that mappers and reducers are hosts, the same or apart."""
        reducing = hosts_of(self.reducers, self.processes_per_host)
        for name, value, wanted in (("mappers", self.mappers, self.mappers), ("reducers", self.reducers, reducing)):
            if wanted > hosts:
                raise TruemarkError(f"workload.{name} = {value}: the topology has {hosts} hosts")
        if self.mapper_placement == "apart" and self.mappers + reducing > hosts:
            raise TruemarkError(
                f"workload.mapper_placement = 'apart': {self.mappers} mappers and {self.reducers} reducers need "
                f"{self.mappers + reducing} hosts; the topology has {hosts} hosts"
            )
        if self.quiet_priority is not None and (reducing == 1 or self.reducers % self.processes_per_host == 0):
            fewer = f"{self.reducers} reducers, {self.processes_per_host} on a host"
            raise TruemarkError(
                f"workload.quiet_priority: {fewer}, leave no host with fewer than others; change reducers"
            )
        if self.map_times is not None and self.map_time == 0:
            raise TruemarkError(f"workload.map_times = '{self.map_times}': map_time = 0 ns is its mean; give it a time")
        if self.mappers == self.reducers == 1 and self.mapper_placement != "apart":
            raise TruemarkError("workload: one mapper and one reducer on the same host have nothing to send")

    def lasts(self) -> int:
        """Return the time until the first map output is there, which may be none where each task has its own."""
        return 0 if self.map_times else self.map_time

    def least_bytes_of_a_host(self, hosts: int) -> float:
        """Return what a reducer fetches, less its own."""
        return float((self.mappers - 1) * self.map_tasks * self.flow_bytes)


class LongFlows(Workload):
    """Long flows that share one port, of one transport or of two, with UDP probes among them."""

    COUNTS = ("flows", "rivals")
    LINKS_SCALE = False  # thresholds are set for the link that all flows share

    kind: Literal["long-flows"] = given(description="DCTCP in the Internet: 1 to 5 each; buffers and latency: 20")
    flows: Some = given(5, description="of the scenario's transport: DCTCP in the Internet, its largest N")
    rivals: Annotated[int, Field(ge=0)] = given(0, description="flows of the other transport: as many in that paper")
    rival: TransportKind = given("reno", description="their transport: DCTCP in the Internet")
    rival_delayed_ack: Annotated[int, Field(ge=1, le=16)] | None = Field(
        None, description="they ACK every n-th segment: Linux 2; by default 2 for dctcp, else 1 (off)"
    )
    rival_socket_type: str | None = optional(
        "their class of ns-3: TcpLinuxReno halves its window and counts segments, TcpNewReno, the default, what is in "
        "flight and ACKs"
    )
    receivers: Literal["one", "each"] = given("each", description="one host for all, or one for each flow: ours")
    duration: Duration = given("40s", description="ours: when the flows end")
    warmup: Duration = given("10s", description="ours: when measuring begins")
    start_jitter: Duration = given("1s", description="ours: flows begin within this time, uniformly")
    start_gap: Duration = given("0s", description="ours: between a flow's start and the next one's, besides the jitter")
    probe_interval: Duration = given("0s", description="mean time between UDP probes of a sender; 0s: none")
    probe_bytes: Annotated[int, Field(ge=1, le=1472)] = given(64, description="payload of a probe, one packet: ours")
    rival_priority: Priority | None = optional("of the rivals; by default that of the others")
    probe_priority: Priority | None = optional("of probes, by default 0")

    def refuse(self, topology: str, hosts: int) -> None:
        """Check that senders and receivers are different hosts."""
        flows = self.flows + self.rivals
        if self.warmup >= self.duration:
            raise TruemarkError("workload.warmup: measuring must begin before `duration`, when the flows end")
        if self.start_jitter > self.warmup:
            raise TruemarkError("workload.start_jitter: flows must have begun before `warmup` ends")
        if (flows - 1) * self.start_gap + self.start_jitter >= self.duration:
            raise TruemarkError(f"workload.start_gap: the last of {flows} flows would begin after `duration`")
        if (self.receivers == "each") != (topology == "dumbbell"):
            right = "each" if topology == "dumbbell" else "one"
            raise TruemarkError(
                f"workload.receivers = '{self.receivers}': flows share a port of a {topology} with '{right}' only"
            )
        wanted = 2 * flows if topology == "dumbbell" else flows + 1
        if wanted > hosts:
            raise TruemarkError(
                f"workload.flows = {self.flows}, rivals = {self.rivals}: {wanted} hosts are needed; "
                f"the topology has {hosts} hosts"
            )

    @property
    def second_transport(self) -> Second | None:
        """That of the rivals."""
        own = self.rival_delayed_ack, self.rival_socket_type, self.rival_priority
        return Second("rivals", self.rival, *own) if self.rivals else None

    def lasts(self) -> int:
        """Return the time until the flows end."""
        return self.duration


class TwoBottlenecks(Workload):
    """Long flows over two switches: from the first to one host of the second, which others reach without that link."""

    COUNTS = ("s1", "s2", "s3")

    kind: Literal["two-bottlenecks"] = given(description="ns-3's DCTCP example, after figure 17 of the DCTCP paper")
    s1: Some = given(10, description="senders at the first switch to the host that is shared, R1: that figure")
    s2: Some = given(20, description="senders at the first switch, each to a host of its own at the second")
    s3: Some = given(10, description="senders at the second switch to R1")
    startup: Duration = given("1s", description="the example: flows of each group begin evenly within this time")
    warmup: Duration = given("4s", description="the example: when measuring begins, 3 s after the last begins")
    duration: Duration = given("5s", description="the example: when the flows end")

    def refuse(self, topology: str, hosts: int) -> None:
        """Check that senders of each switch are hosts of it."""
        if topology != "dumbbell":
            raise TruemarkError(f"workload.kind = '{self.kind}': needs topology.kind = 'dumbbell', not '{topology}'")
        if not self.startup <= self.warmup < self.duration:
            raise TruemarkError("workload: startup <= warmup < duration must hold")
        wanted = max(self.s1 + self.s2, 1 + self.s2 + self.s3)
        if wanted > hosts // 2:
            raise TruemarkError(
                f"workload.s1 = {self.s1}, s2 = {self.s2}, s3 = {self.s3}: {wanted} hosts are needed at each switch; "
                f"the topology has {hosts // 2}"
            )

    def lasts(self) -> int:
        """Return the time until the flows end."""
        return self.duration


class Background(Workload):
    """A MapReduce job in rounds with background load, on two switches."""

    COUNTS = ("flows_per_round", "pairs", "reducers")
    OPEN_AT_STOP = True

    kind: Literal["background"] = given(description="the virtualized-congestion-control paper")
    rounds: Some = given(10, description="the virtualized-congestion-control paper")
    flows_per_round: Some = given(48, description="ours: three for each of 16 hosts; the paper gives the sizes only")
    reducers: Annotated[int, Field(ge=0)] = given(
        0, description="of a round that is a shuffle of all hosts' outputs: MRemu's traces of 16 hosts have 4; 0: none"
    )
    parallel_fetches: Some = given(5, description="per reducer: maxParallelCopies of those traces")
    least_bytes: SomeBytes = given("100kB", description="ours: of a flow of the job that is no shuffle's")
    usual_bytes: SomeBytes = given("7MB", description="the paper's HiBench: three quarters are at most this")
    largest_bytes: SomeBytes = given("10MB", description="the paper's HiBench")
    pairs: Annotated[int, Field(ge=0)] = given(4, description="of background: the paper's 2, 4 and 8")
    background_bytes: Bytes = given("0B", description="of each pair: the paper's 2 MB to 32 GB; 0B: without end")
    background: TransportKind = given("tcp-ecn", description="transport of the background: the paper's has always ECN")
    job_begin: Duration = given("200ms", description="ours: the background is there when the job begins")
    start_jitter: Duration = given("10ms", description="ours: flows of a round begin within this time, uniformly")

    def refuse(self, topology: str, hosts: int) -> None:
        """Check that a pair has a host at each switch."""
        if topology != "dumbbell":
            raise TruemarkError(f"workload.kind = 'background': needs topology.kind = 'dumbbell', not '{topology}'")
        if self.pairs > hosts // 2:
            raise TruemarkError(f"workload.pairs = {self.pairs}: the topology has {hosts // 2} hosts at each switch")
        if self.pairs and self.start_jitter > self.job_begin:
            raise TruemarkError("workload.start_jitter: background must have begun before `job_begin`")
        if not self.least_bytes <= self.usual_bytes <= self.largest_bytes:
            raise TruemarkError("workload: least_bytes <= usual_bytes <= largest_bytes must hold")
        if self.reducers > hosts:
            raise TruemarkError(f"workload.reducers = {self.reducers}: the topology has {hosts} hosts")
        if self.reducers and self.flows_per_round != self.reducers * (hosts - 1):
            raise TruemarkError(
                f"workload.flows_per_round = {self.flows_per_round}: {self.reducers} reducers fetch from {hosts - 1} "
                f"other hosts each; set it to {self.reducers * (hosts - 1)}"
            )

    @property
    def second_transport(self) -> Second | None:
        """That of the background."""
        return Second("background", self.background) if self.pairs else None

    def scaled(self, part: Fraction) -> Self:
        """Return it with fewer flows and pairs; those of a shuffle follow from its reducers and the hosts."""
        fewer = super().scaled(part)
        return fewer.model_copy(update={"flows_per_round": self.flows_per_round}) if self.reducers else fewer

    def lasts(self) -> int:
        """Return the time until the job begins."""
        return self.job_begin

    def least_bytes_of_a_host(self, hosts: int) -> float:
        """Return the job's flows, were they of the least size and spread evenly."""
        return self.rounds * self.flows_per_round * self.least_bytes / hosts


class Incast(Workload):
    """A host asks many for their parts of a block, all at once, round by round."""

    COUNTS = ("senders",)

    kind: Literal["incast"] = given(description="buffers and latency (race cars)")
    askers: Some = given(1, description="hosts that do so, each of senders of its own: race cars has one")
    start_gap: Duration = given("0s", description="ours: between an asker's start and the next one's")
    senders: Some = given(200, description="of an asker: race cars")
    processes_per_host: Some = given(1, description="senders of a host; race cars has 20 of them on each of 10")
    block_bytes: SomeBytes = given("80MB", description="race cars; each sender has an equal part")
    rounds: Some = given(3, description="ours: blocks, one after the other")
    request_bytes: Annotated[int, Field(ge=1, le=1400)] = given(64, description="race cars: of its requests")
    start_jitter: Duration = given("0s", description="ours: requests leave within this time, uniformly")

    def scaled(self, part: Fraction) -> Self:
        """Shrink the block with its senders, so that each part of it stays as large."""
        fewer = super().scaled(part)
        return fewer.model_copy(update={"block_bytes": self.block_bytes * fewer.senders // self.senders})

    @property
    def hosts_needed(self) -> tuple[str, int]:
        """The senders, and the hosts that ask."""
        hosts = self.askers * (hosts_of(self.senders, self.processes_per_host) + 1)
        several = f"askers = {self.askers}, " if self.askers > 1 else ""
        return f"{several}senders = {self.senders}", hosts

    def refuse(self, topology: str, hosts: int) -> None:
        """Check that each sender sends something."""
        super().refuse(topology, hosts)
        if self.block_bytes < self.senders:
            raise TruemarkError(f"workload.block_bytes = {self.block_bytes}: less than a byte for each sender")

    def least_bytes_of_a_host(self, hosts: int) -> float:
        """Return all blocks of a host."""
        return float(self.rounds * self.block_bytes)


class PartitionAggregate(Workload):
    """Queries that come at random at every host: each asks others, and ends with the last answer."""

    COUNTS = ("queries", "workers")

    kind: Literal["partition-aggregate"] = given(description="buffers and latency (race cars)")
    queries: Some = given(500, description="ours: in all")
    interval: Duration = given("1ms", description="race cars: mean time between the queries of a host, exponential")
    workers: Some = given(8, description="ours: hosts that a query asks; the paper's fan-out is not stated here")
    request_bytes: Annotated[int, Field(ge=1, le=1400)] = given(64, description="race cars")
    answer_bytes: SomeBytes = given("20kB", description="race cars")
    open_ahead: Duration = given(
        "0s", description="ours: connections are opened this long before the query; 0s: with it"
    )

    def refuse(self, topology: str, hosts: int) -> None:
        """Check that queries are apart."""
        super().refuse(topology, hosts)
        if self.interval == 0:
            raise TruemarkError("workload.interval = 0 ns: without time between its queries one host would ask all")

    @property
    def hosts_needed(self) -> tuple[str, int]:
        """The workers, and the host that asks."""
        return f"workers = {self.workers}", self.workers + 1

    def least_bytes_of_a_host(self, hosts: int) -> float:
        """Return the answers, spread evenly."""
        return self.queries * self.workers * self.answer_bytes / hosts


class ShortFlows(Workload):
    """Short flows between random hosts."""

    COUNTS = ("flows",)

    kind: Literal["short-flows"] = given(description="buffers and latency (race cars)")
    flows: Some = given(2000, description="ours: in all")
    flow_bytes: SomeBytes = given("10kB", description="race cars; the mean, if sizes are exponential")
    flow_sizes: Literal["equal", "exponential"] = given(
        "equal", description="ours; race cars draws sizes about a mean and does not name the distribution"
    )
    load: Annotated[float, Field(gt=0, lt=1)] = given(0.05, description="race cars: low; share of each host's link")

    @property
    def hosts_needed(self) -> tuple[str, int]:
        """Two hosts, which send to each other."""
        return "kind = 'short-flows'", 2

    def least_bytes_of_a_host(self, hosts: int) -> float:
        """Return the flows, spread evenly."""
        return self.flows * self.flow_bytes / hosts


class Ring(Workload):
    """Ranks that send messages to both neighbours in a ring, round by round."""

    COUNTS = ("rounds",)

    kind: Literal["ring"] = given(description="effective bandwidth, b_eff (race cars): a rank on each host, at random")
    message_bytes: SomeBytes = given("128kB", description="race cars: 32 kB, 128 kB; to each neighbour in a round")
    rounds: Some = given(5, description="ours: a rank's next one begins when both neighbours' messages are there")
    open_ahead: Duration = given("1ms", description="ours: connections stand, opened this long before the first round")

    @property
    def hosts_needed(self) -> tuple[str, int]:
        """Two neighbours, which may be the same."""
        return "kind = 'ring'", 2

    def lasts(self) -> int:
        """Return the time until the first round begins."""
        return self.open_ahead

    def least_bytes_of_a_host(self, hosts: int) -> float:
        """Return the messages to both neighbours."""
        return float(2 * self.rounds * self.message_bytes)

    def most_held(self, hosts: int, segment: int, frame: int) -> int:
        """Return frames of all messages that may be under way from these hosts and to them, data or its ACKs.

        A rank is at most a round ahead of its neighbours: four of its own, and four to it.
        """
        return 2 * 4 * hosts * -(-self.message_bytes // segment) * frame


def _kind(value: Any) -> str:
    found = value.get("kind", "shuffle") if isinstance(value, dict) else getattr(value, "kind", "")
    return str(found)


KINDS: dict[str, type[Workload]] = {
    "shuffle": Shuffle,
    "long-flows": LongFlows,
    "two-bottlenecks": TwoBottlenecks,
    "background": Background,
    "incast": Incast,
    "partition-aggregate": PartitionAggregate,
    "short-flows": ShortFlows,
    "ring": Ring,
}
AnyWorkload = Annotated[
    Annotated[Shuffle, Tag("shuffle")]
    | Annotated[LongFlows, Tag("long-flows")]
    | Annotated[TwoBottlenecks, Tag("two-bottlenecks")]
    | Annotated[Background, Tag("background")]
    | Annotated[Incast, Tag("incast")]
    | Annotated[PartitionAggregate, Tag("partition-aggregate")]
    | Annotated[ShortFlows, Tag("short-flows")]
    | Annotated[Ring, Tag("ring")],
    Discriminator(_kind),
]
