# SPDX-License-Identifier: BSD-3-Clause
"""The network lab: scenarios of real TCP through Truemark's queues, run in ns-3, swept and reported."""
