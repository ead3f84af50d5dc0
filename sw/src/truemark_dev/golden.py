# SPDX-License-Identifier: BSD-3-Clause
"""The golden model in Python: `sim/model/python.cpp`, compiled when it is first asked for.

It needs Python's headers (`python3-dev` on Debian), as nanobind does. What is compiled is kept under `build/golden/`
by the contents of all of `sim/model/`.
"""

from __future__ import annotations

import hashlib
import sysconfig
from functools import cache
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import nanobind

from truemark_dev import cpp
from truemark_dev.paths import BUILD, ROOT

NAME = "truemark_model"
MODEL = ROOT / "sim" / "model"
PROGRAMS = ("speed.cpp", "spacing_table.cpp")  # with a main of their own


@cache
def golden() -> ModuleType:
    """Return the module truemark_model; RuntimeError with the compiler's words if it does not compile."""
    loader = ExtensionFileLoader(NAME, str(_compiled()))
    spec = spec_from_loader(NAME, loader)
    assert spec is not None, "a loader of its own was given"
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def _compiled() -> Path:
    own = Path(nanobind.__file__).parent
    paths = [own / "include", own / "ext" / "robin_map" / "include", Path(sysconfig.get_paths()["include"])]
    if not (paths[-1] / "Python.h").exists():
        package = f"libpython{sysconfig.get_python_version()}-dev"
        raise RuntimeError(f"{paths[-1]} has no Python.h: apt-get install {package}")
    files = sorted([*MODEL.rglob("*.cpp"), *MODEL.rglob("*.h")])
    sources = [path for path in files if path.suffix == ".cpp" and path.name not in PROGRAMS]
    words = [cpp.compiler(), "-std=c++20", "-O2", "-fPIC", "-fvisibility=hidden", "-fno-strict-aliasing", "-DNDEBUG"]
    words += [word for path in paths for word in ("-isystem", str(path))]
    told = [*words, nanobind.__version__, *(f"{path}: {path.read_text()}" for path in files)]
    folder = BUILD / "golden" / hashlib.sha256("\n".join(told).encode()).hexdigest()[:12]
    target = folder / f"{NAME}{sysconfig.get_config_var('EXT_SUFFIX')}"
    with cpp.locked(folder.with_suffix(".lock")):
        if not target.exists():
            objects = []
            for source in [*sources, own / "src" / "nb_combined.cpp"]:
                objects.append(folder / f"{source.stem}.o")
                cpp.produce(objects[-1], *words, "-c", source)
            cpp.produce(target, cpp.compiler(), "-shared", *objects)
    return target
