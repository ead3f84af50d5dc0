# SPDX-License-Identifier: BSD-3-Clause
# The host has nothing to say.
# BARRIER
B 1
# EXPECTED
N 0
# SENT
S 0

# BARRIER
B 1
# EXPECTED
N 0
# SENT
S 0

