# SPDX-License-Identifier: BSD-3-Clause
"""What is imported from where: installed packages, or the project's root; nothing by the path of a file."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

from setuptools import find_packages

import truemark_dev
from truemark_dev.lint import files
from truemark_dev.paths import ROOT

PATHS = re.compile(r"\bsys\.path\b|spec_from_file_location|\brunpy\b")


def test_nothing_is_imported_by_path() -> None:
    here = "sw/tests/dev/test_packages.py"
    found = [str(path.relative_to(ROOT)) for path in files("*.py") if PATHS.search(path.read_text())]
    assert found == [here], f"run it with `python -m` from the project's root: {found}"


def test_the_development_tools_stay_out_of_the_wheel() -> None:
    chosen = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"]
    (where,) = chosen["where"]
    packages = find_packages(str(ROOT / where), exclude=chosen["exclude"])
    assert "truemark" in packages
    assert not [name for name in packages if name.startswith("truemark_dev")]
    assert ROOT / where in [path.parent for path in map(type(ROOT), truemark_dev.__path__)]


def test_every_module_can_be_imported_first() -> None:
    """A circle of imports fails only for who enters it at the wrong module. (LiteX is no tool of ours.)"""
    program = (
        "import importlib, pkgutil, sys, truemark\n"
        "for module in list(pkgutil.walk_packages(truemark.__path__, 'truemark.')):\n"
        "    for name in [name for name in sys.modules if name.startswith('truemark')]: del sys.modules[name]\n"
        "    try: importlib.import_module(module.name)\n"
        "    except ModuleNotFoundError as error:\n"
        "        if error.name != 'litex': raise\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert not done.returncode, done.stderr
