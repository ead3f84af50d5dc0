# SPDX-License-Identifier: BSD-3-Clause
"""A device's registers over TCP: a small server in front of any transport.

A line is `R offset`, `W offset value` or `L age` in hexadecimal, its answer `= value`, `=`, or `! what is wrong`. `L`
is a look at the whole device that is at most `age` milliseconds old: one serves all who ask. `V` asks for the version
of the protocol and what is to be said of the device, `= 2 simulated:1`; a client passes over what it does not know.
`S` is what tools asked before there was `V`. A line that the server does not know is answered `! not a request`, and
nothing else is: a client of a later version learns so that it speaks to an older server. There is no password: the
server listens on the loopback address unless told otherwise. A client that is gone keeps no lock.
"""

from __future__ import annotations

import socketserver
import threading
import time
from collections.abc import Collection
from contextlib import suppress
from typing import Any

from truemark.device import registers
from truemark.device.board import Attached
from truemark.device.look import recorded
from truemark.errors import TruemarkError
from truemark.link.remote import PORT, PROTOCOL, UNKNOWN, WINDOW, Registers

CLIENTS = 64
IDLE = 600.0  # seconds after which a client that asks nothing is let go
LONGEST = 64  # bytes of a line


class _Handler(socketserver.StreamRequestHandler):
    """One client; a line that makes no sense is answered, and changes nothing."""

    server: Server
    timeout = IDLE

    def handle(self) -> None:
        """Answer until the client hangs up, or says nothing for too long; a lock that it left behind is given back."""
        owners: set[int] = set()
        try:
            while line := self.rfile.readline(LONGEST):
                words = line.decode("ascii", "replace").split()
                if self.server.too_many():
                    self._say(f"! {CLIENTS} clients are connected already, more are not served; try again later")
                    return
                if not line.endswith(b"\n"):
                    self._say(f"! {UNKNOWN}: the line does not end")
                    return
                answer = self.server.answer(words)
                follow_lock(words, owners)  # before it is said, which may fail
                self._say(answer)
        except TimeoutError:
            with suppress(OSError):
                self._say(f"! nothing was asked for {IDLE:.0f} s: the server hangs up")
        except OSError:
            pass  # it is gone
        finally:
            self.server.give_back(owners)

    def _say(self, answer: str) -> None:
        self.wfile.write(f"{answer}\n".encode("ascii", "replace"))


def follow_lock(words: list[str], owners: set[int]) -> None:
    """Add the owner that a client tries to lock the device for to those that it has tried, or take one away."""
    try:
        if words[0] != "W" or int(words[1], 16) != registers.LOCK.address:
            return
        wanted = registers.LOCK.unpack(int(words[2], 16))
    except (IndexError, ValueError):
        return
    if wanted["release"]:
        owners.discard(wanted["owner"])
    elif wanted["owner"]:
        owners.add(wanted["owner"])


class _Stopped:
    """What stands behind a server that has stopped."""

    def read(self, offset: int) -> int:
        """Refuse."""
        raise TruemarkError("the server has stopped")

    def write(self, offset: int, value: int) -> None:
        """Refuse."""
        raise TruemarkError("the server has stopped")


class Server(socketserver.ThreadingTCPServer):
    """Serves one transport to clients side by side, on the loopback address unless told otherwise.

    Each access is whole; what belongs together clients keep apart with the device's lock.
    """

    allow_reuse_address = True
    daemon_threads = True

    def __init__(
        self, transport: Registers, host: str = "127.0.0.1", port: int = PORT, *, simulated: bool | None = False
    ) -> None:
        self._simulated = simulated
        self._transport: Registers = transport
        self._one_at_a_time, self._clients = threading.Lock(), 0
        self._looking, self._looked, self._look = threading.Lock(), float("-inf"), ""
        super().__init__((host, port), _Handler)
        self._board = Attached(f"tcp:{host}:{self.port}", registers=self)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve one client in its thread."""
        with self._one_at_a_time:
            self._clients += 1
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._one_at_a_time:
                self._clients -= 1

    def server_close(self) -> None:
        """Stop listening. Clients' threads live on, but reach the transport no more: it may be closed."""
        super().server_close()
        with self._one_at_a_time:
            self._transport = _Stopped()

    def too_many(self) -> bool:
        """Whether more clients are connected than can be."""
        return self._clients > CLIENTS

    def give_back(self, owners: Collection[int]) -> None:
        """Release the lock if one of these owners, whose connection has ended, still has it."""
        lock = registers.LOCK
        with suppress(TruemarkError), self._one_at_a_time:
            if owners and (owner := lock.unpack(self._transport.read(lock.address))["owner"]) in owners:
                self._transport.write(lock.address, lock.pack(release=1, owner=owner))

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.server_address[1])

    def read(self, offset: int) -> int:
        """Read a word, between the accesses of clients."""
        with self._one_at_a_time:
            return self._transport.read(offset)

    def write(self, offset: int, value: int) -> None:
        """Write a word, between the accesses of clients."""
        with self._one_at_a_time:
            self._transport.write(offset, value)

    def look(self, age: float) -> str:
        """Return the last look, or what hindered it; look again if it was begun more than so many seconds ago."""
        asked = time.monotonic()
        with self._looking:
            if self._looked < asked - age:
                begun = time.monotonic()
                try:
                    with self._board.open() as device:
                        self._look = f"= {recorded(device)}"
                except (TruemarkError, ValueError) as error:  # a register that holds what it cannot
                    self._look = refusal(error)
                self._looked = begun
            return self._look

    def answer(self, words: list[str]) -> str:
        """Return the answer to one line."""
        try:
            if words == ["S"]:
                return f"= {int(self._simulated or 0)}"
            if words == ["V"]:
                return f"= {PROTOCOL}" + ("" if self._simulated is None else f" simulated:{int(self._simulated)}")
            if words[:1] not in (["R"], ["W"], ["L"]) or len(words) != (3 if words[0] == "W" else 2):
                return f"! {UNKNOWN}: R offset, W offset value, L age, or V"
            offset, *value = [int(word, 16) for word in words[1:]]
            if words[0] == "L":
                return self.look(offset / 1000) if 0 <= offset < 1 << 32 else f"! age {offset}: 32 bits at most"
            if offset % 4 or not 0 <= offset < WINDOW or any(not 0 <= each < 1 << 32 for each in value):
                return f"! offset {offset:#x}: a multiple of 4 below {WINDOW:#x}, and a 32-bit value"
            if value:
                self.write(offset, value[0])
                return "="
            return f"= {self.read(offset):x}"
        except ValueError:
            return "! not a number"
        except TruemarkError as error:
            return refusal(error)


def refusal(error: Exception) -> str:
    """Return what is wrong, in one line."""
    return "! " + " ".join(str(error).split())
