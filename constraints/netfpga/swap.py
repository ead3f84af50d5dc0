# SPDX-License-Identifier: BSD-3-Clause
"""Puts Truemark into a NetFPGA tree next to its own output queues, or takes it out again.

    make netfpga NETFPGA=/path/to/tree BOARD=sume|au200|au250|au280|vcu1525 [SET="RED=1 FLAGS_VERDICT=1"]
    make netfpga-undo NETFPGA=/path/to/tree

The tree's own core stays where it is. A new core `truemark_output_queues` is laid next to it with its sources and Tcl,
the tree's Makefile builds it as well, and the projects' Tcl creates `output_queues_ip` from it. What was changed is
printed and written down in the new core's folder; undoing takes back exactly that, and refuses where somebody has
edited since. SET gives parameters of `output_queues` below C_BASEADDR other values than they have.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from constraints.netfpga.header import differences, ports

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = Path(__file__).resolve().parent / "truemark_output_queues.tcl"
CROSSING = TEMPLATE.with_name("crossing.xdc")
CORE = "truemark_output_queues_v1_0_0"
NOTES = "truemark.json"
INCLUDE = re.compile(r'^[ \t]*`include "(\w+\.svh)"\n', re.MULTILINE)
SHOWN = 4  # differences that an error names
CREATE = re.compile(r"(create_ip -name )output_queues( -vendor NetFPGA )")
CREATED = re.compile(r"(create_ip -name )truemark_output_queues( -vendor NetFPGA )")


class SwapError(Exception):
    """Something about the tree or the request that a person must put right."""


@dataclass(frozen=True)
class Family:
    """How the trees of one board family are laid out."""

    name: str
    cores: str  # folder of the cores
    make_line: str  # how the top Makefile builds one core
    listing: str
    queues: int
    data_width: int
    families: str
    projects: tuple[str, ...]
    parts: dict[str, str]
    versions: dict[str, str]  # hash of the tree's output_queues.v without comments and blanks: what it is


PLUS_PARTS = {
    "au280": "xcu280-fsvh2892-2L-e",
    "au250": "xcu250-figd2104-2L-e",
    "au200": "xcu200-fsgd2104-2-e",
    "vcu1525": "xcvu9p-fsgd2104-2L-e",
}
FAMILIES = (
    Family(
        name="NetFPGA-SUME",
        cores="lib/hw/std/cores",
        make_line="make -C $(LIB_HW_DIR)/std/cores/{}/",
        listing="rtl/netfpga/sume.f",
        queues=5,
        data_width=256,
        families="{virtex7 Production}",
        projects=("projects", "contrib-projects"),
        parts={"sume": "xc7vx690t-3-ffg1761"},
        versions={
            "3816c6d5415dd9ee": "back-pressures (1.8.0 and before)",
            "c54f5b62ad0c0476": "drops, and corrupts frames under overload (1.10.0)",
        },
    ),
    Family(
        name="NetFPGA-PLUS",
        cores="hw/lib/std",
        make_line="make -C $(LIB_HW_DIR)/std/{}/",
        listing="rtl/netfpga/plus.f",
        queues=3,
        data_width=512,
        families="{virtexuplus Production virtexuplushbm Production}",
        projects=("hw/projects", "hw/contrib-projects"),
        parts=PLUS_PARTS,
        versions={"8bd35a673b5f280f": "drops (1.0.0 and 1.1.0)"},
    ),
)


def named_tree(word: str) -> Path:
    """Return the folder that NETFPGA names."""
    if word:
        return Path(word)
    raise SwapError("which tree? NETFPGA=/path/to/tree")


def fingerprint(verilog: str) -> str:
    """Return the hash of a module without comments and blanks: a header or an indent is no new version."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", verilog, flags=re.DOTALL)
    return hashlib.sha256("".join(code.split()).encode()).hexdigest()[:16]


def recognise(tree: Path) -> tuple[Family, str]:
    """Return what a tree is, and the version of its output queues; an unknown version is an empty string."""
    for family in FAMILIES:
        module = tree / family.cores / "output_queues_v1_0_0/hdl/output_queues.v"
        if module.is_file():
            return family, family.versions.get(fingerprint(module.read_text(errors="replace")), "")
    if not tree.is_dir():
        raise SwapError(f"{tree}: no such folder")
    raise SwapError(
        f"{tree}: no NetFPGA tree: neither {FAMILIES[0].cores} nor {FAMILIES[1].cores} has output_queues_v1_0_0 "
        "(give the folder that holds the tree's Makefile)"
    )


def compared(tree: Path, family: Family) -> str:
    """Say whether a tree's output queues have the ports of ours, and what to do then."""
    theirs = tree / family.cores / "output_queues_v1_0_0/hdl/output_queues.v"
    ours = (ROOT / family.listing).with_suffix("") / "output_queues.sv"
    said = differences(*(ports(load(path), "output_queues") for path in (theirs, ours)))
    if not said:
        return "They have the ports of Truemark's: FORCE=1 puts it in."
    more = f" and {len(said) - SHOWN} more" if len(said) > SHOWN else ""
    return f"Their ports are others ({'; '.join(said[:SHOWN])}{more}): FORCE=1 only if the datapath does without them."


def load(path: Path) -> str:
    """Return a file's text, byte for byte: line ends and odd characters stay what they are."""
    return path.read_bytes().decode("latin-1")


def store(path: Path, text: str) -> None:
    """Write such a text back, whole or not at all."""
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_bytes(text.encode("latin-1"))
        shutil.copymode(path, part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def digest(text: str) -> str:
    """Return the hash of a file's text."""
    return hashlib.sha256(text.encode("latin-1")).hexdigest()


def sources(listing: Path) -> list[Path]:
    """Return the files of a list, other lists taken in."""
    files: list[Path] = []
    for line in (line.split("//")[0].strip() for line in listing.read_text().splitlines()):
        if line.startswith("-F "):
            files += sources(listing.parent / line[3:].strip())
        elif line and not line.startswith("+"):
            files.append((listing.parent / line).resolve())
    return files


def expanded(path: Path) -> str:
    """Return a source with what it includes in place: a packaged core has no folder of includes."""
    return INCLUDE.sub(lambda found: (ROOT / "rtl" / found[1]).read_text(), path.read_text())


def own_parameters(family: Family) -> list[str]:
    """Return the parameters of `output_queues` that NetFPGA's does not have."""
    module = (ROOT / family.listing).with_suffix("") / "output_queues.sv"
    names = re.findall(r"^\s*parameter\s[^=]*?(\w+)\s*=", expanded(module), re.MULTILINE)
    return names[names.index("C_BASEADDR") + 1 :]


def parse_settings(family: Family, words: Sequence[str]) -> dict[str, int]:
    """Return what NAME=value words set, or say which is none."""
    known, found = own_parameters(family), dict[str, int]()
    for word in words:
        name, _, value = word.partition("=")
        if name not in known:
            raise SwapError(f"SET: {word!r}: no parameter {name!r}; there are {', '.join(known)}")
        if not value.isdecimal():
            raise SwapError(f"SET: {word!r}: write {name}=number")
        found[name] = int(value)
    return found


def swap(tree: Path, board: str, words: Sequence[str] = (), *, force: bool = False) -> list[str]:
    """Put the core into a tree, its parameters set as NAME=value words say; return what was done, line by line."""
    family, version = recognise(tree)
    core = tree / family.cores / CORE
    if core.exists():
        raise SwapError(f"{core} is there already: make netfpga-undo NETFPGA={tree} first")
    if board not in family.parts:
        wrong = f"not {board!r}" if board else "say which: BOARD=..."
        raise SwapError(f"{tree} is {family.name}, its boards are {', '.join(family.parts)}; {wrong}")
    if not version and not force:
        raise SwapError(f"{tree}: {family.name} with output queues of an unknown version. {compared(tree, family)}")
    settings = parse_settings(family, words)
    makefile = tree / "Makefile"
    old_line = family.make_line.format("output_queues_v1_0_0")
    lines = load(makefile).splitlines(keepends=True) if makefile.is_file() else []
    at = [index for index, line in enumerate(lines) if line.strip() == old_line]
    scripts = [path for folder in family.projects for path in sorted((tree / folder).glob("*/hw/tcl/*.tcl"))]
    users = [path for path in scripts if CREATE.search(load(path))]
    if len(at) != 1 or not users:
        raise SwapError(
            f"{tree}: its Makefile builds the output queues {len(at)} times, {len(users)} projects use them"
        )
    added = lines[at[0]].replace("output_queues_v1_0_0", CORE)
    edits = {makefile: "".join([*lines[: at[0] + 1], added, *lines[at[0] + 1 :]])}
    for path in users:
        edits[path] = CREATE.sub(r"\1truemark_output_queues\2", load(path))
    said = [f"{tree} is {family.name}, its output queues: {version or 'unknown version'}"]
    said.append(f"new    {core.relative_to(tree)}{', ' * bool(words)}{' '.join(words)}")
    said += [f"edited {path.relative_to(tree)}" for path in edits]
    original = {path: load(path) for path in edits}
    changed = {str(path.relative_to(tree)): (digest(original[path]), digest(text)) for path, text in edits.items()}
    # Nothing has been touched so far. The notes come first: with them a swap that was cut off can be undone.
    try:
        core.mkdir()
        (core / NOTES).write_text(json.dumps({"board": board, "version": version, "changed": changed}, indent=1) + "\n")
        lay(core, family, board, settings)
        for path, text in edits.items():
            store(path, text)
    except BaseException:
        for path, text in original.items():
            if load(path) != text:
                store(path, text)
        shutil.rmtree(core, ignore_errors=True)
        raise
    return said


def lay(core: Path, family: Family, board: str, settings: dict[str, int]) -> None:
    """Write the new core's folder."""
    (core / "hdl").mkdir()
    files = sources(ROOT / family.listing)
    for path in files:
        (core / "hdl" / path.name).write_text(expanded(path))
    shutil.copyfile(CROSSING, core / "hdl" / CROSSING.name)
    (core / "hdl/files.f").write_text("".join(f"{path.name}\n" for path in files))
    script = TEMPLATE.read_text()
    values = {
        "PART": family.parts[board],
        "FAMILIES": family.families,
        "DATA_WIDTH": str(family.data_width),
        "SETTINGS": " ".join(f"{name} {value}" for name, value in settings.items()),
        "MASTERS": " ".join(f"m_axis_{index}" for index in range(family.queues)),
    }
    for name, value in values.items():
        script = script.replace(f"@{name}@", value)
    (core / "truemark_output_queues.tcl").write_text(script)
    (core / "Makefile").write_text(
        # SUME 1.8.0's settings name Vivado in a variable; the others have it on the path.
        "all: clean\n\t$(or $(vivado),vivado) -mode batch -source truemark_output_queues.tcl\n\n"
        "clean:\n\trm -rf ip_* vivado*.* *.xml xgui/ .Xil\n"
    )
    shutil.copyfile(ROOT / "LICENSE", core / "LICENSE")


def undo(tree: Path) -> list[str]:
    """Take the core out of a tree again; return what was done."""
    family, _ = recognise(tree)
    core = tree / family.cores / CORE
    if not (core / NOTES).is_file():
        raise SwapError(f"{tree}: Truemark is not in this tree (no {family.cores}/{CORE}/{NOTES})")
    changed: dict[str, tuple[str, str]] = json.loads((core / NOTES).read_text())["changed"]
    now = {name: digest(load(tree / name)) for name in changed}
    edited = [name for name, known in changed.items() if now[name] not in known]
    if edited:
        raise SwapError(
            f"{tree}: edited since the swap, nothing was undone: {', '.join(edited)} "
            "(take the edit out, undo, put it back)"
        )
    new_line = family.make_line.format(CORE)
    said = []
    for name, (before, _) in changed.items():
        if now[name] == before:
            continue
        path = tree / name
        text = load(path)
        if path.name == "Makefile":
            text = "".join(line for line in text.splitlines(keepends=True) if line.strip() != new_line)
        else:
            text = CREATED.sub(r"\1output_queues\2", text)
        if digest(text) != before:
            raise SwapError(f"{path} would not be what it was: compare it with the tree's repository")
        store(path, text)
        said.append(f"restored {name}")
    shutil.rmtree(core)
    return [*said, f"removed  {core.relative_to(tree)}"]


def main() -> int:
    """Swap or undo."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree")
    parser.add_argument("--board", default="")
    parser.add_argument("--set", default="", help="NAME=value words, as one argument")
    parser.add_argument("--undo", action="store_true")
    parser.add_argument("--force", action="store_true", help="swap though the version is unknown")
    options = parser.parse_args()
    try:
        tree, words = named_tree(options.tree), options.set.split()
        said = undo(tree) if options.undo else swap(tree, options.board, words, force=options.force)
    except (SwapError, OSError) as error:
        print(f"netfpga: {error}", file=sys.stderr)
        return 1
    print("\n".join(said))
    return 0


if __name__ == "__main__":
    sys.exit(main())
