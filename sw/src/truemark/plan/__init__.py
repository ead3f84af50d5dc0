# SPDX-License-Identifier: BSD-3-Clause
"""Settings worked out from what a person wants: `truemark plan`."""
