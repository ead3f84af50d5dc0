# SPDX-License-Identifier: BSD-3-Clause
"""A device's registers over TCP: a small server in front of any transport, and the transport that speaks to it.

A line is `R offset` or `W offset value` in hexadecimal, its answer `= value`, `=`, or `! what is wrong`. There is no
password: the server listens on the loopback address unless told otherwise.
"""

from __future__ import annotations

import socket
import socketserver
from typing import Protocol

from truemark.errors import LinkError, NoDeviceError, TruemarkError, explain

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
            raise LinkError(f"{self._where}: {answer[1:].strip()}")
        return answer[1:].strip()

    def read(self, offset: int) -> int:
        """Read a word there."""
        return int(self._ask(f"R {offset:x}"), 16)

    def write(self, offset: int, value: int) -> None:
        """Write a word there; it has been done when this returns."""
        self._ask(f"W {offset:x} {value:x}")

    def close(self) -> None:
        """Hang up."""
        self._answers.close()
        self._socket.close()


class _Handler(socketserver.StreamRequestHandler):
    """One client; a line that makes no sense is answered, and changes nothing."""

    server: Server

    def handle(self) -> None:
        """Answer until the client hangs up."""
        for line in self.rfile:
            self.wfile.write(
                f"{self.server.answer(line.decode('ascii', 'replace').split())}\n".encode("ascii", "replace")
            )


class Server(socketserver.TCPServer):
    """Serves one transport, one client at a time, on the loopback address unless told otherwise."""

    allow_reuse_address = True

    def __init__(self, transport: Registers, host: str = "127.0.0.1", port: int = PORT) -> None:
        self._transport = transport
        super().__init__((host, port), _Handler)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.server_address[1])

    def answer(self, words: list[str]) -> str:
        """Return the answer to one line."""
        try:
            if len(words) not in (2, 3) or words[0] != ("R", "W")[len(words) - 2]:
                return "! not a request: R offset, or W offset value"
            offset, *value = [int(word, 16) for word in words[1:]]
            if offset % 4 or not 0 <= offset < WINDOW or any(not 0 <= each < 1 << 32 for each in value):
                return f"! offset {offset:#x}: a multiple of 4 below {WINDOW:#x}, and a 32-bit value"
            if value:
                self._transport.write(offset, value[0])
                return "="
            return f"= {self._transport.read(offset):x}"
        except ValueError:
            return "! not a number"
        except TruemarkError as error:
            return "! " + " ".join(str(error).split())
