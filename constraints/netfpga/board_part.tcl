# SPDX-License-Identifier: BSD-3-Clause
# Says which board part Vivado has for a board, as NetFPGA-PLUS's settings ask for it. Not yet run in Vivado.
#
#   vivado -mode batch -source board_part.tcl -tclargs au280

puts "board_part [get_board_parts -quiet -latest_file_version *:[lindex $argv 0]:*]"
