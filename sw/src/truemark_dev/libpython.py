# SPDX-License-Identifier: BSD-3-Clause
"""See to it that a simulation can load Python as a shared library.

The simulator loads Python as `libpython3.X.so`. Debian and Ubuntu keep it in a package of its own, which a small
installation lacks. Run as a script by `make venv`: if the library is missing, it is taken out of the distribution's
package into the virtual environment; nothing is installed, no rights are needed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import find_libpython

NAME = f"libpython{sys.version_info.major}.{sys.version_info.minor}"
OWN = Path(sys.prefix) / "lib" / "libpython"


def locate() -> str | None:
    """Return the library's path: the system's, or the one taken into the virtual environment."""
    found = find_libpython.find_libpython()
    if found is not None:
        return str(found)
    own = sorted(OWN.glob(f"{NAME}.so.*"))
    return str(own[-1]) if own else None


def use() -> None:
    """Tell cocotb where the library is."""
    path = locate()
    if path is None:
        raise RuntimeError(f"{NAME}.so is missing: apt-get install {NAME}, then make venv")
    os.environ.setdefault("LIBPYTHON_LOC", path)


def unpack() -> bool:
    """Take the library out of the distribution's package of that name."""
    for package in (NAME, f"{NAME}t64"):
        with tempfile.TemporaryDirectory() as folder:
            fetched = subprocess.run(["apt-get", "download", package], cwd=folder, capture_output=True, check=False)
            archives = list(Path(folder).glob("*.deb"))
            if fetched.returncode != 0 or not archives:
                continue
            subprocess.run(["dpkg", "-x", archives[0], folder], check=True)
            OWN.mkdir(parents=True, exist_ok=True)
            for path in Path(folder).glob(f"usr/lib/**/{NAME}.so.*"):
                shutil.copy(path, OWN / path.name)
            return True
    return False


if __name__ == "__main__":
    if locate() is None and not (shutil.which("apt-get") and unpack()):
        print(f"warning: {NAME}.so is missing, simulations will not run: apt-get install {NAME}", file=sys.stderr)
