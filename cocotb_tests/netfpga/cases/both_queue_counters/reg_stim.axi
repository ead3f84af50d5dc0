# SPDX-License-Identifier: BSD-3-Clause
# Identification, PKTIN, PKTOUT, the counters of the queues of nf0 and nf1; a counter is cleared by its read.
# BARRIER
B 4
N 3
S 0
N 3
S 0
N 0
S 3
# DELAY
D 500
# READ
R 00000001
-, -, -, 00030000.
# READ
R 00000001
-, -, -, 00030014.
# READ
R 00000001
-, -, -, 00030018.
# READ
R 00000001
-, -, -, 0003001c.
# READ
R 00000001
-, -, -, 00030020.
# READ
R 00000001
-, -, -, 00030038.
# READ
R 00000001
-, -, -, 00030024.
# READ
R 00000001
-, -, -, 0003002c.
# READ
R 00000001
-, -, -, 00030034.
# READ
R 00000001
-, -, -, 0003001c.
# WRITE
W 00000002
00030010, cafe0001, f, -.
# READ
R 00000001
-, -, -, 00030010.
# WRITE
W 00000002
00030008, 00000010, f, -.
# READ
R 00000001
-, -, -, 00030010.
