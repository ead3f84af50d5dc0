# SPDX-License-Identifier: BSD-3-Clause
"""The site of docs/, a folder a version: `make docs` builds build/docs/VERSION and serves all versions that are there.

versions.json has the form of mike, which the theme reads for its list of versions; index.html leads to the newest.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from pathlib import Path

from truemark_dev.paths import ROOT

OUT = ROOT / "build/docs"


def order(name: str) -> list[int]:
    """Return what versions are sorted by."""
    return [int(number) for number in name.split(".")]


def place(built: Path, out: Path, name: str) -> None:
    """Put what was built in the folder of its version, and name all versions there are, newest first."""
    shutil.rmtree(out / name, ignore_errors=True)
    # The theme's page for what is not found takes its style from the root of a host, where nothing is.
    shutil.copytree(built, out / name, ignore=shutil.ignore_patterns("404.html"))
    names = sorted((each.name for each in out.iterdir() if each.is_dir()), key=order, reverse=True)
    listed = [{"version": each, "title": each, "aliases": []} for each in names]
    (out / "versions.json").write_text(json.dumps(listed, indent=1) + "\n")
    (out / "index.html").write_text(f'<!doctype html>\n<meta http-equiv="refresh" content="0; url={names[0]}/">\n')


def main(words: list[str]) -> None:
    """Build this version; with --serve, serve them all until interrupted."""
    subprocess.run([sys.executable, "-m", "zensical", "build", "-f", "mkdocs.yml", "--strict"], cwd=ROOT, check=True)
    place(ROOT / "build/site", OUT, version("truemark"))
    if "--serve" in words:
        with ThreadingHTTPServer(("127.0.0.1", 8000), partial(SimpleHTTPRequestHandler, directory=str(OUT))) as server:
            print("http://localhost:8000/", flush=True)
            server.serve_forever()


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        print()
