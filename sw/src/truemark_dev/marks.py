# SPDX-License-Identifier: BSD-3-Clause
"""Cases that `make test` leaves to `make test-slow`.

@pytest.mark.parametrize("width", [256, *slow(64, 512)])
"""

from __future__ import annotations

from typing import Any

import pytest


def slow(*cases: Any) -> list[Any]:
    """Return cases of `parametrize` marked as slow; a tuple has a value for each argument."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow) for case in cases]
