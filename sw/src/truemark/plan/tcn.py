# SPDX-License-Identifier: BSD-3-Clause
"""The threshold of waiting-time marking, and the queue that waits so long."""

from __future__ import annotations

from truemark import units
from truemark.errors import TruemarkError
from truemark.laws.tcn import Tcn
from truemark.plan.plan import Plan, find_buffer, rate_text

# DCTCP's K >= C*RTT/7 as a time: what a queue of K bytes waits at the rate C.
RTT_SHARE = 7


def plan_tcn(threshold_ns: int | None, rtt_ns: int, rate: int, buffer_name: str) -> Plan:
    """Return a threshold that was chosen, or RTT/7."""
    if threshold_ns is None and rtt_ns < RTT_SHARE:
        raise TruemarkError(f"rtt '{units.show_time(rtt_ns)}': a threshold is a seventh of it, and 1 ns at the least")
    law = Tcn(rtt_ns // RTT_SHARE if threshold_ns is None else threshold_ns)
    wait = units.show_time(law.threshold_ns)
    buffer = find_buffer(buffer_name, False, rate, 1500)
    plan = Plan("tcn", f"waiting-time marking, T = {wait}")
    plan.add("threshold_ns", "marks ECT frames that waited longer than", law.threshold_ns, "ns")
    plan.add("queue_bytes", "a queue that waits so long", law.threshold_ns * rate // (8 * 10**9), "B")
    if threshold_ns is None:
        plan.add("rtt_ns", f"round-trip time, {RTT_SHARE} T", rtt_ns, "ns")
    if (drain := buffer.limit.drain_ns(rate)) is not None:
        plan.add("buffer_bytes", f"buffer ({buffer.name})", buffer.limit.bytes, "B")
        plan.add("buffer_drain_ns", "a full buffer waits", int(drain), "ns")
    plan.remarks += law.warnings("tcn", buffer.limit, rate, 1500)
    lines = [f"# T = {wait}", f'rate = "{rate_text(rate)}"', 'policy = "tcn"', *buffer.lines()]
    plan.profile = "\n".join([*lines, f'tcn = "{law.threshold_ns}ns"', ""])
    return plan
