# SPDX-License-Identifier: BSD-3-Clause
"""A device's queues as they change, second by second."""
