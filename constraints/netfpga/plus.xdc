# SPDX-License-Identifier: BSD-3-Clause
# Clocks of `output_queues` out of context on NetFPGA-PLUS: 340 MHz, and the shell's 250 MHz for the registers, the harder case.
create_clock -name axis_aclk -period 2.941 [get_ports axis_aclk]
create_clock -name S_AXI_ACLK -period 4.000 [get_ports S_AXI_ACLK]
