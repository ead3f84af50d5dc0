# SPDX-License-Identifier: BSD-3-Clause
"""Results in the words of a table: drops by class, times, waits; one run, or the runs of a point over its seeds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isnan
from statistics import fmean
from typing import Literal

from truemark import units
from truemark.lab.fields import DURATION
from truemark.lab.figures import STORED, figure, open_ended, outcomes
from truemark.lab.runner import LabRun
from truemark.lab.scenario import Fabric, Queue, Scenario
from truemark.lab.workload import Workload
from truemark.lab.workloads import LongFlows


def dropped_by(run: LabRun) -> dict[str, int]:
    """Return drops by reason."""
    found: dict[str, int] = {}
    for _, outcome, count in outcomes(run):
        if outcome not in STORED:
            found[outcome] = found.get(outcome, 0) + count
    return found


Better = Literal["less", "more", ""]  # which value of a measure is the best; none of some


@dataclass(frozen=True)
class Measure:
    """A column of the page's table, and a row of the terminal's, which has its own title where columns share one."""

    key: str
    title: str
    unit: str
    digits: str
    row: str = ""
    better: Better = "less"

    @property
    def label(self) -> str:
        """The title of a row."""
        return f"{self.row or self.title}{f' [{self.unit}]' if self.unit else ''}"

    def value(self, run: LabRun) -> float:
        """Of one run, in the unit."""
        return figure(run, self.key)


DROPS = (
    Measure("drops_data", "drops: data", "", ",.0f"),
    Measure("drops_ACK", "ACK", "", ",.0f", "drops: ACK"),
    Measure("drops_SYN", "SYN", "", ",.0f", "drops: SYN"),
)
MEASURES = (
    Measure("job", "job", "s", ".3f"),
    Measure("job90", "job at 90 %", "s", ".3f"),
    *DROPS,
    Measure("drops_FIN", "FIN", "", ",.0f", "drops: FIN"),
    Measure("wait", "wait in a queue, mean", "ms", ".3f", "queue, mean"),
    Measure("wait99", "p99", "ms", ".3f", "queue, p99"),
    Measure("latency", "latency, mean", "ms", ".2f"),
    Measure("latency99", "p99", "ms", ".2f", "latency, p99"),
    Measure("latency_network", "latency without the sender's queue", "ms", ".2f", "latency, network"),
    Measure("fct50", "flow, median", "ms", ".1f"),
    Measure("fct99", "p99", "ms", ".0f", "flow, p99"),
    Measure("throughput", "throughput of a reducer", "Mbit/s", ".0f", "per node", "more"),
    Measure("throughput90", "at 90 %", "Mbit/s", ".0f", "at 90 %", "more"),
    Measure("marks", "marks", "", ",.0f", better=""),
    Measure("timeouts", "timeouts", "", ",.0f"),
    Measure("syn_timeouts", "SYN, SYN-ACK resent", "", ",.0f"),
)

OF_KIND: dict[str, tuple[Measure, ...]] = {
    "long-flows": (
        Measure("goodput", "goodput of a flow", "Mbit/s", ".2f", "goodput", "more"),
        Measure("utilization", "utilization", "", ".3f", "link used", "more"),
        Measure("occupancy", "bytes held, mean", "kB", ".1f", "held", ""),
        Measure("fairness", "Jain's index", "", ".2f", better="more"),
        *DROPS,
        Measure("marks", "marks", "", ",.0f", better=""),
        Measure("timeouts", "timeouts", "", ",.0f"),
    ),
    "two-bottlenecks": (
        Measure("goodput_S1", "goodput of a flow: S1", "Mbit/s", ".1f", "S1", ""),
        Measure("goodput_S2", "S2", "Mbit/s", ".1f", better=""),
        Measure("goodput_S3", "S3", "Mbit/s", ".1f", better=""),
        Measure("least_fairness", "Jain's index, the least fair group", "", ".3f", "Jain, least", "more"),
        Measure("wait_T1", "wait T1 to T2, mean", "µs", ".0f", "wait T1-T2"),
        Measure("wait_T2", "wait T2 to R1, mean", "µs", ".0f", "wait T2-R1"),
        Measure("marks", "marks", "", ",.0f", better=""),
        *DROPS,
        Measure("timeouts", "timeouts", "", ",.0f"),
    ),
    "background": (
        Measure("round", "a round of the job", "s", ".3f", "round"),
        Measure("background", "background", "Mbit/s", ".0f", better="more"),
        Measure("fct50", "flow median", "ms", ".1f"),
        Measure("fct99", "flow p99", "ms", ".0f"),
        *DROPS,
        Measure("marks", "marks", "", ",.0f", better=""),
        Measure("timeouts", "timeouts", "", ",.0f"),
        Measure("syn_timeouts", "SYN, SYN-ACK resent", "", ",.0f"),
    ),
    "incast": (
        Measure("block", "a block", "ms", ".1f"),
        Measure("fct99", "flow p99", "ms", ".1f"),
        *DROPS,
        Measure("marks", "marks", "", ",.0f", better=""),
        Measure("timeouts", "timeouts", "", ",.0f"),
    ),
    "partition-aggregate": (
        Measure("query50", "query median", "µs", ".0f"),
        Measure("query99", "query p99", "µs", ".0f"),
        *DROPS,
        Measure("timeouts", "timeouts", "", ",.0f"),
    ),
    "short-flows": (
        Measure("fct", "flow, mean", "ms", ".3f"),
        Measure("fct50us", "flow median", "µs", ".1f"),
        Measure("fct99us", "flow p99", "µs", ".1f"),
        Measure("in_time", "complete when the last begins", "", ".3f", "in time", "more"),
        *DROPS,
    ),
    "ring": (
        Measure("exchange", "an exchange with both neighbours", "µs", ".1f", "exchange"),
        Measure("exchange99", "of a rank, p99", "µs", ".1f", "of a rank, p99"),
        *DROPS,
        Measure("timeouts", "timeouts", "", ",.0f"),
    ),
}


REFUSALS = (
    Measure("pool_threshold", "refused: above its threshold", "", ",.0f", "refused: threshold"),
    Measure("pool_cells", "no free cells", "", ",.0f", "refused: no cells"),
    Measure("pool_most", "pool filled, most", "%", ".1f", better=""),
)
PAUSES = (
    Measure("pauses", "pauses told to links", "", ",.0f", "pauses", ""),
    Measure("overruns", "cells beyond headroom", "", ",.0f", "beyond headroom"),
)


def measures_of(points: Iterable[Point]) -> tuple[Measure, ...]:
    """Return the columns for these points: those of their kind, or of the job if there are several."""
    scenarios = [run.scenario for point in points for run in point.runs]
    kinds = {scenario.workload.kind for scenario in scenarios}
    found = OF_KIND.get(kinds.pop(), MEASURES) if len(kinds) == 1 else MEASURES
    if any(scenario.pool for scenario in scenarios):
        found = (*found, *REFUSALS)
    if scenarios and all(scenario.pfc for scenario in scenarios):
        found = (*found, *PAUSES)
    works = [scenario.workload for scenario in scenarios if isinstance(scenario.workload, LongFlows)]
    if len(works) == len(scenarios) and all(work.rivals for work in works):
        found = (Measure("sharing", "goodput, flow over rival", "", ".2f", "over rival", ""), *found)
    if len(works) == len(scenarios) and all(work.probe_interval for work in works):
        found = (Measure("probe", "probe, mean", "µs", ".0f"), Measure("probe99", "probe p99", "µs", ".0f"), *found)
    return found


@dataclass(frozen=True)
class Point:
    """The runs of one setting, over its seeds."""

    name: str
    runs: tuple[LabRun, ...]

    @property
    def title(self) -> str:
        """Its name as it is shown."""
        return units.show_times(self.name)

    def values(self, measure: Measure) -> list[float]:
        """One value a seed."""
        return [measure.value(run) for run in self.runs]

    def average(self, measure: Measure) -> float:
        """Mean over the seeds."""
        return fmean(self.values(measure))

    def open_ended(self, measure: Measure) -> bool:
        """Return whether the mean is larger than the values are: a run was open at its stop time."""
        return any(open_ended(run, measure.key) for run in self.runs)

    def mean(self, measure: Measure) -> str:
        """Mean over the seeds, as it is printed."""
        return f"{'over ' if self.open_ended(measure) else ''}{self.average(measure):{measure.digits}}"

    def shown(self, measure: Measure) -> str:
        """Mean and range over the seeds."""
        values = self.values(measure)
        least, most = (format(value, measure.digits) for value in (min(values), max(values)))
        mean = self.mean(measure)
        return mean if least == most else f"{mean} ({least} to {most})"


def best(points: Iterable[Point], measure: Measure) -> str:
    """Return the best mean as printed, also if several points have it; nothing where all have, or none is better."""
    means = {point.mean(measure): point.average(measure) for point in points if not point.open_ended(measure)}
    if len(means) < 2 or not measure.better or any(map(isnan, means.values())):
        return ""
    return (min if measure.better == "less" else max)(means, key=lambda text: means[text])


def points(runs: Iterable[LabRun]) -> list[Point]:
    """Return runs by their point, in order of appearance; seeds in order."""
    found: dict[str, list[LabRun]] = {}
    for run in runs:
        found.setdefault(run.result["point"], []).append(run)
    return [Point(name, tuple(sorted(group, key=lambda run: run.scenario.seed))) for name, group in found.items()]


def timers(scenario: Scenario) -> str:
    """Return what decides the job time besides the queue; printed with every result."""
    tcp, work = scenario.transport, scenario.workload
    show = units.show_time
    parts = (
        f"{tcp.kind} ({tcp.socket_type}), ECN {'on' if tcp.ecn else 'off'}",
        f"SYN timeout {show(tcp.syn_timeout)}, min RTO {show(tcp.min_rto)}, initial RTO {show(tcp.initial_rto)}",
        f"clock {show(tcp.clock_granularity)}, segment {tcp.segment} B, initial window {tcp.initial_window}",
        f"ACK every {tcp.delayed_ack}, ACK frame {tcp.ack_bytes} B, retransmissions {tcp.retransmit_ect}",
        f"ECMP {scenario.topology.ecmp}, link delay {show(scenario.topology.link_delay)}",
        *([f"switch latency {show(scenario.topology.switch_latency)}"] if scenario.topology.switch_latency else []),
        workload_text(work),
    )
    return "; ".join(parts)


def workload_text(work: Workload) -> str:
    """Return the workload in a line: every field that has a value."""
    said = [work.kind]
    for name, info in type(work).model_fields.items():
        if name != "kind" and (value := getattr(work, name)) is not None:
            said.append(f"{name.replace('_', ' ')} {units.show_time(value) if DURATION in info.metadata else value}")
    return ", ".join(said)


def laws_text(queue: Queue | Fabric) -> list[str]:
    """Return RED given by its numbers, a text for each law."""
    laws = {name: getattr(queue, name, None) for name in ("red", "ect", "not_ect")}
    return [
        f"{name} ({', '.join(f'{key} {value}' for key, value in law.model_dump(exclude_defaults=True).items())})"
        for name, law in laws.items()
        if law is not None
    ]


def queue_text(scenario: Scenario) -> str:
    """Return the queue in a line."""
    queue = scenario.queue
    if queue.implementation == "ns3-red":
        red = queue.ns3_red
        return f"ns-3 RedQueueDisc, min {red.min} B, max {red.max} B, weight {red.weight:g}, maxp {red.maxp:g}"
    words = [queue.policy]
    delay = None if queue.target_delay is None else units.show_time(queue.target_delay)
    for name in ("k", "target_delay", "weight", "codel", "dcqcn", "protect"):
        if (value := delay if name == "target_delay" else getattr(queue, name)) is not None:
            words.append(f"{name.replace('_', ' ')} {value}")
    if queue.policy in ("red", "dual-slope", "dual-step") and queue.target_delay and queue.weight is None:
        words.append("instantaneous queue (W = 0)")
    words += laws_text(queue)
    between = [*([f"k {queue.fabric.k}"] if queue.fabric.k is not None else []), *laws_text(queue.fabric)]
    if between:
        words.append(f"between switches: {', '.join(between)}")
    pool = "".join(f"; {each}" for each in (scenario.queues, scenario.pool, scenario.pfc) if each)
    return f"{', '.join(words)}; buffer {queue.buffer}{pool}; engine {queue.engine}"


def checks(run: LabRun) -> list[tuple[str, str]]:
    """Return what was asserted in the run, with its figures."""
    found = run.result["result"]
    kept, pinned, tcp = found["conservation"], found["pinned"], found["tcp"]
    discs = ", ".join(f"{count} {name}" for name, count in pinned["queue_discs"].items())
    guards = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in tcp["guards"].items())
    job = found["job"]
    cut = f"struck after {found['stop_s']:g} s: {job['completed']} of {job['flows']} flows were complete"
    return [
        *([] if run.finished else [("stop time", cut)]),
        (
            "conservation",
            f"{kept['sent']:,} sent = {kept['delivered']:,} delivered + {kept['dropped']:,} dropped"
            f"{f' + {under_way:,} under way' if (under_way := kept['in_flight']) else ''}",
        ),
        (
            "ECN-capable control packets",
            f"{pinned['ect_control_packets']} in the network; ns-3 made {pinned['control_rewritten']:,}, rewritten at "
            f"the hosts, with {pinned['retransmissions_rewritten']:,} retransmissions",
        ),
        ("queue discs", discs),
        ("assertion guards used", guards),
        ("timeouts", f"{tcp['data_timeouts']} data, {tcp['fin_timeouts']} FIN"),
        ("SYN, SYN-ACK resent", f"{tcp['syn_timeouts']}"),
        ("drops by reason", ", ".join(f"{name} {count:,}" for name, count in dropped_by(run).items()) or "none"),
        ("decisions", f"{found['decisions']['count']:,}, digest {found['decisions']['digest']}"),
        ("cost", f"{found['cpu_s']:.1f} s of CPU for {found['simulated_s']:.3f} s, {found['events']:,} events"),
    ]
