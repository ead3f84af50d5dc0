# SPDX-License-Identifier: BSD-3-Clause
"""The page of `truemark web`: what `truemark watch` shows, in any number of browsers.

It loads nothing from elsewhere, and is read-only unless a token is given; who has that may set a port's policy.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from truemark.errors import TruemarkError
from truemark.laws.policies import PortSettings
from truemark.laws.port import PortTable
from truemark.watch.feed import Feed

LONGEST = 4096  # bytes of a request to set a port
BROWSERS = 64
FILES = {
    "/": ("page.html", "text/html"),
    "/page.css": ("page.css", "text/css"),
    "/page.js": ("page.js", "text/javascript"),
}
# What of a port's settings the page can write; its limits stay.
SETTABLE = ("policy", "k", "dcqcn", "codel", "tcn", "target_delay", "rate")
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
Change = Callable[[int, PortTable], PortSettings]


class NotServedError(Exception):
    """A request that is not served: its status, and why."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


def application(feed: Feed, change: Change | None = None, token: str = "") -> Starlette:
    """Return the page of a feed; whoever knows the token may `change` a port, if that is given."""

    async def file(request: Request) -> Response:
        name, kind = FILES[request.url.path]
        return Response((files("truemark.watch") / "page" / name).read_bytes(), media_type=kind, headers=HEADERS)

    async def events(_request: Request) -> Response:
        return StreamingResponse(feed.follow(), media_type="text/event-stream", headers=HEADERS)

    async def settings(request: Request) -> Response:
        try:
            if change is None:
                raise NotServedError(403, "this page is read-only; truemark web --control lets it set policies")
            given = request.headers.get("authorization", "")
            if not secrets.compare_digest(given.encode(), f"Bearer {token}".encode()):
                raise NotServedError(401, "the token is missing or wrong: use the address that truemark web printed")
            port, table = wanted(request.path_params["port"], await body(request))
            found = await feed.ask(change, port, table)
        except NotServedError as refused:
            return PlainTextResponse(f"{refused}\n", refused.status, HEADERS)
        except TruemarkError as error:
            return PlainTextResponse(f"{error}\n", 409, HEADERS)
        return Response(json.dumps(found.facts()), media_type="application/json", headers=HEADERS)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        reader = asyncio.create_task(feed.run())
        yield
        reader.cancel()

    routes = [Route(path, file) for path in FILES]
    routes += [Route("/events", events), Route("/port/{port:int}", settings, methods=["POST"])]
    return Starlette(routes=routes, lifespan=lifespan)


async def body(request: Request) -> bytes:
    """Return what a request brings, if it is not too long."""
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > LONGEST:
            raise NotServedError(413, f"more than {LONGEST} bytes")
    return content


def wanted(port: int, content: bytes) -> tuple[int, PortTable]:
    """Return the port and its new policy; TruemarkError or NotServedError if the request says no such thing."""
    from truemark.fields import FROM_FILE
    from truemark.toml_errors import validated

    try:
        found: Any = json.loads(content)
    except (ValueError, RecursionError):
        raise NotServedError(400, "no JSON") from None
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise NotServedError(400, 'an object of texts is wanted, such as {"policy": "true-mark", "k": "30kB"}')
    if strange := found.keys() - set(SETTABLE):
        raise NotServedError(400, f"{min(strange)!r} is not set here; there are {', '.join(SETTABLE)}")
    return port, validated(PortTable, found, "", f"port {port}", FROM_FILE)


class Server(uvicorn.Server):
    """Ends in order, though its followers would stay for ever; and with its feed: else the page would stand still."""

    def __init__(self, app: Starlette, feed: Feed) -> None:
        quiet: dict[str, Any] = {"log_level": "error", "access_log": False, "ws": "none", "server_header": False}
        super().__init__(uvicorn.Config(app, limit_concurrency=BROWSERS, timeout_graceful_shutdown=2, **quiet))
        self._feed = feed

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until interrupted; raise what has ended the feed, if something has."""
        super().run(sockets)
        if self._feed.fault:
            raise self._feed.fault

    async def on_tick(self, counter: int) -> bool:
        """Return whether to end, which is asked ten times a second."""
        return await super().on_tick(counter) or self._feed.fault is not None

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let the followers go, then stop."""
        await self._feed.close()
        await super().shutdown(sockets)


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise TruemarkError(f"{host}:{port}: cannot listen: {error.strerror}") from None
