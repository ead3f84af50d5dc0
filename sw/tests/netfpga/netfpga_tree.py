# SPDX-License-Identifier: BSD-3-Clause
"""A small tree in the shape of NetFPGA-PLUS, of modules of our own: for `make netfpga-sim` to read.

Its arbiter and lookup are those of rtl/netfpga behind NetFPGA's names and ports; its registers do not answer.
"""

from __future__ import annotations

from pathlib import Path

PORTS, WIDTH = 3, 512
STREAM = {"tdata": WIDTH, "tkeep": WIDTH // 8, "tuser": 128, "tvalid": 1, "tready": 1, "tlast": 1}
BUS = {
    "AWADDR": 32,
    "AWVALID": 1,
    "WDATA": 32,
    "WSTRB": 4,
    "WVALID": 1,
    "BREADY": 1,
    "ARADDR": 32,
    "ARVALID": 1,
    "RREADY": 1,
    "ARREADY": -1,
    "RDATA": -32,
    "RRESP": -2,
    "RVALID": -1,
    "WREADY": -1,
    "BRESP": -2,
    "BVALID": -1,
    "AWREADY": -1,
}  # bits, negative towards the host
ARBITER = """  wire [{all}*24-1:0] user = {{{users}}};
  wire [{all}-1:0] drop, receive;
  wire first, error;
  assign {{{readies}}} = {{{all}{{axis_resetn}}}};
  assign m_axis_tuser[127:24] = {{103'b0, first}};
  tm_input_arbiter #(.PORTS({all}), .DATA_W({width}), .ROWS(512), .USER_W(24)) arbiter (
    .clk_i(axis_aclk), .rst_i(!axis_resetn), .s_valid_i({{{valids}}}), .s_data_i({{{datas}}}), .s_keep_i({{{keeps}}}),
    .s_last_i({{{lasts}}}), .s_user_i(user), .m_valid_o(m_axis_tvalid), .m_first_o(first), .m_data_o(m_axis_tdata),
    .m_keep_o(m_axis_tkeep), .m_last_o(m_axis_tlast), .m_error_o(error), .m_user_o(m_axis_tuser[23:0]),
    .drop_o(drop), .receive_o(receive));
"""
LOOKUP = """  wire error, learn, hit, flood, filter;
  assign s_axis_tready = 1'b1;
  assign m_axis_tuser[127:32] = 96'b0;
  tm_switch_lookup #(.PORTS({all}), .DATA_W({width}), .DEPTH(64)) lookup (
    .clk_i(axis_aclk), .rst_i(!axis_resetn), .s_valid_i(s_axis_tvalid), .s_first_i(s_axis_tuser[24]),
    .s_data_i(s_axis_tdata), .s_keep_i(s_axis_tkeep), .s_last_i(s_axis_tlast), .s_error_i(1'b0),
    .s_user_i(s_axis_tuser[23:0]), .m_valid_o(m_axis_tvalid), .m_data_o(m_axis_tdata), .m_keep_o(m_axis_tkeep),
    .m_last_o(m_axis_tlast), .m_error_o(error), .m_user_o(m_axis_tuser[31:0]), .clear_i(1'b0), .write_i(1'b0),
    .index_i(4'b0), .entry_valid_i(1'b0), .entry_mac_i(48'b0), .entry_ports_i(8'b0), .learn_o(learn), .hit_o(hit),
    .flood_o(flood), .filter_o(filter));
"""
CORE_TCL = """set design {name}
read_verilog "./hdl/{name}.v"
ipx::add_subcore NetFPGA:NetFPGA:helper:1.0 [ipx::current_core]
"""
PROJECT_TCL = """set datapath_width_bit    512
set opl_lut_size          16
set opl_lut_depth_bits    [expr int(log(${opl_lut_size})/log(2))]
create_ip -name switch_lite_output_port_lookup -vendor NetFPGA -library NetFPGA -module_name output_port_lookup_ip
set_property CONFIG.DEPTH_BITS ${opl_lut_depth_bits} [get_ips output_port_lookup_ip]
create_ip -name input_arbiter -vendor NetFPGA -library NetFPGA -module_name input_arbiter_ip
set_property CONFIG.WIDTH ${datapath_width_bit} [get_ips input_arbiter_ip]
create_ip -name output_queues -vendor NetFPGA -library NetFPGA -module_name output_queues_ip
set_property CONFIG.C_M_AXIS_DATA_WIDTH ${datapath_width_bit} [get_ips output_queues_ip]
set_property CONFIG.C_S_AXIS_DATA_WIDTH ${datapath_width_bit} [get_ips output_queues_ip]
"""


def stream(prefix: str, *, into: bool) -> list[str]:
    """Return the port declarations of a stream."""
    return [
        f"{'input' if into != (pin == 'tready') else 'output'} [{bits - 1}:0] {prefix}_{pin}"
        for pin, bits in STREAM.items()
    ]


def bus(prefix: str) -> list[str]:
    """Return the port declarations of a register slave."""
    return [f"{'input' if bits > 0 else 'output'} [{abs(bits) - 1}:0] {prefix}_{pin}" for pin, bits in BUS.items()]


def module(name: str, parameter: str, ports: list[str], body: str) -> str:
    """Return a core with clock and reset."""
    clocks = ["input axis_aclk", "input axis_resetn", "input S_AXI_ACLK", "input S_AXI_ARESETN"]
    quiet = "".join(f"  assign S_AXI_{pin} = 0;\n" for pin, bits in BUS.items() if bits < 0)
    declared = ",\n  ".join([*clocks, *ports, *bus("S_AXI")])
    head = f"module {name} #(parameter {parameter} = 8) (\n  {declared}\n);\n"
    return f"{head}{quiet}{body}  helper nothing ();\nendmodule\n"


def each(form: str) -> str:
    """Return a concatenation over the ports, the highest first."""
    return ", ".join(form.format(p) for p in reversed(range(PORTS)))


def wired(ip: str, slave: int, pins: list[str]) -> str:
    """Return an instance in the datapath."""
    clocks = [
        ".axis_aclk(axis_aclk)",
        ".axis_resetn(axis_resetn)",
        ".S_AXI_ACLK(axi_aclk)",
        ".S_AXI_ARESETN(axi_resetn)",
    ]
    registers = [f".S_AXI_{pin}(S{slave}_AXI_{pin})" for pin in BUS]
    return f"  {ip}\n    inst_{slave} (\n    {', '.join([*clocks, *pins, *registers])});\n"


def join(near: str, far: str) -> list[str]:
    """Return the connections of one stream."""
    return [f".{near}_{pin}({far}_{pin})" for pin in STREAM]


def datapath() -> str:
    """Return nf_datapath."""
    ports = ["input axis_aclk", "input axis_resetn", "input axi_aclk", "input axi_resetn"]
    ports += [line for slave in range(3) for line in bus(f"S{slave}_AXI")]
    ports += [line for p in range(PORTS) for line in stream(f"s_axis_{p}", into=True)]
    ports += [line for p in range(PORTS) for line in stream(f"m_axis_{p}", into=False)]
    wires = "".join(f"  wire [{bits - 1}:0] {net}_{pin};\n" for net in ("opl", "oq") for pin, bits in STREAM.items())
    inputs = [pin for p in range(PORTS) for pin in join(f"s_axis_{p}", f"s_axis_{p}")]
    outputs = [pin for p in range(PORTS) for pin in join(f"m_axis_{p}", f"m_axis_{p}")]
    return (
        "module nf_datapath #(parameter C_M_AXIS_DATA_WIDTH = 256, parameter C_S_AXIS_DATA_WIDTH = 256) (\n  "
        + ",\n  ".join(ports)
        + f"\n);\n{wires}"
        + wired("input_arbiter_ip", 0, [*inputs, *join("m_axis", "opl")])
        + wired("output_port_lookup_ip", 1, [*join("s_axis", "opl"), *join("m_axis", "oq")])
        + wired("output_queues_ip", 2, [*join("s_axis", "oq"), *outputs])
        + "endmodule\n"
    )


def lay(tree: Path, old_queues: str) -> None:
    """Write the tree."""
    pieces = {name: each(f"s_axis_{{}}_t{name[:-1]}") for name in ("keeps", "lasts")}
    arbiter = ARBITER.format(
        all=PORTS,
        width=WIDTH,
        users=each("s_axis_{}_tuser[23:0]"),
        readies=each("s_axis_{}_tready"),
        valids=each("s_axis_{}_tvalid"),
        datas=each("s_axis_{}_tdata"),
        **pieces,
    )
    streams = [line for p in range(PORTS) for line in stream(f"s_axis_{p}", into=True)] + stream("m_axis", into=False)
    lookup = stream("s_axis", into=True) + stream("m_axis", into=False)
    cores = {
        "input_arbiter": module("input_arbiter", "WIDTH", streams, arbiter),
        "switch_lite_output_port_lookup": module(
            "switch_lite_output_port_lookup", "DEPTH_BITS", lookup, LOOKUP.format(all=PORTS, width=WIDTH)
        ),
        "helper": "module helper;\nendmodule\n",
        "output_queues": old_queues,
    }
    for name, text in cores.items():
        folder = tree / f"hw/lib/std/{name}_v1_0_0"
        (folder / "hdl").mkdir(parents=True)
        (folder / f"hdl/{name}.v").write_text(text)
        (folder / f"{name}.tcl").write_text(CORE_TCL.format(name=name))
    project = tree / "hw/projects/reference_switch_lite/hw"
    (project / "hdl").mkdir(parents=True)
    (project / "tcl").mkdir()
    (project / "hdl/nf_datapath.v").write_text(datapath())
    (project / "tcl/reference_switch_lite.tcl").write_text(PROJECT_TCL)
