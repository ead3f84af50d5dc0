# SPDX-License-Identifier: BSD-3-Clause
"""Every session says its seed, every worker has the same one, and a test finds the builds that it declares.

    pytestmark = pytest.mark.builds("engine:model", "lab-runner")

makes what a file's tests need (names as in builds.toml) before the first of them runs. No test sees other engines.
"""

import hashlib
import os
from pathlib import Path

import pytest
from truemark_dev import build
from truemark_dev.paths import BUILD, ROOT
from truemark_dev.runner import seed
from truemark_dev.sources import waves

# Builds of everything, synthesis, and many builds: where a test takes tens of seconds.
LONG = ("cocotb_tests/top", "sim/tests/test_bench_figures.py", "sim/tests/test_spinal_cross.py", "sim/tests")
_made: dict[tuple[str, ...], list[Path]] = {}


def pytest_report_header() -> list[str]:
    """Print what a person needs to repeat the session."""
    return [f"seed: {seed()} (set with TRUEMARK_SEED=number or random), waveforms: {'on' if waves() else 'off'}"]


def pytest_configure(config: pytest.Config) -> None:
    """Fix the seed before the workers inherit the environment."""
    config.addinivalue_line("markers", "builds(*names): what of builds.toml a test needs, made before it runs")
    seed()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Make what the test declares, and let it find those engines alone."""
    names = tuple(sorted({name for mark in item.iter_markers("builds") for name in mark.args}))
    if names not in _made:
        _made[names] = build.make(*names, quiet=True) if names else []
    folder = BUILD / "declared" / hashlib.sha256(" ".join(names).encode()).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    for made in _made[names]:
        place = folder / made.name
        if made.suffix == ".so" and not place.exists():
            partial = place.with_name(f"{place.name}.{os.getpid()}")
            partial.symlink_to(made)
            partial.replace(place)
    os.environ["TRUEMARK_LIB"] = str(folder)
    runner = next((made for made in _made[names] if made.name == "lab-runner"), folder / "lab-runner")
    os.environ["TRUEMARK_LAB_RUNNER"] = str(runner)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest first, in the whole session: a worker that has nothing left takes over short ones."""
    places = [ROOT / name for name in LONG]
    items.sort(
        key=lambda item: next(
            (at for at, place in enumerate(places) if place in (item.path, *item.path.parents)), len(places)
        )
    )
