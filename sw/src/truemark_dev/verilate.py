# SPDX-License-Identifier: BSD-3-Clause
"""Builds for cocotb tests: one Verilator build of the sources that a module needs, kept and shared."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Unpack

from cocotb_tools import config
from cocotb_tools import runner as cocotb_runner

from truemark.files import locked
from truemark_dev import build_type, cpp, paths
from truemark_dev.packaged import use_packaged_verilator
from truemark_dev.paths import ROOT
from truemark_dev.sources import FILE_LIST, BuildOptions, Parameter, file_list, needed, waves

BUILD = paths.BUILD / "cocotb"
# A simulation spends its time in Python; to optimise takes longer than it saves.
LEVEL = cpp.NOT_OPTIMISED
# The headers of later standards take longer to read than most modules take to compile.
STANDARD = "-std=c++17"

SIZED = re.compile(r"\d+'h[0-9a-f]+")  # a number that takes more bits than an int of Verilog's

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


def build(toplevel: str, **options: Unpack[BuildOptions]) -> Path:
    """Build with Verilator unless the same build is there; return its folder."""
    use_packaged_verilator()
    extra = [ROOT / path for path in options.get("extra_sources", ())]
    if "sources" in options:
        files = [ROOT / path for path in options["sources"]] + extra
    else:
        files = needed(toplevel, file_list(ROOT / options.get("listing", FILE_LIST)), extra)
    args = [
        *BUILD_ARGS,
        f"+incdir+{FILE_LIST.parent}",
        *options.get("build_args", ()),
        *(["--trace-structs"] if waves() else []),
    ]
    parameters: Mapping[str, Parameter] = options.get("parameters", {})
    for path in files:
        if path.stem == toplevel:
            parameters = build_type.for_module(path, parameters)
    literals = {name: _literal(value) for name, value in sorted(parameters.items())}
    defined = dict(sorted(options.get("defines", {}).items()))
    seen = [(toplevel, each) for each in options.get("signals", ("*",))]
    for module, _, signal in (each.partition(".") for each in options.get("seen", ())):
        seen.append((module, signal or "*"))
    recipe = {
        "toplevel": toplevel,
        "seen": seen,
        "parameters": literals,
        "defines": defined,
        "args": args,
        "compiler": [LEVEL, STANDARD],
        "waves": waves(),
        "verilator": version("verilator"),
        "cocotb": version("cocotb"),
        "sources": [
            [os.path.relpath(path, ROOT), hashlib.sha256(build_type.expanded(path).encode()).hexdigest()]
            for path in files
        ],
    }
    text = json.dumps(recipe, indent=1)
    folder = BUILD / f"{toplevel}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    folder.mkdir(parents=True, exist_ok=True)
    stamp = folder / "recipe.json"
    with locked(folder.with_suffix(".lock")):
        if stamp.exists():
            return folder
        log = folder / "build.log"
        visible = folder / "visible.vlt"
        visible.write_text(
            "`verilator_config\n"
            + "".join(f'public_flat_rw -module "{module}" -var "{signal}"\n' for module, signal in seen)
        )
        try:
            _Verilator().build(
                sources=[visible, *files],
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
        main = config.share_dir / "lib/verilator/verilator.cpp"
        objects = cpp.compile_verilated(folder, "Vtop", LEVEL, once=[main], everywhere=[STANDARD])
        cpp.link(folder / toplevel, objects, *_vpi())
        stamp.write_text(text)
    return folder


class _Verilator(cocotb_runner.Verilator):
    """cocotb's call of Verilator alone, without the makefile that it writes and without every signal in reach.

    The makefile would precompile the headers twice for each build, which takes longer than to compile a module; and the
    package's was configured without a compiler. A signal that VPI may read cannot be optimised away: with all of them
    in reach, a whole core takes three times as long to compile.
    """

    def _build_command(self) -> list[list[str]]:
        return [[word for word in super()._build_command()[0] if word != "--public-flat-rw"]]


def _vpi() -> list[str]:
    return [f"-Wl,-rpath,{config.libs_dir}", f"-L{config.libs_dir}", "-lcocotbvpi_verilator"]


def _literal(value: Parameter) -> str:
    if isinstance(value, str) and not SIZED.fullmatch(value):
        return f'"{value}"'
    return value if isinstance(value, str) else str(int(value))
