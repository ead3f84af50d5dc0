# SPDX-License-Identifier: BSD-3-Clause
"""Builds the wheels: `truemark` with model engine, RTL and manual page, and cocotbext-truemark with its scoreboard.

    python -m truemark_dev.wheels [FOLDER]

Their libraries go through C interfaces, so that one wheel serves every Python. The tag of the platform is the oldest
that auditwheel finds them good for. The lab's runner, which is GPL, is in neither.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from truemark_dev import cpp, man
from truemark_dev.build import make
from truemark_dev.paths import BUILD, ROOT
from truemark_dev.sources import file_list

OFFLINE = ("--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", "--no-build-isolation")
SKIPPED = shutil.ignore_patterns("__pycache__", "*.egg-info", "build")


def cocotbext(folder: Path) -> Path:
    """Write the wheel of cocotbext-truemark to a folder and return it; nothing is fetched."""
    staged = fresh(folder / "cocotbext-truemark")
    shutil.copytree(ROOT / "sw/cocotbext", staged, ignore=SKIPPED, dirs_exist_ok=True)
    (library,) = make("scoreboard", quiet=True)
    shutil.copy2(library, staged / "cocotbext/truemark")
    shutil.copy2(ROOT / "LICENSE", staged)
    return built(staged, folder)


def host(folder: Path) -> Path:
    """Write the wheel of the host tool, with the golden model and the RTL, to a folder and return it."""
    staged = fresh(folder / "truemark")
    package = staged / "sw/src/truemark"
    shutil.copytree(ROOT / "sw/src/truemark", package, ignore=SKIPPED)
    (library,) = make("engine:model", quiet=True)
    (package / "engines").mkdir()
    shutil.copy2(library, package / "engines")
    for source in (ROOT / "rtl/truemark.f", *(ROOT / "rtl").glob("*.svh"), *file_list()):
        place = package / "rtl" / source.relative_to(ROOT / "rtl")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, place)
    for name in ("LICENSE", "README.md"):
        shutil.copy2(ROOT / name, staged)
    (staged / "truemark.1").write_text(man.page(), encoding="utf-8")
    data = 'truemark = ["engines/*", "rtl/*", "rtl/**/*", '
    text = (ROOT / "pyproject.toml").read_text()
    files = '[tool.setuptools.data-files]\n"share/man/man1" = ["truemark.1"]\n'
    (staged / "pyproject.toml").write_text(text.replace("truemark = [", data, 1) + files)
    assert data in (staged / "pyproject.toml").read_text()
    return built(staged, folder)


def fresh(folder: Path) -> Path:
    """Return an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def built(staged: Path, folder: Path) -> Path:
    """Return the wheel of what was staged, tagged for the oldest platform that its libraries run on."""
    name = staged.name.replace("-", "_")
    found = tagged(staged, folder, name, sysconfig.get_platform().replace("-", "_").replace(".", "_"))
    shown = subprocess.run(
        [sys.executable, "-m", "auditwheel", "show", found], capture_output=True, text=True, check=True
    ).stdout
    tags = re.findall(r'"((?:many|musl)linux_[0-9_]*\w+)"', shown)
    return tagged(staged, folder, name, tags[0]) if tags else found


def tagged(staged: Path, folder: Path, name: str, platform: str) -> Path:
    """Return a wheel for a platform; any older one of this name goes."""
    for old in folder.glob(f"{name}-*.whl"):
        old.unlink()
    shutil.rmtree(staged / "build", ignore_errors=True)
    (staged / "setup.cfg").write_text(f"[bdist_wheel]\nplat_name = {platform}\n")
    cpp.run(sys.executable, "-m", "pip", "wheel", *OFFLINE, "--wheel-dir", folder, staged)
    (wheel,) = folder.glob(f"{name}-*.whl")
    return wheel


def main() -> None:
    """Write both where the command line says, or to build/wheels."""
    folder = (Path(sys.argv[1]) if len(sys.argv) > 1 else BUILD / "wheels").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for wheel in (host(folder), cocotbext(folder)):
        print(f"wrote {wheel}")


if __name__ == "__main__":
    main()
