# SPDX-License-Identifier: BSD-3-Clause
"""Which program of this machine an owner's number in a device's lock stands for."""

from __future__ import annotations

import os
import pwd
import shlex
from contextlib import suppress
from functools import cache
from pathlib import Path

from truemark import units

OWNER_LIMIT = 0x7FFF
PROC = Path("/proc")


def number(pid: int) -> int:
    """Return what a program writes into the lock: 15 bits, never 0; containers have the same pids, and tell apart."""
    return (pid + _namespace()) % OWNER_LIMIT + 1


@cache
def _namespace() -> int:
    """Return the number of the space in which this program's pid is one; 0 where a system has but one."""
    try:
        return (PROC / "self/ns/pid").stat().st_ino
    except OSError:
        return 0


def running(owner: int) -> str:
    """Return the truemark with this number that runs here: command, user and age; nothing if there is none."""
    for place in PROC.glob("[0-9]*"):
        if number(int(place.name)) != owner or int(place.name) == os.getpid():
            continue
        with suppress(OSError, KeyError, ValueError, IndexError):
            words = (place / "cmdline").read_text(errors="replace").rstrip("\0").split("\0")
            if not any(Path(word).name.startswith("truemark") for word in words[:2]):
                continue
            started = int((place / "stat").read_text().rpartition(")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
            age = float((PROC / "uptime").read_text().split()[0]) - started
            user = pwd.getpwuid(place.stat().st_uid).pw_name
            command = shlex.join(["truemark", *words[1 + Path(words[1]).name.startswith("truemark") :]])
            return f"`{command}` of {user}, for {units.show_time(max(age, 0) * 1e9)}"
    return ""
