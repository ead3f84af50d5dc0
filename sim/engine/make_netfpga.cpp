// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline_engine.h"

namespace truemark {

std::unique_ptr<Engine> make_engine(const tm_build& build) { return std::make_unique<PipelineEngine>(build); }

}  // namespace truemark
