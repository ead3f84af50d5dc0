# SPDX-License-Identifier: BSD-3-Clause
"""How a name is spelt in each language. The texts have TIME_LOW (registers), LawStep (SystemVerilog), code_e, red_t."""

import re


def words(name: str) -> list[str]:
    """Split a name of any spelling into its words, in lower case: LawStep and LAW_STEP are law, step."""
    return [word.lower() for word in re.findall(r"[A-Z][a-z0-9]*|[a-z0-9]+", re.sub(r"_[et]$", "", spaced(name)))]


def spaced(name: str) -> str:
    """Write a name in capitals as one that words() can split: TIME_LOW is time_low."""
    return name.lower() if name.isupper() else name


def camel(name: str) -> str:
    """Spell TIME_LOW as TimeLow."""
    return "".join(word.capitalize() for word in words(name))


def lower_camel(name: str) -> str:
    """Spell TIME_LOW as timeLow."""
    return camel(name)[0].lower() + camel(name)[1:]


def snake(name: str) -> str:
    """Spell TimeLow as time_low."""
    return "_".join(words(name))


def upper(name: str) -> str:
    """Spell TimeLow as TIME_LOW."""
    return snake(name).upper()


def common_prefix(names: list[str]) -> int:
    """Count the words that all names begin with, short of a whole name: LawNone, LawStep share one."""
    split = [words(name) for name in names]
    shared = 0
    while all(len(each) > shared + 1 and each[shared] == split[0][shared] for each in split):
        shared += 1
    return shared


def prose(text: str | None) -> str:
    """Return a description without its line breaks."""
    return " ".join((text or "").split())


def no_keyword(name: str) -> str:
    """Return a name that SystemVerilog does not take for a keyword."""
    return f"{name}_bit" if name in {"release"} else name
