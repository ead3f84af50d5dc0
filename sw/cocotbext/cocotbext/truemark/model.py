# SPDX-License-Identifier: BSD-3-Clause
"""The golden model in its library, which lies in this package; `TRUEMARK_SCOREBOARD` names another."""

from __future__ import annotations

import os
from ctypes import CDLL, POINTER, Structure, c_char_p, c_int, c_uint32, c_uint64, c_void_p
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path

from cocotbext.truemark.registers import CAPABILITIES

ABI = 3


@dataclass(frozen=True)
class Build:
    """The parameters of an instance."""

    ports: int
    data_w: int
    rows: int
    descriptors: int
    max_frame: int
    capabilities: int  # the register's word
    queues: int = 1  # of a line

    def has(self, capability: str) -> bool:
        """Return whether the build has what a bit of CAPABILITIES says."""
        return bool(CAPABILITIES[capability].get(self.capabilities))


class _Build(Structure):
    _fields_ = [(name, c_uint32) for name in Build.__dataclass_fields__]


class Library:
    """One golden model; `cycle` and `conclude` return whether there is a difference."""

    def __init__(self, build: Build) -> None:
        self._library = _library()
        self._board = self._library.tms_open(_Build(*map(int, astuple(build))))

    def __del__(self) -> None:
        if board := self.__dict__.pop("_board", None):
            self._library.tms_close(board)

    def cycle(self, *pins: int | bytes | None) -> bool:
        """Tell it the pins of a cycle (sim/scoreboard/scoreboard_abi.h)."""
        return self._told(self._library.tms_cycle(self._board, *pins))

    def conclude(self) -> bool:
        """Say that no more will come."""
        return self._told(self._library.tms_conclude(self._board))

    def report(self) -> list[str]:
        """Return kind, port, cycle, frame, what, state and the frame in hexadecimal."""
        return str(self._library.tms_report(self._board).decode()).split("\n")

    def count(self, which: int) -> int:
        """Return frames that came in (0), that left (1), reads that were compared (2), whether nothing moves (3)."""
        return int(self._library.tms_count(self._board, which))

    def _told(self, answer: int) -> bool:
        if answer < 0:
            raise RuntimeError(f"the golden model failed: {self.report()[0]}")
        return answer == 1


@cache
def _library() -> CDLL:
    near = Path(__file__).with_name("libtruemark_scoreboard.so")
    library = CDLL(os.environ.get("TRUEMARK_SCOREBOARD", str(near.resolve())))
    library.tms_open.restype = c_void_p
    library.tms_open.argtypes = [POINTER(_Build)]
    library.tms_close.argtypes = [c_void_p]
    library.tms_cycle.argtypes = [c_void_p, c_uint32, c_uint64, c_uint32, c_uint32, c_uint32, *[c_char_p] * 3]
    library.tms_cycle.restype = c_int
    library.tms_conclude.argtypes = library.tms_report.argtypes = [c_void_p]
    library.tms_report.restype = c_char_p
    library.tms_count.argtypes = [c_void_p, c_uint32]
    library.tms_count.restype = c_uint64
    if library.tms_abi_version() != ABI:
        raise RuntimeError(f"{library._name} has version {library.tms_abi_version()}, wanted is {ABI}")
    return library
