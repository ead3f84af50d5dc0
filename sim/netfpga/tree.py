# SPDX-License-Identifier: BSD-3-Clause
"""What a project of a NetFPGA tree is made of: its datapath, the cores in it, their sources and their settings.

Read from the files Vivado reads: the project's Tcl says which core becomes which IP and how it is set, each core's Tcl
names its sources and the cores below it. What cannot be read is a TreeError that names the file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from constraints.netfpga.swap import Family

SET = re.compile(r"^\s*set\s+(\w+)\s+(\S.*?)\s*$", re.MULTILINE)
CREATE = re.compile(r"^\s*create_ip -name (\w+) -vendor NetFPGA .*-module_name (\w+)", re.MULTILINE)
CONFIG = re.compile(r"^\s*set_property CONFIG\.(\w+) (\S+) \[get_ips (\w+)\]", re.MULTILINE)
READ = re.compile(r"^\s*read_(verilog|vhdl)\s+(?:-\w+\s+)*\"?([^\"\s]+)\"?", re.MULTILINE)
SUBCORE = re.compile(r"^\s*ipx::add_subcore\s+\w+:\w+:(\w+):", re.MULTILINE)
ROLES = ("input_arbiter", "output_port_lookup", "output_queues")  # how the name of a core ends
ARITHMETIC = re.compile(r"(?:int|log|[\d\s.+*/()-])+")


class TreeError(Exception):
    """Something about the tree that keeps it from being simulated."""


@dataclass(frozen=True)
class Project:
    """A project whose datapath is arbiter, lookup and queues."""

    name: str
    folder: Path
    cores: dict[str, str]  # by role: name of the core
    instances: dict[str, str]  # by role: name of the IP that the datapath instantiates
    settings: dict[str, dict[str, int]]  # by role: parameters that the project sets

    @property
    def datapath(self) -> Path:
        """The module that wires the three."""
        return self.folder / "hw/hdl/nf_datapath.v"


@dataclass
class Sources:
    """The files of some cores."""

    verilog: list[Path] = field(default_factory=list)
    cores: list[str] = field(default_factory=list)
    vhdl: dict[str, list[str]] = field(default_factory=dict)  # by core: what Verilator cannot read

    @property
    def folders(self) -> list[Path]:
        """Where their include files are."""
        return list(dict.fromkeys(path.parent for path in self.verilog))


def find_projects(tree: Path, family: Family) -> list[Project]:
    """Return the projects that have such a datapath."""
    folders = [path for place in family.projects for path in sorted((tree / place).glob("*"))]
    found = (read_project(folder) for folder in folders if (folder / "hw/hdl/nf_datapath.v").is_file())
    return [project for project in found if project is not None]


def read_project(folder: Path) -> Project | None:
    """Return a project, or None if its datapath is another."""
    for script in sorted((folder / "hw/tcl").glob("*.tcl")):
        text = script.read_text(errors="replace")
        created = {role_of(core): (core, ip) for core, ip in CREATE.findall(text) if role_of(core)}
        if script.stem.endswith("_sim") or set(created) != set(ROLES):
            continue
        values = dict(SET.findall(text))
        settings: dict[str, dict[str, int]] = {role: {} for role in ROLES}
        roles = {ip: role for role, (_, ip) in created.items()}
        for name, value, ip in CONFIG.findall(text):
            if ip in roles:
                settings[roles[ip]][name] = number(value, values, f"{script}: {name} of {ip}")
        cores = {role: core for role, (core, _) in created.items()}
        return Project(folder.name, folder, cores, {role: ip for role, (_, ip) in created.items()}, settings)
    return None


def role_of(core: str) -> str:
    """Return which of the three a core is, or nothing."""
    return next((role for role in ROLES if core.endswith(role)), "")


def expand(text: str, values: dict[str, str]) -> str:
    """Return a Tcl word with its variables replaced, and those in their values."""
    for _ in range(len(values) + 1):
        text = re.sub(r"\$\{?(\w+)\}?", lambda match: values.get(match[1], match[0]), text)
    return text


def number(text: str, values: dict[str, str], where: str) -> int:
    """Return the value of a Tcl word: a number, a variable, or arithmetic on them."""
    text = expand(text, values)
    text = re.sub(r"^\[expr\s+(.*)\]$", r"\1", text.strip('{}"'))
    if not ARITHMETIC.fullmatch(text):
        raise TreeError(f"{where}: {text!r} is not a number that can be worked out without Vivado")
    try:
        # Nothing but digits, operators and two functions has come this far.
        return int(eval(text, {"__builtins__": {}}, {"int": int, "log": math.log}))
    except (ArithmeticError, SyntaxError, TypeError, ValueError) as error:
        raise TreeError(f"{where}: {text!r}: {error}") from None


def core_folder(tree: Path, family: Family, name: str) -> Path:
    """Return the folder of a core, by its name without the version."""
    library = Path(*Path(family.cores).parts[:2])
    folders = sorted((tree / library).rglob(f"{name}_v[0-9]*"), key=lambda path: ("std" not in path.parts, path))
    if folders:
        return folders[0]
    raise TreeError(f"{tree}: no core {name} in {library}")


def sources_of(tree: Path, family: Family, names: list[str]) -> Sources:
    """Return the sources of cores and of all below them, each core once."""
    found = Sources()
    waiting = list(names)
    while waiting:
        name = waiting.pop(0)
        if name in found.cores:
            continue
        found.cores.append(name)
        folder = core_folder(tree, family, name)
        script = next(iter(sorted(folder.glob("*.tcl"))), None)
        if script is None:
            raise TreeError(f"{folder}: no Tcl that says which files the core has")
        text = script.read_text(errors="replace")
        for kind, file in READ.findall(text):
            path = folder / file
            if kind == "vhdl":
                found.vhdl.setdefault(name, []).append(path.name)
            elif not path.is_file():
                raise TreeError(f"{script}: names {file}, which is not there")
            else:
                found.verilog.append(path)
        waiting += SUBCORE.findall(text)
    if not found.verilog:
        raise TreeError(f"{tree}: {', '.join(names)} have no Verilog")
    return found


def modules(text: str) -> Iterator[str]:
    """Yield the names of the modules that Verilog defines."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    yield from re.findall(r"^\s*module\s+(\w+)", code, re.MULTILINE)
