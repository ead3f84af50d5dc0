# SPDX-License-Identifier: BSD-3-Clause
"""A port as `tc -s qdisc show` prints it, and as its JSON, key by key.

What only a kernel has (codel's count, ldelay) is absent.
"""

from __future__ import annotations

from typing import Any

from truemark import units
from truemark.device.device import Snapshot
from truemark.device.outcomes import DEPARTED, EARLY, LOST, MARKED, SIGNALLED, Outcome
from truemark.laws.codel import Codel
from truemark.laws.law import Limits
from truemark.laws.policies import PACKETS_MAX, PortSettings, protection_mask

TAIL = (Outcome.TAIL_BYTES, Outcome.TAIL_PACKETS, Outcome.NO_ROOM)


def qdisc(settings: PortSettings, frozen: Snapshot, limits: Limits, details: bool = False) -> dict[str, Any]:
    """The object of one port, in tc's order of keys; with `details` what `tc -d` adds."""
    kind, options, own = described(settings, frozen, limits)
    if details and kind == "red" and (law := settings.reds[0]) is not None and settings.idle is not None:
        options |= {"ewma": law.weight, "probability": law.probability, "Scell_log": settings.idle.shift % 32}
    sent, dropped = frozen.total(*DEPARTED), frozen.total(*LOST)
    return {
        "kind": kind,
        "handle": f"{frozen.port + 1:x}:",
        "dev": f"tm{frozen.port}",
        "root": True,
        "refcnt": 1,
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
    """Kind, options and own counters; a policy that tc has not stands under its own name."""
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


def text(found: dict[str, Any]) -> str:
    """As tc prints it for people."""
    unit = {"red": "b", "bfifo": "b", "pfifo": "p", "codel": "p"}.get(found["kind"], "")
    shown = []
    for name, value in found["options"].items():
        if isinstance(value, bool):
            shown += [name] if value else []
        elif name in ("target", "interval", "ce_threshold"):
            shown.append(f"{name} {units.show_time(value * 1000).replace(' ', '')}")
        elif value is not None:
            shown.append(f"{name} {value}{unit if name in ('limit', 'min', 'max') else ''}")
    own = list(found)[list(found).index("qlen") + 1 :]
    lines = [
        f"qdisc {found['kind']} {found['handle']} dev {found['dev']} root refcnt {found['refcnt']} {' '.join(shown)} ",
        f" Sent {found['bytes']} bytes {found['packets']} pkt (dropped {found['drops']}, overlimits "
        f"{found['overlimits']} requeues 0) ",
        f" backlog {found['backlog']}b {found['qlen']}p requeues 0",
    ]
    return "\n".join([*lines, *([f"  {' '.join(f'{name} {found[name]}' for name in own)}"] if own else [])])
