# SPDX-License-Identifier: BSD-3-Clause
"""What the codes mean with which a device refuses a commit."""

from __future__ import annotations

from truemark.device.outcomes import Fault

# The field of the profile that a fault code speaks of.
FAULT_FIELD = {
    Fault.LIMIT_BYTES: "limit_bytes",
    Fault.LIMIT_PACKETS: "limit_packets",
    Fault.LAW: "policy (law)",
    Fault.K0: "k (slot 0)",
    Fault.K1: "k (slot 1)",
    Fault.PROTECT: "protect",
    Fault.PORT: "port",
    Fault.CONTROL: "control",
    Fault.WEIGHT0: "weight (slot 0): 0 to 24; or spacing linux, which this build does not have",
    Fault.WEIGHT1: "weight (slot 1): 0 to 24; or spacing linux, which this build does not have",
    Fault.BAND0: "min and max (slot 0): min at most max, max above 0",
    Fault.BAND1: "min and max (slot 1): min at most max, max above 0",
    Fault.MAXP0: "probability (slot 0): above 0, at most 1",
    Fault.MAXP1: "probability (slot 1): above 0, at most 1",
    Fault.SLOPE0: "slope (slot 0): not that of min, max and probability; or too steep for spacing linux",
    Fault.SLOPE1: "slope (slot 1): not that of min, max and probability; or too steep for spacing linux",
    Fault.GENTLE0: "gentle slope (slot 0): not that of max and probability; or gentle with spacing linux",
    Fault.GENTLE1: "gentle slope (slot 1): not that of max and probability; or gentle with spacing linux",
    Fault.ADAPTIVE0: "adaptive (slot 0): reciprocal, bottom, band or adapt_interval; or adaptive with spacing linux",
    Fault.ADAPTIVE1: "adaptive (slot 1): reciprocal, bottom, band or adapt_interval; or adaptive with spacing linux",
    Fault.IDLE: "the tick of an idle queue: 0",
    Fault.CODEL: "codel: interval above 0, target at most interval, ce_threshold, exempt",
    Fault.NODROP: "protect without ecn: nodrop is only meaningful with ECN",
}


def fault_text(code: int) -> str:
    """Name a code and the field at fault."""
    if code and code in list(Fault):
        return f"{Fault(code).name} (fault code {code}): {FAULT_FIELD[Fault(code)]}"
    return f"fault code {code}"
