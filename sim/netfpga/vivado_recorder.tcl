# SPDX-License-Identifier: BSD-3-Clause
# A stand-in for Vivado, for tclsh: knows the commands that the Tcl and XDC of constraints/netfpga use, and only looks.
#
#   tclsh vivado_recorder.tcl -mode batch -source FILE [-tclargs WORD ...]
#   tclsh vivado_recorder.tcl -version
#
# Each file, part, port, parameter, clock, cell, region, core and property a command names must exist, or it ends with 1
# and says which does not. Ports and parameters are those of the top module in the files that were read; parts, regions
# and the registers at the clock crossing are in RECORDER_FACTS. A core that is packaged leaves its component.xml, an
# implemented project RUN/top.dcp, as far as the next call looks at them. What is asked of it is said on standard
# output. A command that is not here is an error. With RECORDER_LENIENT set, for the scripts of others, what is wrong is
# said and passed over.

proc check {condition text} {
  if {![uplevel 1 [list expr $condition]]} {
    puts stderr "recorder: $text"
    if {![info exists ::env(RECORDER_LENIENT)]} { exit 1 }
  }
}
proc option {words name} {
  set at [lsearch -exact $words $name]
  check [expr {$at >= 0}] "$name is missing in: $words"
  return [lindex $words [expr {$at + 1}]]
}
proc fact {kind} { return [dict get $::recorder::facts $kind] }
proc known {kind name} { check [expr {$name in [fact $kind]}] "no $kind '$name'" }
proc there {name} {
  check [expr {[file isfile $name] && [file readable $name]}] "no file $name"
  return $name
}
proc contents {name} {
  set file [open [there $name] r]
  fconfigure $file -encoding iso8859-1
  set text [read $file]
  close $file
  return $text
}

# Ports and parameters of a module with an ANSI header.
proc header {text module} {
  set text [regsub -all {/\*.*?\*/} [regsub -all -line {//.*$} $text {}] {}]
  set begin "\\mmodule\\s+$module\\M"
  if {![regexp -- "${begin}(.*?)\\)\\s*;" $text _ head]} { return {} }
  set parameters {}
  foreach {_ name} [regexp -all -inline {\mparameter\M[^=,;]*?(\w+)\s*=} $head] { lappend parameters $name }
  set ports {}
  set direction {\m(?:input|output|inout)\M[^,;]*?(\w+)\s*(?:,|$)}
  foreach {_ name} [regexp -all -inline $direction $head] { lappend ports $name }
  return [list $ports $parameters]
}
proc look {module} {
  foreach name $::recorder::files {
    set found [header [contents $name] $module]
    if {$found ne {}} {
      dict set ::recorder::facts ports [lindex $found 0]
      dict set ::recorder::facts parameters [lindex $found 1]
      return
    }
  }
  check 0 "none of the files read has module $module"
}

# Commands whose words nothing can be said about.
foreach name {
  set_param create_fileset update_compile_order update_ip_catalog reset_target generate_target create_run wait_on_run
  reset_run opt_design place_design phys_opt_design route_design
} {
  proc $name {args} {}
}

# What has been said so far; the scripts' own variables are in another namespace.
namespace eval recorder {
  variable clocks {} files {} constraints {} pblocks {} top {} core {} parameters {}
  variable catalog {} ips {} project {} inside {}
}

# ---- projects, files, objects ----
proc create_project {args} {
  known parts [option $args -part]
  if {"-dir" in $args} {
    set ::recorder::project [file join [option $args -dir] [option $args -name].xpr]
    file mkdir [option $args -dir]
    close [open $::recorder::project w]
  }
}
proc open_project {name} { set ::recorder::project [there $name] }
proc close_project {} { puts "closed" }
proc current_project {} { return project }
proc current_fileset {} { return fileset }
proc add_files {args} { there [lindex $args end] }
proc read_verilog {args} {
  lappend ::recorder::files [there [lindex $args end]]
  puts "read [lindex $args end]"
}
proc read_xdc {args} { lappend ::recorder::constraints [there [lindex $args end]] }
proc get_files {name} {
  if {[string match *.xci $name]} {
    check [expr {[file rootname $name] in [dict keys $::recorder::ips]}] "no file $name: no such IP was created"
  } elseif {![file isfile $name]} {
    check [expr {$name in [lmap each $::recorder::constraints {file tail $each}]}] "no file $name was read"
  }
  return [list file $name]
}
proc set_property {args} {
  if {[lindex $args 0] eq "-dict"} {
    foreach {name value} [lindex $args 1] { set_property $name $value [lindex $args end] }
    return
  }
  lassign $args name value object
  check [expr {$object ne ""}] "$name of nothing"
  set kind [lindex $object 0]
  switch -- $kind {
    ip {
      set component [dict get $::recorder::ips [lindex $object 1]]
      set named [regsub {^CONFIG\.} $name {}]
      check [expr {$component eq {} || $named in [dict get $component parameters]}] \
        "no parameter $named in IP [lindex $object 1]"
    }
    core {
      check [expr {$name in [fact core_properties]}] "no property $name of a core"
      dict set ::recorder::core $name $value
    }
    parameter {
      check [expr {$name in [fact parameter_properties]}] "no property $name of a parameter"
      if {$name eq "value"} { dict set ::recorder::parameters [lindex $object 1] $value }
    }
    fileset {
      if {$name eq "top"} { set ::recorder::top $value }
      if {$name eq "ip_repo_paths"} { set ::recorder::catalog $value }
    }
    file { check [expr {$name in [fact file_properties]}] "no property $name of a file" }
  }
  puts "set $name $value"
}
proc get_property {name object} {
  switch -- $name {
    PERIOD { return [dict get $::recorder::clocks [lindex $object 1]] }
    SLACK { return [fact slack] }
    default { check 0 "no property $name" }
  }
}

# ---- packaging ----
namespace eval ipx {
  proc package_project {args} {
    look $::recorder::top
    set ::recorder::parameters [dict create]
    foreach name [fact parameters] { dict set ::recorder::parameters $name {} }
  }
  proc current_core {} { return {core} }
  proc add_user_parameter {name core} { known parameters $name }
  proc get_user_parameters {name args} { known parameters $name; return [list parameter $name] }
  proc get_bus_interfaces {name args} {
    known ports ${name}_tdata
    puts "bus $name"
    return [list bus $name]
  }
  proc add_bus_parameter {name bus} {}
  proc infer_user_parameters {core} {}
  proc check_integrity {core} {
    foreach name {name vendor library version} {
      check [dict exists $::recorder::core $name] "the core has no $name"
    }
  }
  proc save_core {core} {
    set file [open component.xml w]
    puts $file "<component top=\"$::recorder::top\">"
    foreach name {vendor library name version} { puts $file "<$name>[dict get $::recorder::core $name]</$name>" }
    dict for {name value} $::recorder::parameters { puts $file "<parameter name=\"$name\">$value</parameter>" }
    puts $file "</component>"
    close $file
    puts "saved [dict get $::recorder::core name]"
  }
}

# ---- a board's project ----
proc components {folder} {
  set found [glob -nocomplain -directory $folder component.xml]
  foreach each [glob -nocomplain -directory $folder -type d *] { lappend found {*}[components $each] }
  return $found
}
proc create_ip {args} {
  set name [option $args -name]
  set component {}
  if {[option $args -vendor] eq "NetFPGA"} {
    foreach file [components $::recorder::catalog] {
      set text [contents $file]
      if {[regexp "<name>$name</name>" $text]} {
        set parameters [lmap {_ each} [regexp -all -inline {<parameter name="(\w+)"} $text] {set each}]
        set component [dict create name $name parameters $parameters]
      }
    }
    check [expr {$component ne {}}] "no core $name in $::recorder::catalog"
  }
  dict set ::recorder::ips [option $args -module_name] $component
  puts "ip [option $args -module_name] $name"
}
proc get_ips {name} { check [dict exists $::recorder::ips $name] "no IP $name"; return [list ip $name] }
proc get_runs {name} { return [list run $name] }
proc get_drc_checks {name} { return [list drc $name] }
proc run_folder {} { return [file rootname $::recorder::project].runs/impl_1 }
proc launch_runs {args} {
  puts "launched [lindex $args 0]"
  if {[lindex $args 0] eq "impl_1"} {
    file mkdir [run_folder]
    set file [open [run_folder]/top.dcp w]
    foreach component [dict values $::recorder::ips] {
      if {$component ne {}} { puts $file [dict get $component name] }
    }
    close $file
    if {"write_bitstream" in $args} { close [open [run_folder]/top.bit w] }
  }
}
proc open_run {name} {
  check [file isfile [run_folder]/top.dcp] "the project has no finished run $name"
  set ::recorder::inside [contents [run_folder]/top.dcp]
}
proc write_bitstream {args} { close [open [lindex $args end] w] }
proc get_board_parts {args} {
  set board [lindex [split [lindex $args end] :] 1]
  return "xilinx.com:$board:part0:1.0"
}

# ---- a design ----
proc synth_design {args} {
  set ::recorder::top [option $args -top]
  look $::recorder::top
  known parts [option $args -part]
  foreach {name value} $args {
    if {$name eq "-generic"} { known parameters [lindex [split $value =] 0] }
  }
  puts "synthesized [llength $::recorder::files] files"
  # Vivado applies constraints to the elaborated design.
  foreach name $::recorder::constraints { uplevel #0 [list source $name] }
}
proc get_ports {name} { known ports $name; return [list port $name] }
proc create_clock {args} {
  check [expr {[string is double -strict [option $args -period]] && [option $args -period] > 0}] "period in: $args"
  dict set ::recorder::clocks [lindex [lindex $args end] 1] [option $args -period]
  puts "clock [option $args -name] [option $args -period]"
}
proc get_clocks {args} {
  set port [lindex [option $args -of_objects] 1]
  check [dict exists $::recorder::clocks $port] "no clock on $port"
  return [list clock $port]
}
proc get_cells {args} {
  set filter [option $args -filter]
  if {[regexp {^REF_NAME =~ \*(\w+)\*$} $filter _ name]} {
    known modules $name
    # What is inside a core is not looked into: it is there if the project has the core.
    return [expr {"truemark_output_queues" in $::recorder::inside ? [list cell $name] : {}}]
  }
  check [regexp {^NAME =~ \*(\S+)$} $filter _ pattern] "filter: $filter"
  regsub {_reg(\[0\]|\*)$} $pattern {} cell
  known cells $cell
  return [list cell $cell]
}
proc set_max_delay {args} {
  check [expr {"-datapath_only" in $args}] "a crossing without -datapath_only: $args"
  check [expr {[lindex [option $args -from] 0] eq "clock" && [lindex [option $args -to] 0] eq "cell"}] "ends: $args"
  puts "max_delay [lindex [option $args -from] 1] [lindex [option $args -to] 1] [lindex $args end]"
}
proc create_pblock {name} { lappend ::recorder::pblocks $name }
proc get_pblocks {name} {
  check [expr {$name in $::recorder::pblocks}] "no pblock $name"
  return [list pblock $name]
}
proc add_cells_to_pblock {pblock what} { check [expr {$what eq "-top"}] "cells of a pblock: $what" }
proc resize_pblock {pblock option region} {
  known regions $region
  puts "placed in $region"
}
proc get_timing_paths {args} { return path }
foreach name {report_timing_summary report_utilization report_cdc report_timing} {
  proc $name {args} {
    set name [option $args -file]
    check [file isdirectory [file dirname $name]] "no folder for a report: $args"
    close [open $name w]
  }
}

if {[info exists env(RECORDER_LENIENT)]} {
  proc unknown {name args} {
    puts "unknown $name"
    return {}
  }
}

if {"-version" in $argv} {
  puts "Vivado v$env(RECORDER_VERSION) (64-bit)"
  exit
}
set recorder::facts [dict merge {ports {} parameters {}} $env(RECORDER_FACTS)]
set script [there [option $argv -source]]
set at [lsearch -exact $argv -tclargs]
set argv [expr {$at < 0 ? {} : [lrange $argv [expr {$at + 1}] end]}]
set argc [llength $argv]
source $script
