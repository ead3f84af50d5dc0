# SPDX-License-Identifier: BSD-3-Clause
"""A device's registers over TCP: a small server in front of any transport, and the transport that speaks to it.

A line is `R offset` or `W offset value` in hexadecimal, its answer `= value`, `=`, or `! what is wrong`. There is no
password: the server listens on the loopback address unless told otherwise. A client that is gone keeps no lock.
"""

from __future__ import annotations

import socket
import socketserver
import threading
from contextlib import suppress
from typing import Any, Protocol

from truemark.device import registers
from truemark.errors import LinkError, NoDeviceError, RefusedError, TruemarkError, explain

WINDOW = 0x1000
PORT = 7437
CLIENTS = 64
IDLE = 600.0  # seconds after which a client that asks nothing is let go
LONGEST = 64  # bytes of a line


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
            kind = RefusedError if "SLVERR" in answer else LinkError
            raise kind(f"{self._where}: {answer[1:].strip()}")
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
    timeout = IDLE

    def handle(self) -> None:
        """Answer until the client hangs up, or says nothing for too long; a lock that it left behind is given back."""
        owner = 0
        try:
            while line := self.rfile.readline(LONGEST):
                words = line.decode("ascii", "replace").split()
                if self.server.too_many():
                    self._say(f"! {CLIENTS} clients are connected already, more are not served; try again later")
                    return
                if not line.endswith(b"\n"):
                    self._say("! not a request: the line does not end")
                    return
                self._say(self.server.answer(words))
                owner = lock_of(words, owner)
        except TimeoutError:
            with suppress(OSError):
                self._say(f"! nothing was asked for {IDLE:.0f} s: the server hangs up")
        except OSError:
            pass  # it is gone
        finally:
            self.server.give_back(owner)

    def _say(self, answer: str) -> None:
        self.wfile.write(f"{answer}\n".encode("ascii", "replace"))


def lock_of(words: list[str], before: int) -> int:
    """The owner that a client has tried to lock the device for, 0 for none, after a request."""
    try:
        if words[0] != "W" or int(words[1], 16) != registers.LOCK.address:
            return before
        wanted = registers.LOCK.unpack(int(words[2], 16))
    except (IndexError, ValueError):
        return before
    return 0 if wanted["release"] else wanted["owner"]


class Server(socketserver.ThreadingTCPServer):
    """Serves one transport to clients side by side, on the loopback address unless told otherwise.

    Each access is whole; what belongs together clients keep apart with the device's lock.
    """

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, transport: Registers, host: str = "127.0.0.1", port: int = PORT) -> None:
        self._transport, self._one_at_a_time, self._clients = transport, threading.Lock(), 0
        super().__init__((host, port), _Handler)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve one client in its thread."""
        with self._one_at_a_time:
            self._clients += 1
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._one_at_a_time:
                self._clients -= 1

    def too_many(self) -> bool:
        """Whether more clients are connected than can be."""
        return self._clients > CLIENTS

    def give_back(self, owner: int) -> None:
        """Release the lock if this owner, whose connection has ended, still has it."""
        lock = registers.LOCK
        with suppress(TruemarkError), self._one_at_a_time:
            if owner and lock.unpack(self._transport.read(lock.address))["owner"] == owner:
                self._transport.write(lock.address, lock.pack(release=1, owner=owner))

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.server_address[1])

    def answer(self, words: list[str]) -> str:
        """Return the answer to one line."""
        with self._one_at_a_time:
            return self._answer(words)

    def _answer(self, words: list[str]) -> str:
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
