# SPDX-License-Identifier: BSD-3-Clause
"""Which tests are slow, and who runs them."""

from __future__ import annotations

import subprocess

import pytest

from truemark_dev.marks import of_builds, slow
from truemark_dev.paths import ROOT


def test_slow_cases_keep_their_values() -> None:
    cases = slow(64, (2, 3))
    assert [case.values for case in cases] == [(64,), (2, 3)]
    assert all([mark.name for mark in case.marks] == ["slow"] for case in cases)


def test_all_builds_but_those_of_every_day_are_slow() -> None:
    cases = of_builds(["bench:256", "bench:512"], every_day=["bench:512"])
    assert [case.values for case in cases] == [("bench:256",), ("bench:512",)]
    assert [[mark.name for mark in case.marks] for case in cases] == [["builds", "slow"], ["builds"]]
    assert [case.marks[0].args for case in cases] == [("bench:256",), ("bench:512",)]


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        (["test"], '-m "not slow"'),
        (["test-slow"], "-m slow"),
        (["test", "TESTS=sim/peers"], "results.xml sim/peers"),
        (["one", "TEST=sim/peers"], "pytest -q sim/peers"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_target_runs_its_own(words: list[str], chosen: str) -> None:
    """What is named is run whole; without a name the two share all tests."""
    done = subprocess.run(["make", "--dry-run", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    assert chosen in " ".join(done.stdout.replace("\\\n", " ").split())
