# SPDX-License-Identifier: BSD-3-Clause
# `output_queues` out of context on NetFPGA-SUME (xc7vx690t-3-ffg1761): datapath and registers run at 200 MHz.
create_clock -name axis_aclk -period 5.000 [get_ports axis_aclk]
create_clock -name S_AXI_ACLK -period 5.000 [get_ports S_AXI_ACLK]
