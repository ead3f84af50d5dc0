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
      5'h01 : begin
        logarithm = 19'h40000;
      end
      5'h02 : begin
        logarithm = 19'h351ff;
      end
      5'h03 : begin
        logarithm = 19'h31513;
      end
      5'h04 : begin
        logarithm = 19'h2fac1;
      end
      5'h05 : begin
        logarithm = 19'h2ee73;
      end
      5'h06 : begin
        logarithm = 19'h2e87e;
      end
      5'h07 : begin
        logarithm = 19'h2e58f;
      end
      5'h08 : begin
        logarithm = 19'h2e41b;
      end
      5'h09 : begin
        logarithm = 19'h2e362;
      end
      5'h0a : begin
        logarithm = 19'h2e305;
      end
      5'h0b : begin
        logarithm = 19'h2e2d7;
      end
      5'h0c : begin
        logarithm = 19'h2e2c0;
      end
      5'h0d : begin
        logarithm = 19'h2e2b4;
      end
      5'h0e : begin
        logarithm = 19'h2e2af;
      end
      5'h0f : begin
        logarithm = 19'h2e2ac;
      end
      5'h10 : begin
        logarithm = 19'h2e2aa;
      end
      5'h11 : begin
        logarithm = 19'h2e2aa;
      end
      5'h12 : begin
        logarithm = 19'h2e2a9;
      end
      5'h13 : begin
        logarithm = 19'h2e2a9;
      end
      5'h14 : begin
        logarithm = 19'h2e2a9;
      end
      5'h15 : begin
        logarithm = 19'h2e2a9;
      end
      5'h16 : begin
        logarithm = 19'h2e2a9;
      end
      5'h17 : begin
        logarithm = 19'h2e2a9;
      end
      5'h18 : begin
        logarithm = 19'h2e2a9;
      end
      default : begin
      end
    endcase
  end

  assign fall = (packets * logarithm);
  assign exponent = (fall >>> io_weight);
  assign halvings = (exponent >>> 5'd17);
  always @(*) begin
    case(_zz_1)
      9'h0 : begin
        coarse = 17'h10000;
      end
      9'h001 : begin
        coarse = 17'h0ffa7;
      end
      9'h002 : begin
        coarse = 17'h0ff4f;
      end
      9'h003 : begin
        coarse = 17'h0fef6;
      end
      9'h004 : begin
        coarse = 17'h0fe9e;
      end
      9'h005 : begin
        coarse = 17'h0fe46;
      end
      9'h006 : begin
        coarse = 17'h0fdee;
      end
      9'h007 : begin
        coarse = 17'h0fd96;
      end
      9'h008 : begin
        coarse = 17'h0fd3e;
      end
      9'h009 : begin
        coarse = 17'h0fce6;
      end
      9'h00a : begin
        coarse = 17'h0fc8f;
      end
      9'h00b : begin
        coarse = 17'h0fc37;
      end
      9'h00c : begin
        coarse = 17'h0fbe0;
      end
      9'h00d : begin
        coarse = 17'h0fb89;
      end
      9'h00e : begin
        coarse = 17'h0fb32;
      end
      9'h00f : begin
        coarse = 17'h0fadb;
      end
      9'h010 : begin
        coarse = 17'h0fa84;
      end
      9'h011 : begin
        coarse = 17'h0fa2d;
      end
      9'h012 : begin
        coarse = 17'h0f9d6;
      end
      9'h013 : begin
        coarse = 17'h0f980;
      end
      9'h014 : begin
        coarse = 17'h0f929;
      end
      9'h015 : begin
        coarse = 17'h0f8d3;
      end
      9'h016 : begin
        coarse = 17'h0f87d;
      end
      9'h017 : begin
        coarse = 17'h0f827;
      end
      9'h018 : begin
        coarse = 17'h0f7d1;
      end
      9'h019 : begin
        coarse = 17'h0f77b;
      end
      9'h01a : begin
        coarse = 17'h0f725;
      end
      9'h01b : begin
        coarse = 17'h0f6d0;
      end
      9'h01c : begin
        coarse = 17'h0f67a;
      end
      9'h01d : begin
        coarse = 17'h0f625;
      end
      9'h01e : begin
        coarse = 17'h0f5d0;
      end
      9'h01f : begin
        coarse = 17'h0f57b;
      end
      9'h020 : begin
        coarse = 17'h0f525;
      end
      9'h021 : begin
        coarse = 17'h0f4d1;
      end
      9'h022 : begin
        coarse = 17'h0f47c;
      end
      9'h023 : begin
        coarse = 17'h0f427;
      end
      9'h024 : begin
        coarse = 17'h0f3d3;
      end
      9'h025 : begin
        coarse = 17'h0f37e;
      end
      9'h026 : begin
        coarse = 17'h0f32a;
      end
      9'h027 : begin
        coarse = 17'h0f2d6;
      end
      9'h028 : begin
        coarse = 17'h0f281;
      end
      9'h029 : begin
        coarse = 17'h0f22d;
      end
      9'h02a : begin
        coarse = 17'h0f1da;
      end
      9'h02b : begin
        coarse = 17'h0f186;
      end
      9'h02c : begin
        coarse = 17'h0f132;
      end
      9'h02d : begin
        coarse = 17'h0f0df;
      end
      9'h02e : begin
        coarse = 17'h0f08b;
      end
      9'h02f : begin
        coarse = 17'h0f038;
      end
      9'h030 : begin
        coarse = 17'h0efe5;
      end
      9'h031 : begin
        coarse = 17'h0ef92;
      end
      9'h032 : begin
        coarse = 17'h0ef3f;
      end
      9'h033 : begin
        coarse = 17'h0eeec;
      end
      9'h034 : begin
        coarse = 17'h0ee99;
      end
      9'h035 : begin
        coarse = 17'h0ee46;
      end
      9'h036 : begin
        coarse = 17'h0edf4;
      end
      9'h037 : begin
        coarse = 17'h0eda1;
      end
      9'h038 : begin
        coarse = 17'h0ed4f;
      end
      9'h039 : begin
        coarse = 17'h0ecfd;
      end
      9'h03a : begin
        coarse = 17'h0ecab;
      end
      9'h03b : begin
        coarse = 17'h0ec59;
      end
      9'h03c : begin
        coarse = 17'h0ec07;
      end
      9'h03d : begin
        coarse = 17'h0ebb5;
      end
      9'h03e : begin
        coarse = 17'h0eb64;
      end
      9'h03f : begin
        coarse = 17'h0eb12;
      end
      9'h040 : begin
        coarse = 17'h0eac1;
      end
      9'h041 : begin
        coarse = 17'h0ea6f;
      end
      9'h042 : begin
        coarse = 17'h0ea1e;
      end
      9'h043 : begin
        coarse = 17'h0e9cd;
      end
      9'h044 : begin
        coarse = 17'h0e97c;
      end
      9'h045 : begin
        coarse = 17'h0e92b;
      end
      9'h046 : begin
        coarse = 17'h0e8db;
      end
      9'h047 : begin
        coarse = 17'h0e88a;
      end
      9'h048 : begin
        coarse = 17'h0e839;
      end
      9'h049 : begin
        coarse = 17'h0e7e9;
      end
      9'h04a : begin
        coarse = 17'h0e799;
      end
      9'h04b : begin
        coarse = 17'h0e748;
      end
      9'h04c : begin
        coarse = 17'h0e6f8;
      end
      9'h04d : begin
        coarse = 17'h0e6a8;
      end
      9'h04e : begin
        coarse = 17'h0e658;
      end
      9'h04f : begin
        coarse = 17'h0e609;
      end
      9'h050 : begin
        coarse = 17'h0e5b9;
      end
      9'h051 : begin
        coarse = 17'h0e569;
      end
      9'h052 : begin
        coarse = 17'h0e51a;
      end
      9'h053 : begin
        coarse = 17'h0e4cb;
      end
      9'h054 : begin
        coarse = 17'h0e47b;
      end
      9'h055 : begin
        coarse = 17'h0e42c;
      end
      9'h056 : begin
        coarse = 17'h0e3dd;
      end
      9'h057 : begin
        coarse = 17'h0e38e;
      end
      9'h058 : begin
        coarse = 17'h0e340;
      end
      9'h059 : begin
        coarse = 17'h0e2f1;
      end
      9'h05a : begin
        coarse = 17'h0e2a2;
      end
      9'h05b : begin
        coarse = 17'h0e254;
      end
      9'h05c : begin
        coarse = 17'h0e205;
      end
      9'h05d : begin
        coarse = 17'h0e1b7;
      end
      9'h05e : begin
        coarse = 17'h0e169;
      end
      9'h05f : begin
        coarse = 17'h0e11b;
      end
      9'h060 : begin
        coarse = 17'h0e0cd;
      end
      9'h061 : begin
        coarse = 17'h0e07f;
      end
      9'h062 : begin
        coarse = 17'h0e031;
      end
      9'h063 : begin
        coarse = 17'h0dfe4;
      end
      9'h064 : begin
        coarse = 17'h0df96;
      end
      9'h065 : begin
        coarse = 17'h0df49;
      end
      9'h066 : begin
        coarse = 17'h0defb;
      end
      9'h067 : begin
        coarse = 17'h0deae;
      end
      9'h068 : begin
        coarse = 17'h0de61;
      end
      9'h069 : begin
        coarse = 17'h0de14;
      end
      9'h06a : begin
        coarse = 17'h0ddc7;
      end
      9'h06b : begin
        coarse = 17'h0dd7a;
      end
      9'h06c : begin
        coarse = 17'h0dd2e;
      end
      9'h06d : begin
        coarse = 17'h0dce1;
      end
      9'h06e : begin
        coarse = 17'h0dc94;
      end
      9'h06f : begin
        coarse = 17'h0dc48;
      end
      9'h070 : begin
        coarse = 17'h0dbfc;
      end
      9'h071 : begin
        coarse = 17'h0dbb0;
      end
      9'h072 : begin
        coarse = 17'h0db63;
      end
      9'h073 : begin
        coarse = 17'h0db17;
      end
      9'h074 : begin
        coarse = 17'h0dacc;
      end
      9'h075 : begin
        coarse = 17'h0da80;
      end
      9'h076 : begin
        coarse = 17'h0da34;
      end
      9'h077 : begin
        coarse = 17'h0d9e9;
      end
      9'h078 : begin
        coarse = 17'h0d99d;
      end
      9'h079 : begin
        coarse = 17'h0d952;
      end
      9'h07a : begin
        coarse = 17'h0d906;
      end
      9'h07b : begin
        coarse = 17'h0d8bb;
      end
      9'h07c : begin
        coarse = 17'h0d870;
      end
      9'h07d : begin
        coarse = 17'h0d825;
      end
      9'h07e : begin
        coarse = 17'h0d7da;
      end
      9'h07f : begin
        coarse = 17'h0d790;
      end
      9'h080 : begin
        coarse = 17'h0d745;
      end
      9'h081 : begin
        coarse = 17'h0d6fa;
      end
      9'h082 : begin
        coarse = 17'h0d6b0;
      end
      9'h083 : begin
        coarse = 17'h0d666;
      end
      9'h084 : begin
        coarse = 17'h0d61b;
      end
      9'h085 : begin
        coarse = 17'h0d5d1;
      end
      9'h086 : begin
        coarse = 17'h0d587;
      end
      9'h087 : begin
        coarse = 17'h0d53d;
      end
      9'h088 : begin
        coarse = 17'h0d4f3;
      end
      9'h089 : begin
        coarse = 17'h0d4aa;
      end
      9'h08a : begin
        coarse = 17'h0d460;
      end
      9'h08b : begin
        coarse = 17'h0d416;
      end
      9'h08c : begin
        coarse = 17'h0d3cd;
      end
      9'h08d : begin
        coarse = 17'h0d384;
      end
      9'h08e : begin
        coarse = 17'h0d33a;
      end
      9'h08f : begin
        coarse = 17'h0d2f1;
      end
      9'h090 : begin
        coarse = 17'h0d2a8;
      end
      9'h091 : begin
        coarse = 17'h0d25f;
      end
      9'h092 : begin
        coarse = 17'h0d216;
      end
      9'h093 : begin
        coarse = 17'h0d1ce;
      end
      9'h094 : begin
        coarse = 17'h0d185;
      end
      9'h095 : begin
        coarse = 17'h0d13c;
      end
      9'h096 : begin
        coarse = 17'h0d0f4;
      end
      9'h097 : begin
        coarse = 17'h0d0ab;
      end
      9'h098 : begin
        coarse = 17'h0d063;
      end
      9'h099 : begin
        coarse = 17'h0d01b;
      end
      9'h09a : begin
        coarse = 17'h0cfd3;
      end
      9'h09b : begin
        coarse = 17'h0cf8b;
      end
      9'h09c : begin
        coarse = 17'h0cf43;
      end
      9'h09d : begin
        coarse = 17'h0cefb;
      end
      9'h09e : begin
        coarse = 17'h0ceb4;
      end
      9'h09f : begin
        coarse = 17'h0ce6c;
      end
      9'h0a0 : begin
        coarse = 17'h0ce25;
      end
      9'h0a1 : begin
        coarse = 17'h0cddd;
      end
      9'h0a2 : begin
        coarse = 17'h0cd96;
      end
      9'h0a3 : begin
        coarse = 17'h0cd4f;
      end
      9'h0a4 : begin
        coarse = 17'h0cd08;
      end
      9'h0a5 : begin
        coarse = 17'h0ccc1;
      end
      9'h0a6 : begin
        coarse = 17'h0cc7a;
      end
      9'h0a7 : begin
        coarse = 17'h0cc33;
      end
      9'h0a8 : begin
        coarse = 17'h0cbec;
      end
      9'h0a9 : begin
        coarse = 17'h0cba5;
      end
      9'h0aa : begin
        coarse = 17'h0cb5f;
      end
      9'h0ab : begin
        coarse = 17'h0cb18;
      end
      9'h0ac : begin
        coarse = 17'h0cad2;
      end
      9'h0ad : begin
        coarse = 17'h0ca8c;
      end
      9'h0ae : begin
        coarse = 17'h0ca46;
      end
      9'h0af : begin
        coarse = 17'h0ca00;
      end
      9'h0b0 : begin
        coarse = 17'h0c9ba;
      end
      9'h0b1 : begin
        coarse = 17'h0c974;
      end
      9'h0b2 : begin
        coarse = 17'h0c92e;
      end
      9'h0b3 : begin
        coarse = 17'h0c8e8;
      end
      9'h0b4 : begin
        coarse = 17'h0c8a3;
      end
      9'h0b5 : begin
        coarse = 17'h0c85d;
      end
      9'h0b6 : begin
        coarse = 17'h0c818;
      end
      9'h0b7 : begin
        coarse = 17'h0c7d3;
      end
      9'h0b8 : begin
        coarse = 17'h0c78d;
      end
      9'h0b9 : begin
        coarse = 17'h0c748;
      end
      9'h0ba : begin
        coarse = 17'h0c703;
      end
      9'h0bb : begin
        coarse = 17'h0c6be;
      end
      9'h0bc : begin
        coarse = 17'h0c67a;
      end
      9'h0bd : begin
        coarse = 17'h0c635;
      end
      9'h0be : begin
        coarse = 17'h0c5f0;
      end
      9'h0bf : begin
        coarse = 17'h0c5ac;
      end
      9'h0c0 : begin
        coarse = 17'h0c567;
      end
      9'h0c1 : begin
        coarse = 17'h0c523;
      end
      9'h0c2 : begin
        coarse = 17'h0c4df;
      end
      9'h0c3 : begin
        coarse = 17'h0c49a;
      end
      9'h0c4 : begin
        coarse = 17'h0c456;
      end
      9'h0c5 : begin
        coarse = 17'h0c412;
      end
      9'h0c6 : begin
        coarse = 17'h0c3ce;
      end
      9'h0c7 : begin
        coarse = 17'h0c38b;
      end
      9'h0c8 : begin
        coarse = 17'h0c347;
      end
      9'h0c9 : begin
        coarse = 17'h0c303;
      end
      9'h0ca : begin
        coarse = 17'h0c2c0;
      end
      9'h0cb : begin
        coarse = 17'h0c27c;
      end
      9'h0cc : begin
        coarse = 17'h0c239;
      end
      9'h0cd : begin
        coarse = 17'h0c1f6;
      end
      9'h0ce : begin
        coarse = 17'h0c1b2;
      end
      9'h0cf : begin
        coarse = 17'h0c16f;
      end
      9'h0d0 : begin
        coarse = 17'h0c12c;
      end
      9'h0d1 : begin
        coarse = 17'h0c0e9;
      end
      9'h0d2 : begin
        coarse = 17'h0c0a7;
      end
      9'h0d3 : begin
        coarse = 17'h0c064;
      end
      9'h0d4 : begin
        coarse = 17'h0c021;
      end
      9'h0d5 : begin
        coarse = 17'h0bfdf;
      end
      9'h0d6 : begin
        coarse = 17'h0bf9c;
      end
      9'h0d7 : begin
        coarse = 17'h0bf5a;
      end
      9'h0d8 : begin
        coarse = 17'h0bf18;
      end
      9'h0d9 : begin
        coarse = 17'h0bed5;
      end
      9'h0da : begin
        coarse = 17'h0be93;
      end
      9'h0db : begin
        coarse = 17'h0be51;
      end
      9'h0dc : begin
        coarse = 17'h0be0f;
      end
      9'h0dd : begin
        coarse = 17'h0bdce;
      end
      9'h0de : begin
        coarse = 17'h0bd8c;
      end
      9'h0df : begin
        coarse = 17'h0bd4a;
      end
      9'h0e0 : begin
        coarse = 17'h0bd09;
      end
      9'h0e1 : begin
        coarse = 17'h0bcc7;
      end
      9'h0e2 : begin
        coarse = 17'h0bc86;
      end
      9'h0e3 : begin
        coarse = 17'h0bc44;
      end
      9'h0e4 : begin
        coarse = 17'h0bc03;
      end
      9'h0e5 : begin
        coarse = 17'h0bbc2;
      end
      9'h0e6 : begin
        coarse = 17'h0bb81;
      end
      9'h0e7 : begin
        coarse = 17'h0bb40;
      end
      9'h0e8 : begin
        coarse = 17'h0baff;
      end
      9'h0e9 : begin
        coarse = 17'h0babf;
      end
      9'h0ea : begin
        coarse = 17'h0ba7e;
      end
      9'h0eb : begin
        coarse = 17'h0ba3d;
      end
      9'h0ec : begin
        coarse = 17'h0b9fd;
      end
      9'h0ed : begin
        coarse = 17'h0b9bc;
      end
      9'h0ee : begin
        coarse = 17'h0b97c;
      end
      9'h0ef : begin
        coarse = 17'h0b93c;
      end
      9'h0f0 : begin
        coarse = 17'h0b8fc;
      end
      9'h0f1 : begin
        coarse = 17'h0b8bc;
      end
      9'h0f2 : begin
        coarse = 17'h0b87c;
      end
      9'h0f3 : begin
        coarse = 17'h0b83c;
      end
      9'h0f4 : begin
        coarse = 17'h0b7fc;
      end
      9'h0f5 : begin
        coarse = 17'h0b7bc;
      end
      9'h0f6 : begin
        coarse = 17'h0b77d;
      end
      9'h0f7 : begin
        coarse = 17'h0b73d;
      end
      9'h0f8 : begin
        coarse = 17'h0b6fe;
      end
      9'h0f9 : begin
        coarse = 17'h0b6be;
      end
      9'h0fa : begin
        coarse = 17'h0b67f;
      end
      9'h0fb : begin
        coarse = 17'h0b640;
      end
      9'h0fc : begin
        coarse = 17'h0b601;
      end
      9'h0fd : begin
        coarse = 17'h0b5c2;
      end
      9'h0fe : begin
        coarse = 17'h0b583;
      end
      9'h0ff : begin
        coarse = 17'h0b544;
      end
      9'h100 : begin
        coarse = 17'h0b505;
      end
      9'h101 : begin
        coarse = 17'h0b4c6;
      end
      9'h102 : begin
        coarse = 17'h0b488;
      end
      9'h103 : begin
        coarse = 17'h0b449;
      end
      9'h104 : begin
        coarse = 17'h0b40b;
      end
      9'h105 : begin
        coarse = 17'h0b3cc;
      end
      9'h106 : begin
        coarse = 17'h0b38e;
      end
      9'h107 : begin
        coarse = 17'h0b350;
      end
      9'h108 : begin
        coarse = 17'h0b312;
      end
      9'h109 : begin
        coarse = 17'h0b2d4;
      end
      9'h10a : begin
        coarse = 17'h0b296;
      end
      9'h10b : begin
        coarse = 17'h0b258;
      end
      9'h10c : begin
        coarse = 17'h0b21a;
      end
      9'h10d : begin
        coarse = 17'h0b1dd;
      end
      9'h10e : begin
        coarse = 17'h0b19f;
      end
      9'h10f : begin
        coarse = 17'h0b161;
      end
      9'h110 : begin
        coarse = 17'h0b124;
      end
      9'h111 : begin
        coarse = 17'h0b0e7;
      end
      9'h112 : begin
        coarse = 17'h0b0a9;
      end
      9'h113 : begin
        coarse = 17'h0b06c;
      end
      9'h114 : begin
        coarse = 17'h0b02f;
      end
      9'h115 : begin
        coarse = 17'h0aff2;
      end
      9'h116 : begin
        coarse = 17'h0afb5;
      end
      9'h117 : begin
        coarse = 17'h0af78;
      end
      9'h118 : begin
        coarse = 17'h0af3b;
      end
      9'h119 : begin
        coarse = 17'h0aeff;
      end
      9'h11a : begin
        coarse = 17'h0aec2;
      end
      9'h11b : begin
        coarse = 17'h0ae86;
      end
      9'h11c : begin
        coarse = 17'h0ae49;
      end
      9'h11d : begin
        coarse = 17'h0ae0d;
      end
      9'h11e : begin
        coarse = 17'h0add1;
      end
      9'h11f : begin
        coarse = 17'h0ad94;
      end
      9'h120 : begin
        coarse = 17'h0ad58;
      end
      9'h121 : begin
        coarse = 17'h0ad1c;
      end
      9'h122 : begin
        coarse = 17'h0ace0;
      end
      9'h123 : begin
        coarse = 17'h0aca4;
      end
      9'h124 : begin
        coarse = 17'h0ac69;
      end
      9'h125 : begin
        coarse = 17'h0ac2d;
      end
      9'h126 : begin
        coarse = 17'h0abf1;
      end
      9'h127 : begin
        coarse = 17'h0abb6;
      end
      9'h128 : begin
        coarse = 17'h0ab7a;
      end
      9'h129 : begin
        coarse = 17'h0ab3f;
      end
      9'h12a : begin
        coarse = 17'h0ab04;
      end
      9'h12b : begin
        coarse = 17'h0aac8;
      end
      9'h12c : begin
        coarse = 17'h0aa8d;
      end
      9'h12d : begin
        coarse = 17'h0aa52;
      end
      9'h12e : begin
        coarse = 17'h0aa17;
      end
      9'h12f : begin
        coarse = 17'h0a9dc;
      end
      9'h130 : begin
        coarse = 17'h0a9a1;
      end
      9'h131 : begin
        coarse = 17'h0a967;
      end
      9'h132 : begin
        coarse = 17'h0a92c;
      end
      9'h133 : begin
        coarse = 17'h0a8f1;
      end
      9'h134 : begin
        coarse = 17'h0a8b7;
      end
      9'h135 : begin
        coarse = 17'h0a87c;
      end
      9'h136 : begin
        coarse = 17'h0a842;
      end
      9'h137 : begin
        coarse = 17'h0a808;
      end
      9'h138 : begin
        coarse = 17'h0a7ce;
      end
      9'h139 : begin
        coarse = 17'h0a793;
      end
      9'h13a : begin
        coarse = 17'h0a759;
      end
      9'h13b : begin
        coarse = 17'h0a71f;
      end
      9'h13c : begin
        coarse = 17'h0a6e6;
      end
      9'h13d : begin
        coarse = 17'h0a6ac;
      end
      9'h13e : begin
        coarse = 17'h0a672;
      end
      9'h13f : begin
        coarse = 17'h0a638;
      end
      9'h140 : begin
        coarse = 17'h0a5ff;
      end
      9'h141 : begin
        coarse = 17'h0a5c5;
      end
      9'h142 : begin
        coarse = 17'h0a58c;
      end
      9'h143 : begin
        coarse = 17'h0a553;
      end
      9'h144 : begin
        coarse = 17'h0a519;
      end
      9'h145 : begin
        coarse = 17'h0a4e0;
      end
      9'h146 : begin
        coarse = 17'h0a4a7;
      end
      9'h147 : begin
        coarse = 17'h0a46e;
      end
      9'h148 : begin
        coarse = 17'h0a435;
      end
      9'h149 : begin
        coarse = 17'h0a3fc;
      end
      9'h14a : begin
        coarse = 17'h0a3c3;
      end
      9'h14b : begin
        coarse = 17'h0a38b;
      end
      9'h14c : begin
        coarse = 17'h0a352;
      end
      9'h14d : begin
        coarse = 17'h0a319;
      end
      9'h14e : begin
        coarse = 17'h0a2e1;
      end
      9'h14f : begin
        coarse = 17'h0a2a9;
      end
      9'h150 : begin
        coarse = 17'h0a270;
      end
      9'h151 : begin
        coarse = 17'h0a238;
      end
      9'h152 : begin
        coarse = 17'h0a200;
      end
      9'h153 : begin
        coarse = 17'h0a1c8;
      end
      9'h154 : begin
        coarse = 17'h0a190;
      end
      9'h155 : begin
        coarse = 17'h0a158;
      end
      9'h156 : begin
        coarse = 17'h0a120;
      end
      9'h157 : begin
        coarse = 17'h0a0e8;
      end
      9'h158 : begin
        coarse = 17'h0a0b0;
      end
      9'h159 : begin
        coarse = 17'h0a079;
      end
      9'h15a : begin
        coarse = 17'h0a041;
      end
      9'h15b : begin
        coarse = 17'h0a00a;
      end
      9'h15c : begin
        coarse = 17'h09fd2;
      end
      9'h15d : begin
        coarse = 17'h09f9b;
      end
      9'h15e : begin
        coarse = 17'h09f64;
      end
      9'h15f : begin
        coarse = 17'h09f2c;
      end
      9'h160 : begin
        coarse = 17'h09ef5;
      end
      9'h161 : begin
        coarse = 17'h09ebe;
      end
      9'h162 : begin
        coarse = 17'h09e87;
      end
      9'h163 : begin
        coarse = 17'h09e50;
      end
      9'h164 : begin
        coarse = 17'h09e19;
      end
      9'h165 : begin
        coarse = 17'h09de3;
      end
      9'h166 : begin
        coarse = 17'h09dac;
      end
      9'h167 : begin
        coarse = 17'h09d75;
      end
      9'h168 : begin
        coarse = 17'h09d3f;
      end
      9'h169 : begin
        coarse = 17'h09d08;
      end
      9'h16a : begin
        coarse = 17'h09cd2;
      end
      9'h16b : begin
        coarse = 17'h09c9c;
      end
      9'h16c : begin
        coarse = 17'h09c65;
      end
      9'h16d : begin
        coarse = 17'h09c2f;
      end
      9'h16e : begin
        coarse = 17'h09bf9;
      end
      9'h16f : begin
        coarse = 17'h09bc3;
      end
      9'h170 : begin
        coarse = 17'h09b8d;
      end
      9'h171 : begin
        coarse = 17'h09b57;
      end
      9'h172 : begin
        coarse = 17'h09b22;
      end
      9'h173 : begin
        coarse = 17'h09aec;
      end
      9'h174 : begin
        coarse = 17'h09ab6;
      end
      9'h175 : begin
        coarse = 17'h09a81;
      end
      9'h176 : begin
        coarse = 17'h09a4b;
      end
      9'h177 : begin
        coarse = 17'h09a16;
      end
      9'h178 : begin
        coarse = 17'h099e0;
      end
      9'h179 : begin
        coarse = 17'h099ab;
      end
      9'h17a : begin
        coarse = 17'h09976;
      end
      9'h17b : begin
        coarse = 17'h09941;
      end
      9'h17c : begin
        coarse = 17'h0990c;
      end
      9'h17d : begin
        coarse = 17'h098d7;
      end
      9'h17e : begin
        coarse = 17'h098a2;
      end
      9'h17f : begin
        coarse = 17'h0986d;
      end
      9'h180 : begin
        coarse = 17'h09838;
      end
      9'h181 : begin
        coarse = 17'h09803;
      end
      9'h182 : begin
        coarse = 17'h097cf;
      end
      9'h183 : begin
        coarse = 17'h0979a;
      end
      9'h184 : begin
        coarse = 17'h09765;
      end
      9'h185 : begin
        coarse = 17'h09731;
      end
      9'h186 : begin
        coarse = 17'h096fd;
      end
      9'h187 : begin
        coarse = 17'h096c8;
      end
      9'h188 : begin
        coarse = 17'h09694;
      end
      9'h189 : begin
        coarse = 17'h09660;
      end
      9'h18a : begin
        coarse = 17'h0962c;
      end
      9'h18b : begin
        coarse = 17'h095f8;
      end
      9'h18c : begin
        coarse = 17'h095c4;
      end
      9'h18d : begin
        coarse = 17'h09590;
      end
      9'h18e : begin
        coarse = 17'h0955c;
      end
      9'h18f : begin
        coarse = 17'h09529;
      end
      9'h190 : begin
        coarse = 17'h094f5;
      end
      9'h191 : begin
        coarse = 17'h094c1;
      end
      9'h192 : begin
        coarse = 17'h0948e;
      end
      9'h193 : begin
        coarse = 17'h0945a;
      end
      9'h194 : begin
        coarse = 17'h09427;
      end
      9'h195 : begin
        coarse = 17'h093f4;
      end
      9'h196 : begin
        coarse = 17'h093c0;
      end
      9'h197 : begin
        coarse = 17'h0938d;
      end
      9'h198 : begin
        coarse = 17'h0935a;
      end
      9'h199 : begin
        coarse = 17'h09327;
      end
      9'h19a : begin
        coarse = 17'h092f4;
      end
      9'h19b : begin
        coarse = 17'h092c1;
      end
      9'h19c : begin
        coarse = 17'h0928e;
      end
      9'h19d : begin
        coarse = 17'h0925c;
      end
      9'h19e : begin
        coarse = 17'h09229;
      end
      9'h19f : begin
        coarse = 17'h091f6;
      end
      9'h1a0 : begin
        coarse = 17'h091c4;
      end
      9'h1a1 : begin
        coarse = 17'h09191;
      end
      9'h1a2 : begin
        coarse = 17'h0915f;
      end
      9'h1a3 : begin
        coarse = 17'h0912d;
      end
      9'h1a4 : begin
        coarse = 17'h090fa;
      end
      9'h1a5 : begin
        coarse = 17'h090c8;
      end
      9'h1a6 : begin
        coarse = 17'h09096;
      end
      9'h1a7 : begin
        coarse = 17'h09064;
      end
      9'h1a8 : begin
        coarse = 17'h09032;
      end
      9'h1a9 : begin
        coarse = 17'h09000;
      end
      9'h1aa : begin
        coarse = 17'h08fce;
      end
      9'h1ab : begin
        coarse = 17'h08f9c;
      end
      9'h1ac : begin
        coarse = 17'h08f6b;
      end
      9'h1ad : begin
        coarse = 17'h08f39;
      end
      9'h1ae : begin
        coarse = 17'h08f07;
      end
      9'h1af : begin
        coarse = 17'h08ed6;
      end
      9'h1b0 : begin
        coarse = 17'h08ea4;
      end
      9'h1b1 : begin
        coarse = 17'h08e73;
      end
      9'h1b2 : begin
        coarse = 17'h08e41;
      end
      9'h1b3 : begin
        coarse = 17'h08e10;
      end
      9'h1b4 : begin
        coarse = 17'h08ddf;
      end
      9'h1b5 : begin
        coarse = 17'h08dae;
      end
      9'h1b6 : begin
        coarse = 17'h08d7d;
      end
      9'h1b7 : begin
        coarse = 17'h08d4c;
      end
      9'h1b8 : begin
        coarse = 17'h08d1b;
      end
      9'h1b9 : begin
        coarse = 17'h08cea;
      end
      9'h1ba : begin
        coarse = 17'h08cb9;
      end
      9'h1bb : begin
        coarse = 17'h08c88;
      end
      9'h1bc : begin
        coarse = 17'h08c58;
      end
      9'h1bd : begin
        coarse = 17'h08c27;
      end
      9'h1be : begin
        coarse = 17'h08bf7;
      end
      9'h1bf : begin
        coarse = 17'h08bc6;
      end
      9'h1c0 : begin
        coarse = 17'h08b96;
      end
      9'h1c1 : begin
        coarse = 17'h08b65;
      end
      9'h1c2 : begin
        coarse = 17'h08b35;
      end
      9'h1c3 : begin
        coarse = 17'h08b05;
      end
      9'h1c4 : begin
        coarse = 17'h08ad5;
      end
      9'h1c5 : begin
        coarse = 17'h08aa5;
      end
      9'h1c6 : begin
        coarse = 17'h08a75;
      end
      9'h1c7 : begin
        coarse = 17'h08a45;
      end
      9'h1c8 : begin
        coarse = 17'h08a15;
      end
      9'h1c9 : begin
        coarse = 17'h089e5;
      end
      9'h1ca : begin
        coarse = 17'h089b5;
      end
      9'h1cb : begin
        coarse = 17'h08986;
      end
      9'h1cc : begin
        coarse = 17'h08956;
      end
      9'h1cd : begin
        coarse = 17'h08926;
      end
      9'h1ce : begin
        coarse = 17'h088f7;
      end
      9'h1cf : begin
        coarse = 17'h088c7;
      end
      9'h1d0 : begin
        coarse = 17'h08898;
      end
      9'h1d1 : begin
        coarse = 17'h08869;
      end
      9'h1d2 : begin
        coarse = 17'h0883a;
      end
      9'h1d3 : begin
        coarse = 17'h0880a;
      end
      9'h1d4 : begin
        coarse = 17'h087db;
      end
      9'h1d5 : begin
        coarse = 17'h087ac;
      end
      9'h1d6 : begin
        coarse = 17'h0877d;
      end
      9'h1d7 : begin
        coarse = 17'h0874e;
      end
      9'h1d8 : begin
        coarse = 17'h0871f;
      end
      9'h1d9 : begin
        coarse = 17'h086f1;
      end
      9'h1da : begin
        coarse = 17'h086c2;
      end
      9'h1db : begin
        coarse = 17'h08693;
      end
      9'h1dc : begin
        coarse = 17'h08665;
      end
      9'h1dd : begin
        coarse = 17'h08636;
      end
      9'h1de : begin
        coarse = 17'h08608;
      end
      9'h1df : begin
        coarse = 17'h085d9;
      end
      9'h1e0 : begin
        coarse = 17'h085ab;
      end
      9'h1e1 : begin
        coarse = 17'h0857c;
      end
      9'h1e2 : begin
        coarse = 17'h0854e;
      end
      9'h1e3 : begin
        coarse = 17'h08520;
      end
      9'h1e4 : begin
        coarse = 17'h084f2;
      end
      9'h1e5 : begin
        coarse = 17'h084c4;
      end
      9'h1e6 : begin
        coarse = 17'h08496;
      end
      9'h1e7 : begin
        coarse = 17'h08468;
      end
      9'h1e8 : begin
        coarse = 17'h0843a;
      end
      9'h1e9 : begin
        coarse = 17'h0840c;
      end
      9'h1ea : begin
        coarse = 17'h083df;
      end
      9'h1eb : begin
        coarse = 17'h083b1;
      end
      9'h1ec : begin
        coarse = 17'h08383;
      end
      9'h1ed : begin
        coarse = 17'h08356;
      end
      9'h1ee : begin
        coarse = 17'h08328;
      end
      9'h1ef : begin
        coarse = 17'h082fb;
      end
      9'h1f0 : begin
        coarse = 17'h082ce;
      end
      9'h1f1 : begin
        coarse = 17'h082a0;
      end
      9'h1f2 : begin
        coarse = 17'h08273;
      end
      9'h1f3 : begin
        coarse = 17'h08246;
      end
      9'h1f4 : begin
        coarse = 17'h08219;
      end
      9'h1f5 : begin
        coarse = 17'h081ec;
      end
      9'h1f6 : begin
        coarse = 17'h081bf;
      end
      9'h1f7 : begin
        coarse = 17'h08192;
      end
      9'h1f8 : begin
        coarse = 17'h08165;
      end
      9'h1f9 : begin
        coarse = 17'h08138;
      end
      9'h1fa : begin
        coarse = 17'h0810b;
      end
      9'h1fb : begin
        coarse = 17'h080df;
      end
      9'h1fc : begin
        coarse = 17'h080b2;
      end
      9'h1fd : begin
        coarse = 17'h08085;
      end
      9'h1fe : begin
        coarse = 17'h08059;
      end
      default : begin
        coarse = 17'h0802c;
      end
    endcase
  end

  always @(*) begin
    case(_zz_2)
      8'h0 : begin
        fine = 17'h10000;
      end
      8'h01 : begin
        fine = 17'h10000;
      end
      8'h02 : begin
        fine = 17'h0ffff;
      end
      8'h03 : begin
        fine = 17'h0ffff;
      end
      8'h04 : begin
        fine = 17'h0ffff;
      end
      8'h05 : begin
        fine = 17'h0fffe;
      end
      8'h06 : begin
        fine = 17'h0fffe;
      end
      8'h07 : begin
        fine = 17'h0fffe;
      end
      8'h08 : begin
        fine = 17'h0fffd;
      end
      8'h09 : begin
        fine = 17'h0fffd;
      end
      8'h0a : begin
        fine = 17'h0fffd;
      end
      8'h0b : begin
        fine = 17'h0fffc;
      end
      8'h0c : begin
        fine = 17'h0fffc;
      end
      8'h0d : begin
        fine = 17'h0fffb;
      end
      8'h0e : begin
        fine = 17'h0fffb;
      end
      8'h0f : begin
        fine = 17'h0fffb;
      end
      8'h10 : begin
        fine = 17'h0fffa;
      end
      8'h11 : begin
        fine = 17'h0fffa;
      end
      8'h12 : begin
        fine = 17'h0fffa;
      end
      8'h13 : begin
        fine = 17'h0fff9;
      end
      8'h14 : begin
        fine = 17'h0fff9;
      end
      8'h15 : begin
        fine = 17'h0fff9;
      end
      8'h16 : begin
        fine = 17'h0fff8;
      end
      8'h17 : begin
        fine = 17'h0fff8;
      end
      8'h18 : begin
        fine = 17'h0fff8;
      end
      8'h19 : begin
        fine = 17'h0fff7;
      end
      8'h1a : begin
        fine = 17'h0fff7;
      end
      8'h1b : begin
        fine = 17'h0fff7;
      end
      8'h1c : begin
        fine = 17'h0fff6;
      end
      8'h1d : begin
        fine = 17'h0fff6;
      end
      8'h1e : begin
        fine = 17'h0fff6;
      end
      8'h1f : begin
        fine = 17'h0fff5;
      end
      8'h20 : begin
        fine = 17'h0fff5;
      end
      8'h21 : begin
        fine = 17'h0fff5;
      end
      8'h22 : begin
        fine = 17'h0fff4;
      end
      8'h23 : begin
        fine = 17'h0fff4;
      end
      8'h24 : begin
        fine = 17'h0fff4;
      end
      8'h25 : begin
        fine = 17'h0fff3;
      end
      8'h26 : begin
        fine = 17'h0fff3;
      end
      8'h27 : begin
        fine = 17'h0fff2;
      end
      8'h28 : begin
        fine = 17'h0fff2;
      end
      8'h29 : begin
        fine = 17'h0fff2;
      end
      8'h2a : begin
        fine = 17'h0fff1;
      end
      8'h2b : begin
        fine = 17'h0fff1;
      end
      8'h2c : begin
        fine = 17'h0fff1;
      end
      8'h2d : begin
        fine = 17'h0fff0;
      end
      8'h2e : begin
        fine = 17'h0fff0;
      end
      8'h2f : begin
        fine = 17'h0fff0;
      end
      8'h30 : begin
        fine = 17'h0ffef;
      end
      8'h31 : begin
        fine = 17'h0ffef;
      end
      8'h32 : begin
        fine = 17'h0ffef;
      end
      8'h33 : begin
        fine = 17'h0ffee;
      end
      8'h34 : begin
        fine = 17'h0ffee;
      end
      8'h35 : begin
        fine = 17'h0ffee;
      end
      8'h36 : begin
        fine = 17'h0ffed;
      end
      8'h37 : begin
        fine = 17'h0ffed;
      end
      8'h38 : begin
        fine = 17'h0ffed;
      end
      8'h39 : begin
        fine = 17'h0ffec;
      end
      8'h3a : begin
        fine = 17'h0ffec;
      end
      8'h3b : begin
        fine = 17'h0ffec;
      end
      8'h3c : begin
        fine = 17'h0ffeb;
      end
      8'h3d : begin
        fine = 17'h0ffeb;
      end
      8'h3e : begin
        fine = 17'h0ffeb;
      end
      8'h3f : begin
        fine = 17'h0ffea;
      end
      8'h40 : begin
        fine = 17'h0ffea;
      end
      8'h41 : begin
        fine = 17'h0ffe9;
      end
      8'h42 : begin
        fine = 17'h0ffe9;
      end
      8'h43 : begin
        fine = 17'h0ffe9;
      end
      8'h44 : begin
        fine = 17'h0ffe8;
      end
      8'h45 : begin
        fine = 17'h0ffe8;
      end
      8'h46 : begin
        fine = 17'h0ffe8;
      end
      8'h47 : begin
        fine = 17'h0ffe7;
      end
      8'h48 : begin
        fine = 17'h0ffe7;
      end
      8'h49 : begin
        fine = 17'h0ffe7;
      end
      8'h4a : begin
        fine = 17'h0ffe6;
      end
      8'h4b : begin
        fine = 17'h0ffe6;
      end
      8'h4c : begin
        fine = 17'h0ffe6;
      end
      8'h4d : begin
        fine = 17'h0ffe5;
      end
      8'h4e : begin
        fine = 17'h0ffe5;
      end
      8'h4f : begin
        fine = 17'h0ffe5;
      end
      8'h50 : begin
        fine = 17'h0ffe4;
      end
      8'h51 : begin
        fine = 17'h0ffe4;
      end
      8'h52 : begin
        fine = 17'h0ffe4;
      end
      8'h53 : begin
        fine = 17'h0ffe3;
      end
      8'h54 : begin
        fine = 17'h0ffe3;
      end
      8'h55 : begin
        fine = 17'h0ffe3;
      end
      8'h56 : begin
        fine = 17'h0ffe2;
      end
      8'h57 : begin
        fine = 17'h0ffe2;
      end
      8'h58 : begin
        fine = 17'h0ffe2;
      end
      8'h59 : begin
        fine = 17'h0ffe1;
      end
      8'h5a : begin
        fine = 17'h0ffe1;
      end
      8'h5b : begin
        fine = 17'h0ffe0;
      end
      8'h5c : begin
        fine = 17'h0ffe0;
      end
      8'h5d : begin
        fine = 17'h0ffe0;
      end
      8'h5e : begin
        fine = 17'h0ffdf;
      end
      8'h5f : begin
        fine = 17'h0ffdf;
      end
      8'h60 : begin
        fine = 17'h0ffdf;
      end
      8'h61 : begin
        fine = 17'h0ffde;
      end
      8'h62 : begin
        fine = 17'h0ffde;
      end
      8'h63 : begin
        fine = 17'h0ffde;
      end
      8'h64 : begin
        fine = 17'h0ffdd;
      end
      8'h65 : begin
        fine = 17'h0ffdd;
      end
      8'h66 : begin
        fine = 17'h0ffdd;
      end
      8'h67 : begin
        fine = 17'h0ffdc;
      end
      8'h68 : begin
        fine = 17'h0ffdc;
      end
      8'h69 : begin
        fine = 17'h0ffdc;
      end
      8'h6a : begin
        fine = 17'h0ffdb;
      end
      8'h6b : begin
        fine = 17'h0ffdb;
      end
      8'h6c : begin
        fine = 17'h0ffdb;
      end
      8'h6d : begin
        fine = 17'h0ffda;
      end
      8'h6e : begin
        fine = 17'h0ffda;
      end
      8'h6f : begin
        fine = 17'h0ffda;
      end
      8'h70 : begin
        fine = 17'h0ffd9;
      end
      8'h71 : begin
        fine = 17'h0ffd9;
      end
      8'h72 : begin
        fine = 17'h0ffd9;
      end
      8'h73 : begin
        fine = 17'h0ffd8;
      end
      8'h74 : begin
        fine = 17'h0ffd8;
      end
      8'h75 : begin
        fine = 17'h0ffd7;
      end
      8'h76 : begin
        fine = 17'h0ffd7;
      end
      8'h77 : begin
        fine = 17'h0ffd7;
      end
      8'h78 : begin
        fine = 17'h0ffd6;
      end
      8'h79 : begin
        fine = 17'h0ffd6;
      end
      8'h7a : begin
        fine = 17'h0ffd6;
      end
      8'h7b : begin
        fine = 17'h0ffd5;
      end
      8'h7c : begin
        fine = 17'h0ffd5;
      end
      8'h7d : begin
        fine = 17'h0ffd5;
      end
      8'h7e : begin
        fine = 17'h0ffd4;
      end
      8'h7f : begin
        fine = 17'h0ffd4;
      end
      8'h80 : begin
        fine = 17'h0ffd4;
      end
      8'h81 : begin
        fine = 17'h0ffd3;
      end
      8'h82 : begin
        fine = 17'h0ffd3;
      end
      8'h83 : begin
        fine = 17'h0ffd3;
      end
      8'h84 : begin
        fine = 17'h0ffd2;
      end
      8'h85 : begin
        fine = 17'h0ffd2;
      end
      8'h86 : begin
        fine = 17'h0ffd2;
      end
      8'h87 : begin
        fine = 17'h0ffd1;
      end
      8'h88 : begin
        fine = 17'h0ffd1;
      end
      8'h89 : begin
        fine = 17'h0ffd1;
      end
      8'h8a : begin
        fine = 17'h0ffd0;
      end
      8'h8b : begin
        fine = 17'h0ffd0;
      end
      8'h8c : begin
        fine = 17'h0ffcf;
      end
      8'h8d : begin
        fine = 17'h0ffcf;
      end
      8'h8e : begin
        fine = 17'h0ffcf;
      end
      8'h8f : begin
        fine = 17'h0ffce;
      end
      8'h90 : begin
        fine = 17'h0ffce;
      end
      8'h91 : begin
        fine = 17'h0ffce;
      end
      8'h92 : begin
        fine = 17'h0ffcd;
      end
      8'h93 : begin
        fine = 17'h0ffcd;
      end
      8'h94 : begin
        fine = 17'h0ffcd;
      end
      8'h95 : begin
        fine = 17'h0ffcc;
      end
      8'h96 : begin
        fine = 17'h0ffcc;
      end
      8'h97 : begin
        fine = 17'h0ffcc;
      end
      8'h98 : begin
        fine = 17'h0ffcb;
      end
      8'h99 : begin
        fine = 17'h0ffcb;
      end
      8'h9a : begin
        fine = 17'h0ffcb;
      end
      8'h9b : begin
        fine = 17'h0ffca;
      end
      8'h9c : begin
        fine = 17'h0ffca;
      end
      8'h9d : begin
        fine = 17'h0ffca;
      end
      8'h9e : begin
        fine = 17'h0ffc9;
      end
      8'h9f : begin
        fine = 17'h0ffc9;
      end
      8'ha0 : begin
        fine = 17'h0ffc9;
      end
      8'ha1 : begin
        fine = 17'h0ffc8;
      end
      8'ha2 : begin
        fine = 17'h0ffc8;
      end
      8'ha3 : begin
        fine = 17'h0ffc8;
      end
      8'ha4 : begin
        fine = 17'h0ffc7;
      end
      8'ha5 : begin
        fine = 17'h0ffc7;
      end
      8'ha6 : begin
        fine = 17'h0ffc6;
      end
      8'ha7 : begin
        fine = 17'h0ffc6;
      end
      8'ha8 : begin
        fine = 17'h0ffc6;
      end
      8'ha9 : begin
        fine = 17'h0ffc5;
      end
      8'haa : begin
        fine = 17'h0ffc5;
      end
      8'hab : begin
        fine = 17'h0ffc5;
      end
      8'hac : begin
        fine = 17'h0ffc4;
      end
      8'had : begin
        fine = 17'h0ffc4;
      end
      8'hae : begin
        fine = 17'h0ffc4;
      end
      8'haf : begin
        fine = 17'h0ffc3;
      end
      8'hb0 : begin
        fine = 17'h0ffc3;
      end
      8'hb1 : begin
        fine = 17'h0ffc3;
      end
      8'hb2 : begin
        fine = 17'h0ffc2;
      end
      8'hb3 : begin
        fine = 17'h0ffc2;
      end
      8'hb4 : begin
        fine = 17'h0ffc2;
      end
      8'hb5 : begin
        fine = 17'h0ffc1;
      end
      8'hb6 : begin
        fine = 17'h0ffc1;
      end
      8'hb7 : begin
        fine = 17'h0ffc1;
      end
      8'hb8 : begin
        fine = 17'h0ffc0;
      end
      8'hb9 : begin
        fine = 17'h0ffc0;
      end
      8'hba : begin
        fine = 17'h0ffc0;
      end
      8'hbb : begin
        fine = 17'h0ffbf;
      end
      8'hbc : begin
        fine = 17'h0ffbf;
      end
      8'hbd : begin
        fine = 17'h0ffbf;
      end
      8'hbe : begin
        fine = 17'h0ffbe;
      end
      8'hbf : begin
        fine = 17'h0ffbe;
      end
      8'hc0 : begin
        fine = 17'h0ffbd;
      end
      8'hc1 : begin
        fine = 17'h0ffbd;
      end
      8'hc2 : begin
        fine = 17'h0ffbd;
      end
      8'hc3 : begin
        fine = 17'h0ffbc;
      end
      8'hc4 : begin
        fine = 17'h0ffbc;
      end
      8'hc5 : begin
        fine = 17'h0ffbc;
      end
      8'hc6 : begin
        fine = 17'h0ffbb;
      end
      8'hc7 : begin
        fine = 17'h0ffbb;
      end
      8'hc8 : begin
        fine = 17'h0ffbb;
      end
      8'hc9 : begin
        fine = 17'h0ffba;
      end
      8'hca : begin
        fine = 17'h0ffba;
      end
      8'hcb : begin
        fine = 17'h0ffba;
      end
      8'hcc : begin
        fine = 17'h0ffb9;
      end
      8'hcd : begin
        fine = 17'h0ffb9;
      end
      8'hce : begin
        fine = 17'h0ffb9;
      end
      8'hcf : begin
        fine = 17'h0ffb8;
      end
      8'hd0 : begin
        fine = 17'h0ffb8;
      end
      8'hd1 : begin
        fine = 17'h0ffb8;
      end
      8'hd2 : begin
        fine = 17'h0ffb7;
      end
      8'hd3 : begin
        fine = 17'h0ffb7;
      end
      8'hd4 : begin
        fine = 17'h0ffb7;
      end
      8'hd5 : begin
        fine = 17'h0ffb6;
      end
      8'hd6 : begin
        fine = 17'h0ffb6;
      end
      8'hd7 : begin
        fine = 17'h0ffb6;
      end
      8'hd8 : begin
        fine = 17'h0ffb5;
      end
      8'hd9 : begin
        fine = 17'h0ffb5;
      end
      8'hda : begin
        fine = 17'h0ffb4;
      end
      8'hdb : begin
        fine = 17'h0ffb4;
      end
      8'hdc : begin
        fine = 17'h0ffb4;
      end
      8'hdd : begin
        fine = 17'h0ffb3;
      end
      8'hde : begin
        fine = 17'h0ffb3;
      end
      8'hdf : begin
        fine = 17'h0ffb3;
      end
      8'he0 : begin
        fine = 17'h0ffb2;
      end
      8'he1 : begin
        fine = 17'h0ffb2;
      end
      8'he2 : begin
        fine = 17'h0ffb2;
      end
      8'he3 : begin
        fine = 17'h0ffb1;
      end
      8'he4 : begin
        fine = 17'h0ffb1;
      end
      8'he5 : begin
        fine = 17'h0ffb1;
      end
      8'he6 : begin
        fine = 17'h0ffb0;
      end
      8'he7 : begin
        fine = 17'h0ffb0;
      end
      8'he8 : begin
        fine = 17'h0ffb0;
      end
      8'he9 : begin
        fine = 17'h0ffaf;
      end
      8'hea : begin
        fine = 17'h0ffaf;
      end
      8'heb : begin
        fine = 17'h0ffaf;
      end
      8'hec : begin
        fine = 17'h0ffae;
      end
      8'hed : begin
        fine = 17'h0ffae;
      end
      8'hee : begin
        fine = 17'h0ffae;
      end
      8'hef : begin
        fine = 17'h0ffad;
      end
      8'hf0 : begin
        fine = 17'h0ffad;
      end
      8'hf1 : begin
        fine = 17'h0ffad;
      end
      8'hf2 : begin
        fine = 17'h0ffac;
      end
      8'hf3 : begin
        fine = 17'h0ffac;
      end
      8'hf4 : begin
        fine = 17'h0ffab;
      end
      8'hf5 : begin
        fine = 17'h0ffab;
      end
      8'hf6 : begin
        fine = 17'h0ffab;
      end
      8'hf7 : begin
        fine = 17'h0ffaa;
      end
      8'hf8 : begin
        fine = 17'h0ffaa;
      end
      8'hf9 : begin
        fine = 17'h0ffaa;
      end
      8'hfa : begin
        fine = 17'h0ffa9;
      end
      8'hfb : begin
        fine = 17'h0ffa9;
      end
      8'hfc : begin
        fine = 17'h0ffa9;
      end
      8'hfd : begin
        fine = 17'h0ffa8;
      end
      8'hfe : begin
        fine = 17'h0ffa8;
      end
      default : begin
        fine = 17'h0ffa8;
      end
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
