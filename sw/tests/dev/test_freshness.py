# SPDX-License-Identifier: BSD-3-Clause
"""The rules that a program can check: what is generated is fresh, nothing is left out, nothing goes untested."""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from truemark_dev import check
from truemark_dev.lint import files, is_generated, sources
from truemark_dev.paths import ROOT
from truemark_dev.sources import FILE_LIST, file_list

RTL = [ROOT / name for name in sources("rtl/*.sv")]
MODULES = [path for path in RTL if re.search(r"^module ", path.read_text(), re.MULTILINE)]
TESTS = [ROOT / name for name in sources("cocotb_tests/*.py")]
CODE = [
    ROOT / name
    for name in sources("*.sv", "*.svh", "*.rdl", "*.py", "*.h", "*.c", "*.cpp", "*.mk", "Makefile", "*.toml")
]
LONGEST = 300  # lines of a module
LONGEST_PACKAGE = 600  # names only, with a line of meaning each
COLUMNS = 120


def name_of(path: object) -> str:
    """Return a test id: a path from the root."""
    return str(path.relative_to(ROOT)) if isinstance(path, Path) else str(path)


def code_of(path: Path) -> str:
    """Return SystemVerilog without its comments."""
    return re.sub(r"//[^\n]*", "", path.read_text())


def test_generated_registers_are_fresh() -> None:
    command = [sys.executable, "-m", "truemark_dev.vocabulary.generate", "--check"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_file_list_covers_rtl() -> None:
    lists = files("rtl/*.f")
    assert FILE_LIST in lists
    listed = {each: Counter(path.relative_to(ROOT) for path in file_list(each)) for each in lists}
    there = {path.relative_to(ROOT) for path in files("rtl/*.sv")}
    covered = set().union(*listed.values())
    assert covered == there, f"the file lists and rtl/ differ: {sorted(map(str, covered ^ there))}"
    for each, counts in listed.items():
        assert max(counts.values()) == 1, f"{each.name}: a file is listed twice"


def test_licence_is_named() -> None:
    # What is linked to ns-3 has its licence.
    silent = [
        name_of(path)
        for path in CODE
        if "SPDX-License-Identifier: " + ("GPL-2.0-only" if "sim/lab/ns3/" in path.as_posix() else "BSD-3-Clause")
        not in "".join(path.read_text().splitlines(keepends=True)[:3])
    ]
    assert not silent, f"no SPDX line: {', '.join(silent)}"


@pytest.mark.parametrize("path", RTL, ids=name_of)
def test_module_says_what_it_is(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert re.match(r"// .*\w", lines[1]), "the second line is a sentence that says what the module is for"
    header = " ".join(line[3:] for line in lines[1:12] if line.startswith("// "))
    assert re.search(r"\.( |$)|:( |$)", header), "the header's sentence has no end"
    names = re.findall(r"^(?:module|package) (\w+)", code_of(path), re.MULTILINE)
    longest = LONGEST_PACKAGE if re.search(r"^package ", code_of(path), re.MULTILINE) else LONGEST
    assert len(lines) <= longest, f"{len(lines)} lines: split the module"
    assert names == [path.stem], f"one module, one file, one name: {names}"


def test_lines_end_in_time() -> None:
    """Verible wraps code and lets a long comment pass. (Ruff answers for Python.)"""
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in [ROOT / name for name in sources("*.sv", "*.vlt", "*.h", "*.c", "*.cpp", "*.tcl")]
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > COLUMNS
    ]
    assert not long, f"longer than {COLUMNS} columns: {', '.join(long)}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_every_module_has_its_test(path: Path) -> None:
    """A module has a test that is called after it or builds it, or the test of the nearest whole names it."""
    tests = check.of_module(path.stem)
    named = [test for test in tests if re.search(rf"\b{path.stem}\b", (ROOT / test).read_text())]
    assert check.own(path.stem) or named, f"no test is called after it, and none of its whole names it: {tests}"


def claims_of(path: Path) -> list[str]:
    """Return the names of a module's claims; each is made by a macro of tm_assert.svh."""
    code = code_of(path)
    assert not re.search(r"\b(assert|assume|cover)\b", code), f"{path.name}: a claim is a `TM_ASSERT"
    return re.findall(r"`TM_ASSERT\w*\(\s*(\w*)", code)


def test_claims_are_there() -> None:
    assert sum(len(claims_of(path)) for path in RTL) >= 60


@pytest.mark.parametrize("path", [path for path in RTL if claims_of(path)], ids=name_of)
def test_assertions_are_proven_to_fire(path: Path) -> None:
    """Each claim is named by a test of its module that passes only if this claim stops the run."""
    texts = [text for text in (test.read_text() for test in TESTS) if re.search(r"build_and_fail\(|breaches\(", text)]
    near = [text for text in texts if re.search(rf"\b{path.stem}\b", text)]
    claims = claims_of(path)
    odd = [claim for claim in claims if not claim.endswith("_A")]
    assert not odd, f"claims without a name Thing_A: {', '.join(odd)}"
    unproven = [claim for claim in claims if not any(f'"{claim}"' in text for text in near)]
    assert not unproven, f"no test that names {path.stem} breaks {', '.join(unproven)} (breaches)"


def cocotb_tests_of(path: Path) -> list[ast.AsyncFunctionDef]:
    """Return the coroutines of a file that are cocotb tests."""
    functions = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.AsyncFunctionDef)]
    return [node for node in functions if any("cocotb.test" in ast.unparse(mark) for mark in node.decorator_list)]


@pytest.mark.parametrize("path", [path for path in TESTS if cocotb_tests_of(path)], ids=name_of)
def test_tests_say_stimulus_and_checks(path: Path) -> None:
    silent = [
        node.name
        for node in cocotb_tests_of(path)
        if not re.search(r"Stimulus.*Checks|\w_A\b", ast.get_docstring(node) or "", re.DOTALL)
    ]
    assert not silent, f"docstrings without Stimulus and Checks, or the assertion they break: {', '.join(silent)}"


def test_lock_holds_every_tool_and_no_address() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["develop"]]
    names = [re.split(r"[<>=]", name)[0] for name in wanted]
    missing = [name for name in names if not re.search(rf"^{re.escape(name)}==", lock, re.MULTILINE)]
    assert not missing, f"run make lock: {missing}"
    assert "://" not in lock
    assert "index" not in lock


def test_generated_files_are_told_apart() -> None:
    assert is_generated(ROOT / "rtl/control/bus/tm_regs_pkg.sv")
    assert not is_generated(ROOT / "rtl/tm_pkg.sv")
