# SPDX-License-Identifier: BSD-3-Clause
"""The golden model in Python: `sim/model/python.cpp`, compiled when it is first asked for.

It needs Python's headers (`python3-dev` on Debian), as nanobind does. A simulation takes what the test that started
it declares (conftest.py): to ask Ninja takes longer than a short one.
"""

from __future__ import annotations

import os
import sysconfig
from functools import cache
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

NAME = "truemark_model"


@cache
def golden() -> ModuleType:
    """Return the module truemark_model; RuntimeError with the compiler's words if it does not compile."""
    declared = Path(os.environ.get("TRUEMARK_LIB", "")) / f"{NAME}{sysconfig.get_config_var('EXT_SUFFIX')}"
    path = declared if declared.exists() else _made()
    loader = ExtensionFileLoader(NAME, str(path))
    spec = spec_from_loader(NAME, loader)
    assert spec is not None, "a loader of its own was given"
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def _made() -> Path:
    from truemark_dev.build import make  # takes long to import

    headers = Path(sysconfig.get_paths()["include"])
    if not (headers / "Python.h").exists():
        package = f"libpython{sysconfig.get_python_version()}-dev"
        raise RuntimeError(f"{headers} has no Python.h: apt-get install {package}")
    (path,) = make("golden", quiet=True)
    return path
