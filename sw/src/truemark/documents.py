# SPDX-License-Identifier: BSD-3-Clause
"""The JSON documents that commands print."""

VERSION = 1
