# SPDX-License-Identifier: BSD-3-Clause
"""The network lab: scenarios of ns-3's TCP through Truemark's queues, swept and reported."""
