# SPDX-License-Identifier: BSD-3-Clause
"""Ports in OpenConfig's QoS model, as RFC 7951 writes YANG's data in JSON: 64-bit numbers are texts.

Source: openconfig-qos, -qos-interfaces and -qos-mem-mgmt of openconfig/public. `ecn-marked` counts frames whose
codepoint became CE here, `ecn-selected` all that a law chose, whatever their codepoint.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from truemark.device.device import Count, Snapshot
from truemark.device.outcomes import DEPARTED, LOST, MARKED, SIGNALLED, SIGNALLED_AT_DEPARTURE
from truemark.export.wred import BUFFERS, Wred, not_kept, one_each, wred
from truemark.laws.policies import PortSettings
from truemark.laws.share import Share

QUEUE = "0"


def named(name: str, **more: Any) -> dict[str, Any]:
    """Return an entry of a list, whose key stands in its container as well."""
    return {"name": name, "config": {"name": name}, **more}


def qos(
    ports: Sequence[PortSettings],
    frozen: Sequence[Snapshot],
    interfaces: Sequence[str],
    storage: int,
    *,
    pooled: bool = False,
) -> tuple[dict[str, Any], list[str]]:
    """Return the tree below openconfig-qos:qos, and what it does not keep; storage is in bytes, of a port or a pool."""
    one_each(interfaces, len(ports))
    listed, management, buffers, lost = [], [], [], []
    for port, counts, interface in zip(ports, frozen, interfaces, strict=True):
        switch = wred(port, BUFFERS)
        if switch.mark and switch.drop and switch.mark != switch.drop:
            switch.lost.append(
                "the slope of Not-ECT frames: a profile has one curve; this one marks, and drops nothing"
            )
            switch.drop = None
        lost += not_kept(counts.port, switch)
        queue = named(QUEUE, state={"name": QUEUE, **state(port, counts)})
        if profile := uniform(switch):
            management.append(named(interface, wred={"uniform": {"config": profile}}))
            queue["config"] = {"name": QUEUE, "queue-management-profile": interface}
        own = {"name": QUEUE, **allocation(port.pool_share or Share(), port.limit_bytes or storage, pooled)}
        buffers.append(named(interface, queues={"queue": [{"name": QUEUE, "config": own}]}))
        listed.append(
            {
                "interface-id": interface,
                "config": {"interface-id": interface},
                "output": {"config": {"buffer-allocation-profile": interface}, "queues": {"queue": [queue]}},
            }
        )
    tree = {
        "queues": {"queue": [{"name": QUEUE, "config": {"name": QUEUE, "queue-id": 0}}]},
        "interfaces": {"interface": listed},
        "buffer-allocation-profiles": {"buffer-allocation-profile": buffers},
    }
    if management:
        tree["queue-management-profiles"] = {"queue-management-profile": management}
    return {"openconfig-qos:qos": tree}, lost


def allocation(share: Share, most: int, pooled: bool) -> dict[str, Any]:
    """Return the memory of a queue: its own, of so many bytes, or a share of a pool."""
    if not pooled:
        return {"dedicated-buffer": str(most), "use-shared-buffer": False}
    found = {"dedicated-buffer": str(share.reserve), "use-shared-buffer": True}
    if share.exponent is None:
        limit = {"static-shared-buffer-limit": most if share.static is None else share.static}
        return {**found, "shared-buffer-limit-type": "STATIC", **limit}
    kind = "DYNAMIC_BASED_ON_SCALING_FACTOR"
    return {**found, "shared-buffer-limit-type": kind, "dynamic-limit-scaling-factor": share.exponent}


def uniform(switch: Wred) -> dict[str, Any]:
    """Return the WRED of a queue management profile; nothing if the port neither marks nor drops early."""
    curve = switch.mark or switch.drop
    if curve is None:
        return {}
    return {
        "min-threshold": str(curve.low),
        "max-threshold": str(curve.high),
        "enable-ecn": switch.mark is not None,
        "drop": switch.drop is not None,
        "weight": switch.weight,
        "max-drop-probability-percent": curve.percent,
    }


def state(port: PortSettings, frozen: Snapshot) -> dict[str, str]:
    """Return the counters of a queue."""

    def both(name: str, count: Count) -> dict[str, str]:
        return {f"{name}-pkts": str(count.packets), f"{name}-octets": str(count.bytes)}

    law = port.reds[0]
    average = {"avg-queue-len": str(frozen.average[0])} if law is not None and not law.packets else {}  # in bytes
    return {
        "max-queue-len": str(frozen.watermark.bytes),
        **average,
        **both("transmit", frozen.total(*DEPARTED)),
        **both("dropped", frozen.total(*LOST)),
        **both("ecn-marked", frozen.total(*MARKED)),
        **both("ecn-selected", frozen.total(*SIGNALLED, *SIGNALLED_AT_DEPARTURE)),
    }
