# SPDX-License-Identifier: BSD-3-Clause
"""Tools for those who develop Truemark: builds, lint, simulators, synthesis, mutants."""
