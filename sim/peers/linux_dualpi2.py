# SPDX-License-Identifier: BSD-3-Clause
"""The step of Linux's `dualpi2` (since 6.17) with `step_thresh` in packets: the L queue alone, all of it ECT or CE.

Written from a description of the rule: a packet is taken from the queue, and the packets still in it are compared with
the threshold; if there are more, the packet is marked. With a threshold in packets of one length it is one in bytes.
"""

from __future__ import annotations

from collections import deque


class LinuxStep:
    """A queue whose packets are marked as they leave."""

    def __init__(self, step_thresh: int) -> None:
        self.step_thresh, self.step_marks = step_thresh, 0
        self._queue: deque[bool] = deque()

    def put(self, is_ce: bool) -> None:
        """Store a packet of the L queue."""
        self._queue.append(is_ce)

    def take(self) -> bool | None:
        """Take the oldest; gives whether it leaves CE, None for an empty queue."""
        if not self._queue:
            return None
        is_ce = self._queue.popleft()
        step = self._exceeds(len(self._queue))
        self.step_marks += step and not is_ce
        return is_ce or step

    def _exceeds(self, behind: int) -> bool:
        return behind > self.step_thresh
