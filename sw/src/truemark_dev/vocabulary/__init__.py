# SPDX-License-Identifier: BSD-3-Clause
"""One vocabulary: what follows from rtl/control/truemark.rdl and rtl/tm_pkg.sv, in every language.

`package` and `registers` read the two texts, `generate` writes the files through the templates next to it, and `copies`
finds what was typed a second time.
"""
