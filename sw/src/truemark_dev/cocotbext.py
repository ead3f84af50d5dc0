# SPDX-License-Identifier: BSD-3-Clause
"""Builds the wheel of cocotbext-truemark, with the golden model in it as a library.

    python -m truemark_dev.cocotbext [FOLDER]

The library goes through a C interface and brings its C++ runtime, so that one wheel serves every Python.
"""

from __future__ import annotations

import shutil
import sys
import sysconfig
from pathlib import Path

from truemark_dev import cpp
from truemark_dev.build import make
from truemark_dev.paths import BUILD, ROOT

SOURCE = ROOT / "sw/cocotbext"
PACKAGE = "cocotbext/truemark"


def wheel(folder: Path) -> Path:
    """Write the wheel to a folder and return it; nothing is fetched."""
    staged = folder / "cocotbext-truemark"
    shutil.rmtree(staged, ignore_errors=True)
    shutil.copytree(SOURCE, staged, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "build"))
    (library,) = make("scoreboard", quiet=True)
    shutil.copy2(library, staged / PACKAGE)
    shutil.copy2(ROOT / "LICENSE", staged)
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    (staged / "setup.cfg").write_text(f"[bdist_wheel]\nplat_name = {platform}\n")
    for old in folder.glob("cocotbext_truemark-*.whl"):
        old.unlink()
    offline = ("--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", "--no-build-isolation")
    cpp.run(sys.executable, "-m", "pip", "wheel", *offline, "--wheel-dir", folder, staged)
    (built,) = folder.glob("cocotbext_truemark-*.whl")
    return built


def main() -> None:
    """Write it where the command line says, or to build/wheels."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else BUILD / "wheels"
    folder.mkdir(parents=True, exist_ok=True)
    print(f"wrote {wheel(folder.resolve())}")


if __name__ == "__main__":
    main()
