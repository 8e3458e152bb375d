// SPDX-License-Identifier: MIT
//
// The events that the layers write: the lists by which they write them, read for the names of
// fields (instrumentation/events/lttng_gpu_records.h). layers::opencl::wait::newest is "newest",
// and what a list does not have is an error of the compiler.
#pragma once

#include <string_view>

#define gpu_records_version(number)
#define gpu_enumeration(name, ...)
#define gpu_api_enumeration(name, ...)
#define gpu_event(name, ...)                                                                       \
    namespace name {                                                                               \
    __VA_ARGS__                                                                                    \
    }
#define gpu_name(field) inline constexpr std::string_view field{#field};
#define gpu_integer(type, field) gpu_name(field)
#define gpu_integer_hex(type, field) gpu_name(field)
#define gpu_enum(enumeration, type, field) gpu_name(field)
#define gpu_string(field) gpu_name(field)
#define gpu_count(count)
#define gpu_sequence(type, field, count) gpu_name(field)
#define gpu_sequence_hex(type, field, count) gpu_name(field)

namespace lttng_gpu::model::layers {
namespace opencl {
#include "../../../instrumentation/events/lttng_gpu_opencl.h"
} // namespace opencl
namespace gl {
#include "../../../instrumentation/events/lttng_gpu_gl.h"
} // namespace gl
namespace vulkan {
#include "../../../instrumentation/events/lttng_gpu_vulkan.h"
} // namespace vulkan
namespace hsa {
#include "../../../instrumentation/events/lttng_gpu_hsa.h"
} // namespace hsa
} // namespace lttng_gpu::model::layers
