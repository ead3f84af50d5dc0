# SPDX-License-Identifier: BSD-3-Clause
"""What a device counts, in the forms that others read."""
