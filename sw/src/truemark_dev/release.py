# SPDX-License-Identifier: BSD-3-Clause
"""Writes a build of `truemark` as one file of plain Verilog, for tools that read no SystemVerilog.

    python -m truemark_dev.release [GROUP:NAME] [FILE]

The build is one of builds.toml, true-mark at its defaults (lint:plain) if none is named; its parameters are fixed, and
stand at the head of the file. Hierarchy, names and the attributes of memories are kept; assertions are left out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

from truemark_dev import yosys
from truemark_dev.builds import Build, chosen
from truemark_dev.paths import ROOT
from truemark_dev.sources import file_list

HEAD = """// SPDX-License-Identifier: BSD-3-Clause
// Truemark in plain Verilog, build {name}: made by `make verilog` from rtl/truemark.f. Do not edit.
// Contract and ports: rtl/truemark.sv. Parameters, fixed in this file:
// {parameters}
"""
INSTANCE = re.compile(r"\\(tm_\w+)\$\S+ ")  # a module of its own for each instance
MODULE = re.compile(r"^((?:\(\*.*\*\)\n)*)module (\S+) (.*?^endmodule)$", re.MULTILINE | re.DOTALL)


def joined(verilog: str) -> str:
    """Return a netlist in which instances that are the same share a module, under its own name where all do."""
    modules = {name: f"{attributes}module {{}} {body}" for attributes, name, body in MODULE.findall(verilog)}
    same = {name: name for name in modules}
    kept = -1
    while kept != len(set(same.values())):
        kept = len(set(same.values()))
        first = dict[str, str]()
        renamed = {name: _renamed(text, same) for name, text in modules.items()}
        same = {name: first.setdefault(name.split("$")[0] + text, name) for name, text in renamed.items()}
    names = dict[str, str]()
    for name in dict.fromkeys(same.values()):
        base = name.split("$")[0].lstrip("\\")
        count = sum(each == base or each.startswith(base + "__") for each in names.values())
        names[name] = f"{base}__{count + 1}" if count else base
    final = {name: names[kept_as] for name, kept_as in same.items()}
    return "\n\n".join(_renamed(modules[name], final).replace("{}", names[name], 1) for name in names) + "\n"


def _renamed(text: str, names: Mapping[str, str]) -> str:
    return INSTANCE.sub(lambda at: names[at[0].strip()] + " ", text)


def release(build: Build, target: Path) -> Path:
    """Write the file and return it; its log lies next to it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    generics = " ".join(f"-G {name}={value}" for name, value in build.parameters.items())
    sources = " ".join(map(str, file_list()))
    read = f"read_slang --ignore-assertions -D SYNTHESIS -I {ROOT / 'rtl'} --keep-hierarchy --top truemark"
    passes = [
        f"{read} {generics} {sources}",
        "proc",
        "opt_clean",
        "memory_collect",
        "setattr -unset src -unset hdlname a:*",
        "setattr -mod -unset src -unset hdlname A:*",
        f"write_verilog {target.with_suffix('.partial')}",
    ]
    yosys.run(passes, folder=target.parent, log=target.with_suffix(".log"))
    written = target.with_suffix(".partial")
    said = ", ".join(f"{name} = {value}" for name, value in build.complete.items())
    target.write_text(HEAD.format(name=build.name, parameters=said) + "\n" + joined(written.read_text()))
    written.unlink()
    return target


def main() -> None:
    """Write the file that the command line names."""
    words = sys.argv[1:]
    build = chosen(words[0] if words else "lint:plain")
    target = Path(words[1]) if len(words) > 1 else ROOT / "build/truemark.v"
    print(f"wrote {release(build, target.resolve())}")


if __name__ == "__main__":
    main()
