# SPDX-License-Identifier: BSD-3-Clause
"""The settings of one replay: from a profile, from the command line, or from both (the command line wins)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from truemark import units
from truemark.device.outcomes import Law
from truemark.errors import TruemarkError
from truemark.laws import codel, ns2, policies, profile
from truemark.laws.policies import PortSettings

RATE = "10G"
BUFFER = "shallow"
POLICY = "true-mark"
OWN = ("policy", "protect", "k", "rate", "buffer", "packet")  # wishes that are keys of a profile


def settings(wishes: dict[str, Any], source: Path | None) -> tuple[PortSettings, int, int]:
    """Settings, the rate in bit/s and the bytes of a mean packet; an error names option or file."""
    found = profile.Profile() if source is None else profile.read_profile(source)
    own = {name: wishes[name] for name in OWN if wishes.get(name) is not None}
    if source is None:
        own = {"policy": POLICY, "rate": RATE, "buffer": BUFFER, **own}
    elif found.rate is None:
        own = {"rate": RATE, **own}
    top = found.model_dump(exclude_none=True, exclude={"port"})
    if "policy" in own and own["policy"] != top.get("policy"):
        for dependent in profile.DEPENDENT:
            top.pop(dependent, None)
    if "buffer" in own:
        for dependent in ("buffer", "limit_bytes", "limit_packets"):
            top.pop(dependent, None)
    merged = top | own
    policy = policies.find_policy(merged["policy"]) if "policy" in merged else None
    merged |= laws(wishes, policy, merged)
    whole = profile.Profile.model_validate(merged)
    where = "" if source is None else f"{source}: "
    try:
        made = whole.settings(0)
    except TruemarkError as error:
        raise TruemarkError(f"{where}{error}") from None
    rate = whole.rate_of(0)
    assert rate is not None
    return made, rate, whole.mean_packet_of(0)


def laws(wishes: dict[str, Any], policy: policies.Policy | None, merged: dict[str, Any]) -> dict[str, Any]:
    """The tables that --target-delay and --codel stand for."""
    made: dict[str, Any] = {}
    if wishes.get("target_delay") is not None:
        if policy is None or Law.RED not in policy.laws:
            raise TruemarkError("--target-delay sets RED's thresholds: use it with red, dual-step or dual-slope")
        made |= auto_red(wishes, policy, merged)
    elif wishes.get("weight") is not None:
        raise TruemarkError("--weight belongs to --target-delay; in a profile it is a key of the law's table")
    if wishes.get("codel") is not None:
        if policy is None or not policy.codel:
            raise TruemarkError("--codel sets CoDel's target and interval; use it with --policy codel")
        target, slash, interval = wishes["codel"].partition("/")
        if not slash:
            example = next(iter(codel.PUBLISHED))
            raise TruemarkError(f"--codel '{wishes['codel']}': write target/interval, such as {example}")
        made["codel"] = {"target": target, "interval": interval}
    return made


def auto_red(wishes: dict[str, Any], policy: policies.Policy, merged: dict[str, Any]) -> dict[str, Any]:
    """Tables of auto-RED, the same for each slot that takes one."""
    rate = units.parse_rate(merged["rate"])
    least, most = ns2.thresholds(rate, units.parse_time(wishes["target_delay"], "target-delay"))
    weight, _ = ns2.parse_weight(wishes["weight"] or "ns2", rate)
    table = {
        "min": ns2.round_bytes(least * ns2.PACKET),
        "max": ns2.round_bytes(most * ns2.PACKET),
        "probability": float(ns2.PROBABILITY),
        "weight": weight,
        "spacing": "wait",
        "gentle": True,
    }
    return {name: table for name in policy.tables if name}
