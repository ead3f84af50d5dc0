# SPDX-License-Identifier: BSD-3-Clause
"""The one way to build a module with Verilator and run cocotb tests on it.

A test file holds cocotb tests (coroutines under `@cocotb.test()`) and the pytest functions that choose what they
run on:

    import cocotb
    import pytest
    from truemark_dev.runner import build_and_fail, build_and_test

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
* A test sees the signals of `toplevel` and of the modules below it that are `seen`; all others may be optimised away.
* Builds are kept under `build/cocotb/` by everything that determines them, and shared between pytest workers.
* The seed is `TRUEMARK_SEED` or `COCOTB_RANDOM_SEED` (a number, or `random`), else 1; it also seeds what is in
  registers and RAM before anything is written. It is printed with every run.
* `WAVES=1` leaves `dump.vcd` in the run's folder; the session prints the paths at its end.

Verilator warnings are errors here too, so every width and parameter that a test uses is linted.

A simulation imports this too, with its test module: what takes time is imported where it is used.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Unpack, cast

from truemark_dev.paths import ROOT
from truemark_dev.sources import BuildOptions, waves

# Where a failed `assert` shows its values. Cocotb's own choice is every module that is imported, which takes longer
# than a short simulation.
ASSERTING = "test_*.py cocotb_tests/env/*.py"
# Only for how assertions are shown does a simulation read pytest's settings: it needs none of pytest's plugins.
ALONE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
WAVEFORM = "waveform: "  # what a run says before its path; the session says it again at its end


class RunOptions(BuildOptions, total=False):
    """What determines a build and a run on it."""

    testcase: str | Sequence[str] | None  # cocotb tests of the module; all that are not skipped if not given
    test_args: Sequence[str]  # for the simulation
    extra_env: Mapping[str, str]


def seed() -> int:
    """Return the seed of this session, the same in every pytest worker."""
    text = os.environ.get("TRUEMARK_SEED") or os.environ.get("COCOTB_RANDOM_SEED") or "1"
    if text == "random":
        text = str(secrets.randbelow(2**31 - 1) + 1)
    os.environ["TRUEMARK_SEED"] = os.environ["COCOTB_RANDOM_SEED"] = text
    return int(text, 0)


def build_and_test(toplevel: str, test_module: str, **options: Unpack[RunOptions]) -> Path:
    """Build, run, check; return the folder of the run."""
    return _run(_build(toplevel, options), toplevel, test_module, options, None)


def build_and_fail(toplevel: str, test_module: str, *, assertion: str, **options: Unpack[RunOptions]) -> None:
    """Build and run a test that breaks the rule of `assertion`; fail unless that assertion is what stops it."""
    folder = _build(toplevel, options)
    run = run_folder(folder, test_module)
    log = run / "fired.log"
    try:
        _run(folder, toplevel, test_module, options, log)
    except (RuntimeError, SystemExit):
        text = log.read_text()
        fired = re.findall(r"Assertion failed in (\S+?):", text)
        if fired and fired[0].rsplit(".", 1)[-1] == assertion:
            return
        print(text)
        raise AssertionError(f"{assertion} did not stop the run; assertions that failed: {fired or 'none'}") from None
    print(log.read_text())
    raise AssertionError(f"{assertion} did not fire: the run passed")


def run_released(source: Path, test_module: str, testcase: str) -> None:
    """Run a cocotb test on a design in one file of plain Verilog, whose top is named as the file, in Icarus Verilog."""
    from unittest import mock

    from cocotb_tools import runner as cocotb_runner

    runner, run = cocotb_runner.get_runner("icarus"), run_folder(source.parent, test_module)
    with mock.patch.dict(os.environ, {"COCOTB_LOG_LEVEL": os.environ.get("COCOTB_LOG_LEVEL", "WARNING")}):
        runner.build(sources=[source], hdl_toplevel=source.stem, build_dir=run, timescale=("1ns", "1ps"))
        runner.test(test_module, source.stem, testcase=testcase, seed=seed(), build_dir=run, test_dir=run)


def run_folder(folder: Path, test_module: str) -> Path:
    """Return where this pytest function's run on the build in `folder` keeps its files."""
    current = os.environ.get("PYTEST_CURRENT_TEST", "run").split("::")[-1].split(" ")[0]
    name = re.sub(r"[^\w.=-]+", "_", f"{test_module.rsplit('.', 1)[-1]}-{current}")
    run = folder / name[:120]
    run.mkdir(exist_ok=True)
    return run


def _build(toplevel: str, options: RunOptions) -> Path:
    from truemark_dev.verilate import build

    build_options = {name: value for name, value in options.items() if name in BuildOptions.__annotations__}
    return build(toplevel, **cast("BuildOptions", build_options))


def _run(folder: Path, toplevel: str, test_module: str, options: RunOptions, log: Path | None) -> Path:
    from unittest import mock

    from cocotb_tools import runner as cocotb_runner
    from cocotb_tools.check_results import get_results

    run = run_folder(folder, test_module)
    number = seed()
    print(f"seed {number} (repeat with TRUEMARK_SEED={number}), run in {os.path.relpath(run, ROOT)}", flush=True)
    if waves():
        print(f"{WAVEFORM}{os.path.relpath(run / 'dump.vcd', ROOT)}", flush=True)
    variables = {
        "COCOTB_LOG_LEVEL": os.environ.get("COCOTB_LOG_LEVEL", "WARNING"),
        "COCOTB_REWRITE_ASSERTION_FILES": ASSERTING,
        **ALONE,
        **options.get("extra_env", {}),
    }
    # cocotb prefers what it finds in the environment; `make CASE=...` and `export BOARD=...` are not meant for it.
    with mock.patch.dict(os.environ, variables):
        cocotb_runner.get_runner("verilator").test(
            test_module,
            toplevel,
            hdl_toplevel_lang="verilog",
            testcase=options.get("testcase"),
            seed=number,
            build_dir=folder,
            test_dir=run,
            results_xml=str(run / "results.xml"),
            test_args=[
                *options.get("test_args", ()),
                "+verilator+rand+reset+2",
                f"+verilator+seed+{number % (2**31 - 2) + 1}",
            ],
            waves=waves(),
            log_file=log,
        )
    # Under pytest cocotb's runner looks itself.
    tests, failed = get_results(run / "results.xml")
    if failed:
        raise RuntimeError(f"{test_module}: {failed} of {tests} tests failed")
    return run
