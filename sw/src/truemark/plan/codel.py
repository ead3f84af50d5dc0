# SPDX-License-Identifier: BSD-3-Clause
"""CoDel in its own units, held against a buffer."""

from __future__ import annotations

from dataclasses import dataclass

from truemark import units
from truemark.errors import TruemarkError
from truemark.laws import codel
from truemark.plan.plan import Plan, find_buffer, rate_text

PACKET = 1500  # bytes, for sizes in packets


@dataclass(frozen=True)
class CodelWishes:
    """What `plan codel` is asked for."""

    target_ns: int
    interval_ns: int
    rate: int | None = None
    buffer: str = "shallow"
    ecn: bool = True
    ce_threshold_ns: int | None = None
    exempt: int | None = None
    variant: str = "linux"
    protect: str = "default"


def plan_codel(wishes: CodelWishes) -> Plan:
    """Plan CoDel in its own units."""
    if wishes.target_ns <= 0:
        raise TruemarkError(f"target = {wishes.target_ns} ns: it must be above 0")
    law = codel.law(
        wishes.target_ns,
        wishes.interval_ns,
        ecn=wishes.ecn,
        ce_threshold_ns=wishes.ce_threshold_ns,
        exempt_bytes=wishes.exempt,
        variant=wishes.variant,
    )
    if not wishes.ecn and wishes.protect != "default":
        raise TruemarkError(
            f"protect = '{wishes.protect}' without ECN: nodrop is only meaningful with ECN; leave one of them out"
        )
    target, interval = units.show_time(wishes.target_ns), units.show_time(wishes.interval_ns)
    plan = Plan("codel", f"CoDel {target} / {interval}, {wishes.variant}")
    plan.add("target_ns", "target", wishes.target_ns, "ns")
    plan.add("interval_ns", "interval", wishes.interval_ns, "ns")
    plan.add("target_units", "target", law.target, "units of 1024 ns")
    plan.add("interval_units", "interval", law.interval, "units of 1024 ns")
    plan.add("target_effective_ns", "target as kept", codel.to_ns(law.target), "ns")
    plan.add("interval_effective_ns", "interval as kept", codel.to_ns(law.interval), "ns")
    plan.add("target_share", "target / interval", wishes.target_ns / wishes.interval_ns, "")
    if law.ce_threshold != codel.NEVER:
        plan.add("ce_threshold_units", "CE threshold", law.ce_threshold, "units of 1024 ns")
    plan.add("exempt_bytes", "bytes left alone", law.exempt_bytes, "B")
    plan.add("ecn", "marks what can be marked", law.ecn, "", "yes" if law.ecn else "no, drops")
    switches = list(law.switches)
    plan.add("switches", "differs from Linux in", switches, "", ", ".join(switches) or "nothing")
    if wishes.variant != "rfc8289":
        gaps = codel.signal_gaps(law.interval, 5)
        shown = ", ".join(f"{codel.to_ns(gap) / 1000:.0f}" for gap in gaps)
        plan.add("signal_gaps_us", "first gaps between signals", [codel.to_ns(gap) / 1000 for gap in gaps], "µs", shown)
    if wishes.target_ns * 4 > wishes.interval_ns:
        plan.remarks.append(
            f"the target is {wishes.target_ns / wishes.interval_ns:.0%} of the interval; its authors advise 5 to 10 %"
        )
    buffer = find_buffer(wishes.buffer, False, wishes.rate, PACKET)
    if wishes.rate is None:
        plan.remarks.append("give --rate to learn whether a buffer ever waits as long as the target")
    elif (drain := buffer.limit.drain_ns(wishes.rate)) is not None:
        acts = drain > wishes.target_ns
        plan.add("buffer_bytes", f"buffer ({buffer.name})", buffer.limit.bytes, "B")
        plan.add("buffer_drain_ns", "a full buffer waits", round(drain), "ns")
        plan.add("acts", "acts within the buffer", acts, "", "yes" if acts else "no, never")
        if not acts:
            plan.remarks.append(
                f"never acts: a full buffer of {buffer.limit.bytes:,} B drains in {units.show_time(float(drain))} at "
                f"{units.show_rate(wishes.rate)}, which is not above the target of {target}"
            )
    plan.profile = "\n".join(
        [
            f"# CoDel {target} / {interval}",
            *([f'rate = "{rate_text(wishes.rate)}"'] if wishes.rate else []),
            'policy = "codel"',
            f'protect = "{wishes.protect}"',
            *buffer.lines(),
            "",
            "[codel]",
            f'target = "{wishes.target_ns}ns"',
            f'interval = "{wishes.interval_ns}ns"',
            f"ecn = {str(law.ecn).lower()}",
            *([f'ce_threshold = "{wishes.ce_threshold_ns}ns"'] if wishes.ce_threshold_ns is not None else []),
            f'exempt = "{law.exempt_bytes}B"',
            f'variant = "{wishes.variant}"',
            "",
        ]
    )
    return plan
