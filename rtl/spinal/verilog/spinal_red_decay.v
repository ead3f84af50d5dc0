// Generator : SpinalHDL v1.14.2    git head : 8fd2882770c6d389fec5806a705393d9089c7197
// Component : spinal_red_decay

`timescale 1ns/1ps

module spinal_red_decay (
  input  wire [47:0]   io_average,
  input  wire [4:0]    io_weight,
  input  wire [41:0]   io_elapsed,
  input  wire [16:0]   io_reciprocal,
  input  wire [5:0]    io_shift,
  output reg  [47:0]   io_next
);

  wire       [29:0]   _zz_packets;
  wire       [8:0]    _zz_1;
  wire       [7:0]    _zz_2;
  wire       [49:0]   _zz_io_next;
  wire       [5:0]    _zz_io_next_1;
  wire       [58:0]   ticks;
  wire       [58:0]   passed;
  wire       [29:0]   packets;
  reg        [18:0]   logarithm;
  wire       [48:0]   fall;
  wire       [48:0]   exponent;
  wire       [31:0]   halvings;
  reg        [16:0]   coarse;
  reg        [16:0]   fine;
  wire       [33:0]   power;
  wire       [17:0]   factor;
  wire       [65:0]   kept;
  wire       [49:0]   scaled;

  assign _zz_1 = exponent[16 : 8];
  assign _zz_2 = exponent[7 : 0];
  assign _zz_packets = passed[29:0];
  assign _zz_io_next = (scaled >>> _zz_io_next_1);
  assign _zz_io_next_1 = halvings[5:0];
  assign ticks = (io_elapsed * io_reciprocal);
  assign passed = (ticks >>> io_shift);
  assign packets = ((59'h00000003fffffff < passed) ? 30'h3fffffff : _zz_packets);
  always @(*) begin
    logarithm = 19'h0;
    case(io_weight)
      5'h01 : logarithm = 19'h40000; 5'h02 : logarithm = 19'h351ff; 5'h03 : logarithm = 19'h31513;
      5'h04 : logarithm = 19'h2fac1; 5'h05 : logarithm = 19'h2ee73; 5'h06 : logarithm = 19'h2e87e;
      5'h07 : logarithm = 19'h2e58f; 5'h08 : logarithm = 19'h2e41b; 5'h09 : logarithm = 19'h2e362;
      5'h0a : logarithm = 19'h2e305; 5'h0b : logarithm = 19'h2e2d7; 5'h0c : logarithm = 19'h2e2c0;
      5'h0d : logarithm = 19'h2e2b4; 5'h0e : logarithm = 19'h2e2af; 5'h0f : logarithm = 19'h2e2ac;
      5'h10 : logarithm = 19'h2e2aa; 5'h11 : logarithm = 19'h2e2aa; 5'h12 : logarithm = 19'h2e2a9;
      5'h13 : logarithm = 19'h2e2a9; 5'h14 : logarithm = 19'h2e2a9; 5'h15 : logarithm = 19'h2e2a9;
      5'h16 : logarithm = 19'h2e2a9; 5'h17 : logarithm = 19'h2e2a9; 5'h18 : logarithm = 19'h2e2a9;
      default : begin
      end
    endcase
  end

  assign fall = (packets * logarithm);
  assign exponent = (fall >>> io_weight);
  assign halvings = (exponent >>> 5'd17);
  always @(*) begin
    case(_zz_1)
      9'h0 : coarse = 17'h10000; 9'h001 : coarse = 17'h0ffa7; 9'h002 : coarse = 17'h0ff4f; 9'h003 : coarse = 17'h0fef6;
      9'h004 : coarse = 17'h0fe9e; 9'h005 : coarse = 17'h0fe46; 9'h006 : coarse = 17'h0fdee;
      9'h007 : coarse = 17'h0fd96; 9'h008 : coarse = 17'h0fd3e; 9'h009 : coarse = 17'h0fce6;
      9'h00a : coarse = 17'h0fc8f; 9'h00b : coarse = 17'h0fc37; 9'h00c : coarse = 17'h0fbe0;
      9'h00d : coarse = 17'h0fb89; 9'h00e : coarse = 17'h0fb32; 9'h00f : coarse = 17'h0fadb;
      9'h010 : coarse = 17'h0fa84; 9'h011 : coarse = 17'h0fa2d; 9'h012 : coarse = 17'h0f9d6;
      9'h013 : coarse = 17'h0f980; 9'h014 : coarse = 17'h0f929; 9'h015 : coarse = 17'h0f8d3;
      9'h016 : coarse = 17'h0f87d; 9'h017 : coarse = 17'h0f827; 9'h018 : coarse = 17'h0f7d1;
      9'h019 : coarse = 17'h0f77b; 9'h01a : coarse = 17'h0f725; 9'h01b : coarse = 17'h0f6d0;
      9'h01c : coarse = 17'h0f67a; 9'h01d : coarse = 17'h0f625; 9'h01e : coarse = 17'h0f5d0;
      9'h01f : coarse = 17'h0f57b; 9'h020 : coarse = 17'h0f525; 9'h021 : coarse = 17'h0f4d1;
      9'h022 : coarse = 17'h0f47c; 9'h023 : coarse = 17'h0f427; 9'h024 : coarse = 17'h0f3d3;
      9'h025 : coarse = 17'h0f37e; 9'h026 : coarse = 17'h0f32a; 9'h027 : coarse = 17'h0f2d6;
      9'h028 : coarse = 17'h0f281; 9'h029 : coarse = 17'h0f22d; 9'h02a : coarse = 17'h0f1da;
      9'h02b : coarse = 17'h0f186; 9'h02c : coarse = 17'h0f132; 9'h02d : coarse = 17'h0f0df;
      9'h02e : coarse = 17'h0f08b; 9'h02f : coarse = 17'h0f038; 9'h030 : coarse = 17'h0efe5;
      9'h031 : coarse = 17'h0ef92; 9'h032 : coarse = 17'h0ef3f; 9'h033 : coarse = 17'h0eeec;
      9'h034 : coarse = 17'h0ee99; 9'h035 : coarse = 17'h0ee46; 9'h036 : coarse = 17'h0edf4;
      9'h037 : coarse = 17'h0eda1; 9'h038 : coarse = 17'h0ed4f; 9'h039 : coarse = 17'h0ecfd;
      9'h03a : coarse = 17'h0ecab; 9'h03b : coarse = 17'h0ec59; 9'h03c : coarse = 17'h0ec07;
      9'h03d : coarse = 17'h0ebb5; 9'h03e : coarse = 17'h0eb64; 9'h03f : coarse = 17'h0eb12;
      9'h040 : coarse = 17'h0eac1; 9'h041 : coarse = 17'h0ea6f; 9'h042 : coarse = 17'h0ea1e;
      9'h043 : coarse = 17'h0e9cd; 9'h044 : coarse = 17'h0e97c; 9'h045 : coarse = 17'h0e92b;
      9'h046 : coarse = 17'h0e8db; 9'h047 : coarse = 17'h0e88a; 9'h048 : coarse = 17'h0e839;
      9'h049 : coarse = 17'h0e7e9; 9'h04a : coarse = 17'h0e799; 9'h04b : coarse = 17'h0e748;
      9'h04c : coarse = 17'h0e6f8; 9'h04d : coarse = 17'h0e6a8; 9'h04e : coarse = 17'h0e658;
      9'h04f : coarse = 17'h0e609; 9'h050 : coarse = 17'h0e5b9; 9'h051 : coarse = 17'h0e569;
      9'h052 : coarse = 17'h0e51a; 9'h053 : coarse = 17'h0e4cb; 9'h054 : coarse = 17'h0e47b;
      9'h055 : coarse = 17'h0e42c; 9'h056 : coarse = 17'h0e3dd; 9'h057 : coarse = 17'h0e38e;
      9'h058 : coarse = 17'h0e340; 9'h059 : coarse = 17'h0e2f1; 9'h05a : coarse = 17'h0e2a2;
      9'h05b : coarse = 17'h0e254; 9'h05c : coarse = 17'h0e205; 9'h05d : coarse = 17'h0e1b7;
      9'h05e : coarse = 17'h0e169; 9'h05f : coarse = 17'h0e11b; 9'h060 : coarse = 17'h0e0cd;
      9'h061 : coarse = 17'h0e07f; 9'h062 : coarse = 17'h0e031; 9'h063 : coarse = 17'h0dfe4;
      9'h064 : coarse = 17'h0df96; 9'h065 : coarse = 17'h0df49; 9'h066 : coarse = 17'h0defb;
      9'h067 : coarse = 17'h0deae; 9'h068 : coarse = 17'h0de61; 9'h069 : coarse = 17'h0de14;
      9'h06a : coarse = 17'h0ddc7; 9'h06b : coarse = 17'h0dd7a; 9'h06c : coarse = 17'h0dd2e;
      9'h06d : coarse = 17'h0dce1; 9'h06e : coarse = 17'h0dc94; 9'h06f : coarse = 17'h0dc48;
      9'h070 : coarse = 17'h0dbfc; 9'h071 : coarse = 17'h0dbb0; 9'h072 : coarse = 17'h0db63;
      9'h073 : coarse = 17'h0db17; 9'h074 : coarse = 17'h0dacc; 9'h075 : coarse = 17'h0da80;
      9'h076 : coarse = 17'h0da34; 9'h077 : coarse = 17'h0d9e9; 9'h078 : coarse = 17'h0d99d;
      9'h079 : coarse = 17'h0d952; 9'h07a : coarse = 17'h0d906; 9'h07b : coarse = 17'h0d8bb;
      9'h07c : coarse = 17'h0d870; 9'h07d : coarse = 17'h0d825; 9'h07e : coarse = 17'h0d7da;
      9'h07f : coarse = 17'h0d790; 9'h080 : coarse = 17'h0d745; 9'h081 : coarse = 17'h0d6fa;
      9'h082 : coarse = 17'h0d6b0; 9'h083 : coarse = 17'h0d666; 9'h084 : coarse = 17'h0d61b;
      9'h085 : coarse = 17'h0d5d1; 9'h086 : coarse = 17'h0d587; 9'h087 : coarse = 17'h0d53d;
      9'h088 : coarse = 17'h0d4f3; 9'h089 : coarse = 17'h0d4aa; 9'h08a : coarse = 17'h0d460;
      9'h08b : coarse = 17'h0d416; 9'h08c : coarse = 17'h0d3cd; 9'h08d : coarse = 17'h0d384;
      9'h08e : coarse = 17'h0d33a; 9'h08f : coarse = 17'h0d2f1; 9'h090 : coarse = 17'h0d2a8;
      9'h091 : coarse = 17'h0d25f; 9'h092 : coarse = 17'h0d216; 9'h093 : coarse = 17'h0d1ce;
      9'h094 : coarse = 17'h0d185; 9'h095 : coarse = 17'h0d13c; 9'h096 : coarse = 17'h0d0f4;
      9'h097 : coarse = 17'h0d0ab; 9'h098 : coarse = 17'h0d063; 9'h099 : coarse = 17'h0d01b;
      9'h09a : coarse = 17'h0cfd3; 9'h09b : coarse = 17'h0cf8b; 9'h09c : coarse = 17'h0cf43;
      9'h09d : coarse = 17'h0cefb; 9'h09e : coarse = 17'h0ceb4; 9'h09f : coarse = 17'h0ce6c;
      9'h0a0 : coarse = 17'h0ce25; 9'h0a1 : coarse = 17'h0cddd; 9'h0a2 : coarse = 17'h0cd96;
      9'h0a3 : coarse = 17'h0cd4f; 9'h0a4 : coarse = 17'h0cd08; 9'h0a5 : coarse = 17'h0ccc1;
      9'h0a6 : coarse = 17'h0cc7a; 9'h0a7 : coarse = 17'h0cc33; 9'h0a8 : coarse = 17'h0cbec;
      9'h0a9 : coarse = 17'h0cba5; 9'h0aa : coarse = 17'h0cb5f; 9'h0ab : coarse = 17'h0cb18;
      9'h0ac : coarse = 17'h0cad2; 9'h0ad : coarse = 17'h0ca8c; 9'h0ae : coarse = 17'h0ca46;
      9'h0af : coarse = 17'h0ca00; 9'h0b0 : coarse = 17'h0c9ba; 9'h0b1 : coarse = 17'h0c974;
      9'h0b2 : coarse = 17'h0c92e; 9'h0b3 : coarse = 17'h0c8e8; 9'h0b4 : coarse = 17'h0c8a3;
      9'h0b5 : coarse = 17'h0c85d; 9'h0b6 : coarse = 17'h0c818; 9'h0b7 : coarse = 17'h0c7d3;
      9'h0b8 : coarse = 17'h0c78d; 9'h0b9 : coarse = 17'h0c748; 9'h0ba : coarse = 17'h0c703;
      9'h0bb : coarse = 17'h0c6be; 9'h0bc : coarse = 17'h0c67a; 9'h0bd : coarse = 17'h0c635;
      9'h0be : coarse = 17'h0c5f0; 9'h0bf : coarse = 17'h0c5ac; 9'h0c0 : coarse = 17'h0c567;
      9'h0c1 : coarse = 17'h0c523; 9'h0c2 : coarse = 17'h0c4df; 9'h0c3 : coarse = 17'h0c49a;
      9'h0c4 : coarse = 17'h0c456; 9'h0c5 : coarse = 17'h0c412; 9'h0c6 : coarse = 17'h0c3ce;
      9'h0c7 : coarse = 17'h0c38b; 9'h0c8 : coarse = 17'h0c347; 9'h0c9 : coarse = 17'h0c303;
      9'h0ca : coarse = 17'h0c2c0; 9'h0cb : coarse = 17'h0c27c; 9'h0cc : coarse = 17'h0c239;
      9'h0cd : coarse = 17'h0c1f6; 9'h0ce : coarse = 17'h0c1b2; 9'h0cf : coarse = 17'h0c16f;
      9'h0d0 : coarse = 17'h0c12c; 9'h0d1 : coarse = 17'h0c0e9; 9'h0d2 : coarse = 17'h0c0a7;
      9'h0d3 : coarse = 17'h0c064; 9'h0d4 : coarse = 17'h0c021; 9'h0d5 : coarse = 17'h0bfdf;
      9'h0d6 : coarse = 17'h0bf9c; 9'h0d7 : coarse = 17'h0bf5a; 9'h0d8 : coarse = 17'h0bf18;
      9'h0d9 : coarse = 17'h0bed5; 9'h0da : coarse = 17'h0be93; 9'h0db : coarse = 17'h0be51;
      9'h0dc : coarse = 17'h0be0f; 9'h0dd : coarse = 17'h0bdce; 9'h0de : coarse = 17'h0bd8c;
      9'h0df : coarse = 17'h0bd4a; 9'h0e0 : coarse = 17'h0bd09; 9'h0e1 : coarse = 17'h0bcc7;
      9'h0e2 : coarse = 17'h0bc86; 9'h0e3 : coarse = 17'h0bc44; 9'h0e4 : coarse = 17'h0bc03;
      9'h0e5 : coarse = 17'h0bbc2; 9'h0e6 : coarse = 17'h0bb81; 9'h0e7 : coarse = 17'h0bb40;
      9'h0e8 : coarse = 17'h0baff; 9'h0e9 : coarse = 17'h0babf; 9'h0ea : coarse = 17'h0ba7e;
      9'h0eb : coarse = 17'h0ba3d; 9'h0ec : coarse = 17'h0b9fd; 9'h0ed : coarse = 17'h0b9bc;
      9'h0ee : coarse = 17'h0b97c; 9'h0ef : coarse = 17'h0b93c; 9'h0f0 : coarse = 17'h0b8fc;
      9'h0f1 : coarse = 17'h0b8bc; 9'h0f2 : coarse = 17'h0b87c; 9'h0f3 : coarse = 17'h0b83c;
      9'h0f4 : coarse = 17'h0b7fc; 9'h0f5 : coarse = 17'h0b7bc; 9'h0f6 : coarse = 17'h0b77d;
      9'h0f7 : coarse = 17'h0b73d; 9'h0f8 : coarse = 17'h0b6fe; 9'h0f9 : coarse = 17'h0b6be;
      9'h0fa : coarse = 17'h0b67f; 9'h0fb : coarse = 17'h0b640; 9'h0fc : coarse = 17'h0b601;
      9'h0fd : coarse = 17'h0b5c2; 9'h0fe : coarse = 17'h0b583; 9'h0ff : coarse = 17'h0b544;
      9'h100 : coarse = 17'h0b505; 9'h101 : coarse = 17'h0b4c6; 9'h102 : coarse = 17'h0b488;
      9'h103 : coarse = 17'h0b449; 9'h104 : coarse = 17'h0b40b; 9'h105 : coarse = 17'h0b3cc;
      9'h106 : coarse = 17'h0b38e; 9'h107 : coarse = 17'h0b350; 9'h108 : coarse = 17'h0b312;
      9'h109 : coarse = 17'h0b2d4; 9'h10a : coarse = 17'h0b296; 9'h10b : coarse = 17'h0b258;
      9'h10c : coarse = 17'h0b21a; 9'h10d : coarse = 17'h0b1dd; 9'h10e : coarse = 17'h0b19f;
      9'h10f : coarse = 17'h0b161; 9'h110 : coarse = 17'h0b124; 9'h111 : coarse = 17'h0b0e7;
      9'h112 : coarse = 17'h0b0a9; 9'h113 : coarse = 17'h0b06c; 9'h114 : coarse = 17'h0b02f;
      9'h115 : coarse = 17'h0aff2; 9'h116 : coarse = 17'h0afb5; 9'h117 : coarse = 17'h0af78;
      9'h118 : coarse = 17'h0af3b; 9'h119 : coarse = 17'h0aeff; 9'h11a : coarse = 17'h0aec2;
      9'h11b : coarse = 17'h0ae86; 9'h11c : coarse = 17'h0ae49; 9'h11d : coarse = 17'h0ae0d;
      9'h11e : coarse = 17'h0add1; 9'h11f : coarse = 17'h0ad94; 9'h120 : coarse = 17'h0ad58;
      9'h121 : coarse = 17'h0ad1c; 9'h122 : coarse = 17'h0ace0; 9'h123 : coarse = 17'h0aca4;
      9'h124 : coarse = 17'h0ac69; 9'h125 : coarse = 17'h0ac2d; 9'h126 : coarse = 17'h0abf1;
      9'h127 : coarse = 17'h0abb6; 9'h128 : coarse = 17'h0ab7a; 9'h129 : coarse = 17'h0ab3f;
      9'h12a : coarse = 17'h0ab04; 9'h12b : coarse = 17'h0aac8; 9'h12c : coarse = 17'h0aa8d;
      9'h12d : coarse = 17'h0aa52; 9'h12e : coarse = 17'h0aa17; 9'h12f : coarse = 17'h0a9dc;
      9'h130 : coarse = 17'h0a9a1; 9'h131 : coarse = 17'h0a967; 9'h132 : coarse = 17'h0a92c;
      9'h133 : coarse = 17'h0a8f1; 9'h134 : coarse = 17'h0a8b7; 9'h135 : coarse = 17'h0a87c;
      9'h136 : coarse = 17'h0a842; 9'h137 : coarse = 17'h0a808; 9'h138 : coarse = 17'h0a7ce;
      9'h139 : coarse = 17'h0a793; 9'h13a : coarse = 17'h0a759; 9'h13b : coarse = 17'h0a71f;
      9'h13c : coarse = 17'h0a6e6; 9'h13d : coarse = 17'h0a6ac; 9'h13e : coarse = 17'h0a672;
      9'h13f : coarse = 17'h0a638; 9'h140 : coarse = 17'h0a5ff; 9'h141 : coarse = 17'h0a5c5;
      9'h142 : coarse = 17'h0a58c; 9'h143 : coarse = 17'h0a553; 9'h144 : coarse = 17'h0a519;
      9'h145 : coarse = 17'h0a4e0; 9'h146 : coarse = 17'h0a4a7; 9'h147 : coarse = 17'h0a46e;
      9'h148 : coarse = 17'h0a435; 9'h149 : coarse = 17'h0a3fc; 9'h14a : coarse = 17'h0a3c3;
      9'h14b : coarse = 17'h0a38b; 9'h14c : coarse = 17'h0a352; 9'h14d : coarse = 17'h0a319;
      9'h14e : coarse = 17'h0a2e1; 9'h14f : coarse = 17'h0a2a9; 9'h150 : coarse = 17'h0a270;
      9'h151 : coarse = 17'h0a238; 9'h152 : coarse = 17'h0a200; 9'h153 : coarse = 17'h0a1c8;
      9'h154 : coarse = 17'h0a190; 9'h155 : coarse = 17'h0a158; 9'h156 : coarse = 17'h0a120;
      9'h157 : coarse = 17'h0a0e8; 9'h158 : coarse = 17'h0a0b0; 9'h159 : coarse = 17'h0a079;
      9'h15a : coarse = 17'h0a041; 9'h15b : coarse = 17'h0a00a; 9'h15c : coarse = 17'h09fd2;
      9'h15d : coarse = 17'h09f9b; 9'h15e : coarse = 17'h09f64; 9'h15f : coarse = 17'h09f2c;
      9'h160 : coarse = 17'h09ef5; 9'h161 : coarse = 17'h09ebe; 9'h162 : coarse = 17'h09e87;
      9'h163 : coarse = 17'h09e50; 9'h164 : coarse = 17'h09e19; 9'h165 : coarse = 17'h09de3;
      9'h166 : coarse = 17'h09dac; 9'h167 : coarse = 17'h09d75; 9'h168 : coarse = 17'h09d3f;
      9'h169 : coarse = 17'h09d08; 9'h16a : coarse = 17'h09cd2; 9'h16b : coarse = 17'h09c9c;
      9'h16c : coarse = 17'h09c65; 9'h16d : coarse = 17'h09c2f; 9'h16e : coarse = 17'h09bf9;
      9'h16f : coarse = 17'h09bc3; 9'h170 : coarse = 17'h09b8d; 9'h171 : coarse = 17'h09b57;
      9'h172 : coarse = 17'h09b22; 9'h173 : coarse = 17'h09aec; 9'h174 : coarse = 17'h09ab6;
      9'h175 : coarse = 17'h09a81; 9'h176 : coarse = 17'h09a4b; 9'h177 : coarse = 17'h09a16;
      9'h178 : coarse = 17'h099e0; 9'h179 : coarse = 17'h099ab; 9'h17a : coarse = 17'h09976;
      9'h17b : coarse = 17'h09941; 9'h17c : coarse = 17'h0990c; 9'h17d : coarse = 17'h098d7;
      9'h17e : coarse = 17'h098a2; 9'h17f : coarse = 17'h0986d; 9'h180 : coarse = 17'h09838;
      9'h181 : coarse = 17'h09803; 9'h182 : coarse = 17'h097cf; 9'h183 : coarse = 17'h0979a;
      9'h184 : coarse = 17'h09765; 9'h185 : coarse = 17'h09731; 9'h186 : coarse = 17'h096fd;
      9'h187 : coarse = 17'h096c8; 9'h188 : coarse = 17'h09694; 9'h189 : coarse = 17'h09660;
      9'h18a : coarse = 17'h0962c; 9'h18b : coarse = 17'h095f8; 9'h18c : coarse = 17'h095c4;
      9'h18d : coarse = 17'h09590; 9'h18e : coarse = 17'h0955c; 9'h18f : coarse = 17'h09529;
      9'h190 : coarse = 17'h094f5; 9'h191 : coarse = 17'h094c1; 9'h192 : coarse = 17'h0948e;
      9'h193 : coarse = 17'h0945a; 9'h194 : coarse = 17'h09427; 9'h195 : coarse = 17'h093f4;
      9'h196 : coarse = 17'h093c0; 9'h197 : coarse = 17'h0938d; 9'h198 : coarse = 17'h0935a;
      9'h199 : coarse = 17'h09327; 9'h19a : coarse = 17'h092f4; 9'h19b : coarse = 17'h092c1;
      9'h19c : coarse = 17'h0928e; 9'h19d : coarse = 17'h0925c; 9'h19e : coarse = 17'h09229;
      9'h19f : coarse = 17'h091f6; 9'h1a0 : coarse = 17'h091c4; 9'h1a1 : coarse = 17'h09191;
      9'h1a2 : coarse = 17'h0915f; 9'h1a3 : coarse = 17'h0912d; 9'h1a4 : coarse = 17'h090fa;
      9'h1a5 : coarse = 17'h090c8; 9'h1a6 : coarse = 17'h09096; 9'h1a7 : coarse = 17'h09064;
      9'h1a8 : coarse = 17'h09032; 9'h1a9 : coarse = 17'h09000; 9'h1aa : coarse = 17'h08fce;
      9'h1ab : coarse = 17'h08f9c; 9'h1ac : coarse = 17'h08f6b; 9'h1ad : coarse = 17'h08f39;
      9'h1ae : coarse = 17'h08f07; 9'h1af : coarse = 17'h08ed6; 9'h1b0 : coarse = 17'h08ea4;
      9'h1b1 : coarse = 17'h08e73; 9'h1b2 : coarse = 17'h08e41; 9'h1b3 : coarse = 17'h08e10;
      9'h1b4 : coarse = 17'h08ddf; 9'h1b5 : coarse = 17'h08dae; 9'h1b6 : coarse = 17'h08d7d;
      9'h1b7 : coarse = 17'h08d4c; 9'h1b8 : coarse = 17'h08d1b; 9'h1b9 : coarse = 17'h08cea;
      9'h1ba : coarse = 17'h08cb9; 9'h1bb : coarse = 17'h08c88; 9'h1bc : coarse = 17'h08c58;
      9'h1bd : coarse = 17'h08c27; 9'h1be : coarse = 17'h08bf7; 9'h1bf : coarse = 17'h08bc6;
      9'h1c0 : coarse = 17'h08b96; 9'h1c1 : coarse = 17'h08b65; 9'h1c2 : coarse = 17'h08b35;
      9'h1c3 : coarse = 17'h08b05; 9'h1c4 : coarse = 17'h08ad5; 9'h1c5 : coarse = 17'h08aa5;
      9'h1c6 : coarse = 17'h08a75; 9'h1c7 : coarse = 17'h08a45; 9'h1c8 : coarse = 17'h08a15;
      9'h1c9 : coarse = 17'h089e5; 9'h1ca : coarse = 17'h089b5; 9'h1cb : coarse = 17'h08986;
      9'h1cc : coarse = 17'h08956; 9'h1cd : coarse = 17'h08926; 9'h1ce : coarse = 17'h088f7;
      9'h1cf : coarse = 17'h088c7; 9'h1d0 : coarse = 17'h08898; 9'h1d1 : coarse = 17'h08869;
      9'h1d2 : coarse = 17'h0883a; 9'h1d3 : coarse = 17'h0880a; 9'h1d4 : coarse = 17'h087db;
      9'h1d5 : coarse = 17'h087ac; 9'h1d6 : coarse = 17'h0877d; 9'h1d7 : coarse = 17'h0874e;
      9'h1d8 : coarse = 17'h0871f; 9'h1d9 : coarse = 17'h086f1; 9'h1da : coarse = 17'h086c2;
      9'h1db : coarse = 17'h08693; 9'h1dc : coarse = 17'h08665; 9'h1dd : coarse = 17'h08636;
      9'h1de : coarse = 17'h08608; 9'h1df : coarse = 17'h085d9; 9'h1e0 : coarse = 17'h085ab;
      9'h1e1 : coarse = 17'h0857c; 9'h1e2 : coarse = 17'h0854e; 9'h1e3 : coarse = 17'h08520;
      9'h1e4 : coarse = 17'h084f2; 9'h1e5 : coarse = 17'h084c4; 9'h1e6 : coarse = 17'h08496;
      9'h1e7 : coarse = 17'h08468; 9'h1e8 : coarse = 17'h0843a; 9'h1e9 : coarse = 17'h0840c;
      9'h1ea : coarse = 17'h083df; 9'h1eb : coarse = 17'h083b1; 9'h1ec : coarse = 17'h08383;
      9'h1ed : coarse = 17'h08356; 9'h1ee : coarse = 17'h08328; 9'h1ef : coarse = 17'h082fb;
      9'h1f0 : coarse = 17'h082ce; 9'h1f1 : coarse = 17'h082a0; 9'h1f2 : coarse = 17'h08273;
      9'h1f3 : coarse = 17'h08246; 9'h1f4 : coarse = 17'h08219; 9'h1f5 : coarse = 17'h081ec;
      9'h1f6 : coarse = 17'h081bf; 9'h1f7 : coarse = 17'h08192; 9'h1f8 : coarse = 17'h08165;
      9'h1f9 : coarse = 17'h08138; 9'h1fa : coarse = 17'h0810b; 9'h1fb : coarse = 17'h080df;
      9'h1fc : coarse = 17'h080b2; 9'h1fd : coarse = 17'h08085; 9'h1fe : coarse = 17'h08059;
      default : coarse = 17'h0802c;
    endcase
  end

  always @(*) begin
    case(_zz_2)
      8'h0 : fine = 17'h10000; 8'h01 : fine = 17'h10000; 8'h02 : fine = 17'h0ffff; 8'h03 : fine = 17'h0ffff;
      8'h04 : fine = 17'h0ffff; 8'h05 : fine = 17'h0fffe; 8'h06 : fine = 17'h0fffe; 8'h07 : fine = 17'h0fffe;
      8'h08 : fine = 17'h0fffd; 8'h09 : fine = 17'h0fffd; 8'h0a : fine = 17'h0fffd; 8'h0b : fine = 17'h0fffc;
      8'h0c : fine = 17'h0fffc; 8'h0d : fine = 17'h0fffb; 8'h0e : fine = 17'h0fffb; 8'h0f : fine = 17'h0fffb;
      8'h10 : fine = 17'h0fffa; 8'h11 : fine = 17'h0fffa; 8'h12 : fine = 17'h0fffa; 8'h13 : fine = 17'h0fff9;
      8'h14 : fine = 17'h0fff9; 8'h15 : fine = 17'h0fff9; 8'h16 : fine = 17'h0fff8; 8'h17 : fine = 17'h0fff8;
      8'h18 : fine = 17'h0fff8; 8'h19 : fine = 17'h0fff7; 8'h1a : fine = 17'h0fff7; 8'h1b : fine = 17'h0fff7;
      8'h1c : fine = 17'h0fff6; 8'h1d : fine = 17'h0fff6; 8'h1e : fine = 17'h0fff6; 8'h1f : fine = 17'h0fff5;
      8'h20 : fine = 17'h0fff5; 8'h21 : fine = 17'h0fff5; 8'h22 : fine = 17'h0fff4; 8'h23 : fine = 17'h0fff4;
      8'h24 : fine = 17'h0fff4; 8'h25 : fine = 17'h0fff3; 8'h26 : fine = 17'h0fff3; 8'h27 : fine = 17'h0fff2;
      8'h28 : fine = 17'h0fff2; 8'h29 : fine = 17'h0fff2; 8'h2a : fine = 17'h0fff1; 8'h2b : fine = 17'h0fff1;
      8'h2c : fine = 17'h0fff1; 8'h2d : fine = 17'h0fff0; 8'h2e : fine = 17'h0fff0; 8'h2f : fine = 17'h0fff0;
      8'h30 : fine = 17'h0ffef; 8'h31 : fine = 17'h0ffef; 8'h32 : fine = 17'h0ffef; 8'h33 : fine = 17'h0ffee;
      8'h34 : fine = 17'h0ffee; 8'h35 : fine = 17'h0ffee; 8'h36 : fine = 17'h0ffed; 8'h37 : fine = 17'h0ffed;
      8'h38 : fine = 17'h0ffed; 8'h39 : fine = 17'h0ffec; 8'h3a : fine = 17'h0ffec; 8'h3b : fine = 17'h0ffec;
      8'h3c : fine = 17'h0ffeb; 8'h3d : fine = 17'h0ffeb; 8'h3e : fine = 17'h0ffeb; 8'h3f : fine = 17'h0ffea;
      8'h40 : fine = 17'h0ffea; 8'h41 : fine = 17'h0ffe9; 8'h42 : fine = 17'h0ffe9; 8'h43 : fine = 17'h0ffe9;
      8'h44 : fine = 17'h0ffe8; 8'h45 : fine = 17'h0ffe8; 8'h46 : fine = 17'h0ffe8; 8'h47 : fine = 17'h0ffe7;
      8'h48 : fine = 17'h0ffe7; 8'h49 : fine = 17'h0ffe7; 8'h4a : fine = 17'h0ffe6; 8'h4b : fine = 17'h0ffe6;
      8'h4c : fine = 17'h0ffe6; 8'h4d : fine = 17'h0ffe5; 8'h4e : fine = 17'h0ffe5; 8'h4f : fine = 17'h0ffe5;
      8'h50 : fine = 17'h0ffe4; 8'h51 : fine = 17'h0ffe4; 8'h52 : fine = 17'h0ffe4; 8'h53 : fine = 17'h0ffe3;
      8'h54 : fine = 17'h0ffe3; 8'h55 : fine = 17'h0ffe3; 8'h56 : fine = 17'h0ffe2; 8'h57 : fine = 17'h0ffe2;
      8'h58 : fine = 17'h0ffe2; 8'h59 : fine = 17'h0ffe1; 8'h5a : fine = 17'h0ffe1; 8'h5b : fine = 17'h0ffe0;
      8'h5c : fine = 17'h0ffe0; 8'h5d : fine = 17'h0ffe0; 8'h5e : fine = 17'h0ffdf; 8'h5f : fine = 17'h0ffdf;
      8'h60 : fine = 17'h0ffdf; 8'h61 : fine = 17'h0ffde; 8'h62 : fine = 17'h0ffde; 8'h63 : fine = 17'h0ffde;
      8'h64 : fine = 17'h0ffdd; 8'h65 : fine = 17'h0ffdd; 8'h66 : fine = 17'h0ffdd; 8'h67 : fine = 17'h0ffdc;
      8'h68 : fine = 17'h0ffdc; 8'h69 : fine = 17'h0ffdc; 8'h6a : fine = 17'h0ffdb; 8'h6b : fine = 17'h0ffdb;
      8'h6c : fine = 17'h0ffdb; 8'h6d : fine = 17'h0ffda; 8'h6e : fine = 17'h0ffda; 8'h6f : fine = 17'h0ffda;
      8'h70 : fine = 17'h0ffd9; 8'h71 : fine = 17'h0ffd9; 8'h72 : fine = 17'h0ffd9; 8'h73 : fine = 17'h0ffd8;
      8'h74 : fine = 17'h0ffd8; 8'h75 : fine = 17'h0ffd7; 8'h76 : fine = 17'h0ffd7; 8'h77 : fine = 17'h0ffd7;
      8'h78 : fine = 17'h0ffd6; 8'h79 : fine = 17'h0ffd6; 8'h7a : fine = 17'h0ffd6; 8'h7b : fine = 17'h0ffd5;
      8'h7c : fine = 17'h0ffd5; 8'h7d : fine = 17'h0ffd5; 8'h7e : fine = 17'h0ffd4; 8'h7f : fine = 17'h0ffd4;
      8'h80 : fine = 17'h0ffd4; 8'h81 : fine = 17'h0ffd3; 8'h82 : fine = 17'h0ffd3; 8'h83 : fine = 17'h0ffd3;
      8'h84 : fine = 17'h0ffd2; 8'h85 : fine = 17'h0ffd2; 8'h86 : fine = 17'h0ffd2; 8'h87 : fine = 17'h0ffd1;
      8'h88 : fine = 17'h0ffd1; 8'h89 : fine = 17'h0ffd1; 8'h8a : fine = 17'h0ffd0; 8'h8b : fine = 17'h0ffd0;
      8'h8c : fine = 17'h0ffcf; 8'h8d : fine = 17'h0ffcf; 8'h8e : fine = 17'h0ffcf; 8'h8f : fine = 17'h0ffce;
      8'h90 : fine = 17'h0ffce; 8'h91 : fine = 17'h0ffce; 8'h92 : fine = 17'h0ffcd; 8'h93 : fine = 17'h0ffcd;
      8'h94 : fine = 17'h0ffcd; 8'h95 : fine = 17'h0ffcc; 8'h96 : fine = 17'h0ffcc; 8'h97 : fine = 17'h0ffcc;
      8'h98 : fine = 17'h0ffcb; 8'h99 : fine = 17'h0ffcb; 8'h9a : fine = 17'h0ffcb; 8'h9b : fine = 17'h0ffca;
      8'h9c : fine = 17'h0ffca; 8'h9d : fine = 17'h0ffca; 8'h9e : fine = 17'h0ffc9; 8'h9f : fine = 17'h0ffc9;
      8'ha0 : fine = 17'h0ffc9; 8'ha1 : fine = 17'h0ffc8; 8'ha2 : fine = 17'h0ffc8; 8'ha3 : fine = 17'h0ffc8;
      8'ha4 : fine = 17'h0ffc7; 8'ha5 : fine = 17'h0ffc7; 8'ha6 : fine = 17'h0ffc6; 8'ha7 : fine = 17'h0ffc6;
      8'ha8 : fine = 17'h0ffc6; 8'ha9 : fine = 17'h0ffc5; 8'haa : fine = 17'h0ffc5; 8'hab : fine = 17'h0ffc5;
      8'hac : fine = 17'h0ffc4; 8'had : fine = 17'h0ffc4; 8'hae : fine = 17'h0ffc4; 8'haf : fine = 17'h0ffc3;
      8'hb0 : fine = 17'h0ffc3; 8'hb1 : fine = 17'h0ffc3; 8'hb2 : fine = 17'h0ffc2; 8'hb3 : fine = 17'h0ffc2;
      8'hb4 : fine = 17'h0ffc2; 8'hb5 : fine = 17'h0ffc1; 8'hb6 : fine = 17'h0ffc1; 8'hb7 : fine = 17'h0ffc1;
      8'hb8 : fine = 17'h0ffc0; 8'hb9 : fine = 17'h0ffc0; 8'hba : fine = 17'h0ffc0; 8'hbb : fine = 17'h0ffbf;
      8'hbc : fine = 17'h0ffbf; 8'hbd : fine = 17'h0ffbf; 8'hbe : fine = 17'h0ffbe; 8'hbf : fine = 17'h0ffbe;
      8'hc0 : fine = 17'h0ffbd; 8'hc1 : fine = 17'h0ffbd; 8'hc2 : fine = 17'h0ffbd; 8'hc3 : fine = 17'h0ffbc;
      8'hc4 : fine = 17'h0ffbc; 8'hc5 : fine = 17'h0ffbc; 8'hc6 : fine = 17'h0ffbb; 8'hc7 : fine = 17'h0ffbb;
      8'hc8 : fine = 17'h0ffbb; 8'hc9 : fine = 17'h0ffba; 8'hca : fine = 17'h0ffba; 8'hcb : fine = 17'h0ffba;
      8'hcc : fine = 17'h0ffb9; 8'hcd : fine = 17'h0ffb9; 8'hce : fine = 17'h0ffb9; 8'hcf : fine = 17'h0ffb8;
      8'hd0 : fine = 17'h0ffb8; 8'hd1 : fine = 17'h0ffb8; 8'hd2 : fine = 17'h0ffb7; 8'hd3 : fine = 17'h0ffb7;
      8'hd4 : fine = 17'h0ffb7; 8'hd5 : fine = 17'h0ffb6; 8'hd6 : fine = 17'h0ffb6; 8'hd7 : fine = 17'h0ffb6;
      8'hd8 : fine = 17'h0ffb5; 8'hd9 : fine = 17'h0ffb5; 8'hda : fine = 17'h0ffb4; 8'hdb : fine = 17'h0ffb4;
      8'hdc : fine = 17'h0ffb4; 8'hdd : fine = 17'h0ffb3; 8'hde : fine = 17'h0ffb3; 8'hdf : fine = 17'h0ffb3;
      8'he0 : fine = 17'h0ffb2; 8'he1 : fine = 17'h0ffb2; 8'he2 : fine = 17'h0ffb2; 8'he3 : fine = 17'h0ffb1;
      8'he4 : fine = 17'h0ffb1; 8'he5 : fine = 17'h0ffb1; 8'he6 : fine = 17'h0ffb0; 8'he7 : fine = 17'h0ffb0;
      8'he8 : fine = 17'h0ffb0; 8'he9 : fine = 17'h0ffaf; 8'hea : fine = 17'h0ffaf; 8'heb : fine = 17'h0ffaf;
      8'hec : fine = 17'h0ffae; 8'hed : fine = 17'h0ffae; 8'hee : fine = 17'h0ffae; 8'hef : fine = 17'h0ffad;
      8'hf0 : fine = 17'h0ffad; 8'hf1 : fine = 17'h0ffad; 8'hf2 : fine = 17'h0ffac; 8'hf3 : fine = 17'h0ffac;
      8'hf4 : fine = 17'h0ffab; 8'hf5 : fine = 17'h0ffab; 8'hf6 : fine = 17'h0ffab; 8'hf7 : fine = 17'h0ffaa;
      8'hf8 : fine = 17'h0ffaa; 8'hf9 : fine = 17'h0ffaa; 8'hfa : fine = 17'h0ffa9; 8'hfb : fine = 17'h0ffa9;
      8'hfc : fine = 17'h0ffa9; 8'hfd : fine = 17'h0ffa8; 8'hfe : fine = 17'h0ffa8; default : fine = 17'h0ffa8;
    endcase
  end

  assign power = (coarse * fine);
  assign factor = (power >>> 5'd16);
  assign kept = (io_average * factor);
  assign scaled = (kept >>> 5'd16);
  always @(*) begin
    if(((io_weight == 5'h0) || (32'h00000040 <= halvings))) begin
      io_next = 48'h0;
    end else begin
      io_next = _zz_io_next[47:0];
    end
  end


endmodule
