# SPDX-License-Identifier: BSD-3-Clause
# `output_queues` out of context on Alveo U250 (xcu250-figd2104-2L-e): datapath at 340 MHz, and the shell's 250 MHz for
# the registers, the harder of the two. NetFPGA-PLUS leaves the datapath's die to the placer on this board, as here.
create_clock -name axis_aclk -period 2.941 [get_ports axis_aclk]
create_clock -name S_AXI_ACLK -period 4.000 [get_ports S_AXI_ACLK]
