# SPDX-License-Identifier: BSD-3-Clause
"""One number of a run by its name: what tables, claims and pictures are made of."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Callable, Iterable
from statistics import fmean, stdev
from typing import Any

from truemark.errors import TruemarkError, suggest
from truemark.lab.runner import LabRun
from truemark.lab.workloads import Background, Shuffle

STORED = ("pass", "pass_ce", "mark", "ce_signalled", "protected", "head_marked")
KINDS = {"data": ("DATA",), "ACK": ("ACK",), "SYN": ("SYN", "SYN_ACK"), "FIN": ("TCP_CTRL",)}


def outcomes(run: LabRun) -> Iterable[tuple[str, str, int]]:
    """Yield class, outcome and packets, whatever the ECE flag."""
    for name, row in run.result["result"]["verdicts"].items():
        for outcome, (packets, _) in row.items():
            yield name.removesuffix("+ECE"), outcome, packets


def dropped(run: LabRun, kind: str) -> int:
    """Return the packets of a kind (`KINDS`) that ports dropped, for whatever reason."""
    return sum(count for name, outcome, count in outcomes(run) if name in KINDS[kind] and outcome not in STORED)


def total(run: LabRun, outcome: str) -> int:
    """Return the packets with an outcome."""
    return sum(count for _, found, count in outcomes(run) if found == outcome)


def bottleneck(run: LabRun) -> dict[str, Any]:
    """Return the port that all long flows share: the first of a dumbbell's link, or that to the receiver."""
    wanted = "leaf0.leaf1" if run.scenario.topology.kind == "dumbbell" else "leaf0.host0"
    found: dict[str, Any] = next(port for port in run.result["result"]["ports"] if port["name"] == wanted)
    return found


def share_of(run: LabRun, kinds: tuple[str, ...]) -> float:
    """Return the share of these kinds in all drops; not a number if there is no drop."""
    every = sum(dropped(run, kind) for kind in KINDS)
    return sum(dropped(run, kind) for kind in kinds) / every if every else math.nan


def utilization(run: LabRun) -> float:
    """Return the bottleneck's utilization while measuring, preamble and gap included."""
    port, found = bottleneck(run), run.result["result"]
    wire = port["departed_bytes"] + run.scenario.topology.wire_overhead * port["departed"]
    return float(8 * wire / port["rate_bit_s"] / found["window_s"])


def occupancy_in_bdp(run: LabRun) -> float:
    """Return the mean bytes held at the bottleneck, over its rate times a dumbbell's round trip without queues."""
    topology, port = run.scenario.topology, bottleneck(run)
    round_trip = 2e-9 * ((topology.uplink_delay or 0) + 2 * topology.link_delay)
    return float(8 * port["mean_bytes"] / (port["rate_bit_s"] * round_trip))


def sharing(run: LabRun) -> float:
    """Return the goodput of a flow of the scenario's transport over that of a rival."""
    goodput = run.result["result"]["workload"]["goodput_bit_s"]
    if not goodput.get("rivals"):
        return math.nan
    main, rivals = fmean(goodput["main"]), fmean(goodput["rivals"])
    return main / rivals if rivals else math.inf if main else math.nan


def jain(rates: list[float]) -> float:
    """Return Jain's index of fairness: 1 if all are equal, 1/n if one has everything; not a number if none has any."""
    return float(sum(rates) ** 2 / (len(rates) * sum(rate * rate for rate in rates))) if any(rates) else math.nan


def fairness(run: LabRun) -> float:
    """Return the fairness over all long flows."""
    groups = run.result["result"]["workload"]["goodput_bit_s"].values()
    return jain([rate for group in groups for rate in group])


def least_fairness(run: LabRun) -> float:
    """Return the fairness of the least fair group of flows that have the same way; not a number if one has none."""
    found = [jain(group) for group in run.result["result"]["workload"]["goodput_bit_s"].values()]
    return math.nan if any(map(math.isnan, found)) else min(found)


def adaptation(run: LabRun) -> float:
    """Return the seconds after the last flow's start until the first flow's window has given way.

    That is when its mean over a second has gone three quarters of the way from its mean in the five seconds before to
    that of the last third of the time that the two have; not a number if it does not give way.
    """
    found = run.result["result"]
    step = found["sample_ns"] / 1e9
    windows = found["workload"]["windows"]
    if not step or len(windows) < 2:
        return math.nan
    first, last = windows[0], windows[-1]
    came = next((place for place, bytes_ in enumerate(last) if bytes_), len(last))
    second, until = round(1 / step), min(len(first), round(run.scenario.workload.lasts() / 1e9 / step))
    before, after = first[max(0, came - 5 * second) : came], first[until - (until - came) // 3 : until]
    if not before or not after or fmean(after) >= fmean(before):
        return math.nan
    wanted = fmean(before) + 0.75 * (fmean(after) - fmean(before))
    for place in range(came, until - second):
        if fmean(first[place : place + second]) <= wanted:
            return float((place + second - came) * step)
    return math.nan


def of_histogram(found: dict[str, Any], key: str) -> float:
    """Return a number of a histogram, which has 0 where it is empty: then it is not a number."""
    return float(found[key]) if found["count"] else math.nan


def rate_at_99(run: LabRun) -> float:
    """Return the Gbit/s of a flow of mean size in the 99th percentile's time: race cars' throughput at a percentile."""
    job = run.result["result"]["job"]
    return 8 * float(job["bytes"]) / int(job["flows"]) / (of_histogram(job["completion_ns"], "p99") or math.nan)


def run_time(run: LabRun, shuffle: str = "time_s", share: float = 1) -> float:
    """Return the seconds of a job: its shuffle, and what the hosts compute before and after.

    Where tasks compute by times of their own, it is the time from their begin until this share of reducers has ended.
    """
    work, found = run.scenario.workload, run.result["result"]
    reduced = sorted(found["workload"].get("reduced_s", []))
    took = reduced[math.ceil(share * len(reduced)) - 1] if reduced else found["job"][shuffle]
    return float(took) + (work.compute_time / 1e9 if isinstance(work, Shuffle) else 0)


def timeouts_of_a_loss(run: LabRun) -> float:
    """Return the retransmission timeouts over the data segments that were dropped."""
    lost = dropped(run, "data")
    return int(run.result["result"]["tcp"]["data_timeouts"]) / lost if lost else math.nan


def delay_at(port: str) -> Callable[[LabRun], float]:
    """Return the mean wait at a port while measuring, in microseconds."""

    def read(run: LabRun) -> float:
        found = next(each for each in run.result["result"]["ports"] if each["name"] == port)
        return of_histogram(found["wait_ns"], "mean") / 1000

    return read


def at_switch(switch: str, what: str) -> Callable[[LabRun], float]:
    """Return the sum of what the ports of a switch counted."""

    def read(run: LabRun) -> float:
        ports = [port for port in run.result["result"]["ports"] if port["name"].startswith(f"{switch}.")]
        return float(sum(port[what] for port in ports))

    return read


def pools(run: LabRun) -> list[dict[str, Any]]:
    """Return the pools of the switches, none where each port has a memory of its own."""
    found: list[dict[str, Any]] = run.result["result"].get("pools", [])
    return found


def paused_links(run: LabRun) -> list[dict[str, Any]]:
    """Return the links that switches may pause, none where memory is lossy."""
    return [link for pool in pools(run) for link in pool.get("pfc", {}).get("links", [])]


def in_time(run: LabRun) -> float:
    """Return the share of short flows that were complete when the last one began; older runs do not have it."""
    found = run.result["result"]
    return float(found["workload"].get("completed_in_time", math.nan)) / int(found["job"]["flows"])


def flows(run: LabRun) -> list[dict[str, str]]:
    """Return the flows of a run, as its folder has them."""
    with (run.folder / "flows.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def completion_ms(flow: dict[str, str]) -> float:
    """Return how long a flow took."""
    return (int(flow["end_ns"]) - int(flow["start_ns"])) / 1e6


def quiet(run: LabRun) -> float:
    """Return the mean ms of flows to the receivers of the fewest flows; not a number if all receive as many."""
    found = flows(run)
    received = Counter(flow["receiver"] for flow in found)
    least = min(received.values())
    if least == max(received.values()):
        return math.nan
    return fmean(completion_ms(flow) for flow in found if received[flow["receiver"]] == least)


def pool_most(run: LabRun) -> float:
    """Return the percent of the fullest pool's cells that were ever held."""
    return max((100 * pool["watermark"] / pool["cells"] for pool in pools(run)), default=math.nan)


def pool_share(run: LabRun) -> float:
    """Return the cells that a queue held when it was first refused, over what theory gives to each that was."""
    held = [port["first_refusal"] for pool in pools(run) for port in pool["ports"] if "first_refusal" in port]
    if run.scenario.pool is None or run.scenario.pool.reserve or not held:  # its share is beyond reserves
        return math.nan
    return fmean(held) / run.scenario.pool.share(len(held))


def rounds(run: LabRun) -> list[float]:
    """Return the seconds of a job's rounds; of one that was open at the stop time, those that it had taken by then."""
    found, work = run.result["result"], run.scenario.workload
    ended: list[float] = found["workload"]["round_s"]
    if run.finished or not isinstance(work, Background):
        return ended
    return [*ended, found["stop_s"] - work.job_begin / 1e9 - sum(ended)]


def mean_round(run: LabRun) -> float:
    """Return the mean of a job's rounds in seconds; of one that the stop time struck the least that it can be."""
    work = run.scenario.workload
    took = rounds(run)
    return sum(took) / (len(took) if run.finished or not isinstance(work, Background) else work.rounds)


def open_ended(run: LabRun, key: str) -> bool:
    """Return whether all that is known of a figure is that it is no less: the stop time struck, and it grows."""
    return not run.finished and key in GROWING


def deviation(run: LabRun) -> float:
    """Return the standard deviation of the rounds of a job, in seconds; not a number if there is one round only."""
    rounds = run.result["result"]["workload"]["round_s"]
    return stdev(rounds) if len(rounds) > 1 else math.nan


def _path(*keys: str, scale: float = 1.0) -> Callable[[LabRun], float]:
    def read(run: LabRun) -> float:
        found: Any = run.result["result"]
        for key in keys[:-1]:
            found = found[key]
        if "count" in found:
            return of_histogram(found, keys[-1]) * scale
        found = found[keys[-1]]
        return float(fmean(found) if isinstance(found, list) else found) * scale

    return read


FIGURES: dict[str, Callable[[LabRun], float]] = {
    "job": _path("job", "time_s"),
    "run_time": run_time,
    "run_time90": lambda run: run_time(run, "time_90_s", 0.9),
    "shuffle_share": lambda run: float(run.result["result"]["job"]["time_s"]) / run_time(run),
    "job90": _path("job", "time_90_s"),
    "throughput": _path("job", "throughput_bit_s", scale=1e-6),
    "throughput90": _path("job", "throughput_90_bit_s", scale=1e-6),
    "wait": _path("wait_ns", "mean", scale=1e-6),
    "wait99": _path("wait_ns", "p99", scale=1e-6),
    "latency": _path("latency_ns", "mean", scale=1e-6),
    "latency_network": _path("latency_network_ns", "mean", scale=1e-6),
    "latency99": _path("latency_ns", "p99", scale=1e-6),
    "fct": _path("job", "completion_ns", "mean", scale=1e-6),
    "fct50": _path("job", "completion_ns", "p50", scale=1e-6),
    "fct99": _path("job", "completion_ns", "p99", scale=1e-6),
    "fct_quiet": quiet,
    "marks": lambda run: float(total(run, "mark") + total(run, "head_marked")),
    "timeouts": _path("tcp", "data_timeouts"),
    "timeouts_of_a_loss": timeouts_of_a_loss,
    "syn_timeouts": _path("tcp", "syn_timeouts"),
    "drops": lambda run: float(sum(dropped(run, kind) for kind in KINDS)),
    "drops_data": lambda run: float(dropped(run, "data")),
    "drops_ACK": lambda run: float(dropped(run, "ACK")),
    "drops_SYN": lambda run: float(dropped(run, "SYN")),
    "drops_FIN": lambda run: float(dropped(run, "FIN")),
    "share_data": lambda run: share_of(run, ("data",)),
    "share_control": lambda run: share_of(run, ("ACK", "SYN", "FIN")),
    "share_ACK": lambda run: share_of(run, ("ACK",)),
    "share_SYN": lambda run: share_of(run, ("SYN",)),
    "utilization": utilization,
    "occupancy": lambda run: bottleneck(run)["mean_bytes"] / 1000,
    "occupancy_bdp": occupancy_in_bdp,
    "sharing": sharing,
    "fairness": fairness,
    "adaptation": adaptation,
    "goodput": _path("workload", "goodput_bit_s", "main", scale=1e-6),
    **{
        f"goodput_{group}": _path("workload", "goodput_bit_s", group, scale=1e-6)
        for group in ("S1", "S2", "S3")  # of two bottlenecks: the first switch's link, and the port to R1
    },
    "least_fairness": least_fairness,
    "wait_T1": delay_at("leaf0.leaf1"),
    "wait_T2": delay_at("leaf1.host0"),
    "drops_switch1": at_switch("leaf0", "dropped"),  # of a dumbbell; background goes from the second to the first
    "drops_switch2": at_switch("leaf1", "dropped"),
    "held_switch1": at_switch("leaf0", "mean_bytes"),
    "held_switch2": at_switch("leaf1", "mean_bytes"),
    "early": lambda run: float(total(run, "early_probability") + total(run, "early_forced")),
    "probe": _path("latency_probe_ns", "mean", scale=1e-3),
    "probe99": _path("latency_probe_ns", "p99", scale=1e-3),
    "windows_shown": lambda run: float(run.result["result"].get("translator", {}).get("rewritten", 0)),  # older: none
    "round": mean_round,
    "round_deviation": deviation,
    "rounds": lambda run: float(len(run.result["result"]["workload"]["round_s"])),
    "block": _path("workload", "round_s", scale=1e3),
    "background": _path("workload", "background_bit_s", scale=1e-6),
    "block_last": lambda run: 1e3 * float(run.result["result"]["workload"]["round_s"][-1]),  # of the last asker
    "pool_threshold": lambda run: float(total(run, "pool_threshold")),
    "pool_cells": lambda run: float(total(run, "pool_cells")),
    "pool_most": pool_most,
    "pool_share": pool_share,
    "pauses": lambda run: float(sum(link["pauses"] for link in paused_links(run))),
    "overruns": lambda run: float(sum(pool["pfc"]["overruns"] for pool in pools(run) if "pfc" in pool)),
    "in_time": in_time,
    "query": _path("workload", "query_ns", "mean", scale=1e-3),
    "query50": _path("workload", "query_ns", "p50", scale=1e-3),
    "query99": _path("workload", "query_ns", "p99", scale=1e-3),
    "fct50us": _path("job", "completion_ns", "p50", scale=1e-3),
    "fct99us": _path("job", "completion_ns", "p99", scale=1e-3),
    "rate99": rate_at_99,
    "exchange": _path("workload", "exchange_s", scale=1e6),
    "exchange99": _path("workload", "round_ns", "p99", scale=1e-3),
}


GROWING = {
    *("round", "windows_shown", "early", "marks", "timeouts", "syn_timeouts"),
    *(key for key in FIGURES if key.startswith("drops")),
}


# Of all flows, or of nine tenths of them: a run that the stop time struck before they had ended does not know them.
OF_ALL = {
    "job",
    "run_time",
    "shuffle_share",
    "throughput",
    "rate99",
    "exchange",
    *(key for key in FIGURES if key.startswith("fct")),
}
OF_MOST = {"job90", "run_time90", "throughput90"}


def figure(run: LabRun, key: str) -> float:
    """Return the number of this name; not a number where the run ended before that was known."""
    if key not in FIGURES:
        raise TruemarkError(f"figure '{key}' is unknown; {suggest(key, list(FIGURES))}")
    if key in OF_ALL and not run.finished:
        return math.nan
    if key in OF_MOST and run.result["result"]["job"]["time_90_s"] < 0:
        return math.nan
    try:
        return FIGURES[key](run)
    except (KeyError, StopIteration):
        raise TruemarkError(f"figure '{key}': a run of kind {run.scenario.workload.kind} has none") from None
