# SPDX-License-Identifier: BSD-3-Clause
"""Makes what is asked for and what that needs, nothing else: engines, lockstep, benches, the lab's runner, programs.

    python -m truemark_dev.build engine:both_full lockstep:ls512     by name
    python -m truemark_dev.build lockstep-short                      a set of builds.toml
    python -m truemark_dev.build build/sim/lockstep/ls256/lockstep   by path
    python -m truemark_dev.build --list                              every name, with its path

A Ninja file says how; it is written again at each call, so it knows every source there is: programs.py says which a
program is made of, nothing lists them. A Verilated model depends on the files that Verilator read for it.
"""

from __future__ import annotations

import argparse
import io
import os
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import ninja
from ninja.ninja_syntax import Writer

from truemark.files import locked
from truemark.screen import until_the_reader_leaves
from truemark_dev import builds, cpp, ns3
from truemark_dev.builds import Build
from truemark_dev.packaged import use_packaged_verilator
from truemark_dev.paths import ROOT
from truemark_dev.programs import closure, has_main, headers, included, knows_build
from truemark_dev.sources import file_list, needed, waves

SIM = Path("build/sim")
SHARED = SIM / "objects"
ENGINES = Path("build/engines")
FLAGS = "-std=c++20 -O2 -Wall -Wextra -fPIC -fvisibility=hidden"
VERILATOR = "--cc -O3 --x-assign fast --x-initial unique --assert --quiet -Wno-fatal"
RUNTIME = "-fPIC -fvisibility=hidden -DVL_USER_STOP"
# Roots of a library behind truemark.h, next to make_<engine>.cpp.
ABI = ("sim/engine/abi.cpp", "sim/engine/build.cpp")
# What the pins look at that is no pin.
LOOKED_AT = "sim/dut/public.vlt"
POOL_LOOKED_AT = "sim/dut/pool.vlt"
# Linked as one with what Verilator wrote, for speed: the pins of the model. The rest is another unit.
SHARED_MEMORY = ("sim/model/pool.cpp", "sim/model/pause_levels.cpp")  # what the lab has of the model
PINS = ("rtl_pins", "axil_master")
TUNED = "-O2 -fno-tracer -fno-unroll-loops -fno-peel-loops"


@dataclass(frozen=True)
class Foreign:
    """A pipeline that stands in no file list of ours: target `pipeline:<name>` is the bench around it."""

    build: Build  # its name, its top as `module`, its PORTS and DATA_W
    words: Sequence[str]  # for Verilator: its sources, and how to read them
    level: str  # how far the C++ compiler optimises


def make(
    *names: str,
    rtl: Path = Path("rtl"),
    out: Path = SIM,
    quiet: bool = False,
    keep_going: bool = False,
    foreign: Foreign | None = None,
) -> list[Path]:
    """Make targets, by name or path; return their files. One process at a time makes anything.

    No names: nothing, where Ninja would make everything. `rtl` is another copy of the design, whose Verilated models,
    and what is linked to them, go under `out`.
    """
    if not names:
        return []
    listed = builds.targets(names)
    plan = Plan(rtl, out, foreign)
    files = [plan.file_of(name) for name in listed]
    failures = "0" if keep_going else "1"  # after which Ninja stops; 0 is never
    command = [f"{ninja.BIN_DIR}/ninja", "-k", failures, "-f", str(out / "build.ninja"), *map(str, files)]
    with locked(ROOT / SIM / "lock"):
        (ROOT / out).mkdir(parents=True, exist_ok=True)
        (ROOT / out / "build.ninja").write_text(plan.text)
        if not quiet:
            print(f"building {' '.join(names)} where it is not up to date", file=sys.stderr, flush=True)
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = "\n".join((done.stdout + done.stderr).splitlines()[-40:])
        raise RuntimeError(f"building {' '.join(names)} failed\n{said}")
    return [ROOT / file for file in files]


class Plan:
    """The Ninja file of everything there is to make, and the names of what can be asked for."""

    def __init__(self, rtl: Path = Path("rtl"), out: Path = SIM, foreign: Foreign | None = None) -> None:
        """Write the file's text."""
        self.rtl, self.out = rtl, out
        self.names: dict[str, Path] = {}
        self.sources: dict[str, list[str]] = {}  # of a tuned lockstep, by name
        self._objects: dict[Path, Path] = {}
        self._sources: dict[tuple[str, Path], list[str]] = {}
        text = io.StringIO()
        self._ninja = Writer(cast("Any", text), 118)
        self._rules()
        self._model_engine()
        for build in builds.builds("engine").values():
            self._engines(build)
        for build in builds.builds("lockstep").values():
            self._lockstep(build)
        for main in sorted(path for path in (ROOT / "sim/model").glob("*.cpp") if has_main(path)):
            objects = [self._object(source) for source in closure(os.path.relpath(main, ROOT))]
            self._file(f"program:{main.stem}", SIM / "model" / main.stem, "link", objects)
        for group in ("bench", "bench-small"):
            for build in builds.builds(group).values():
                self._bench(group, build)
        for build in builds.builds("pipeline").values():
            self._pipeline(build)
        if foreign:
            self._pipeline(foreign.build, foreign.words, foreign.level)
        self._golden()
        self._lab()
        self.text = text.getvalue()

    def file_of(self, name: str) -> Path:
        """Return the file that a name stands for, or a path as it is."""
        return Path(name) if "/" in name else builds.known(name, self.names, "target")

    def _rules(self) -> None:
        use_packaged_verilator()
        rule, variable = self._ninja.rule, self._ninja.variable
        variable("builddir", str(SIM))
        include = f"{os.environ['VERILATOR_ROOT']}/include"
        variable("verilated", f"-isystem {include} -isystem {include}/vltstd")
        compiler = cpp.compiler()
        rule("cxx", f"{compiler} $flags -MMD -MF $out.d -c -o $out $in", depfile="$out.d", deps="gcc")
        rule("link", f"{compiler} $flags -o $out $in $libs")
        verilate = (
            f"{sys.executable} -m truemark_dev.cpp $out $level {RUNTIME} -- {VERILATOR} --prefix Vtruemark $options"
        )
        rule("verilate", verilate, depfile="$out.d", deps="gcc")
        rule("tune", f"{sys.executable} -m truemark_dev.build --tune $out $model $in -- $flags")
        rule("ns3", f"{sys.executable} -m truemark_dev.ns3 $out")

    def _file(
        self,
        name: str,
        path: Path,
        rule: str,
        inputs: Iterable[Path | str],
        implicit: Iterable[Path | str] = (),
        **more: Path | str,
    ) -> Path:
        """Write how a file is made; return it."""
        needs = [str(each) for each in implicit]
        variables = {key: str(value) for key, value in more.items()}
        self._ninja.build([str(path)], rule, [str(each) for each in inputs], implicit=needs, variables=variables)
        if name:
            self.names[name] = path
        return path

    def _object(self, source: str, flags: str = FLAGS, folder: Path = SHARED) -> Path:
        """Return what a source compiles to, the same for every build."""
        path = folder / Path(source).with_suffix(".o").relative_to("sim")
        if path not in self._objects:
            self._objects[path] = self._file("", path, "cxx", [source], flags=flags)
        return path

    def _objects_of(self, roots: Sequence[str], build: Build, model: Path, switches: str) -> list[Path]:
        """Return the objects of a program: sources that know the build they are compiled for are its own.

        Those of a folder are one unit: to read Verilator's headers takes longer than to compile what follows them.
        """
        own: dict[str, list[str]] = {}
        objects = []
        for source in closure(*roots):
            if knows_build(source):
                own.setdefault(Path(source).parent.name, []).append(source)
            else:
                objects.append(self._object(source))
        for first, *more in own.values():
            unit = model.parent / f"{Path(first).stem}.o"
            if unit not in self._objects:
                words = [*build.macros(), *switches.split(), *(f"-include{source}" for source in more)]
                flags = f"{FLAGS} {shlex.join(words)} $verilated -I{model.parent}"
                self._objects[unit] = self._file("", unit, "cxx", [first], flags=flags, implicit=[model])
            objects.append(unit)
        return objects

    def _around(
        self,
        name: str,
        path: Path,
        roots: Sequence[str],
        build: Build,
        model: Path,
        switches: str = "",
        flags: str = "",
    ) -> None:
        """Link a program, or a library, around a Verilated model."""
        self._file(name, path, "link", [*self._objects_of(roots, build, model, switches), model], flags=flags)

    def _verilated(
        self, folder: Path, build: Build, *extra: str, harness: Sequence[str] = (), level: str = "-O2"
    ) -> Path:
        """Make a model of a build, with what else Verilator is told; a harness is its top."""
        words = [*build.generics(), *extra, f"+incdir+{self.rtl}", *self._sources_of(build, harness)]
        return self._model(folder, _top(build, harness), words, level)

    def _sources_of(self, build: Build, harness: Sequence[str]) -> list[str]:
        """Return what Verilator is given of the design."""
        listing = ROOT / self.rtl / Path(build.listing).relative_to("rtl")
        top = _top(build, harness)
        if (top, listing) not in self._sources:
            found = needed(top, file_list(listing), [ROOT / path for path in harness])
            self._sources[top, listing] = [os.path.relpath(path, ROOT) for path in found]
        return self._sources[top, listing]

    def _model(self, folder: Path, top: str, more: Sequence[str], level: str) -> Path:
        words = ["--top-module", top, *more]
        return self._file("", folder / "Vtruemark__ALL.a", "verilate", [], level=level, options=shlex.join(words))

    def _model_engine(self) -> None:
        objects = [self._object(source) for source in closure("sim/engine/make_model.cpp", *ABI)]
        self._file("engine:model", ENGINES / "libtruemark_model.so", "link", objects, flags="-shared")
        objects = [self._object(source) for source in closure("sim/scoreboard/scoreboard_abi.cpp")]
        self._file("scoreboard", ENGINES / "libtruemark_scoreboard.so", "link", objects, flags="-shared -s")

    def _engines(self, build: Build) -> None:
        """Engines over the RTL can write waveforms and be saved; the pipeline takes no frames, so is not optimised.

        With -O2 a replay takes as long, and compiling half as long again.
        """
        pipeline = build.module != "truemark"
        folder = self.out / ("netfpga" if pipeline else "rtl") / build.name
        extra = () if pipeline else ("--trace-vcd", "--savable", LOOKED_AT)
        model = self._verilated(folder, build, *extra, level="-O0" if pipeline else "-O1")
        for kind in ("netfpga",) if pipeline else ("rtl", "both"):
            roots, name = (f"sim/engine/make_{kind}.cpp", *ABI), f"{kind}_{build.name}"
            library, switches = ENGINES / f"libtruemark_{name}.so", "-DTM_WAVES=1 -DTM_SAVABLE=1"
            self._around(f"engine:{name}", library, roots, build, model, switches, "-shared")

    def _lockstep(self, build: Build) -> None:
        """With WAVES=1 lockstep can write a waveform; tuned, it is compiled for what it met in a first run.

        A short run (`short:`) gains less from -O2 than compiling takes.
        """
        extra = ["--trace-vcd"] * waves() + [POOL_LOOKED_AT] * build.complete["POOL"]
        switches = f"-DTM_WAVES={int(waves())} -DTM_REGISTERED=1"
        harness, roots = ["sim/dut/registered_pins.sv"], ["sim/lockstep/main.cpp"]
        for kind, level in (("lockstep", "-O2"), ("short", "-O1")):
            folder = self.out / f"{kind}{'-waves' * waves()}" / build.name
            model = self._verilated(folder, build, *extra, harness=harness, level=level)
            self._around(f"{kind}:{build.name}", folder / "lockstep", roots, build, model, switches)
        flags = shlex.join([*build.macros(), *switches.split()]) + f" $verilated -I{folder}"
        sources, tuned = closure(*roots), self.out / "tuned" / build.name / "lockstep"
        name, read = f"tuned:{build.name}", headers(sources)
        self._file(name, tuned, "tune", sources, implicit=[model, *read], model=model, flags=flags)
        macros = sorted(os.path.relpath(path, ROOT) for path in (ROOT / self.rtl).glob("*.svh"))
        self.sources[name] = [*self._sources_of(build, harness), *macros, POOL_LOOKED_AT, *sources, *read]

    def _bench(self, group: str, build: Build) -> None:
        folder = self.out / group / build.name
        model = self._verilated(folder, build, LOOKED_AT, level="-O1")  # a short run gains less than compiling takes
        self._around(f"{group}:{build.name}", folder / "bench", ["sim/bench/bench.cpp"], build, model)

    def _pipeline(self, build: Build, words: Sequence[str] = (), level: str = "-O2") -> None:
        folder = self.out / "pipeline" / build.name
        model = self._model(folder, build.module, words, level) if words else self._verilated(folder, build)
        self._around(f"pipeline:{build.name}", folder / "pipeline", ["sim/bench/pipeline.cpp"], build, model)

    def _golden(self) -> None:
        """Link the golden model to Python, by nanobind, which wants its own way of aliasing."""
        nanobind, root = header_package("nanobind"), Path("build/golden")
        flags = f"{FLAGS} -fno-strict-aliasing -DNDEBUG"
        for folder in (nanobind, nanobind.parent / "ext/robin_map/include", Path(sysconfig.get_paths()["include"])):
            flags += f" -isystem {folder}"
        binding, *sources = closure("sim/model/python.cpp")
        objects = [self._object(source) for source in sources]
        for source in (Path(binding), nanobind.parent / "src/nb_combined.cpp"):
            objects.append(self._file("", root / f"{source.stem}.o", "cxx", [source], flags=flags))
        path = root / f"truemark_model{sysconfig.get_config_var('EXT_SUFFIX')}"
        self._file("golden", path, "link", objects, flags="-shared")

    def _lab(self) -> None:
        """Link the lab's runner to ns-3, whose headers must be read as its libraries were.

        Workloads are one unit, in a quarter of the time that they take one by one.
        """
        ready = self._file("", ns3.FOLDER / "requirements.lock", "ns3", [ns3.LOCK])
        flags = "-std=c++20 -O2 -Wall -Wextra -DNS3_ASSERT_ENABLE -DNS3_LOG_ENABLE"
        for folder in (ns3.FOLDER / "ns3/include", header_package("nlohmann_json")):
            flags += f" -isystem {folder}"
        own = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "sim/lab/ns3").glob("*.cpp"))]
        first, *more = [source for source in own if "sim/lab/ns3/workload.h" in included(source)]
        units = {source: "" for source in (*own, *SHARED_MEMORY) if source not in more}
        units[first] = "".join(f" -include{source}" for source in more)
        objects = [
            self._file(
                "", Path(f"build/lab/{Path(source).stem}.o"), "cxx", [source], flags=flags + others, implicit=[ready]
            )
            for source, others in units.items()
        ]
        place = ROOT / ns3.FOLDER / "ns3/lib64"
        libraries = " ".join(f"-lns3.44-{name}" for name in ns3.LIBRARIES)
        linked = f"-L{place} {libraries} -ldl -Wl,-rpath,{place}"
        self._file("lab-runner", Path("build/lab/lab-runner"), "link", objects, libs=linked)


def _top(build: Build, harness: Sequence[str]) -> str:
    return Path(harness[0]).stem if harness else build.module


def header_package(name: str) -> Path:
    """Return the folder of the C++ headers that a Python package carries; it is not imported."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise RuntimeError(f"the package {name} is not installed in this environment: run `make venv`")
    return Path(spec.origin).parent / "include"


def tune(program: Path, model: Path, sources: Sequence[str], flags: Sequence[str]) -> None:
    """Compile lockstep for what it meets in a first run, as two units: what runs in every cycle, and the rest.

    The first is what Verilator wrote, its runtime and the pins; of the archive only what runs once is taken. What a
    cycle runs through fills the first cache of a processor, so nothing copies code (tracer, loops).
    """
    folder = program.parent
    for old in folder.glob("*.gcda"):
        old.unlink()
    pins = [source for source in sources if Path(source).stem in PINS]
    rest = [source for source in sources if source not in pins]
    rtl = (model.parent / "fast.unit.cc").read_text() + _includes(["verilated.cpp", "verilated_threads.cpp", *pins])
    units = {"rtl": rtl, "rest": _includes(rest)}
    macros = [f"-DVM_{name}=0" for name in ("SC", "COVERAGE", "TIMING", "TRACE", "TRACE_VCD")]
    words = ["-std=c++20", "-w", *TUNED.split(), *flags, "-I.", "-DVERILATOR=1", *macros, "-DVL_USER_STOP"]
    for step in ("generate", "use"):
        for unit, text in units.items():
            (folder / f"{unit}.cc").write_text(text)
            cpp.run(
                cpp.compiler(), *words, f"-fprofile-{step}", "-c", "-o", folder / f"{unit}.o", folder / f"{unit}.cc"
            )
        objects = [folder / f"{unit}.o" for unit in units]
        cpp.produce(program, cpp.compiler(), *TUNED.split(), f"-fprofile-{step}", *objects, model)
        if step == "generate":
            cpp.run(program, "--frames", "30000", "--seed", "7", "--lengths", "imix")


def _includes(sources: Iterable[str]) -> str:
    return "".join(f'#include "{source}"\n' for source in sources)


def _tune_words(words: Sequence[str]) -> None:
    program, model, *rest = words
    split = rest.index("--")
    tune(Path(program), Path(model), rest[:split], rest[split + 1 :])


def main() -> int:
    """Make what is named on the command line."""
    if sys.argv[1:2] == ["--tune"]:
        _tune_words(sys.argv[2:])
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--list", action="store_true", help="print what there is")
    parser.add_argument("--rtl", type=Path, default=Path("rtl"), help="another copy of rtl/, relative to the project")
    parser.add_argument("--out", type=Path, default=SIM, help="where what is built from it goes")
    options = parser.parse_args()
    if options.list:
        for name, path in Plan().names.items():
            print(f"{name:28} {path}")
        return 0
    try:
        for path in make(*options.targets or Plan().names, rtl=options.rtl, out=options.out):
            print(path.relative_to(ROOT))
    except (ValueError, RuntimeError) as error:
        print(f"build: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    with until_the_reader_leaves():
        code = main()
    sys.exit(code)
