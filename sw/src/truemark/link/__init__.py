# SPDX-License-Identifier: BSD-3-Clause
"""Ways to the registers of a device that is not in this process."""
