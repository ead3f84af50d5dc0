# SPDX-License-Identifier: BSD-3-Clause
"""Host side of Truemark: configure a device, send traffic through an engine, and say what became of it."""
