# SPDX-License-Identifier: BSD-3-Clause
"""Cases that `make test` leaves to `make test-slow`.

@pytest.mark.parametrize("width", [256, *slow(64, 512)])
@pytest.mark.parametrize("target", of_builds(["bench:256", "bench:512"], every_day=["bench:512"]))
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def slow(*cases: Any) -> list[Any]:
    """Return cases of `parametrize` marked as slow; a tuple has a value for each argument."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow) for case in cases]


def of_builds(targets: Iterable[str], every_day: Iterable[str]) -> list[Any]:
    """Return a case for each target of builds.toml, which is made before it runs; slow unless in `every_day`."""
    daily = set(every_day)
    return [
        pytest.param(target, marks=[pytest.mark.builds(target), *([] if target in daily else [pytest.mark.slow])])
        for target in targets
    ]
