# SPDX-License-Identifier: BSD-3-Clause
# Clocks of `output_queues` out of context on NetFPGA-SUME: datapath and registers run at 200 MHz.
create_clock -name axis_aclk -period 5.000 [get_ports axis_aclk]
create_clock -name S_AXI_ACLK -period 5.000 [get_ports S_AXI_ACLK]
