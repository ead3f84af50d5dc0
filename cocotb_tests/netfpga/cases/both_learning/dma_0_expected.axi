# SPDX-License-Identifier: BSD-3-Clause
# Floods do not reach the host.
