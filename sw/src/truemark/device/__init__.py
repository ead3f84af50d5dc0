# SPDX-License-Identifier: BSD-3-Clause
"""A device: its registers, how it is configured and read, engines that simulate one."""
