# SPDX-License-Identifier: BSD-3-Clause
"""SONiC's config_db.json as a profile of a device whose lines have several queues: an interface is a line.

Source: sonic-port-qos-map, sonic-scheduler and the maps of the YANG models. A frame's DSCP, or its priority where an
interface has no DSCP map, gives a traffic class, that a queue (SAI: class 0 where a map is silent). A queue without a
scheduler has a weight of 1, as SAI's attribute defaults to it.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import groupby
from pathlib import Path
from typing import Any

from truemark import units
from truemark.errors import TruemarkError
from truemark.laws.pause import CLASSES
from truemark.laws.policies import QUANTUM_MAX
from truemark.plan.plan import Plan
from truemark.plan.sonic import (
    PORTS,
    Config,
    Queue,
    as_port,
    chosen_of,
    lost,
    name_in,
    port_lines,
    queues,
    read_config,
    remember,
    unread,
    with_queues,
)
from truemark.plan.sonic import READ as QUEUE_TABLES

FRAME = 9216  # bytes: the longest that a device takes, unless its build says otherwise
# By which table a map of an interface says the class: the field that names it, its table, entries of the frame's value.
BY = {"dscp": ("dscp_to_tc_map", "DSCP_TO_TC_MAP", 64), "pcp": ("dot1p_to_tc_map", "DOT1P_TO_TC_MAP", 8)}
TO_QUEUE = ("tc_to_queue_map", "TC_TO_QUEUE_MAP")
# By priority the queue that a pause holds; the one of its number where there is no map.
PAUSED = ("pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE")
ENABLED = "pfc_enable"  # priorities that pause and are paused
KEPT = ("DSCP_TO_TC_MAP", "DOT1P_TO_TC_MAP", "TC_TO_QUEUE_MAP", "PORT_QOS_MAP", "SCHEDULER", PAUSED[1])
READ = {
    "PORT_QOS_MAP": {BY["dscp"][0], BY["pcp"][0], TO_QUEUE[0], PAUSED[0], ENABLED},
    "SCHEDULER": {"type", "weight", "meter_type", "pir", "pbs"},
}


def plan_lines(path: Path, count: int, interfaces: list[str] | None = None, rate: int | None = None) -> Plan:
    """Return the profile of lines with `count` queues each (2, 4 or 8); `rate` as in `plan_sonic`, in bit/s."""
    if count not in (2, 4, 8):
        raise TruemarkError(f"--queues {count}: a line has 2, 4 or 8")
    config = read_config(path, {*QUEUE_TABLES, *KEPT})
    found = {(name, number): queue for number in range(count) for name, queue in queues(config, number).items()}
    there = with_queues(config, range(count))
    if not there:
        raise TruemarkError(f"{path}: QUEUE and BUFFER_QUEUE say nothing of queues 0 to {count - 1}")
    names, left = chosen_of(path, there, interfaces, f"queues 0 to {count - 1}", PORTS // count, f"lines of {count}")
    plan = Plan("sonic", f"{path.name}: {count} queues of {len(names)} interfaces")
    lines = [f"# {path.name}: a line of {count} queues for each interface, in their order", 'policy = "droptail"']
    lines += ["", "[queues]", *queue_map(config, path, names, count, plan)]
    taken = {(name, number): found.get((name, number), Queue()) for name in names for number in range(count)}
    for line, interface in enumerate(names):
        remember(plan, paused(config, path, interface, count))
        shown = []
        turns = schedule(config, path, [taken[interface, number] for number in range(count)])
        for number, turn in enumerate(turns):
            queue, port = taken[interface, number], count * line + number
            head, *table = port_lines(config, path, interface, queue, rate, plan)
            table = [head, turn, *shape(config, path, queue, plan), *table]
            lines += ["", f"# {interface}, queue {number}", *(as_port(text, port) for text in ["[port]", *table])]
            shown.append(queue.wred or "-")
        plan.add(f"line{line}", f"line {line}", interface, "", f"{interface}: {' '.join(shown)}")
    plan.profile = "\n".join([*lines, ""])
    plan.remarks += [*left, *lost(config, range(count), KEPT), *unread(config, taken), *more_fields(config)]
    return plan


def shape(config: Config, path: Path, queue: Queue, plan: Plan) -> list[str]:
    """Return what a queue is held to: its scheduler's peak rate, in bytes a second, and burst."""
    where = f"SCHEDULER|{queue.scheduler}"
    found = config.get("SCHEDULER", {}).get(queue.scheduler or "", {})
    texts = {field: str(found.get(field, 0)) for field in ("pir", "pbs")}
    for field, text in texts.items():
        if units.whole(text) is None:
            raise TruemarkError(f"{path}: {where}: {field} = '{text}': a number of at most 64 bits is wanted")
    rate, burst = map(int, texts.values())
    if not rate:
        return []
    if found.get("meter_type", "bytes") != "bytes":
        remember(plan, [f"{where}: not kept: pir in {found['meter_type']}: a rate here is in bytes"])
        return []
    if burst < FRAME:
        remember(plan, [f"{where}: pbs is less than a longest frame: {FRAME} B may be sent at once"])
    return [f'shape_rate = "{8 * rate}bit/s"', f'shape_burst = "{max(burst, FRAME)}B"']


def schedule(config: Config, path: Path, line: list[Queue]) -> list[str]:
    """Return of each queue whether it is strict, or its quantum: the weights' ratio in frames."""
    weights: list[int | None] = []
    for queue in line:
        where = f"{path}: SCHEDULER|{queue.scheduler}"
        found = {} if queue.scheduler is None else config.get("SCHEDULER", {}).get(queue.scheduler)
        if found is None:
            raise TruemarkError(f"{where}: a queue names it, and it is not there")
        kind, weight = str(found.get("type", "DWRR")), units.whole(str(found.get("weight", 1)), 100)
        if kind not in ("STRICT", "WRR", "DWRR"):
            raise TruemarkError(f"{where}: type = '{kind}': STRICT, WRR or DWRR is wanted")
        if not weight:
            raise TruemarkError(f"{where}: weight = '{found['weight']}': 1 to 100 is wanted")
        weights.append(None if kind == "STRICT" else weight)
    turns = quanta([weight for weight in weights if weight])
    return ["strict = true" if weight is None else f'quantum = "{turns[weight]}B"' for weight in weights]


def quanta(weights: Collection[int]) -> dict[int, int]:
    """Return the quantum of each weight in bytes: in their ratio, the least a whole frame where the largest allows it.

    A queue that is alone would lose a cycle before each frame that is longer than its quantum.
    """
    least = min(FRAME, QUANTUM_MAX * min(weights) / max(weights)) if weights else 0
    return {weight: round(least * weight / min(weights)) for weight in weights}


def queue_map(config: Config, path: Path, names: list[str], count: int, plan: Plan) -> list[str]:
    """Return the table [queues]: the map that all of the interfaces have."""
    found = {name: map_of(config, path, name, count, plan) for name in names}
    first = found[names[0]]
    for name, other in found.items():
        if other != first:
            raise TruemarkError(
                f"{path}: PORT_QOS_MAP: the maps of {name} are not those of {names[0]}, and a device has one for all "
                "lines; choose interfaces with --interface"
            )
    return first


def maps_in(config: Config, interface: str) -> dict[str, Any]:
    """Return what PORT_QOS_MAP has for an interface."""
    there = {name: maps for key, maps in config.get("PORT_QOS_MAP", {}).items() for name in key.split(",")}
    found: dict[str, Any] = there.get(interface) or there.get("global") or {}
    return found


def map_of(config: Config, path: Path, interface: str, count: int, plan: Plan) -> list[str]:
    """Return what [queues] says of an interface."""
    maps = maps_in(config, interface)
    by = next((name for name, (field, *_) in BY.items() if field in maps), None)
    classes = numbers(config, path, BY[by][1], name_in(str(maps[BY[by][0]]))) if by else {}
    to_queue: dict[int, int] = {}
    if TO_QUEUE[0] in maps:
        to_queue = numbers(config, path, TO_QUEUE[1], name_in(str(maps[TO_QUEUE[0]])))
    default = to_queue.get(0, 0)  # a frame without the value has class 0
    if default >= count:
        raise TruemarkError(
            f"{path}: {TO_QUEUE[1]}: class 0 goes to queue {default}: --queues {count} has 0 to {count - 1}"
        )
    if by is None:
        remember(plan, [f"PORT_QOS_MAP: no DSCP or priority map: every frame goes to queue {default}"])
        return ['by = "fixed"', *([f"default = {default}"] if default else [])]
    _, table, entries = BY[by]
    if by == "dscp" and BY["pcp"][0] in maps:
        remember(plan, ["PORT_QOS_MAP: not kept: dot1p_to_tc_map, where a DSCP map is there as well"])
    # A class that the second map does not have is the queue of its number.
    chosen = [classes.get(value, 0) for value in range(entries)]
    found = [to_queue.get(each, each) for each in chosen]
    for value, queue in enumerate(found):
        if queue >= count:
            raise TruemarkError(
                f"{path}: {table}: {by} {value} goes to queue {queue}: --queues {count} has 0 to {count - 1}"
            )
    runs = [list(run) for _, run in groupby(range(entries), key=lambda value: found[value])]
    said = [
        f"{run[0]}-{run[-1]} = {found[run[0]]}" if len(run) > 1 else f"{run[0]} = {found[run[0]]}"
        for run in runs
        if found[run[0]] != default
    ]
    return [f'by = "{by}"', f"default = {default}", f"{by} = {{ {', '.join(said)} }}"]


def paused(config: Config, path: Path, interface: str, count: int) -> list[str]:
    """Return what is said of the queues that a pause holds, which only a device with PFC can do."""
    maps = maps_in(config, interface)
    if ENABLED not in maps:
        return []
    where = f"{path}: PORT_QOS_MAP: {ENABLED} = '{maps[ENABLED]}'"
    enabled = [each.strip() for each in str(maps[ENABLED]).split(",") if each.strip()]
    if any(each not in map(str, range(CLASSES)) for each in enabled):
        raise TruemarkError(f"{where}: priorities are wanted, 0 to {CLASSES - 1}")
    said, to_queue = [], dict[int, int]()
    if PAUSED[0] in maps:
        name = name_in(str(maps[PAUSED[0]]))
        if name in config.get(PAUSED[1], {}):
            to_queue = numbers(config, path, PAUSED[1], name)
        else:
            said.append(f"{PAUSED[1]}|{name} is not there: a priority pauses the queue of its number")
    found: dict[int, list[int]] = {}
    for priority in sorted(set(map(int, enabled))):
        found.setdefault(to_queue.get(priority, priority), []).append(priority)
    if there := [f"paused_by = {found[queue]} in [queue.{queue}]" for queue in sorted(found) if queue < count]:
        said.append(f"PORT_QOS_MAP: not kept: {ENABLED}; for a device with PFC write {', '.join(there)}")
    if beyond := [str(queue) for queue in sorted(found) if queue >= count]:
        said.append(f"PORT_QOS_MAP: not kept: {ENABLED} of queues {', '.join(beyond)}: --queues {count}")
    return said


def numbers(config: Config, path: Path, table: str, name: str) -> dict[int, int]:
    """Return a map of config_db as numbers."""
    there = config.get(table, {}).get(name)
    if there is None:
        raise TruemarkError(f"{path}: {table}|{name}: PORT_QOS_MAP names it, and it is not there")
    found = {}
    for key, value in there.items():
        place, number = units.whole(str(key)), units.whole(str(value))
        if place is None or number is None:
            raise TruemarkError(f"{path}: {table}|{name}: {key} = '{value}': numbers are wanted")
        found[place] = number
    return found


def more_fields(config: Config) -> list[str]:
    """Return fields of tables that were read, which say what no queue here does."""
    said = []
    for table, read in READ.items():
        more = sorted({field for values in config.get(table, {}).values() for field in values} - read)
        if more:
            said.append(f"{table}: not kept: {', '.join(more)}")
    return said
