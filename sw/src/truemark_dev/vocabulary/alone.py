# SPDX-License-Identifier: BSD-3-Clause
"""Writes truemark.rdl and the enumerations of tm_pkg.sv that it borrows as one file, for tools that read it by itself.

python -m truemark_dev.vocabulary.alone FILE
"""

from __future__ import annotations

import sys
from pathlib import Path

from truemark_dev.vocabulary import package, registers


def main() -> None:
    """Write the file that the command line names."""
    head, description = registers.SOURCE.read_text().split("\n\n", 1)
    borrowed = registers.borrowed_enumerations(package.read())
    Path(sys.argv[1]).write_text(f"{head}\n\n// From rtl/tm_pkg.sv.\n{borrowed}\n{description}")


if __name__ == "__main__":
    main()
