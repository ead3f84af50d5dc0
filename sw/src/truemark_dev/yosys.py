# SPDX-License-Identifier: BSD-3-Clause
"""Runs Yosys passes in a process of their own, for their memory and their log, and says what went wrong."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

LINES = 20  # of the log, at an error
_SCRIPT = """
import sys
from pyosys import libyosys
design = libyosys.Design()
for step in sys.argv[1:]:
    libyosys.run_pass(step, design)
"""


def run(passes: Sequence[str], *, folder: Path, log: Path) -> None:
    """Run `passes` in `folder`; an error names the command, how it ended and the end of its log."""
    command(["pyosys", *passes], [sys.executable, "-c", _SCRIPT, *passes], folder=folder, log=log)


def command(shown: Sequence[str], words: Sequence[str], *, folder: Path, log: Path) -> None:
    """Run a tool with its output in `log`; `shown` is how an error names it."""
    with log.open("w") as output:
        ended = subprocess.run(words, cwd=folder, stdout=output, stderr=output, check=False)
    if ended.returncode == 0:
        return
    how = f"ended with {ended.returncode}"
    if ended.returncode < 0:
        how = f"was killed by {signal.Signals(-ended.returncode).name}"
        if ended.returncode == -signal.SIGKILL:
            how += " (out of memory?)"
    text = log.read_text(errors="replace").splitlines()
    errors = [line for line in text if "ERROR" in line]
    end = "\n".join([*errors[:3], "...", *text[-LINES:]] if errors else text[-LINES:])
    raise RuntimeError(f"{shown[0]} {how}; it ran\n  " + "\n  ".join(shown[1:]) + f"\nand its last words were\n{end}")
