# SPDX-License-Identifier: BSD-3-Clause
# The clock crossing inside `output_queues`, scoped to that module: what one clock's registers hand to the other's
# (rtl/netfpga/tm_axil_crossing.sv). From cell to cell, so that where a board ties both clocks together no other path is
# let off its checks. Not yet run in Vivado.
set axis_clock [get_clocks -of_objects [get_ports axis_aclk]]
set axi_clock [get_clocks -of_objects [get_ports S_AXI_ACLK]]
set axis_period [get_property PERIOD $axis_clock]
set axi_period [get_property PERIOD $axi_clock]
set slower [expr {max($axis_period, $axi_period)}]

# Levels: to the first flip-flop of two.
set_max_delay -datapath_only -from [get_cells -hierarchical -filter {NAME =~ *crossing/req_q_reg}] \
  -to [get_cells -hierarchical -filter {NAME =~ *crossing/req_sync/level_q_reg[0]}] $slower
set_max_delay -datapath_only -from [get_cells -hierarchical -filter {NAME =~ *crossing/clear_q_reg}] \
  -to [get_cells -hierarchical -filter {NAME =~ *crossing/clear_sync/level_q_reg[0]}] $slower
set_max_delay -datapath_only -from [get_cells -hierarchical -filter {NAME =~ *crossing/ack_q_reg}] \
  -to [get_cells -hierarchical -filter {NAME =~ *crossing/ack_sync/level_q_reg[0]}] $slower
set_max_delay -datapath_only -from [get_cells -hierarchical -filter {NAME =~ *crossing/cleared_q_reg}] \
  -to [get_cells -hierarchical -filter {NAME =~ *crossing/cleared_sync/level_q_reg[0]}] $slower
set_max_delay -datapath_only -from [get_cells -hierarchical -filter {NAME =~ *crossing/lost_q_reg}] \
  -to [get_cells -hierarchical -filter {NAME =~ *crossing/lost_sync/level_q_reg[0]}] $slower

# Request and answer: they stand still while a level says that they may be read. It says so two periods of the reader
# after it came; one is left for skew.
set_max_delay -datapath_only -from [get_cells -hierarchical -filter {NAME =~ *crossing/asked_q_reg*}] \
  -to [get_cells -hierarchical -filter {NAME =~ *crossing/doing_q_reg*}] $axis_period
set_max_delay -datapath_only -from [get_cells -hierarchical -filter {NAME =~ *crossing/answer_q_reg*}] \
  -to [get_cells -hierarchical -filter {NAME =~ *crossing/shown_q_reg*}] $axi_period
