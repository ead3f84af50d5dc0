# SPDX-License-Identifier: BSD-3-Clause
"""The terminal of README: `truemark watch` at a simulated device with five policies and the committed capture.

    python -m docs.pictures.terminal

A real run, so that each picture has other numbers: it is drawn again by this command, not by `make pictures`. The
file takes the reader's own monospaced font and fetches nothing.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import tempfile
from functools import partial
from pathlib import Path

from truemark.device.board import Board
from truemark.watch.view import Watch
from truemark_dev.serving import CAPTURE, TRUEMARK, running, where

from docs.pictures.style import FOLDER

SIZE = (80, 17)
PROFILE = """rate = "1G"
policy = "true-mark"
k = "30kB"
buffer = "shallow"
[port.1]
policy = "dcqcn"
dcqcn = "15kB/90kB/10%"
[port.2]
policy = "codel"
codel = "100us/2ms"
[port.3]
policy = "droptail"
[port.4]
target_delay = "200us"
weight = "0"
policy = "red"
"""
RATE = "52M"
LEAST_MARKS, FULL, TRIES = 200, 90_000, 100


async def watched(address: str) -> str:
    """Return the view once marks are coming."""
    app = Watch("tcp:127.0.0.1:7437 (SIMULATED)", partial(Board(address).look, 0.5), 1.0)
    async with app.run_test(size=SIZE) as pilot:
        for _ in range(TRIES):
            await pilot.pause(0.5)
            if sum(port.all.marked for port in app.shown.ports) > LEAST_MARKS and app.shown.ports[0].held_bytes > FULL:
                break
        await pilot.press("down", "down")  # the chosen row hides its bar's colours
        await pilot.pause()
        return app.export_screenshot(title="truemark watch --device tcp:127.0.0.1:7437", simplify=True)


def own_fonts(picture: str) -> str:
    """Return the picture without fonts from elsewhere."""
    picture = re.sub(r"@font-face\s*\{.*?\}\s*", "", picture, flags=re.DOTALL)
    return re.sub(r"font-family: ?[^;]*;", "font-family: ui-monospace, Consolas, Menlo, monospace;", picture)


def main() -> None:
    """Serve, watch, and write the picture."""
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "board.toml"
        profile.write_text(PROFILE)
        device = f"sim:{folder}/device"
        subprocess.run([*TRUEMARK, "apply", profile, "--device", device], check=True, stdout=subprocess.DEVNULL)
        ports = [word for port in range(5) for word in ("--to", str(port))]
        play = ("--play", CAPTURE, "--loop", "--rate", RATE, *ports, "--port", 0, "--json")
        with running("serve", device, *play) as server:
            picture = asyncio.run(watched(where(server)))
    (FOLDER / "watch.svg").write_text(own_fonts(picture) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
