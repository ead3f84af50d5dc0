# SPDX-License-Identifier: BSD-3-Clause
"""Lint and the tests of what changed, in about a minute: `make check`.

    python -m truemark_dev.check                 since the last commit, or of the last commit if nothing changed since
    python -m truemark_dev.check --base main     since another commit
    python -m truemark_dev.check --list          only say which tests that is
    python -m truemark_dev.check --list rtl/parse/tm_framer.sv      which tests a file has

A module's tests are those of its own name; a part's, which has none, those of the nearest modules that it is a part of;
then those of the modules that instantiate it. A Python file's are those that import it; what is in another language has
those of its folder. What does not fit into the time, and what has no quick test (lockstep, proofs), is named, not run.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from truemark_dev import lint
from truemark_dev.paths import ROOT

SECONDS = 60
# The tests of what is neither SystemVerilog nor Python, by the beginning of its path: the first that fits.
OTHERS = {
    "Makefile": ["sw/tests/dev/test_commands.py"],
    "constraints/": ["sw/tests/netfpga/test_vivado_scripts.py"],
    "docs/": ["sw/tests/dev/test_results.py"],
    "rtl/spinal/": ["sim/tests/test_spinal.py"],
    "rtl/": ["sw/tests/dev/test_freshness.py"],
    "sim/bench/": ["sim/tests/test_bench_figures.py"],
    "sim/dut/": ["sim/tests/test_lockstep.py"],
    "sim/engine/": ["sim/tests/test_engines.py", "sim/tests/test_engine_pool.py"],
    "sim/lab/": ["sw/tests/lab/test_lab.py", "sw/tests/lab/test_lab_papers.py"],
    "sim/lockstep/": ["sim/tests/test_lockstep.py"],
    "sim/model/": ["sim/tests/test_model.py", "sim/tests/test_engines.py"],
    "sim/scoreboard/": ["cocotb_tests/top/test_scoreboard.py"],
    "sw/c/": ["sw/tests/test_c_driver.py"],
    "sw/profiles/": ["sw/tests/test_profile.py"],
    "sw/src/truemark_dev/": ["sw/tests/dev/test_freshness.py", "sw/tests/dev/test_builds.py"],
    "sw/src/truemark/templates/": ["sw/tests/lab/test_lab_pictures.py", "sw/tests/test_demo.py"],
    "sw/src/truemark/watch/": ["sw/tests/test_web.py"],
    "sw/tests/": ["sw/tests/test_tc_itself.py"],
}
WORDS = (".md", ".yml", ".yaml", ".svg", ".json", ".jsonl", ".lock")  # `make lint` and CI look at them
# What the tests of a changed file cannot show, by the folder of the file.
LEFT_OUT = {
    "rtl/": "`make lockstep-short`, `make formal`, `make test-slow`, tests of modules further up",
    "sim/model/": "`make lockstep-short`",
    "sim/dut/": "`make lockstep-short`",
    "sim/lockstep/": "`make lockstep-short`",
    "sim/formal/": "`make formal`",
    "sim/bench/": "`make bench`",
    "sim/lab/ns3/": "`make lab`",
}


def changed(base: str | None) -> list[str]:
    """Return the files that differ from `base`, new ones among them; by default of the last commit if none do."""
    new = _git("ls-files", "--others", "--exclude-standard")
    found = _git("diff", "--name-only", "--diff-filter=d", base or "HEAD") + new
    return found or _git("diff", "--name-only", "--diff-filter=d", "HEAD~1", "HEAD")


def tests_of(files: Iterable[str]) -> list[str]:
    """Return the test files of what changed, the nearest first."""
    near: dict[str, None] = {}
    far: dict[str, None] = {}
    for name in files:
        path = Path(name)
        if path.name.startswith("test_"):
            near[name] = None
        elif path.suffix in (".sv", ".svh"):
            near |= dict.fromkeys(of_module(path.stem))
            for parent in _mentions(path.stem):
                far |= dict.fromkeys(of_module(parent))
        elif path.suffix == ".py":
            module = re.escape(path.stem)
            package = re.escape(".".join(path.parent.parts[2:] if name.startswith("sw/src/") else path.parent.parts))
            imports = re.compile(rf"^(?:from|import) {package}(?:\.{module}\b| import .*\b{module}\b)", re.MULTILINE)
            near |= dict.fromkeys(test for test in _tests() if imports.search((ROOT / test).read_text()))
        elif path.suffix not in WORDS:
            near |= dict.fromkeys(next((tests for start, tests in OTHERS.items() if name.startswith(start)), []))
    return [*near, *(test for test in far if test not in near)]


@cache
def of_module(module: str) -> list[str]:
    """Return a module's own tests; a part has none, and those of the nearest modules that it is a part of are its."""
    return own(module) or list(dict.fromkeys(test for whole in _mentions(module) for test in of_module(whole)))


@cache
def _tests() -> list[str]:
    return [str(path.relative_to(ROOT)) for path in lint.files("*.py") if path.name.startswith("test_")]


@cache
def own(module: str) -> list[str]:
    """Return the tests that are called after a module, or else build it."""
    builds = re.compile(rf'build_and_(?:test|fail)\(\s*"{module}"')
    called = re.compile(rf"test_{module}(_\w+)?\.py")
    tests = [test for test in _tests() if called.fullmatch(Path(test).name)]
    return tests or [test for test in _tests() if builds.search((ROOT / test).read_text())]


def _mentions(module: str) -> list[str]:
    """Return the modules whose sources name this one."""
    word = re.compile(rf"^\s*{module}\b(?!\.)", re.MULTILINE)
    return [path.stem for path in lint.files("rtl/*.sv") if path.stem != module and word.search(path.read_text())]


def _git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.splitlines() if (ROOT / name).is_file()]


def main() -> int:
    """Check what changed; say what that leaves out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE", help="taken as changed; git is not asked")
    parser.add_argument("--base", help="the commit to compare with")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--seconds", type=int, default=SECONDS)
    options = parser.parse_args()
    files = options.files or changed(options.base)
    tests = tests_of(files)
    print(f"{len(files)} changed files: {', '.join(files[:8])}{' ...' if len(files) > 8 else ''}")
    print(f"{len(tests)} test files: {' '.join(tests)}", flush=True)
    if alone := [name for name in files if not name.endswith(WORDS) and not tests_of([name])]:
        print(f"no test is near to {', '.join(alone)}", flush=True)
    if options.list:
        return 0
    failed = lint.main(["--changed", *files])
    if tests:
        pytest = ["-q", "-n", "2", f"--budget={options.seconds}", *tests]
        failed += subprocess.run([sys.executable, "-m", "pytest", *pytest], cwd=ROOT, check=False).returncode != 0
    for folder, what in LEFT_OUT.items():
        if any(name.startswith(folder) for name in files):
            print(f"not run, although {folder} changed: {what}")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
