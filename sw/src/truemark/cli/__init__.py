# SPDX-License-Identifier: BSD-3-Clause
"""The command `truemark`: one module for each group of commands."""

from truemark.cli.app import main

__all__ = ["main"]
