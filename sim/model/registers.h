// SPDX-License-Identifier: BSD-3-Clause
// Addresses and fault codes of the register window, by name (rtl/control/truemark.rdl is their definition).
#pragma once

#include <cstdint>

namespace truemark::reg {

inline constexpr uint32_t kNetfpgaEnd = 0x100;  // below: NetFPGA's own, reads kNetfpgaValue
inline constexpr uint32_t kNetfpgaValue = 0xDEADBEEF;

inline constexpr uint32_t kId = 0x100, kVersion = 0x104, kBuild = 0x108, kRows = 0x10C, kDescriptors = 0x110,
                          kStorage = 0x114, kMaxFrame = 0x118, kCapabilities = 0x11C;
inline constexpr uint32_t kTimeLow = 0x120, kTimeHigh = 0x124, kTimeStep = 0x128, kSeed = 0x12C;
inline constexpr uint32_t kLock = 0x140, kPage = 0x144, kCommand = 0x148, kStatus = 0x14C;
inline constexpr uint32_t kControl = 0x160, kLimitBytes = 0x164, kLimitPackets = 0x168, kK0 = 0x16C, kK1 = 0x170,
                          kProtect = 0x174;
// Of law slot s: kRed + kRedSlot * s + one of the offsets.
inline constexpr uint32_t kRed = 0x200, kRedSlot = 0x40, kRedSettings = 0x00, kRedMin = 0x04, kRedMax = 0x08,
                          kRedMaxp = 0x0C, kRedSlope = 0x10, kRedGentleSlope = 0x14, kRedReciprocal = 0x18,
                          kRedBottom = 0x1C, kRedBandLow = 0x20, kRedBandHigh = 0x24;
inline constexpr uint32_t kIdleReciprocal = 0x280, kIdleShift = 0x284, kAdaptInterval = 0x288;
inline constexpr uint32_t kCodelSettings = 0x290, kCodelTarget = 0x294, kCodelInterval = 0x298,
                          kCodelCeThreshold = 0x29C, kCodelExemptBytes = 0x2A0;
inline constexpr uint32_t kOccupancyBytes = 0x180, kOccupancyPackets = 0x184, kWatermarkBytes = 0x188,
                          kWatermarkPackets = 0x18C, kWatermarkSojournLow = 0x190, kWatermarkSojournHigh = 0x194,
                          kCutShort = 0x198;
inline constexpr uint32_t kSnapshotBytes = 0x1A0, kSnapshotPackets = 0x1A4, kSnapshotTimeLow = 0x1A8,
                          kSnapshotTimeHigh = 0x1AC;
inline constexpr uint32_t kQuery = 0x1B0, kSumPacketsLow = 0x1B4, kSumPacketsHigh = 0x1B8, kSumBytesLow = 0x1BC,
                          kSumBytesHigh = 0x1C0;
inline constexpr uint32_t kBad = 0x1D0;
inline constexpr uint32_t kAverage0 = 0x1F0, kAverage1 = 0x1F4, kMaxp0 = 0x1F8, kMaxp1 = 0x1FC;

inline constexpr uint32_t kIdValue = 0x54524D4B;
inline constexpr uint32_t kVersionValue = 0x00000300;  // 0.3.0
inline constexpr uint32_t kTimeStepReset = 5u << 24;
inline constexpr uint32_t kSeedReset = 1;
inline constexpr uint32_t kLockRelease = 0x80000000;
inline constexpr uint32_t kBusy = 1u | 7u << 16;  // of STATUS: a commit, a snapshot, a query or a flush is under way

enum Command : uint32_t {
  kCommit = 1,
  kLoad = 2,
  kFlush = 4,
  kSoftReset = 8,
  kSnapshot = 16,
  kRunQuery = 32,
  kClearWatermarks = 64
};

enum class Fault : uint8_t {
  None,
  LimitBytes,
  LimitPackets,
  Law,
  K0,
  K1,
  Protect,
  Port,
  Control,
  Weight0,
  Weight1,
  Band0,
  Band1,
  Maxp0,
  Maxp1,
  Slope0,
  Slope1,
  Gentle0,
  Gentle1,
  Adaptive0,
  Adaptive1,
  Idle,
  Codel,
  Nodrop
};
inline constexpr int kLastFault = static_cast<int>(Fault::Nodrop);

}  // namespace truemark::reg
