# SPDX-License-Identifier: BSD-3-Clause
"""SONiC's config_db.json as a profile: the WRED profile and the buffer of one queue of each port.

Source: the YANG models of sonic-buildimage (sonic-wred-profile, sonic-queue, sonic-buffer-*), and orchagent's
qosorch.cpp, which sets weight 0: the instantaneous queue decides. A switch judges each frame on its own, so spacing is
memoryless: policy dcqcn. One queue becomes a port, and no colour is known: what is not kept is named.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Collection
from dataclasses import astuple, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from truemark import units
from truemark.device.outcomes import Spacing
from truemark.errors import TOO_LONG, TruemarkError, as_written, in_words, suggest
from truemark.export.wred import Curve, once
from truemark.laws import red, slopes
from truemark.laws.share import ALPHAS
from truemark.plan.plan import Plan, rate_text, red_lines

PORTS = 16
COLOURS = ("green", "yellow", "red")
# What a WRED profile says of a colour: when it drops, and when it marks, if that is not the same.
DROPS = ("{}_min_threshold", "{}_max_threshold", "{}_drop_probability")
MARKS = ("ecn_{}_min_threshold", "ecn_{}_max_threshold", "ecn_{}_mark_probability")
# What is read of an object, or spoken of by itself.
READ = {
    "WRED_PROFILE": {
        *("ecn", *(f"wred_{colour}_enable" for colour in COLOURS)),
        *(key.format(colour) for colour in COLOURS for key in (*DROPS, *MARKS)),
    },
    "QUEUE": {"wred_profile", "scheduler"},
    "BUFFER_QUEUE": {"profile"},
    "BUFFER_PROFILE": {"pool", "size", "static_th", "dynamic_th", "packet_discard_action"},
    "PORT": {"speed"},
}
# Tables of queues, buffers and classification that are not kept, and why.
LOST = {
    "BUFFER_PG": "no lossless class: nothing is paused",
    "BUFFER_POOL": "a build's own, with POOL; else each port has storage of its own",
    "DSCP_TO_TC_MAP": "one queue is taken",
    "DOT1P_TO_TC_MAP": "one queue is taken",
    "MAP_PFC_PRIORITY_TO_QUEUE": "one queue is taken",
    "MPLS_TC_TO_TC_MAP": "no queue is chosen by an MPLS label",
    "PFC_WD": "nothing is paused",
    "PORT_QOS_MAP": "one queue is taken, and nothing is paused",
    "SCHEDULER": "one queue is taken",
    "SWITCH_TRIMMING": "frames are not trimmed",
    "TC_TO_DSCP_MAP": "frames leave with the DSCP they came with",
    "TC_TO_PRIORITY_GROUP_MAP": "nothing is paused",
    "TC_TO_QUEUE_MAP": "one queue is taken",
}


class Wred(BaseModel):
    """WRED_PROFILE|name; config_db writes every value as text."""

    model_config = ConfigDict(extra="allow")

    ecn: Literal[
        "ecn_none",
        "ecn_green",
        "ecn_yellow",
        "ecn_red",
        "ecn_green_yellow",
        "ecn_green_red",
        "ecn_yellow_red",
        "ecn_all",
    ] = "ecn_none"
    wred_green_enable: bool = False
    green_min_threshold: int = Field(default=0, ge=0)
    green_max_threshold: int = Field(default=0, ge=0)
    green_drop_probability: int = Field(default=100, ge=0, le=100)
    ecn_green_min_threshold: int | None = Field(default=None, ge=0)
    ecn_green_max_threshold: int | None = Field(default=None, ge=0)
    ecn_green_mark_probability: int | None = Field(default=None, ge=0, le=100)

    @property
    def drop(self) -> Curve:
        """When a green frame is dropped."""
        return Curve(self.green_min_threshold, self.green_max_threshold, self.green_drop_probability)

    @property
    def mark(self) -> Curve:
        """When a green frame is marked: what is not said is as for drops."""
        own = self.ecn_green_min_threshold, self.ecn_green_max_threshold, self.ecn_green_mark_probability
        drop = astuple(self.drop)
        return Curve(*(there if value is None else value for value, there in zip(own, drop, strict=True)))

    @property
    def marks(self) -> bool:
        """Whether green frames that can carry it are marked."""
        return "green" in self.ecn or self.ecn == "ecn_all"


@dataclass(frozen=True)
class Queue:
    """What one queue of an interface has: names of profiles, and of its scheduler."""

    wred: str | None = None
    buffer: str | None = None
    scheduler: str | None = None


Config = dict[str, dict[str, Any]]
Chosen = dict[tuple[str, int], Queue]


def read_config(path: Path, tables: Collection[str] = READ.keys()) -> Config:
    """Return the tables of a config_db.json, those that are read checked to be of objects."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise TruemarkError(f"{path}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise TruemarkError(f"{path}: cannot be read: {error}") from None
    except json.JSONDecodeError as error:
        raise TruemarkError(f"{path}:{error.lineno}: not JSON: {error.msg}") from None
    except ValueError:
        raise TruemarkError(f"{path}: {TOO_LONG}") from None
    if not isinstance(found, dict) or not all(isinstance(table, dict) for table in found.values()):
        raise TruemarkError(f"{path}: no config_db.json: tables of objects are wanted")
    for table in sorted(found.keys() & tables):
        for key, values in found[table].items():
            if not isinstance(values, dict):
                raise TruemarkError(f"{path}: {table}|{key} = {json.dumps(values)}: an object of fields is wanted")
    return found


def name_in(reference: str) -> str:
    """Return the name in a reference: `AZURE_LOSSLESS`, or the older `[WRED_PROFILE|AZURE_LOSSLESS]`."""
    return reference.strip("[]").split("|")[-1]


def expanded(key: str) -> list[tuple[str, int]]:
    """Return the interfaces and queues of a key such as `Ethernet0,Ethernet4|3-4`; none if it is of another form.

    An interface of a chassis has its line card and chip in front: `lc1|asic0|Ethernet0`.
    """
    match = re.fullmatch(r"((?:[^|]+\|[^|]+\|)?)([^|]+)\|([0-9]{1,3})(?:-([0-9]{1,3}))?", key)
    if not match:
        return []
    numbers = range(int(match[3]), int(match[4] or match[3]) + 1)
    return [(match[1] + name, number) for name in match[2].split(",") for number in numbers]


def bare(interface: str) -> str:
    """Return an interface's name without line card and chip, as PORT has it."""
    return interface.rpartition("|")[2]


def queues(config: Config, number: int) -> dict[str, Queue]:
    """Return that queue of every interface that has one."""
    found: dict[str, dict[str, str]] = {}
    for table, field, kind in (
        ("QUEUE", "wred_profile", "wred"),
        ("QUEUE", "scheduler", "scheduler"),
        ("BUFFER_QUEUE", "profile", "buffer"),
    ):
        for key, values in config.get(table, {}).items():
            for interface, index in expanded(key):
                if index == number and field in values:
                    found.setdefault(interface, {})[kind] = name_in(str(values[field]))
    return {name: Queue(**found[name]) for name in sorted(found, key=in_order)}


def with_queues(config: Config, numbers: Collection[int]) -> list[str]:
    """Return the interfaces that have one of these queues, in their order."""
    return sorted({name for number in numbers for name in queues(config, number)}, key=in_order)


def in_order(name: str) -> tuple[str, int]:
    """Return a key that puts Ethernet4 before Ethernet12."""
    stem = name.rstrip("0123456789")
    return stem, units.whole(name.removeprefix(stem)) or 0


def with_wred(config: Config) -> list[int]:
    """Return the queues that have a WRED profile anywhere."""
    keys = [key for key, values in config.get("QUEUE", {}).items() if "wred_profile" in values]
    return sorted({number for key in keys for _, number in expanded(key)})


def plan_sonic(
    path: Path, number: int | None = None, interfaces: list[str] | None = None, rate: int | None = None
) -> Plan:
    """Return the profile of a queue of the interfaces, or of every one, in the order of their numbers.

    `rate` (bit/s) is that of interfaces whose speed the file does not have.
    """
    config = read_config(path)
    marked = with_wred(config)
    if number is None:
        if len(marked) != 1:
            said = f"queues {', '.join(map(str, marked))} have" if marked else "no queue has"
            raise TruemarkError(f"{path}: {said} a WRED profile; choose one with --queue")
        number = marked[0]
    chosen = queues(config, number)
    if not chosen:
        raise TruemarkError(f"{path}: QUEUE and BUFFER_QUEUE say nothing of queue {number}")
    names, left = chosen_of(path, chosen, interfaces, f"queue {number}", PORTS, "ports")
    plan = Plan("sonic", f"{path.name}: queue {number} of {len(names)} interfaces")
    lines = [f"# queue {number} of {path.name}: a port for each interface, in their order", 'policy = "droptail"']
    for port, interface in enumerate(names):
        queue = chosen[interface]
        table = port_lines(config, path, interface, queue, rate, plan)
        lines += ["", f"# {interface}", *(as_port(line, port) for line in ["[port]", *table])]
        plan.add(f"port{port}", f"port {port}", interface, "", f"{interface}: {queue.wred or 'no WRED profile'}")
    plan.profile = "\n".join([*lines, ""])
    taken = {(interface, number): chosen[interface] for interface in names}
    plan.remarks += [*left, *lost(config, [number]), *unread(config, taken)]
    return plan


def chosen_of(
    path: Path, there: Collection[str], wanted: list[str] | None, what: str, most: int, kind: str
) -> tuple[list[str], list[str]]:
    """Return the interfaces that are wanted, or all, and what is said of the others; `what` is what each must have."""
    once(wanted or [])
    for name in wanted or []:
        if name not in there:
            near = difflib.get_close_matches(name, there, n=8, cutoff=0)  # a switch may have hundreds
            raise TruemarkError(f"{path}: {name} has no {what}; {suggest(name, near)}")
    names = wanted or list(there)
    if len(names) > most:
        raise TruemarkError(
            f"{path}: {len(names)} interfaces have {what}; Truemark has up to {most} {kind}: choose them with "
            f"--interface {names[0]} and so on"
        )
    others = len(there) - len(names)
    return names, [f"not kept: {others} interfaces that were not chosen"] if others else []


def as_port(line: str, port: int) -> str:
    """Return a line of a profile in the tables of a port."""
    return f"[port.{port}]" if line == "[port]" else re.sub(r"^\[(\w+)\]$", rf"[port.{port}.\1]", line)


def port_lines(config: Config, path: Path, interface: str, queue: Queue, rate: int | None, plan: Plan) -> list[str]:
    """Return what a profile says of an interface."""
    speed = config.get("PORT", {}).get(bare(interface), {}).get("speed")
    if speed is None and rate is None:
        raise TruemarkError(f"{path}: PORT|{bare(interface)} has no speed; give that of such interfaces: --rate 100G")
    if speed is not None and not units.whole(str(speed)):
        raise TruemarkError(f"{path}: PORT|{bare(interface)}: speed = '{speed}': the rate in Mbit/s is wanted")
    if speed is not None:
        rate = int(speed) * 10**6
    lines = [f'rate = "{rate_text(rate or 0)}"']
    lines += limit_lines(config, path, interface, queue, plan)
    if queue.wred is None:
        return [*lines, 'policy = "droptail"']
    where = f"{path}: WRED_PROFILE|{queue.wred}"
    if queue.wred not in config.get("WRED_PROFILE", {}):
        raise TruemarkError(f"{where}: QUEUE of {interface} names it, and it is not there")
    try:
        wred = Wred.model_validate(config["WRED_PROFILE"][queue.wred])
    except ValidationError as error:
        first = error.errors()[0]
        raise TruemarkError(
            f"{where}: {'.'.join(map(str, first['loc']))} = {as_written(first['input'])}: {in_words(first['msg'])}"
        ) from None
    remember(plan, colours(queue.wred, wred))
    if not wred.wred_green_enable and not wred.marks:
        remember(plan, [f"WRED_PROFILE {queue.wred} neither drops nor marks green frames: DropTail"])
        return [*lines, 'policy = "droptail"']
    protect = 'protect = "all"' if wred.marks and not wred.wred_green_enable else 'protect = "default"'
    if not wred.marks:
        head = ['policy = "red"', protect, "ecn = false", "", *red_table(plan, where, "red", wred.drop, "green_")]
    elif wred.wred_green_enable and wred.mark != wred.drop:
        head = ['policy = "dual-slope"', protect, "", *red_table(plan, where, "ect", wred.mark, "ecn_green_"), ""]
        head += red_table(plan, where, "not_ect", wred.drop, "green_")
    else:  # with WRED off ECN alone acts: what cannot be marked is left to the limit
        low, high, probability = curve(plan, where, wred.mark, "ecn_green_" if wred.mark != wred.drop else "green_")
        size = [f'kmin = "{low}B"', f'kmax = "{high}B"', f"pmax = {float(probability):.9g}"]
        head = ['policy = "dcqcn"', protect, "", "[dcqcn]", *size]
    remember(plan, ["a switch judges the queue as it is, each frame for itself: W = 0, spacing memoryless"])
    return [*lines, *head]


def curve(plan: Plan, where: str, of: Curve, prefix: str) -> tuple[int, int, Fraction]:
    """Return the thresholds and the probability of a curve."""
    if not of.high:
        raise TruemarkError(f"{where}: {prefix}max_threshold is missing or 0")
    if of.low > of.high:
        raise TruemarkError(f"{where}: {prefix}min_threshold {of.low} is above max {of.high}; min must be at most max")
    if of.percent:
        return of.low, of.high, Fraction(of.percent, 100)
    remember(plan, [f"{where.rpartition('|')[2]}: probability 0: nothing below max, as min = max says it"])
    return of.high, of.high, Fraction(1)


def red_table(plan: Plan, where: str, table: str, of: Curve, prefix: str) -> list[str]:
    """Return a table of RED in a profile."""
    low, high, probability = curve(plan, where, of, prefix)
    law = red.law(low, high, probability, 0, spacing=Spacing.MEMORYLESS)
    return red_lines(table, law, probability, slopes.BOTTOM)


def limit_lines(config: Config, path: Path, interface: str, queue: Queue, plan: Plan) -> list[str]:
    """Return the byte limit: the static threshold of the queue's buffer profile."""
    if queue.buffer is None:
        return []
    profile = config.get("BUFFER_PROFILE", {}).get(queue.buffer)
    if profile is None:
        raise TruemarkError(
            f"{path}: BUFFER_PROFILE|{queue.buffer}: BUFFER_QUEUE of {interface} names it, and it is not there"
        )
    if profile.get("packet_discard_action") == "trim":
        remember(plan, [f"BUFFER_PROFILE {queue.buffer}: not kept: trimming"])
    if "static_th" in profile:
        sizes = {name: str(profile.get(name, 0)) for name in ("size", "static_th")}
        for name, text in sizes.items():
            if units.whole(text) is None:
                raise TruemarkError(f"{path}: BUFFER_PROFILE|{queue.buffer}: {name} = '{text}': bytes are wanted")
        return [f"limit_bytes = {sum(map(int, sizes.values()))}"]
    share = str(profile.get("dynamic_th"))
    alpha = Fraction(2) ** int(share) if re.fullmatch(r"-?[0-9]{1,3}", share) else None
    instead = f'; for a device with POOL write pool_alpha = "{alpha}"' if alpha in ALPHAS else ""
    remember(plan, [f"BUFFER_PROFILE {queue.buffer}: not kept: dynamic_th {share} is a share of a pool{instead}"])
    return []


def colours(name: str, wred: Wred) -> list[str]:
    """Return what the other colours have that green does not have."""
    own = wred.model_dump()
    said = []
    for colour in COLOURS[1:]:
        keys = (*DROPS, *MARKS, "wred_{}_enable")
        values = [(key.format(colour), own.get(key.format(colour)), own[key.format("green")]) for key in keys]
        other = [f"{key} {value}" for key, value, green in values if value is not None and plain(value) != plain(green)]
        if other:
            said.append(f"WRED_PROFILE {name}: not kept: {', '.join(other)}; every frame is taken for green")
    return said


def plain(value: Any) -> str:
    """Return a value as config_db writes it."""
    return str(value).lower()


def remember(plan: Plan, lines: list[str]) -> None:
    """Say each thing once."""
    plan.remarks += [line for line in lines if line not in plan.remarks]


def unread(config: Config, chosen: Chosen) -> list[str]:
    """Return fields of the objects that were read, and profiles that no chosen queue has."""
    used: dict[str, set[str | None]] = {
        "WRED_PROFILE": {queue.wred for queue in chosen.values()},
        "BUFFER_PROFILE": {queue.buffer for queue in chosen.values()},
        "PORT": {bare(interface) for interface, _ in chosen},
    }
    said = []
    for table, read in READ.items():
        objects = config.get(table, {})
        if table in ("QUEUE", "BUFFER_QUEUE"):
            here = [key for key in objects if any(place in chosen for place in expanded(key))]
        else:
            here = [key for key in objects if key in used[table]]
        more = sorted({field for key in here for field in objects[key]} - read)
        if more and table == "PORT":
            said.append(f"PORT: only speed is read, not {', '.join(more)}")
        elif more:
            said.append(f"{table}: not kept: {', '.join(more)} of {', '.join(here)}")
        others = [key for key in objects if table.endswith("_PROFILE") and key not in here]
        if others:
            said.append(f"{table}: not kept: {', '.join(others)}, which no chosen queue has")
    return said


def lost(config: Config, taken: Collection[int], kept: Collection[str] = ()) -> list[str]:
    """Return what else the file says, apart from queues that were taken and tables that were kept."""
    said = [f"{name}: not kept: {why}" for name, why in LOST.items() if config.get(name) and name not in kept]
    others = [str(each) for each in with_wred(config) if each not in taken]
    if others:
        said.append(f"not kept: the WRED profiles of queues {', '.join(others)}")
    odd = [key for table in ("QUEUE", "BUFFER_QUEUE") for key in config.get(table, {}) if not expanded(key)]
    if odd:
        said.append(f"not kept: {', '.join(odd)}: INTERFACE|QUEUE is understood")
    schedulers = any("scheduler" in values for values in config.get("QUEUE", {}).values())
    if schedulers and not config.get("SCHEDULER") and "SCHEDULER" not in kept:
        said.append("QUEUE's schedulers: not kept: one queue is taken")
    known = {*LOST, "QUEUE", "BUFFER_QUEUE", "BUFFER_PROFILE", "WRED_PROFILE", "PORT"}
    rest_of = sorted(config.keys() - known)
    if rest_of:
        said.append(f"not looked at: {', '.join(rest_of)}")
    return said
