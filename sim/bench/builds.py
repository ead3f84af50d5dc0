# SPDX-License-Identifier: BSD-3-Clause
"""Compiles the benchmark of one build of `truemark` and runs it.

What is shared between builds (Verilator's runtime, the harness without its adapter) is compiled once. Everything is
kept under `build/bench/` by what determines it, so that only what has changed is compiled again.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from cocotb_tests.verilate import ROOT, use_packaged_verilator

BITS = ("STORE_AND_FORWARD", "FLAGS_VERDICT", "ULTRA", "RED", "CODEL")
HERE = Path(__file__).resolve().parent
RTL = ROOT / "rtl"
KEPT = ROOT / "build" / "bench"
CXX_FLAGS = ("-std=c++20", "-O2", "-Wall", "-Wextra")
# The Verilated class and its runtime, without coverage, timing or traces.
MODEL_FLAGS = (
    "-std=c++20",
    "-O2",
    "-DVERILATOR=1",
    *(f"-DVM_{feature}=0" for feature in ("COVERAGE", "SC", "TIMING", "TRACE", "TRACE_FST", "TRACE_VCD", "TRACE_SAIF")),
)
VERILATOR_FLAGS = ("--cc", "--assert", "-O3", "--x-assign", "unique", "--x-initial", "unique", "-Wno-fatal")


@dataclass(frozen=True)
class Build:
    """The parameters of `truemark` that a benchmark is run on."""

    data_w: int
    ports: int
    rows: int
    descriptors: int = 508
    store_and_forward: bool = False
    flags_verdict: bool = False
    ultra: bool = False
    red: bool = False
    codel: bool = False

    @property
    def full(self) -> bool:
        """Tell whether it has every policy."""
        return self.red and self.codel

    @property
    def parameters(self) -> dict[str, int]:
        """Return the parameters by the names the RTL has for them."""
        return {
            "PORTS": self.ports,
            "DATA_W": self.data_w,
            "ROWS": self.rows,
            "DESCRIPTORS": self.descriptors,
            "STORE_AND_FORWARD": int(self.store_and_forward),
            "FLAGS_VERDICT": int(self.flags_verdict),
            "ULTRA": int(self.ultra),
            **({"RED": 1} if self.red else {}),
            **({"CODEL": 1} if self.codel else {}),
        }

    @property
    def storage(self) -> int:
        """Return the bytes of storage per port."""
        return self.rows * self.data_w // 8

    @property
    def tag(self) -> str:
        """Return the build as it stands in keys, as report.cpp forms it."""
        if self.full:
            return str(self.data_w)  # its keys name a policy that no other build has
        options = ("flags", self.flags_verdict), ("ultra", self.ultra), ("store_and_forward", self.store_and_forward)
        return ".".join([str(self.data_w), *(name for name, chosen in options if chosen)])


@dataclass
class Result:
    """Figures by key, and in words whatever went wrong beside them."""

    figures: dict[str, float] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def add(self, other: Result) -> None:
        """Take over another's."""
        self.figures |= other.figures
        self.failures += other.failures


def measure(build: Build, groups: Sequence[str], *, quick: bool = False, rtl: Path = RTL) -> Result:
    """Run the named groups of bench.cpp on a build."""
    command = [str(compile_bench(build, rtl)), *(["--quick"] if quick else []), *groups]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        said = json.loads(run.stdout)
    except json.JSONDecodeError:
        end = "\n".join((run.stdout + run.stderr).splitlines()[-5:])
        return Result(failures=[f"{build.tag} {' '.join(groups)}: ended with {run.returncode}: {end}"])
    return Result(said["figures"], said["failures"])


def compile_bench(build: Build, rtl: Path = RTL) -> Path:
    """Return the program that measures `build`, compiled from `rtl`."""
    use_packaged_verilator()
    parameters = build.parameters
    sources = [*sorted(rtl.rglob("*.sv")), rtl / "truemark.f"]
    recipe = [parameters, VERILATOR_FLAGS, MODEL_FLAGS, version("verilator"), _digests([*sources, *_harness()])]
    folder = KEPT / f"{build.tag}{'.full' if build.full else ''}-{_digest(json.dumps(recipe).encode())}"
    program = folder / "bench"
    with _lock(folder):
        if program.exists():
            return program
        shared = [*_runtime(), *_harness_objects()]
        generics = [f"-G{name}={_sized(name, value)}" for name, value in parameters.items()]
        _run("verilator", *VERILATOR_FLAGS, "--prefix", "Vtruemark", "--top-module", "truemark", *generics,
             "-Mdir", folder, "-F", rtl / "truemark.f")  # fmt: skip
        # One file for the compiler: the headers are read once.
        parts = sorted(path.name for path in folder.glob("Vtruemark*.cpp"))
        (folder / "model.cc").write_text("".join(f'#include "{part}"\n' for part in parts))
        _run(_cxx(), *MODEL_FLAGS, *_include(), "-c", "-o", folder / "model.o", folder / "model.cc")
        switches = {"RED": int(build.red), "CODEL": int(build.codel)}
        macros = [f"-DBENCH_{name}={value}" for name, value in (parameters | switches).items()]
        _run(
            _cxx(), *CXX_FLAGS, *_include(), "-I", folder, *macros, "-c", "-o", folder / "device.o", HERE / "device.cpp"
        )
        _run(_cxx(), "-o", folder / "partial", folder / "device.o", folder / "model.o", *shared, "-lpthread")
        (folder / "partial").rename(program)
    return program


def _harness() -> list[Path]:
    return sorted([*HERE.glob("*.cpp"), *HERE.glob("*.h")])


def _harness_objects() -> list[Path]:
    """Compile the part of the harness that does not depend on the build."""
    sources = [path for path in _harness() if path.suffix == ".cpp" and path.name != "device.cpp"]
    folder = KEPT / f"harness-{_digest(json.dumps([CXX_FLAGS, _digests(_harness())]).encode())}"
    objects = [folder / f"{path.stem}.o" for path in sources]
    with _lock(folder):
        for source, target in zip(sources, objects, strict=True):
            if not target.exists():
                _compile(source, target, *CXX_FLAGS)
    return objects


def _runtime() -> list[Path]:
    """Compile the parts of Verilator's runtime that a model without traces needs."""
    folder = KEPT / f"runtime-{_digest(json.dumps([MODEL_FLAGS, version('verilator')]).encode())}"
    objects = [folder / "verilated.o", folder / "verilated_threads.o"]
    with _lock(folder):
        for target in objects:
            if not target.exists():
                _compile(_verilator_include() / f"{target.stem}.cpp", target, *MODEL_FLAGS, *_include())
    return objects


def _compile(source: Path, target: Path, *flags: str) -> None:
    partial = target.with_suffix(".partial")
    _run(_cxx(), *flags, "-c", "-o", partial, source)
    partial.rename(target)


def _cxx() -> str:
    return os.environ.get("CXX", "g++")


def _verilator_include() -> Path:
    return Path(os.environ["VERILATOR_ROOT"]) / "include"


def _include() -> list[str]:
    return [
        part for path in (_verilator_include(), _verilator_include() / "vltstd") for part in ("-isystem", str(path))
    ]


def _sized(name: str, value: int) -> str:
    """Write one-bit parameters as one bit: a plain number is 32 bits to Verilator."""
    return f"1'b{value}" if name in BITS else str(value)


def _run(*command: str | Path) -> None:
    words = [str(word) for word in command]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(f"{shlex.join(words)} ended with {run.returncode}:\n{run.stdout}{run.stderr}")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


def _digests(paths: Sequence[Path]) -> list[list[str]]:
    return [[path.name, _digest(path.read_bytes())] for path in paths]


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
