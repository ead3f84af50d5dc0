# SPDX-License-Identifier: BSD-3-Clause
"""The exceptions that reach a person: their text says what, where, and what would be right; each has an exit code."""

from __future__ import annotations

import difflib
import errno
import json
import re
import sys
from enum import IntEnum


class ExitCode(IntEnum):
    """How a command ends; `EXIT_CODES` says what each means."""

    DONE = 0
    WRONG = 1
    USAGE = 2
    CHECK_FAILED = 3
    REFUSED = 4
    NO_DEVICE = 5
    INTERRUPTED = 130
    PIPE_CLOSED = 128 + 13  # as if SIGPIPE had ended the program


EXIT_CODES = {
    ExitCode.DONE: "done",
    ExitCode.WRONG: "a file or a value is impossible",
    ExitCode.USAGE: "an option or argument is missing or unknown",
    ExitCode.CHECK_FAILED: "a rule of `truemark check` is broken",
    ExitCode.REFUSED: "the device refused",
    ExitCode.NO_DEVICE: "no device answers, or the link was lost",
    ExitCode.INTERRUPTED: "interrupted, after saying what was done",
    ExitCode.PIPE_CLOSED: "the reader of a pipe closed its end",
}
"""What help and manual say of each code."""


TOO_LONG = f"a number of more than {sys.get_int_max_str_digits()} digits"
"""What is wrong where json or tomllib raise ValueError, and not their own error: Python reads no longer one."""


class TruemarkError(Exception):
    """Something the user can put right. The command prints the text alone and ends with `code`."""

    code = ExitCode.WRONG


class CheckError(TruemarkError):
    """A rule that `truemark check` was asked to hold is broken."""

    code = ExitCode.CHECK_FAILED


class RefusedError(TruemarkError):
    """The device is there and will not do this."""

    code = ExitCode.REFUSED


class NoDeviceError(TruemarkError):
    """No Truemark answers at an address."""

    code = ExitCode.NO_DEVICE


class LinkError(NoDeviceError):
    """The way to a device has failed; what was asked may or may not have been done."""


class InterruptedRunError(TruemarkError):
    """The user has stopped it; the text says what has been done so far."""

    code = ExitCode.INTERRUPTED


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


# What the library that reads options and files says, in words that need no knowledge of it.
PLAIN = {
    "Input should be a valid integer, unable to parse string as an integer": "a whole number is wanted",
    "Input should be a valid integer, got a number with a fractional part": "a whole number is wanted",
    "Input should be a valid integer": "a whole number is wanted",
    "Input should be a valid number, unable to parse string as a number": "a number is wanted",
    "Input should be a valid boolean, unable to interpret input": "true or false is wanted",
    "Input should be a valid dictionary": "it must be a table",
    "Input should be a valid ": "it must be a ",
    "Input should be ": "it must be ",
}


def in_words(text: str) -> str:
    """Return the library's text without its own terms."""
    for theirs, ours in PLAIN.items():
        text = text.replace(theirs, ours)
    return re.sub(r" or instance of \w+", "", text)


def as_written(value: object) -> str:
    """Return a file's value as TOML and JSON write it, and a text as errors quote it."""
    return repr(value) if isinstance(value, str) else json.dumps(value, default=str)


def suggest(word: str, known: list[str]) -> str:
    """Return the end of an error message: what was probably meant, and what there is."""
    close = [each for each in known if each.startswith(f"{word}_")][:1] or difflib.get_close_matches(word, known, n=1)
    return (f"did you mean '{close[0]}'? " if close else "") + f"known: {', '.join(known)}"
