# SPDX-License-Identifier: BSD-3-Clause
"""Policies and their laws: what a person writes down, checked, as the numbers that registers hold."""
