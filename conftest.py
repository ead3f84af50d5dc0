# SPDX-License-Identifier: BSD-3-Clause
"""Every session says its seed, and every worker has the same one."""

import pytest
from truemark_dev.paths import ROOT
from truemark_dev.runner import seed
from truemark_dev.verilate import waves

# Builds of everything, synthesis, and many builds: where a test takes tens of seconds.
LONG = ("cocotb_tests/top", "sim/tests/test_bench_figures.py", "sim/tests/test_spinal_cross.py", "sim/tests")


def pytest_report_header() -> list[str]:
    """Print what a person needs to repeat the session."""
    return [f"seed: {seed()} (set with TRUEMARK_SEED=number or random), waveforms: {'on' if waves() else 'off'}"]


def pytest_configure() -> None:
    """Fix the seed before the workers inherit the environment."""
    seed()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest first, in the whole session: a worker that has nothing left takes over short ones."""
    places = [ROOT / name for name in LONG]
    items.sort(
        key=lambda item: next(
            (at for at, place in enumerate(places) if place in (item.path, *item.path.parents)), len(places)
        )
    )
