// SPDX-License-Identifier: MIT
//
// The metadata of the kernel-like trace: TSDL in packets of one page, as LTTng's
// kernel tracer writes it, for the events of kernel_events.hpp.
#pragma once

#include "kernel_stream.hpp"

namespace lttng_gpu::bench {

void write_kernel_metadata(const std::filesystem::path& directory, HeaderForm form);

} // namespace lttng_gpu::bench
