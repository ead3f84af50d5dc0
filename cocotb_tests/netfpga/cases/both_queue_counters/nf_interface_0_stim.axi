# SPDX-License-Identifier: BSD-3-Clause
# Silent.
# BARRIER
B 1
# EXPECTED
N 3
# SENT
S 0

