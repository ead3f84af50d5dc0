# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of the documentation, each drawn by the module of its name."""
