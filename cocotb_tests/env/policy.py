# SPDX-License-Identifier: BSD-3-Clause
"""A port's configuration as a person would write it."""

from __future__ import annotations

from dataclasses import dataclass, field

from cocotb_tests.env.tm_pkg import Class, Ecn, Law


@dataclass(frozen=True)
class Policy:
    """A configuration, as numbers a person would write; None is off."""

    enable: bool = True
    limit_bytes: int | None = None
    limit_packets: int | None = None
    slot_of: tuple[int, int, int, int] = (0, 0, 0, 0)  # by codepoint
    law: tuple[Law, Law] = (Law.NONE, Law.NONE)
    k: tuple[int, int] = (0, 0)
    protect: frozenset[tuple[Class, int]] = field(default_factory=frozenset)
    noecn: bool = False
    harddrop: bool = False

    def waits(self, flags_verdict: bool) -> bool:
        """Say whether verdicts need the class."""
        return flags_verdict and self.law[self.slot_of[Ecn.NOT_ECT]] is Law.STEP and bool(self.protect)


def true_mark(k: int, *, limit_bytes: int | None = None) -> Policy:
    """Mark ECT above K bytes, never drop early."""
    return Policy(limit_bytes=limit_bytes, slot_of=(1, 0, 0, 0), law=(Law.STEP, Law.NONE), k=(k, 0))
