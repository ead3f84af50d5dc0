# SPDX-License-Identifier: BSD-3-Clause
"""A port as `tc -s qdisc show` prints it, and as its JSON, key by key.

What only a kernel has (codel's count, ldelay) is absent.
"""

from __future__ import annotations

from typing import Any

from truemark.device.device import Snapshot
from truemark.device.outcomes import DEPARTED, EARLY, LOST, MARKED, SIGNALLED, Outcome, Spacing
from truemark.laws.codel import LINUX_MTU, Codel
from truemark.laws.law import Limits
from truemark.laws.policies import PACKETS_MAX, PortSettings, protection, protection_mask
from truemark.laws.red import Red
from truemark.laws.slopes import ADAPT_INTERVAL_NS, BOTTOM, MEAN_PACKET, ONE, round_half_up

KINDS = ("red", "codel", "pfifo", "bfifo")
COUNTED = ("bytes", "packets", "drops", "overlimits", "requeues", "backlog", "qlen")  # of tbf as of what is below it
TAIL = (Outcome.TAIL_BYTES, Outcome.TAIL_PACKETS, Outcome.NO_ROOM)


def qdiscs(
    settings: PortSettings, frozen: Snapshot, limits: Limits, details: bool = False, named: bool = True
) -> list[dict[str, Any]]:
    """Return the objects of one port, in tc's order of keys; with `details` what `tc -d` adds.

    What holds it to a rate is a tbf, and its policy is below that. `named`: of which interface, which tc does not
    repeat when it was asked for one.
    """
    bare = settings.with_rate(None, limits.queues)
    policy = qdisc(bare, frozen, limits, details)
    handle, root = f"{frozen.port + 1:x}:", {"root": True, "refcnt": 2}  # as the kernel counts a root
    dev = {"dev": f"tm{frozen.port}"} if named else {}
    if (shape := settings.rate_of_line(limits.queues)) is None:
        return [placed(policy, handle, dev | root)]
    rate = {"rate": round(shape.rate / 8), "burst": shape.burst}
    counted = {name: policy[name] for name in COUNTED} | {"overlimits": 0}
    tbf = {"kind": "tbf", "options": rate, **counted}
    return [placed(tbf, handle, dev | root), placed(policy, f"{handle[:-1]}0:", dev | {"parent": f"{handle}1"})]


def placed(found: dict[str, Any], handle: str, place: dict[str, Any]) -> dict[str, Any]:
    """Return an object with where it is, behind its kind."""
    return {"kind": found["kind"], "handle": handle, **place, **found}


def qdisc(settings: PortSettings, frozen: Snapshot, limits: Limits, details: bool) -> dict[str, Any]:
    """Return the object of a policy."""
    kind, options, own = described(settings, frozen, limits)
    if details and kind == "red" and (law := settings.reds[0]) is not None and settings.idle is not None:
        options |= {"ewma": law.weight, "probability": law.probability, "Scell_log": settings.idle.shift % 32}
    sent, dropped = frozen.total(*DEPARTED), frozen.total(*LOST)
    return {
        "kind": kind,
        "options": options,
        "bytes": sent.bytes,
        "packets": sent.packets,
        "drops": dropped.packets,
        "overlimits": frozen.total(*SIGNALLED).packets if kind == "red" else 0,  # what Linux' RED counts so
        "requeues": 0,
        "backlog": frozen.held.bytes,
        "qlen": frozen.held.packets,
        **own,
    }


def described(settings: PortSettings, frozen: Snapshot, limits: Limits) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Return kind, options and own counters."""
    marks, kind = frozen.total(*MARKED).packets, kind_of(settings)
    if kind == "red" and (law := settings.reds[0]) is not None:
        options: dict[str, Any] = {"limit": settings.limit_bytes or limits.storage}
        options |= {name: law.unit.in_bytes(value) for name, value in law.ends.items()}  # all that tc's red counts
        options |= {"ecn": settings.ecn, "harddrop": settings.harddrop, "adaptive": law.adaptive}
        options["nodrop"] = settings.protect == protection_mask("all")
        dropped = {name: frozen.total(*codes).packets for name, codes in (("early", EARLY), ("pdrop", TAIL))}
        return "red", options, {"marked": marks, **dropped, "other": 0}
    packets = settings.limit_packets or min(limits.descriptors, PACKETS_MAX)
    codel = next((law for law in settings.departures if isinstance(law, Codel)), None)
    if kind == "codel" and codel is not None:
        facts = codel.facts()
        options = {"limit": packets, "target": facts["target_ns"] // 1000}
        if facts["ce_threshold_ns"] is not None:
            options["ce_threshold"] = facts["ce_threshold_ns"] // 1000
        options |= {"interval": facts["interval_ns"] // 1000, "ecn": codel.ecn}
        return "codel", options, {"ecn_mark": marks, "drop_overlimit": frozen.total(*TAIL).packets}
    if kind == "pfifo":
        return kind, {"limit": packets}, {}
    if kind == "bfifo":
        return kind, {"limit": settings.limit_bytes or limits.storage}, {}
    return kind, settings.facts(), {"marked": marks}


def kind_of(settings: PortSettings) -> str:
    """Return tc's kind of a policy; one that tc lacks has its own name."""
    if settings.policy == "droptail":
        return "pfifo" if settings.limit_packets is not None and settings.limit_bytes is None else "bfifo"
    return "red" if settings.policy == "dcqcn" else settings.policy


def not_kept(settings: PortSettings, limits: Limits) -> list[str]:
    """Return what of a port tc's lines have no word for, so that it is not there where they are fed back."""
    kind = kind_of(settings)
    if kind not in KINDS:
        return [f"{kind}, which tc does not have"]
    sizes = {"limit_bytes": settings.limit_bytes, "limit_packets": settings.limit_packets}
    shown = sizes.pop("limit_packets" if kind in ("codel", "pfifo") else "limit_bytes")
    lost = ["that no limit is set: what is shown is the memory"] if shown is None else []
    lost += [f"{name} = {value}" for name, value in sizes.items() if value is not None]
    if settings.protect and not (kind == "red" and settings.protect == protection_mask("all")):
        lost.append(f"protect = {protection(settings.protect)}")
    for law in settings.laws:
        lost += red_not_kept(law, settings, limits) if isinstance(law, Red) else []
        lost += codel_not_kept(law) if isinstance(law, Codel) else []
    return lost + others_not_kept(settings, limits)


def red_not_kept(law: Red, settings: PortSettings, limits: Limits) -> list[str]:
    """Return what tc's red has no word for."""
    spacing = Spacing.LINUX if "red_linux" in limits.able and not law.adaptive else Spacing.UNIFORM
    found = {"spacing": law.spacing.name.lower()} if law.spacing is not spacing else {}
    found |= {"weight W": "0"} if law.weight == 0 else {}
    found |= {"unit": f"packets, shown as {MEAN_PACKET} B each"} if law.packets else {}
    found |= {"gentle": "true"} if law.gentle else {}
    if law.adaptive:
        found |= {"bottom": f"{law.bottom / ONE:g}"} if law.bottom != min(round_half_up(BOTTOM * ONE), law.maxp) else {}
        interval = settings.adapt_interval_ns
        found |= {"adapt_interval": f"{interval} ns"} if interval != ADAPT_INTERVAL_NS else {}
    return [f"{name} = {value}" for name, value in found.items()]


def codel_not_kept(law: Codel) -> list[str]:
    """Return what tc's codel has no word for."""
    variant = [f"variant = {law.variant}"] if law.switches else []
    return [*variant, *([f"exempt = {law.exempt_bytes} B"] if law.exempt_bytes != LINUX_MTU else [])]


def others_not_kept(settings: PortSettings, limits: Limits) -> list[str]:
    """Return what a port has besides its policy and its rate."""
    shape = settings.shape if limits.queues > 1 else None  # of a queue
    own = {
        "enable = false": not settings.enable,
        f"quantum = {settings.quantum} B": settings.quantum is not None,
        f"shape_rate = {shape.title if shape else ''}": shape is not None,
        "what it may have of the pool": settings.pool_share is not None,
        "[pfc] and paused_by": settings.pause is not None,
    }
    return [name for name, there in own.items() if there]


def size(value: int) -> str:
    """Return bytes as tc prints them: rounded to KiB or MiB where little is lost."""
    for unit, letter, lost in ((1 << 20, "M", 1024), (1 << 10, "K", 16)):
        if value >= unit and abs(round(value / unit) * unit - value) < lost:
            return f"{round(value / unit)}{letter}b"
    return f"{value}b"


def time(us: int) -> str:
    """Return a time as tc prints it, in three digits."""
    unit, name = next(((unit, name) for unit, name in ((10**6, "s"), (10**3, "ms")) if us >= unit), (1, "us"))
    return f"{us / unit:.3g}{name}"


def rate(bytes_per_s: int) -> str:
    """Return a rate as tc prints it, but to the nearest Kbit, which makes the same of a device when it goes back."""
    value, units = 8 * bytes_per_s, ["", "K", "M", "G", "T"]
    if value >= 10**6:
        value = round(value, -3)
    while len(units) > 1 and value and value % 1000 == 0:
        value, units = value // 1000, units[1:]
    return f"{value}{units[0]}bit"


def words(name: str, value: Any) -> list[str]:
    """Return an option of a policy that tc does not have, as words; of several slots each has a number."""
    if isinstance(value, list):
        return [word for slot, each in enumerate(value) for word in words(f"{name}{slot}", each)]
    if isinstance(value, dict):
        return [name, "(", *(word for inner, each in value.items() for word in words(inner, each)), ")"]
    if value is None or value is False:
        return []
    if value is True:
        return [name]
    return [f"{name} {value:g}" if name == "probability" else f"{name} {value}"]


def text(found: dict[str, Any]) -> str:
    """Return what tc prints for people."""
    unit = {"red": "b", "bfifo": "b", "pfifo": "p", "codel": "p", "tbf": "b"}.get(found["kind"], "")
    shown = []
    for name, value in found["options"].items():
        if isinstance(value, bool):
            shown += [name] if value else []
        elif name in ("target", "interval", "ce_threshold"):
            shown.append(f"{name} {time(value)}")
        elif name == "rate":
            shown.append(f"{name} {rate(value)}")
        elif name in ("limit", "min", "max", "burst"):
            shown.append(f"{name} {size(value) if unit == 'b' else f'{value}{unit}'}")
        else:
            shown += words(name, value)
    own = list(found)[list(found).index("qlen") + 1 :]
    dev = ["dev", found["dev"]] if "dev" in found else []
    place = f"parent {found['parent']}" if "parent" in found else f"root refcnt {found['refcnt']}"
    lines = [
        " ".join(["qdisc", found["kind"], found["handle"], *dev, place, *shown, ""]),
        f" Sent {found['bytes']} bytes {found['packets']} pkt (dropped {found['drops']}, overlimits "
        f"{found['overlimits']} requeues 0) ",
        f" backlog {size(found['backlog'])} {found['qlen']}p requeues 0",
    ]
    return "\n".join([*lines, *([f"  {' '.join(f'{name} {found[name]}' for name in own)}"] if own else [])])
