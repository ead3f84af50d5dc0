# SPDX-License-Identifier: BSD-3-Clause
"""The builds of builds.toml, and how the Ninja file says that they are made."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from truemark.device.engine import find_libraries
from truemark.errors import TruemarkError
from truemark_dev import build, builds, cpp, programs
from truemark_dev.lint import files
from truemark_dev.paths import ROOT


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Give a text in the place of builds.toml."""

    def replace(text: str) -> None:
        path = tmp_path / "builds.toml"
        path.write_text(text)
        monkeypatch.setattr(builds, "FILE", path)
        builds._read.cache_clear()
        builds.builds.cache_clear()

    yield replace
    builds._read.cache_clear()
    builds.builds.cache_clear()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("one = { PORT = 2 }", r"builds.toml:3: \[engine\] one: .*'PORT'; did you mean 'PORTS'\?"),
        ("one = { RED = 2 }", r"builds.toml:3: \[engine\] one: RED is a bit, not 2"),
        ("one = { ROWS = true }", r"builds.toml:3: \[engine\] one: ROWS must be a whole number, not True"),
        ('one = { modul = "truemark" }', r"builds.toml:3: .*'modul'"),
    ],
)
def test_what_is_no_build_is_refused_with_its_place(told: Callable[[str], None], line: str, complaint: str) -> None:
    told(f"[sets]\n[engine]\n{line}\n")
    with pytest.raises(builds.BuildError, match=complaint):
        builds.builds("engine")


def test_a_name_nobody_gave_is_refused_with_the_nearest() -> None:
    with pytest.raises(builds.BuildError, match="did you mean 'full_deep'"):
        builds.build("engine", "fulldeep")
    with pytest.raises(builds.BuildError, match="did you mean 'lockstep:ls256'"):
        build.make("lockstep:ls265")


def test_no_names_make_nothing() -> None:
    assert build.make() == []


def test_a_build_tells_verilator_and_the_compiler_the_same() -> None:
    full = builds.build("engine", "full")
    assert "-GRED_LINUX=1'b1" in full.generics()
    assert "-GROWS=13856" in full.generics()
    assert {"-DTM_ROWS=13856", "-DTM_DATA_W=256", "-DTM_RED_LINUX=1", "-DTM_MARKED_COPY=1"} <= set(full.macros())


def test_a_program_is_linked_to_what_its_headers_name() -> None:
    lockstep = programs.closure("sim/lockstep/main.cpp")
    assert {"sim/lockstep/host_checks.cpp", "sim/model/cycles/codel_cycles.cpp"} <= set(lockstep)
    assert "sim/model/speed.cpp" not in lockstep
    assert not any("/dut/" in source for source in programs.closure("sim/engine/make_model.cpp", *build.ABI))


def test_only_sources_that_know_their_build_are_compiled_for_each() -> None:
    assert programs.knows_build("sim/lockstep/lockstep.cpp")
    assert not programs.knows_build("sim/model/framer.cpp")


def test_a_verilated_model_is_read_from_what_its_top_needs() -> None:
    plan = build.Plan()
    assert plan.file_of("engine:both_full") == Path("build/engines/libtruemark_both_full.so")
    engine = next(
        part
        for part in plan.text.replace("$\n", "").split("\nbuild ")
        if part.startswith("build/sim/rtl/full/Vtruemark__ALL.a")
    )
    assert "rtl/admit/tm_room.sv" in engine
    assert "rtl/netfpga" not in engine


def test_a_test_finds_no_engine_that_it_does_not_declare() -> None:
    with pytest.raises(TruemarkError, match=r"no library libtruemark_model\.so found"):
        find_libraries("model")


def literals(text: str) -> Iterator[dict[str, int]]:
    """Yield what Python code gives modules: mappings of parameters to numbers, and lines of Verilator's options."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Dict):
            found: dict[str, int] = {}
            for key, value in zip(node.keys, node.values, strict=True):
                match key, value:
                    case ast.Constant(value=str(name)), ast.Constant(value=int(number)):
                        found[name] = number
            yield found
    for line in text.splitlines():
        yield {name: int(value) for name, value in re.findall(r"-G ?(\w+)=(?:1'b)?(\d+)", line)}


def copied(text: str) -> list[str]:
    """Return the builds whose parameters stand in Python code, those of one that says how much it stores."""
    known = [each for group in builds._read() if group != "sets" for each in builds.builds(group).values()]
    return [
        build.name
        for given in literals(text)
        if {"ROWS", "DESCRIPTORS"} <= given.keys()
        for build in known
        if given.items() <= build.complete.items() and build.parameters.items() <= given.items()
    ]


def test_clang_compiles_what_verilator_wrote_if_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler that is asked for by CXX compiles everything."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    assert (cpp.compiler(), cpp.rtl_compiler()) == ("g++", "g++")
    (tmp_path / "clang++").touch(0o755)
    assert (cpp.compiler(), cpp.rtl_compiler()) == ("g++", "clang++")
    monkeypatch.setenv("CXX", "g++-12")
    assert (cpp.compiler(), cpp.rtl_compiler()) == ("g++-12", "g++-12")


def test_no_build_is_typed_twice() -> None:
    """Modules and parts are tested in shapes of their own; what has a name in builds.toml is asked for by it."""
    again = {str(path.relative_to(ROOT)): copied(path.read_text()) for path in files("*.py") if path != Path(__file__)}
    assert not {path: names for path, names in again.items() if names}


@pytest.mark.parametrize(
    "text",
    [
        'PARAMETERS = {"ROWS": 320, "DESCRIPTORS": 40, "FLAGS_VERDICT": 1}',
        'DEEP = {256: {"POOL": 1, "ROWS": 77824, "DESCRIPTORS": 6140}}',
        "words = '-GPORTS=2 -GROWS=320 -GDESCRIPTORS=40 -GFLAGS_VERDICT=1 -GRED=1'.split()",
    ],
)
def test_a_build_typed_again_is_found(text: str) -> None:
    assert copied(text)
    assert not copied(text.replace("DESCRIPTORS", "FRAMES"))
