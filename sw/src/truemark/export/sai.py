# SPDX-License-Identifier: BSD-3-Clause
"""A port's settings and counters by their names in SAI (saiwred.h, saiqueue.h, saibuffer.h, saiport.h).

A port is a queue with a WRED object and a buffer profile of its own. It knows no colours: every frame is green.
"""

from __future__ import annotations

from truemark.device.device import Snapshot
from truemark.device.outcomes import DEPARTED, EARLY, LOST, MARKED
from truemark.export.wred import BUFFERS, wred
from truemark.laws.policies import PortSettings
from truemark.laws.share import Share

Value = bool | int | str


def attributes(port: PortSettings, storage: int) -> dict[str, Value]:
    """Return what would be set at the WRED object and the buffer profile."""
    found: dict[str, Value] = {}
    switch = wred(port, BUFFERS)
    if switch.mark or switch.drop:
        found |= {"SAI_WRED_ATTR_GREEN_ENABLE": switch.drop is not None}
        drop = switch.drop or switch.mark
        if drop:
            found |= {
                "SAI_WRED_ATTR_GREEN_MIN_THRESHOLD": drop.low,
                "SAI_WRED_ATTR_GREEN_MAX_THRESHOLD": drop.high,
                "SAI_WRED_ATTR_GREEN_DROP_PROBABILITY": drop.percent,
            }
        if switch.mark and switch.mark != drop:
            found |= {
                "SAI_WRED_ATTR_ECN_GREEN_MIN_THRESHOLD": switch.mark.low,
                "SAI_WRED_ATTR_ECN_GREEN_MAX_THRESHOLD": switch.mark.high,
                "SAI_WRED_ATTR_ECN_GREEN_MARK_PROBABILITY": switch.mark.percent,
            }
        found["SAI_WRED_ATTR_WEIGHT"] = switch.weight
        mode = "ALL" if switch.mark else "NONE"
        found["SAI_WRED_ATTR_ECN_MARK_MODE"] = f"SAI_ECN_MARK_MODE_{mode}"
    return found | buffer_profile(port.pool_share or Share(), port.limit_bytes or storage)


def buffer_profile(share: Share, most: int) -> dict[str, Value]:
    """Return the attributes of a buffer profile: a share of a pool, or the most that a port may hold."""
    found: dict[str, Value] = {}
    if share.reserve:
        found["SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE"] = share.reserve
    mode = "STATIC" if share.exponent is None else "DYNAMIC"
    found["SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE"] = f"SAI_BUFFER_PROFILE_THRESHOLD_MODE_{mode}"
    beyond = most if share.static is None else share.static
    found[f"SAI_BUFFER_PROFILE_ATTR_SHARED_{mode}_TH"] = beyond if share.exponent is None else share.exponent
    return found


def counters(frozen: Snapshot) -> dict[str, int]:
    """Return what sai_get_queue_stats and sai_get_port_stats would answer."""
    sent, dropped = frozen.total(*DEPARTED), frozen.total(*LOST)
    early, marked = frozen.total(*EARLY), frozen.total(*MARKED)
    return {
        "SAI_QUEUE_STAT_PACKETS": sent.packets,
        "SAI_QUEUE_STAT_BYTES": sent.bytes,
        "SAI_QUEUE_STAT_DROPPED_PACKETS": dropped.packets,
        "SAI_QUEUE_STAT_DROPPED_BYTES": dropped.bytes,
        "SAI_QUEUE_STAT_CURR_OCCUPANCY_BYTES": frozen.held.bytes,
        "SAI_QUEUE_STAT_WATERMARK_BYTES": frozen.watermark.bytes,
        "SAI_QUEUE_STAT_WRED_DROPPED_PACKETS": early.packets,
        "SAI_QUEUE_STAT_WRED_DROPPED_BYTES": early.bytes,
        "SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS": marked.packets,
        "SAI_QUEUE_STAT_WRED_ECN_MARKED_BYTES": marked.bytes,
        "SAI_QUEUE_STAT_DELAY_WATERMARK_NS": frozen.watermark_sojourn_ns,
        "SAI_PORT_STAT_ECN_MARKED_PACKETS": marked.packets,
        "SAI_PORT_STAT_WRED_DROPPED_PACKETS": early.packets,
        "SAI_PORT_STAT_WRED_DROPPED_BYTES": early.bytes,
    }
