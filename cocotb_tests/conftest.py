# SPDX-License-Identifier: BSD-3-Clause
"""Every session says its seed, and every worker has the same one."""

from cocotb_tests.runner import seed
from cocotb_tests.verilate import waves


def pytest_report_header() -> list[str]:
    """Print what a person needs to repeat the session."""
    return [f"seed: {seed()} (set with TRUEMARK_SEED=number or random), waveforms: {'on' if waves() else 'off'}"]


def pytest_configure() -> None:
    """Fix the seed before the workers inherit the environment."""
    seed()
