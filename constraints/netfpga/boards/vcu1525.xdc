# SPDX-License-Identifier: BSD-3-Clause
# `output_queues` out of context on VCU1525 (xcvu9p-fsgd2104-2L-e): datapath at 340 MHz, and the shell's 250 MHz for
# the registers, the harder of the two. In the die that `reference_switch_lite` has its datapath in.
create_clock -name axis_aclk -period 2.941 [get_ports axis_aclk]
create_clock -name S_AXI_ACLK -period 4.000 [get_ports S_AXI_ACLK]
create_pblock queues
add_cells_to_pblock [get_pblocks queues] -top
resize_pblock [get_pblocks queues] -add {SLR2}
