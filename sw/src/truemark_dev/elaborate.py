# SPDX-License-Identifier: BSD-3-Clause
"""Elaborates the RTL with slang, through which Yosys reads it: slang refuses what Verilator lets pass.

python -m truemark_dev.elaborate -F rtl/truemark.f --top truemark -GPORTS=16
"""

from __future__ import annotations

import sys

from pyslang import driver


def main(words: list[str]) -> int:
    """Run slang with its own command line; return 1 at an error."""
    slang = driver.Driver()
    slang.addStandardArgs()
    line = " ".join(word.replace("'", "\\'") for word in ("slang", *words))
    good = slang.parseCommandLine(line) and slang.processOptions() and slang.parseAllSources()
    return int(not (good and slang.runFullCompilation(quiet=True)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
