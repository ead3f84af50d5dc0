# SPDX-License-Identifier: BSD-3-Clause
"""The transport that speaks to a device's registers over TCP (server.py has the other end, and the protocol)."""

from __future__ import annotations

import socket
from typing import Protocol

from truemark.errors import LinkError, NoDeviceError, RefusedError, TruemarkError, explain

WINDOW = 0x1000
PORT = 7437
LOOK_SECONDS = 60  # a look at a whole pipeline that is simulated took eleven
PROTOCOL = 2  # 1 had no V
LONGEST = 1 << 20  # bytes of an answer: a look at 16 ports has a thirtieth of that
UNKNOWN = "not a request"  # begins the answer to a line that the server does not know


class Registers(Protocol):
    """What can be served."""

    def read(self, offset: int) -> int:
        """Read a word."""
        ...

    def write(self, offset: int, value: int) -> None:
        """Write a word."""
        ...


class OlderServerError(LinkError):
    """The server does not know the request: nothing has been done."""


class Remote:
    """A server on the other end of a TCP connection."""

    def __init__(self, host: str, port: int) -> None:
        self._where = f"tcp:{host}:{port}"
        try:
            self._socket = socket.create_connection((host, port), timeout=10)
        except OSError as error:
            raise NoDeviceError(f"{self._where}: {explain(error)}; is `truemark serve` running there?") from None
        except UnicodeError:
            raise TruemarkError(f"{self._where}: no host has such a name") from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.settimeout(LOOK_SECONDS)
        self._answers = self._socket.makefile("r", encoding="ascii", newline="\n")

    def _ask(self, line: str) -> str:
        try:
            self._socket.sendall(f"{line}\n".encode("ascii"))
            answer = self._answers.readline(LONGEST)
        except OSError as error:
            raise LinkError(f"{self._where}: {explain(error)}") from None
        except UnicodeDecodeError:
            raise self._stranger() from None
        if len(answer) == LONGEST or (answer and not answer.startswith(("=", "!"))):
            raise self._stranger()
        if not answer.endswith("\n"):
            raise LinkError(f"{self._where}: the server has closed the connection")
        if answer.startswith("!"):
            said = answer[1:].strip()
            if said.startswith(UNKNOWN):
                raise OlderServerError(f"{self._where}: {said}; use the same version of truemark there")
            kind = RefusedError if "SLVERR" in said or "has the lock" in said else LinkError
            raise kind(said if said.startswith("tcp:") else f"{self._where}: {said}")
        return answer[1:].strip()

    def _stranger(self) -> LinkError:
        return LinkError(f"{self._where}: what answers there is no `truemark serve`")

    def read(self, offset: int) -> int:
        """Read a word there."""
        answer = self._ask(f"R {offset:x}")
        try:
            return int(answer, 16)
        except ValueError:
            raise self._stranger() from None

    def write(self, offset: int, value: int) -> None:
        """Write a word there; it has been done when this returns."""
        self._ask(f"W {offset:x} {value:x}")

    def simulated(self) -> bool | None:
        """Whether the device behind it is no board; none where the server is too old to know."""
        try:
            _, *facts = self._ask("V").split()
        except OlderServerError:
            try:
                return self._ask("S") == "1"
            except OlderServerError:
                return None
        said = dict(each.partition(":")[::2] for each in facts)
        return said["simulated"] == "1" if "simulated" in said else None

    def look(self, age: float) -> str:
        """Return a look at the device that is at most so many seconds old, as `look.replayed` takes it."""
        return self._ask(f"L {round(age * 1000):x}")

    def close(self) -> None:
        """Hang up."""
        self._answers.close()
        self._socket.close()
