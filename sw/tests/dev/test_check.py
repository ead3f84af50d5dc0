# SPDX-License-Identifier: BSD-3-Clause
"""Which tests `make check` chooses for a change."""

from __future__ import annotations

import pytest

from truemark_dev import check
from truemark_dev.lint import checks, sources
from truemark_dev.paths import ROOT


@pytest.mark.parametrize(
    ("changed", "chosen"),
    [
        (
            "rtl/admit/tm_room.sv",
            [f"cocotb_tests/admit/test_{name}.py" for name in ("tm_room", "tm_admit", "tm_admit_red")],
        ),
        ("cocotb_tests/admit/test_tm_room.py", ["cocotb_tests/admit/test_tm_room.py"]),
        ("docs/README.md", []),
        ("sw/c/truemark_driver.c", ["sw/tests/test_c_driver.py"]),
        ("rtl/control/truemark.rdl", ["sw/tests/dev/test_freshness.py"]),
    ],
)
def test_a_module_brings_its_test_and_those_of_its_users(changed: str, chosen: list[str]) -> None:
    assert check.tests_of([changed]) == chosen


def test_a_python_module_brings_the_tests_that_import_it() -> None:
    assert {"sw/tests/test_policies.py", "sw/tests/test_plan.py"} <= set(
        check.tests_of(["sw/src/truemark/laws/red.py"])
    )
    assert "sim/tests/test_bench_figures.py" in check.tests_of(["sim/bench/area.py"])


def test_what_is_left_out_names_folders_that_are_there() -> None:
    assert [folder for folder in check.LEFT_OUT if not (ROOT / folder).is_dir()] == []
    named = [*check.OTHERS, *(test for tests in check.OTHERS.values() for test in tests)]
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_other_languages_have_tests() -> None:
    there = sources("*.c", "*.cpp", "*.h", "*.rdl", "*.tcl", "*.j2", "*.scala", "*.toml", "*.mk", "*.js", "Makefile")
    settings = {"pyproject.toml", "sw/cocotbext/pyproject.toml", "sw/ruff.toml"}
    assert {name for name in there if not check.tests_of([name])} == settings


def test_lint_of_changed_files_looks_at_them_alone() -> None:
    commands = [list(command) for command in checks(["rtl/admit/tm_room.sv", "conftest.py"])]
    assert sum("--lint-only" in command for command in commands) == 2
    assert ["ruff", "check", "conftest.py"] in commands
    assert not [command for command in commands if command[0] == "clang-format"]
