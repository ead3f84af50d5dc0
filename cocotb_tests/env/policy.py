# SPDX-License-Identifier: BSD-3-Clause
"""A port's configuration as a person would write it."""

from __future__ import annotations

from dataclasses import dataclass, field

from cocotbext.truemark import registers

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

    def registers(self) -> dict[int, int]:
        """Return it as registers of the shadow, by address."""
        control = registers.CONTROL.pack(
            enable=self.enable,
            limit_bytes_on=self.limit_bytes is not None,
            limit_packets_on=self.limit_packets is not None,
            slot_of=sum(slot << ecn for ecn, slot in enumerate(self.slot_of)),
            law0=self.law[0],
            law1=self.law[1],
            noecn=self.noecn,
            harddrop=self.harddrop,
        )
        protect = sum(1 << (2 * class_id + ece) for class_id, ece in self.protect)
        return {
            registers.CONTROL.address: control,
            registers.LIMIT_BYTES.address: self.limit_bytes or 0,
            registers.LIMIT_PACKETS.address: self.limit_packets or 0,
            registers.K0.address: self.k[0],
            registers.K1.address: self.k[1],
            registers.PROTECT.address: protect,
        }

    def waits(self, flags_verdict: bool) -> bool:
        """Say whether verdicts need the class."""
        return flags_verdict and self.law[self.slot_of[Ecn.NOT_ECT]] is Law.STEP and bool(self.protect)


def true_mark(k: int, *, limit_bytes: int | None = None) -> Policy:
    """Mark ECT above K bytes, never drop early."""
    return Policy(limit_bytes=limit_bytes, slot_of=(1, 0, 0, 0), law=(Law.STEP, Law.NONE), k=(k, 0))
