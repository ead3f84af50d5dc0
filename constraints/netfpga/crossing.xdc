# SPDX-License-Identifier: BSD-3-Clause
# The clock crossing inside `output_queues`, scoped to that module: what one clock's registers hand to the other's may
# take a period of the slower clock (rtl/netfpga/tm_axil_crossing.sv). Not yet run in Vivado.
set axis_clock [get_clocks -of_objects [get_ports axis_aclk]]
set axi_clock [get_clocks -of_objects [get_ports S_AXI_ACLK]]
set slower [expr {max([get_property PERIOD $axis_clock], [get_property PERIOD $axi_clock])}]

# Levels: to the first flip-flop of two.
set_max_delay -datapath_only -from $axi_clock \
  -to [get_cells -hierarchical -filter {NAME =~ *crossing/req_sync/level_q_reg[0]}] $slower
set_max_delay -datapath_only -from $axi_clock \
  -to [get_cells -hierarchical -filter {NAME =~ *crossing/clear_sync/level_q_reg[0]}] $slower
set_max_delay -datapath_only -from $axis_clock \
  -to [get_cells -hierarchical -filter {NAME =~ *crossing/ack_sync/level_q_reg[0]}] $slower
set_max_delay -datapath_only -from $axis_clock \
  -to [get_cells -hierarchical -filter {NAME =~ *crossing/cleared_sync/level_q_reg[0]}] $slower
set_max_delay -datapath_only -from $axis_clock \
  -to [get_cells -hierarchical -filter {NAME =~ *crossing/lost_sync/level_q_reg[0]}] $slower

# Request and answer: they stand still while a level says that they may be read.
set_max_delay -datapath_only -from $axi_clock \
  -to [get_cells -hierarchical -filter {NAME =~ *crossing/doing_q_reg*}] $slower
set_max_delay -datapath_only -from $axis_clock \
  -to [get_cells -hierarchical -filter {NAME =~ *crossing/shown_q_reg*}] $slower
