# SPDX-License-Identifier: BSD-3-Clause
"""The transport that speaks to a device's registers over TCP (server.py has the other end, and the protocol)."""

from __future__ import annotations

import socket
from typing import Protocol

from truemark.errors import LinkError, NoDeviceError, RefusedError, explain

WINDOW = 0x1000
PORT = 7437


class Registers(Protocol):
    """What can be served."""

    def read(self, offset: int) -> int:
        """Read a word."""
        ...

    def write(self, offset: int, value: int) -> None:
        """Write a word."""
        ...


class Remote:
    """A server on the other end of a TCP connection."""

    def __init__(self, host: str, port: int) -> None:
        self._where = f"tcp:{host}:{port}"
        try:
            self._socket = socket.create_connection((host, port), timeout=10)
        except OSError as error:
            raise NoDeviceError(f"{self._where}: {explain(error)}; is `truemark serve` running there?") from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._answers = self._socket.makefile("r", encoding="ascii", newline="\n")

    def _ask(self, line: str) -> str:
        try:
            self._socket.sendall(f"{line}\n".encode("ascii"))
            answer = self._answers.readline()
        except OSError as error:
            raise LinkError(f"{self._where}: {explain(error)}") from None
        if not answer.endswith("\n"):
            raise LinkError(f"{self._where}: the server has closed the connection")
        if answer.startswith("!"):
            said = answer[1:].strip()
            kind = RefusedError if "SLVERR" in said or "has the lock" in said else LinkError
            raise kind(said if said.startswith("tcp:") else f"{self._where}: {said}")
        return answer[1:].strip()

    def read(self, offset: int) -> int:
        """Read a word there."""
        return int(self._ask(f"R {offset:x}"), 16)

    def write(self, offset: int, value: int) -> None:
        """Write a word there; it has been done when this returns."""
        self._ask(f"W {offset:x} {value:x}")

    def simulated(self) -> bool:
        """Whether the device behind it is no board."""
        return self._ask("S") == "1"

    def look(self, age: float) -> str:
        """Return a look at the device that is at most so many seconds old, as `look.replayed` takes it."""
        return self._ask(f"L {round(age * 1000):x}")

    def close(self) -> None:
        """Hang up."""
        self._answers.close()
        self._socket.close()
