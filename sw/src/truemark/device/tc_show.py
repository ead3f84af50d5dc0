# SPDX-License-Identifier: BSD-3-Clause
"""A port as `tc -s qdisc show` prints it, and as its JSON, key by key.

What only a kernel has (codel's count, ldelay) is absent.
"""

from __future__ import annotations

from typing import Any

from truemark.device.device import Snapshot
from truemark.device.outcomes import DEPARTED, EARLY, LOST, MARKED, SIGNALLED, Outcome
from truemark.laws.codel import Codel
from truemark.laws.law import Limits
from truemark.laws.policies import PACKETS_MAX, PortSettings, protection_mask

TAIL = (Outcome.TAIL_BYTES, Outcome.TAIL_PACKETS, Outcome.NO_ROOM)


def qdisc(
    settings: PortSettings, frozen: Snapshot, limits: Limits, details: bool = False, named: bool = True
) -> dict[str, Any]:
    """Return the object of one port, in tc's order of keys; with `details` what `tc -d` adds.

    `named`: of which interface, which tc does not repeat when it was asked for one.
    """
    kind, options, own = described(settings, frozen, limits)
    if details and kind == "red" and (law := settings.reds[0]) is not None and settings.idle is not None:
        options |= {"ewma": law.weight, "probability": law.probability, "Scell_log": settings.idle.shift % 32}
    sent, dropped = frozen.total(*DEPARTED), frozen.total(*LOST)
    return {
        "kind": kind,
        "handle": f"{frozen.port + 1:x}:",
        **({"dev": f"tm{frozen.port}"} if named else {}),
        "root": True,
        "refcnt": 2,  # as the kernel counts a root
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
    """Return kind, options and own counters; a policy that tc lacks has its own name."""
    marks = frozen.total(*MARKED).packets
    if settings.policy in ("red", "dcqcn") and (law := settings.reds[0]) is not None:
        options: dict[str, Any] = {"limit": settings.limit_bytes or limits.storage, "min": law.min, "max": law.max}
        options |= {"ecn": settings.ecn, "harddrop": settings.harddrop, "adaptive": law.adaptive}
        options["nodrop"] = settings.protect == protection_mask("all")
        dropped = {name: frozen.total(*codes).packets for name, codes in (("early", EARLY), ("pdrop", TAIL))}
        return "red", options, {"marked": marks, **dropped, "other": 0}
    packets = settings.limit_packets or min(limits.descriptors, PACKETS_MAX)
    codel = next((law for law in settings.departures if isinstance(law, Codel)), None)
    if settings.policy == "codel" and codel is not None:
        facts = codel.facts()
        options = {"limit": packets, "target": facts["target_ns"] // 1000}
        if facts["ce_threshold_ns"] is not None:
            options["ce_threshold"] = facts["ce_threshold_ns"] // 1000
        options |= {"interval": facts["interval_ns"] // 1000, "ecn": codel.ecn}
        return "codel", options, {"ecn_mark": marks, "drop_overlimit": frozen.total(*TAIL).packets}
    if settings.policy == "droptail":
        if settings.limit_packets is not None and settings.limit_bytes is None:
            return "pfifo", {"limit": packets}, {}
        return "bfifo", {"limit": settings.limit_bytes or limits.storage}, {}
    return settings.policy, settings.facts(), {"marked": marks}


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


def text(found: dict[str, Any]) -> str:
    """Return what tc prints for people."""
    unit = {"red": "b", "bfifo": "b", "pfifo": "p", "codel": "p"}.get(found["kind"], "")
    shown = []
    for name, value in found["options"].items():
        if isinstance(value, bool):
            shown += [name] if value else []
        elif name in ("target", "interval", "ce_threshold"):
            shown.append(f"{name} {time(value)}")
        elif name in ("limit", "min", "max"):
            shown.append(f"{name} {size(value) if unit == 'b' else f'{value}{unit}'}")
        elif value is not None:
            shown.append(f"{name} {value:g}" if name == "probability" else f"{name} {value}")
    own = list(found)[list(found).index("qlen") + 1 :]
    dev = ["dev", found["dev"]] if "dev" in found else []
    lines = [
        " ".join(["qdisc", found["kind"], found["handle"], *dev, f"root refcnt {found['refcnt']}", *shown, ""]),
        f" Sent {found['bytes']} bytes {found['packets']} pkt (dropped {found['drops']}, overlimits "
        f"{found['overlimits']} requeues 0) ",
        f" backlog {size(found['backlog'])} {found['qlen']}p requeues 0",
    ]
    return "\n".join([*lines, *([f"  {' '.join(f'{name} {found[name]}' for name in own)}"] if own else [])])
