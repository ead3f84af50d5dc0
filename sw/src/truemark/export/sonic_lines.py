# SPDX-License-Identifier: BSD-3-Clause
"""A device whose lines have several queues, as SONiC's schedulers and maps: the way back from `plan sonic --queues`.

A line is an interface, and its queues are the interface's first. Their traffic class is their number.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from truemark.device.registers import QueueMode
from truemark.export.sonic import Config, config, filled, name_of, refer
from truemark.laws.pause import CLASSES
from truemark.laws.policies import PortSettings
from truemark.laws.queue_map import CALLED, QueueMap
from truemark.laws.shape import Shape
from truemark.plan.sonic_lines import BY, ENABLED, PAUSED, TO_QUEUE, quanta

WEIGHTS = 100  # the most that SAI's weight may be


def lines(
    ports: Sequence[PortSettings],
    interfaces: Sequence[str],
    queue_map: QueueMap,
    memory: int,
    rate: int | None = None,
    base: Config | None = None,
) -> tuple[Config, list[str]]:
    """Return the tables of all lines, laid over those of `base`, and what they lose; arguments as of `config`."""
    queues = len(ports) // len(interfaces)
    places = [(interface, queue) for interface in interfaces for queue in range(queues)]
    found, lost = config(ports, places, memory, rate, base, ("shape", "pause"))
    for line, interface in enumerate(interfaces):
        own = ports[line * queues : (line + 1) * queues]
        if own[0].line_shape is not None:
            lost.append(f"line {line}: not kept: line_rate: a switch has that in its port's own scheduler")
        for queue, content in enumerate(schedulers([port.quantum for port in own], f"line {line}", lost)):
            content |= peak(own[queue].shape)
            refer(found, "QUEUE", interface, queue, "scheduler", "SCHEDULER", content)
        pauses = {queue: port.pause.paused_by for queue, port in enumerate(own) if port.pause and port.pause.paused_by}
        if pauses:
            write_pauses(found, interface, pauses, lost)
        if any(port.pause and (port.pause.classes or port.pause.level) for port in own):
            lost.append(f"line {line}: not kept: [pfc]: a switch has that in its buffer profiles")
    write_maps(found, interfaces, queue_map, queues, lost)
    return filled(found, base), lost


def schedulers(turns: Sequence[int | None], line: str, lost: list[str]) -> list[dict[str, str]]:
    """Return the scheduler of each queue of a line; a turn is what it sends at once, in bytes, none of a strict one."""
    weights = weights_of({turn for turn in turns if turn is not None})
    back = quanta(weights.values())
    if any(turn != back[weight] for turn, weight in weights.items()):
        shown = ", ".join(f"{turn} B as {weight}" for turn, weight in sorted(weights.items()))
        lost.append(f"{line}: not kept: quanta: a switch has their ratio, in weights of 1 to {WEIGHTS}: {shown}")
    return [{"type": "STRICT"} if turn is None else {"type": "DWRR", "weight": str(weights[turn])} for turn in turns]


def peak(shape: Shape | None) -> dict[str, str]:
    """Return the peak rate and burst of a scheduler, in bytes."""
    if shape is None:
        return {}
    return {"meter_type": "bytes", "pir": str(round(shape.rate / 8)), "pbs": str(shape.burst)}


def weights_of(shared: Collection[int]) -> dict[int, int]:
    """Return the weight of each quantum: the least that come as near to their ratio as any."""
    largest = max(shared, default=1)

    def scaled(most: int) -> dict[int, int]:
        return {turn: max(round(turn * most / largest), 1) for turn in shared}

    def error(most: int) -> float:
        return max((abs(weight / most * largest / turn - 1) for turn, weight in scaled(most).items()), default=0)

    return scaled(min(range(1, WEIGHTS + 1), key=error))


def write_maps(found: Config, interfaces: Sequence[str], queue_map: QueueMap, queues: int, lost: list[str]) -> None:
    """Write what gives a frame its traffic class, and a class its queue."""
    by, fixed = CALLED[queue_map.mode], queue_map.mode is QueueMode.FIXED
    if by not in BY and not fixed:
        lost.append(f'not kept: [queues] by = "{by}": a switch chooses a queue by DSCP or priority; its maps stay')
        return
    if queue_map.default:
        whose = "every frame" if fixed else "frames without DSCP" if by == "dscp" else "frames without a tag"
        lost.append(f"not kept: queue {queue_map.default} for {whose}: a switch gives them class 0, queue 0")
    for interface in interfaces:
        own = own_maps(found, interface)
        for field in (TO_QUEUE[0], *(field for field, *_ in BY.values())):
            own.pop(field, None)
        if not fixed:
            field, table, _ = BY[by]
            entries = {value: str(queue) for value, queue in queue_map.entries().items()}
            own[field] = name_of(found.setdefault(table, {}), entries)
            own[TO_QUEUE[0]] = name_of(
                found.setdefault(TO_QUEUE[1], {}), {str(queue): str(queue) for queue in range(queues)}
            )
        if not own:
            del found["PORT_QOS_MAP"][interface]
    if fixed and "global" in found.get("PORT_QOS_MAP", {}):
        lost.append("not kept: one queue for every frame: PORT_QOS_MAP|global maps those of all interfaces")


def write_pauses(found: Config, interface: str, pauses: Mapping[int, Sequence[int]], lost: list[str]) -> None:
    """Write which priorities pause which queue of an interface; one that pauses several is kept for the first."""
    to_queue: dict[int, int] = {}
    for queue, priorities in pauses.items():
        for priority in priorities:
            if to_queue.setdefault(priority, queue) != queue:
                lost.append(f"{interface}: not kept: priority {priority} pauses queue {queue}, too: a switch has one")
    own = own_maps(found, interface)
    own[ENABLED] = ",".join(map(str, sorted(to_queue)))
    own.pop(PAUSED[0], None)
    if any(priority != queue for priority, queue in to_queue.items()):
        content = {str(priority): str(to_queue.get(priority, priority)) for priority in range(CLASSES)}
        own[PAUSED[0]] = name_of(found.setdefault(PAUSED[1], {}), content)


def own_maps(found: Config, interface: str) -> dict[str, str]:
    """Return an interface's entry of PORT_QOS_MAP, taken out of keys of several (`Ethernet0,Ethernet4`)."""
    table = found.setdefault("PORT_QOS_MAP", {})
    for key in [each for each in table if "," in each and interface in each.split(",")]:
        content = table.pop(key)
        table |= {name: dict(content) for name in key.split(",")}
    own: dict[str, str] = table.setdefault(interface, {})
    return own
