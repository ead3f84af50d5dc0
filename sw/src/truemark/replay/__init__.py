# SPDX-License-Identifier: BSD-3-Clause
"""A capture through one port: frames in, frames out, numbers, tables and pictures."""
