# SPDX-License-Identifier: BSD-3-Clause
"""What the codes mean with which a device refuses a commit."""

from __future__ import annotations

from truemark.device.registers import FAULT_TEXTS, Fault


def fault_text(code: int) -> str:
    """Name a code and say what it means."""
    if code and code in list(Fault):
        return f"{Fault(code).name} (fault code {code}): {FAULT_TEXTS[Fault(code)].rstrip('.')}"
    return f"fault code {code}"
