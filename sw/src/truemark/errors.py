# SPDX-License-Identifier: BSD-3-Clause
"""The one exception that reaches a person: its text says what, where, and what would be right."""

from __future__ import annotations

import difflib
import errno


class TruemarkError(Exception):
    """Something the user can put right. The command prints the text alone and ends with exit code 1."""


class LinkError(TruemarkError):
    """The way to a device has failed; what was asked may or may not have been done."""


def explain(error: OSError) -> str:
    """Say what to do about an error of the operating system."""
    hints = {
        errno.EACCES: "permission denied: run as root, or give your user access to the file",
        errno.EPERM: "not permitted: run as root; kernel lockdown or STRICT_DEVMEM may also forbid it",
        errno.ENOENT: "not there",
        errno.ENODEV: "no such device: check the name with ip link, and that NetFPGA's driver is loaded",
        errno.ENOTTY: "the driver has no register access: this is no NetFPGA interface",
        errno.EOPNOTSUPP: "the driver has no register access: this is no NetFPGA interface",
        errno.ECONNREFUSED: "nobody listens there",
    }
    return hints.get(error.errno or 0, (error.strerror or str(error)).lower())


def suggest(word: str, known: list[str]) -> str:
    """The end of an error message: what was probably meant, and what there is."""
    close = difflib.get_close_matches(word, known, n=1)
    return (f"did you mean '{close[0]}'? " if close else "") + f"known: {', '.join(known)}"
