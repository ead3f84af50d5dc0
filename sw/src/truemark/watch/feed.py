# SPDX-License-Identifier: BSD-3-Clause
"""What a device does, for any number of followers: it is read once an interval, and only while somebody follows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import TypeVar

from truemark import documents
from truemark.device.look import Reading
from truemark.errors import TruemarkError
from truemark.watch.sample import between, document, pause

Result = TypeVar("Result")


class Feed:
    """Server-sent events of one device: `data` is a document `watch`, the event `trouble` says why there is none."""

    def __init__(
        self, about: Callable[[], documents.DeviceAddress], read: Callable[[], Reading], interval: float
    ) -> None:
        self._about, self._read, self._interval = about, read, interval
        self._number, self._latest = 0, ""
        self._followers = 0
        self._change, self._turn = asyncio.Condition(), asyncio.Lock()
        self.closing = False
        self.fault: Exception | None = None  # of this program, which ended the reading

    async def ask(self, work: Callable[..., Result], *arguments: object) -> Result:
        """Do something with the device, one thing at a time: for its lock this program is one."""
        async with self._turn:
            return await asyncio.to_thread(work, *arguments)

    async def run(self) -> None:
        """Read the device for as long as this runs; a fault of this program ends it, and is kept for the server."""
        try:
            await self._read_on()
        except Exception as fault:
            self.fault = fault

    async def _read_on(self) -> None:
        """Read the device; one that does not answer is asked again."""
        before: Reading | None = None
        while True:
            if not self._followers:
                before = None
                async with self._change:
                    await self._change.wait_for(lambda: self._followers)
            try:
                after = await self.ask(self._read)
                if before is not None:
                    found = documents.named("watch", document(self._about(), between(before, after)))
                    await self._tell(f"data: {json.dumps(found, separators=(',', ':'))}\n\n")
                before = after
            except TruemarkError as error:
                before = None
                await self._tell(f"event: trouble\ndata: {json.dumps(str(error))}\n\n")
            await asyncio.sleep(pause(self._interval))

    async def close(self) -> None:
        """Let every follower go."""
        self.closing = True
        await self._tell("")

    async def _tell(self, event: str) -> None:
        async with self._change:
            self._number, self._latest = self._number + 1, event
            self._change.notify_all()

    async def follow(self) -> AsyncIterator[str]:
        """Yield the events from now on, and at once the last one; who is slow gets fewer of them."""
        seen = -1 if self._followers else self._number  # what nobody followed is old
        self._followers += 1
        try:
            async with self._change:
                self._change.notify_all()
            while True:
                async with self._change:
                    while self._number == seen and not self.closing:
                        await self._change.wait()
                    seen, event = self._number, self._latest
                if self.closing:
                    return
                yield event
        finally:
            self._followers -= 1
