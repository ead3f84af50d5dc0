# SPDX-License-Identifier: BSD-3-Clause
"""The instance of cocotbext.truemark, with the policies, outcomes and findings of these tests."""

from __future__ import annotations

from cocotbext.truemark import RefusedError, device

from cocotb_tests.env.policy import Policy
from cocotb_tests.env.tm_pkg import Bad, Outcome

__all__ = ["BAD_COUNTERS", "CLEARING", "Device", "RefusedError"]

CLEARING = 520  # cycles of reset after which the counters of up to two ports are cleared
ARRIVALS = ((0, 8), (8, 4), (12, 2))  # the codes below SOJOURN_LOW, as a query can take them together
BAD_COUNTERS = {kind: device.BY_NAME[f"BAD_{kind.name}"] for kind in Bad}


class Device(device.Device):
    """`truemark` on a bench. Outputs are ready and every port may send unless a test says otherwise."""

    async def shadow(self, policy: Policy) -> None:
        """Write a policy to the shadow."""
        for address, value in policy.registers().items():
            await self.write(address, value)

    async def apply(self, port: int, policy: Policy) -> None:
        """Give a port a policy; raise RefusedError when it is refused."""
        await self.shadow(policy)
        await self.commit(port)

    async def bad(self) -> dict[Bad, int]:
        """Return the counters of wrong frames that are not zero."""
        counts = {kind: await self.read(register) for kind, register in BAD_COUNTERS.items()}
        return {kind: count for kind, count in counts.items() if count}

    async def outcomes(self, port: int) -> dict[Outcome, int]:
        """Take a snapshot and return the packets of every code of a port that are not zero."""
        await self.snapshot()
        found: dict[Outcome, int] = {}
        # A query takes as long for eight codes as for one, and most codes are of nothing: halve what is not zero.
        groups = [(first, codes, (await self.total(port, first, codes=codes))[0]) for first, codes in ARRIVALS]
        while groups:
            first, codes, count = groups.pop()
            if codes == 1 and count:
                found[Outcome(first)] = count
            elif count:
                half = codes // 2
                lower, _ = await self.total(port, first, codes=half)
                groups += [(first, half, lower), (first + half, half, count - lower)]
        return found
