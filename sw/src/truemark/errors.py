# SPDX-License-Identifier: BSD-3-Clause
"""The one exception that reaches a person: its text says what, where, and what would be right."""


class TruemarkError(Exception):
    """Something the user can put right. The command prints the text alone and ends with exit code 1."""
