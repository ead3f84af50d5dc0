# SPDX-License-Identifier: BSD-3-Clause
"""RED as a scenario file says it: with ns-2's `mark_p` where a commit can say the same."""

from __future__ import annotations

from fractions import Fraction

from truemark.errors import TruemarkError
from truemark.fields import Probability
from truemark.lab.fields import optional
from truemark.laws.tables import RedTable


class LabRed(RedTable):
    """RED by its numbers, and from which probability on it drops an ECT packet instead of marking it.

    ns-2's queue/red.cc has `use_mark_p_` on by default: drop_early() marks while the probability of the average, before
    it is spaced, is below `mark_p_`, 0.1; no drop is forced, for above max, or twice max, the probability is 1.
    """

    mark_p: Probability | None = optional("ns-2's mark_p_, its default 0.1; none: what RED signals is marked")

    def hard(self, policy: str, where: str) -> bool:
        """Return whether what is forced, and only that, drops ECT packets; refuse a mark_p that asks for more."""
        if self.mark_p is None:
            return False
        said = f"{where}.mark_p = {float(self.mark_p):g}"
        if policy != "red":
            raise TruemarkError(f"{said}: with policy '{policy}' it says nothing; it belongs to policy 'red'")
        if self.spacing == "linux":
            raise TruemarkError(f"{said}: spacing = 'linux' is not ns-2's; take 'wait' or 'uniform'")
        rising = next((name for name in ("gentle", "adaptive") if getattr(self, name)), "")
        reached = Fraction(1) if rising else self.probability
        if self.mark_p < reached:
            why = f"{float(reached):g}{f' with {rising} = true' if rising else ''}"
            remedy = f", or set {rising} = false" if rising else ""
            raise TruemarkError(
                f"{said}: the probability of a mark goes up to {why}, and a port drops ECT packets only where RED's "
                f"signal is certain (harddrop); take mark_p = {float(reached):g}{remedy}"
            )
        return True
