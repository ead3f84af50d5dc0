# SPDX-License-Identifier: BSD-3-Clause
# What the lookup has learned (0x20020), hit (0x20024) and flooded (0x20028).
# BARRIER
B 4
N 0
S 2
N 2
S 0
N 0
S 0
# BARRIER
B 4
N 2
S 0
N 0
S 2
N 0
S 0
# DELAY
D 200
# READ
R 00000001
-, -, -, 00020020.
# READ
R 00000001
-, -, -, 00020024.
# READ
R 00000001
-, -, -, 00020028.
