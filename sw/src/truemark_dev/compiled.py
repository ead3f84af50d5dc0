# SPDX-License-Identifier: BSD-3-Clause
"""Byte code of what the command `truemark` loads before it works: `make venv`, as pip does it for an installed wheel.

    python -m truemark_dev.compiled

The environment is installed without any, which saves a minute. Where Python may not write byte code (read-only, or
PYTHONDONTWRITEBYTECODE) each command would compile some 300 modules again.
"""

from __future__ import annotations

import py_compile
import subprocess
import sys
from pathlib import Path

from truemark_dev.paths import ROOT

# The others need no device: they end where they would speak to one, and where they would read a profile.
COMMANDS = (["--help"], ["status", "--device", "tcp:127.0.0.1:1"], ["apply", "/no/profile.toml"])
PROGRAM = """
import sys
from truemark.cli import main
try:
    main()
except SystemExit:
    pass
print("\\0", *(file for each in sys.modules.values() if (file := getattr(each, "__file__", None))), sep="\\n")
"""


def loaded(words: list[str]) -> set[Path]:
    """Return the files of this clone that a command loads; Python's own library has its byte code."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, *words], capture_output=True, text=True, check=True)
    files = map(Path, done.stdout.rpartition("\0")[2].split("\n"))
    return {file for file in files if file.suffix == ".py" and file.is_relative_to(ROOT)}


def main() -> None:
    """Compile what the commands load."""
    for file in sorted(set.union(*map(loaded, COMMANDS))):
        py_compile.compile(str(file), doraise=True)


if __name__ == "__main__":
    main()
