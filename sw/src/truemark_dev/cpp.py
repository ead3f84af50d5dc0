# SPDX-License-Identifier: BSD-3-Clause
"""Compiles what Verilator wrote, into one or two objects: reading its headers takes longer than compiling most modules.

What runs in every cycle is one file for the compiler; what runs once is another and is not optimised, and where
nothing is, the two are one. Verilator's runtime and its headers, precompiled, are shared by all builds. What Verilator
wrote is compiled by clang, where it is installed: it takes less than half the time of g++ without optimisation and two
thirds with it, and what it makes runs as fast or faster.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from truemark.files import locked
from truemark_dev.paths import BUILD

KEPT = BUILD / "verilated"
FLAGS = ("-std=c++20",)
NOT_OPTIMISED = "-O0"
# To tidy its memory up takes g++ a tenth of the time of a whole core, and spares a fifth of the memory.
UNTIDY = ("--param", "ggc-min-heapsize=1000000")
# Templates that Verilator's headers need are made once, with the headers; g++ makes them again in each unit.
WITH_TEMPLATES = "-fpch-instantiate-templates"
# Of Verilator's runtime; a program takes no harm from a part that it does not call, and so more of them share one.
USUAL = ("verilated", "verilated_dpi", "verilated_threads")


def compile_verilated(
    folder: Path,
    prefix: str,
    level: str,
    *,
    once: Sequence[Path] = (),
    everywhere: Sequence[str] = (),
) -> list[Path]:
    """Compile what Verilator left in `folder` under `prefix`; return the objects to link.

    `level` (such as -O2) is for what runs in every cycle. The sources `once` are not optimised. The flags `everywhere`
    are Verilator's runtime's too.
    """
    classes = (folder / f"{prefix}_classes.mk").read_text()
    runtime = _Runtime.of(classes, everywhere)
    fast, slow = (
        [f"{name}.cpp" for group in ("CLASSES", "SUPPORT") for name in _listed(classes, f"VM_{group}_{speed}")]
        for speed in ("FAST", "SLOW")
    )
    units = [(level, "fast", fast), (NOT_OPTIMISED, "slow", [*slow, *map(str, once)])]
    if level == NOT_OPTIMISED:
        units = [(level, "all", [*fast, *slow, *map(str, once)])]
    objects = []
    for optimised, name, sources in units:
        unit = folder / f"{name}.unit.cc"
        unit.write_text("".join(f'#include "{source}"\n' for source in sources))
        objects.append(unit.with_suffix(".o"))
        run(*runtime.compiler(optimised), "-I", folder, "-c", "-o", objects[-1], unit)
    return [*objects, *runtime.objects]


def link(program: Path, objects: Sequence[Path], *options: str) -> None:
    """Link a program; it is there only when it is whole. gold, if there is one, takes a fifth of the time of ld."""
    gold = ["-fuse-ld=gold"] if shutil.which("ld.gold") else []
    produce(program, compiler(), *gold, *objects, *options, "-lpthread")


@dataclass(frozen=True)
class _Runtime:
    """Verilator's runtime, compiled with what the features of a build ask for."""

    folder: Path
    words: tuple[str, ...]  # what a compiler is always told
    parts: tuple[str, ...]

    @classmethod
    def of(cls, classes: str, flags: Sequence[str]) -> _Runtime:
        """Compile the runtime that Verilator's _classes.mk asks for, unless it is there."""
        features = re.findall(r"^(VM_(?:COVERAGE|TIMING|TRACE\w*)) = (\d)$", classes, re.MULTILINE)
        macros = ["-DVERILATOR=1", "-DVM_SC=0", *(f"-D{name}={value}" for name, value in features)]
        include = Path(os.environ["VERILATOR_ROOT"]) / "include"
        paths = [word for path in (include, include / "vltstd") for word in ("-isystem", str(path))]
        words = (*FLAGS, *flags, *macros, *paths)
        parts = tuple(dict.fromkeys([*USUAL, *_listed(classes, "VM_GLOBAL_FAST"), *_listed(classes, "VM_GLOBAL_SLOW")]))
        versions = [version(each) for each in (compiler(), rtl_compiler())]
        recipe = json.dumps([words, parts, versions, (include / "verilated_config.h").read_text()])
        runtime = cls(KEPT / hashlib.sha256(recipe.encode()).hexdigest()[:12], words, parts)
        with locked(runtime.folder.with_suffix(".lock")):
            if not all(path.exists() for path in runtime.objects):
                with ThreadPoolExecutor(2) as pool:  # whoever else needs them waits
                    list(
                        pool.map(
                            lambda path: produce(
                                path, *started(compiler()), *words, "-O2", "-c", include / f"{path.stem}.cpp"
                            ),
                            runtime.objects,
                        )
                    )
        return runtime

    @property
    def objects(self) -> list[Path]:
        """Return what is linked to every program."""
        return [self.folder / f"{part}.o" for part in self.parts]

    def compiler(self, level: str) -> list[str]:
        """Return the compiler's words for one level; the headers are precompiled for it."""
        name = rtl_compiler()
        clang = is_clang(name)
        words = [*started(name), *self.words, level]
        header = self.folder / f"headers{level}.h"
        precompiled = header.with_suffix(".h.pch" if clang else ".h.gch")
        with locked(header.with_suffix(".lock")):
            if not precompiled.exists():
                header.write_text("".join(f'#include "{part}.h"\n' for part in self.parts))
                produce(precompiled, *words, *([WITH_TEMPLATES] if clang else []), "-x", "c++-header", header)
        return [*words, *(["-include-pch", str(precompiled)] if clang else ["-include", str(header)])]


def _listed(classes: str, name: str) -> list[str]:
    """Return the names that a list of Verilator's _classes.mk holds."""
    found = re.search(rf"^{name} \+= \\\n((?:  .*\n)*)", classes, re.MULTILINE)
    if found is None:
        raise ValueError(f"Verilator's _classes.mk has no {name}")
    return [word for word in found[1].split() if word != "\\"]


def compiler() -> str:
    """Return the C++ compiler."""
    return os.environ.get("CXX", "g++")


def rtl_compiler() -> str:
    """Return the C++ compiler for what Verilator wrote."""
    return os.environ.get("CXX") or ("clang++" if shutil.which("clang++") else "g++")


def is_clang(name: str) -> bool:
    """Say whether a compiler is clang, whose words are others."""
    return "clang" in Path(name).name


def started(name: str) -> list[str]:
    """Return a compiler with what only it is told."""
    return [name] if is_clang(name) else [name, *UNTIDY]


@cache
def version(name: str) -> str:
    """Return what a compiler says of itself, asked once for all builds of a process."""
    return run(name, "--version")


def run(*command: str | Path) -> str:
    """Run a tool and return what it said; an error shows the command and all that it said."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{shlex.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> None:
    """Verilate and compile for Ninja: ARCHIVE LEVEL [FLAG ...] -- VERILATOR'S WORDS.

    Leaves an archive of all there is to link, and next to it the list of what Verilator read.
    """
    split = sys.argv.index("--")
    name, level, *flags = sys.argv[1:split]
    archive = Path(name)
    folder, prefix = archive.parent, archive.name.removesuffix("__ALL.a")
    folder.mkdir(parents=True, exist_ok=True)
    run("verilator", *sys.argv[split + 1 :], "-Mdir", folder)
    objects = compile_verilated(folder, prefix, level, everywhere=flags)
    archive.unlink(missing_ok=True)
    run("ar", "rcs", archive, *objects)
    read = (folder / f"{prefix}__ver.d").read_text().split(" : ", 1)[1]
    archive.with_name(f"{archive.name}.d").write_text(f"{archive}: {read}")


def produce(target: Path, *command: str | Path) -> None:
    """Run a compiler for a file that is there only when it is whole."""
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f"{target.name}.partial")
    run(*command, "-o", partial)
    partial.rename(target)


if __name__ == "__main__":
    main()
