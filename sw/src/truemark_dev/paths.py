# SPDX-License-Identifier: BSD-3-Clause
"""Where the project lies: the tools work on the clone that they were installed from."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / "build"
