# SPDX-License-Identifier: BSD-3-Clause
"""Compiles the benchmark of one build of `truemark` and runs it.

What is shared between builds (Verilator's runtime, the harness without its adapter) is compiled once. Everything is
kept under `build/bench/` by what determines it, so that only what has changed is compiled again.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from truemark_dev import cpp
from truemark_dev.paths import ROOT
from truemark_dev.sources import file_list, use_packaged_verilator

BITS = ("STORE_AND_FORWARD", "FLAGS_VERDICT", "ULTRA", "RED", "RED_LINUX", "CODEL", "MARKED_COPY")
HERE = Path(__file__).resolve().parent
RTL = ROOT / "rtl"
KEPT = ROOT / "build" / "bench"
LEVEL = "-O2"
CXX_FLAGS = ("-Wall", "-Wextra")
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
    red_linux: bool = False  # of RED: it can space signals as Linux does
    codel: bool = False
    rewrite: bool = False  # without MARKED_COPY

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
            **({"RED_LINUX": 1} if self.red_linux else {}),
            **({"CODEL": 1} if self.codel else {}),
            **({"MARKED_COPY": 0} if self.rewrite else {}),
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
    sources = [*file_list(rtl / "truemark.f"), rtl / "truemark.f", *rtl.glob("*.svh")]
    recipe = [parameters, VERILATOR_FLAGS, CXX_FLAGS, version("verilator"), _digests([*sources, *_harness()])]
    folder = KEPT / f"{build.tag}{'.full' if build.full else ''}-{_digest(json.dumps(recipe).encode())}"
    program = folder / "bench"
    with cpp.locked(folder / "lock"):
        if program.exists():
            return program
        harness = _harness_objects()
        generics = [f"-G{name}={_sized(name, value)}" for name, value in parameters.items()]
        cpp.run("verilator", *VERILATOR_FLAGS, "--prefix", "Vtruemark", "--top-module", "truemark", *generics,
                "-Mdir", folder, "-F", rtl / "truemark.f")  # fmt: skip
        switches = {"RED": int(build.red), "CODEL": int(build.codel)}
        macros = [f"-DBENCH_{name}={value}" for name, value in (parameters | switches).items()]
        objects = cpp.compile_verilated(
            folder, "Vtruemark", LEVEL, often=[HERE / "device.cpp"], flags=[*CXX_FLAGS, *macros]
        )
        cpp.link(program, [*objects, *harness])
    return program


def _harness() -> list[Path]:
    return sorted([*HERE.glob("*.cpp"), *HERE.glob("*.h")])


def _harness_objects() -> list[Path]:
    """Compile the part of the harness that does not depend on the build."""
    sources = [path for path in _harness() if path.suffix == ".cpp" and path.name != "device.cpp"]
    words = [cpp.compiler(), *cpp.FLAGS, LEVEL, *CXX_FLAGS]
    folder = KEPT / f"harness-{_digest(json.dumps([words, _digests(_harness())]).encode())}"
    objects = [folder / f"{path.stem}.o" for path in sources]
    with cpp.locked(folder / "lock"):
        for source, target in zip(sources, objects, strict=True):
            if not target.exists():
                cpp.produce(target, *words, "-c", source)
    return objects


def _sized(name: str, value: int) -> str:
    """Write one-bit parameters as one bit: a plain number is 32 bits to Verilator."""
    return f"1'b{value}" if name in BITS else str(value)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


def _digests(paths: Sequence[Path]) -> list[list[str]]:
    return [[path.name, _digest(path.read_bytes())] for path in paths]
