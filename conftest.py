# SPDX-License-Identifier: BSD-3-Clause
"""Every session says its seed, every worker has the same one, and a test finds the builds that it declares.

    pytestmark = pytest.mark.builds("engine:model", "lab-runner")

makes what a file's tests need (names as in builds.toml) before the first of them runs. No test sees other engines.
"""

import hashlib
import json
import os
import time
from contextlib import suppress
from pathlib import Path

import cocotb  # noqa: F401  before pyslang: behind it, other extensions' C++ exceptions are lost
import pytest
from truemark_dev.paths import BUILD
from truemark_dev.runner import WAVEFORM, seed
from truemark_dev.sources import waves

DURATIONS = BUILD / "durations.json"  # seconds by test, as last measured here
_begin = time.monotonic()
_durations: dict[str, float] = {}
_made: dict[tuple[str, ...], list[Path]] = {}


def pytest_report_header() -> list[str]:
    """Print what a person needs to repeat the session."""
    return [f"seed: {seed()} (set with TRUEMARK_SEED=number or random), waveforms: {'on' if waves() else 'off'}"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the time within which tests may begin."""
    parser.addoption("--budget", type=int, help="seconds after which no further test begins")


def pytest_configure(config: pytest.Config) -> None:
    """Fix the seed before the workers inherit the environment."""
    config.addinivalue_line("markers", "builds(*names): what of builds.toml a test needs, made before it runs")
    config.addinivalue_line(
        "markers", "slow: a further shape, fault or layer of what other tests run; `make test-slow`"
    )
    seed()
    _keep_byte_code()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Make what the test declares, and let it find those engines alone."""
    budget = item.config.getoption("budget")
    if budget and time.monotonic() - _begin > budget:
        pytest.skip(f"left out: {budget} s are over")
    names = tuple(sorted({name for mark in item.iter_markers("builds") for name in mark.args}))
    if names not in _made:
        _made[names] = _make(*names)
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


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Sum what each test takes, with its builds and fixtures."""
    if report.outcome != "skipped":
        _durations[report.nodeid] = _durations.get(report.nodeid, 0) + report.duration


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print where the waveforms are; what a test that passes prints is not shown."""
    reports = [each for group in terminalreporter.stats.values() for each in group if hasattr(each, "capstdout")]
    for line in dict.fromkeys(line for report in reports for line in report.capstdout.splitlines()):
        if line.startswith(WAVEFORM):
            terminalreporter.write_line(line)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Keep what was measured, next to what earlier sessions measured of other tests."""
    if not hasattr(session.config, "workerinput"):
        from truemark.files import locked, whole_file

        with locked(DURATIONS.with_suffix(".lock")), whole_file(DURATIONS) as file:
            json.dump(_measured() | _durations, file, indent=0)


@pytest.hookimpl(trylast=True)  # when those that are left out are out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run the longest first, in the whole session: a worker that has nothing left takes over short ones.

    Workers would wait for each other's builds, one after the other; so all are made first, by all cores at once. What
    cannot be made fails in the test that declares it.
    """
    seconds = _measured()
    items.sort(key=lambda item: -seconds.get(item.nodeid, 0))
    if "PYTEST_XDIST_WORKER" in os.environ and not config.getoption("budget"):
        names = {name for item in items for mark in item.iter_markers("builds") for name in mark.args}
        with suppress(RuntimeError):
            _make(*sorted(names), keep_going=True)


def _make(*names: str, keep_going: bool = False) -> list[Path]:
    """Build; the import is here because every simulation reads this file, for how assertions are shown."""
    from truemark_dev import build

    return build.make(*names, quiet=True, keep_going=keep_going)


def _keep_byte_code() -> None:
    """Let the hundreds of interpreters that tests start share what one has compiled, and keep it out of the sources."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ.setdefault("PYTHONPYCACHEPREFIX", str(BUILD / "pycache"))


def _measured() -> dict[str, float]:
    found: dict[str, float] = json.loads(DURATIONS.read_text()) if DURATIONS.exists() else {}
    return found
