# SPDX-License-Identifier: BSD-3-Clause
"""Truemark in a cocotb bench: frames in and out, registers by name, and the golden model next to the instance."""

from cocotbext.truemark.device import Device, RefusedError
from cocotbext.truemark.model import Build
from cocotbext.truemark.scoreboard import MismatchError, Scoreboard
from cocotbext.truemark.sinks import Received, Sinks
from cocotbext.truemark.source import Frame, Source

__all__ = ["Build", "Device", "Frame", "MismatchError", "Received", "RefusedError", "Scoreboard", "Sinks", "Source"]
