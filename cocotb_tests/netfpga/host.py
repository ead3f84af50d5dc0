# SPDX-License-Identifier: BSD-3-Clause
"""The host's side of a register window: plain AXI4-Lite, one read and one write at a time, ready when the slave is."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from cocotb.triggers import RisingEdge

OKAY, SLVERR = 0, 2
PATIENCE = 3000  # cycles an access may take


@dataclass(frozen=True)
class Answer:
    """What came back."""

    response: int
    data: int = 0


class Host:
    """Reads and writes; the two channels may be used by two tasks at once."""

    def __init__(self, dut: Any, prefix: str, clock: str, *, rng: random.Random | None = None) -> None:
        self._dut, self._prefix = dut, prefix
        self._clock = getattr(dut, clock)
        self._rng = rng
        for name in ("awvalid", "wvalid", "bready", "arvalid", "rready", "awaddr", "araddr", "wdata"):
            self._pin(name).value = 0
        self._pin("wstrb").value = 15

    def _pin(self, name: str) -> Any:
        return getattr(self._dut, f"{self._prefix}_{name.upper() if self._prefix.isupper() else name}")

    async def _until(self, name: str) -> None:
        for _ in range(PATIENCE):
            await RisingEdge(self._clock)
            if self._pin(name).value == 1:
                return
        raise AssertionError(f"{name} did not come within {PATIENCE} cycles")

    async def _pause(self) -> None:
        for _ in range(self._rng.choice((0, 0, 0, 1, 3)) if self._rng else 0):
            await RisingEdge(self._clock)

    async def try_read(self, address: int) -> Answer:
        """Read a word, whatever the response."""
        self._pin("araddr").value, self._pin("arvalid").value = address, 1
        await self._until("arready")
        self._pin("arvalid").value = 0
        await self._pause()
        self._pin("rready").value = 1
        await self._until("rvalid")
        self._pin("rready").value = 0
        return Answer(int(self._pin("rresp").value), int(self._pin("rdata").value))

    async def try_write(self, address: int, data: int, strobe: int = 15) -> Answer:
        """Write a word, whatever the response."""
        self._pin("wdata").value, self._pin("wstrb").value, self._pin("awaddr").value = data, strobe, address
        self._pin("awvalid").value, self._pin("wvalid").value = 1, 1
        await self._until("awready")
        assert self._pin("wready").value == 1, "address taken without its data"
        self._pin("awvalid").value, self._pin("wvalid").value = 0, 0
        await self._pause()
        self._pin("bready").value = 1
        await self._until("bvalid")
        self._pin("bready").value = 0
        return Answer(int(self._pin("bresp").value))

    async def read(self, address: int) -> int:
        """Read a word; fail unless the answer is OKAY."""
        answer = await self.try_read(address)
        assert answer.response == OKAY, f"read of {address:#x}: response {answer.response}"
        return answer.data

    async def write(self, address: int, data: int) -> None:
        """Write a word; fail unless the answer is OKAY."""
        answer = await self.try_write(address, data)
        assert answer.response == OKAY, f"write of {address:#x}: response {answer.response}"
