// SPDX-License-Identifier: MIT
//
// Events as the kernel's own ftrace events are: without what our probes add, fences
// called dma_fence_* and cut to 32 bits, printed in the kernel's print formats.
#pragma once

#include "capture.hpp"

#include <optional>

namespace lttng_gpu::captures {

/// The fields that the kernel prints of an event that LTTng calls so.
std::vector<std::string> printed_fields(std::string_view name);

struct KernelEvent {
    std::string system;
    std::string name;
    std::string text;          // as printed
    std::vector<Field> fields; // as recorded
};

/// How `%p` is printed: the file `trace` has hashes, trace-cmd and perf the addresses.
enum class Pointers : std::uint8_t { Hashed, Plain };

/// Nothing when ftrace has no such event.
std::optional<KernelEvent> kernel_form(const Event& event, Pointers pointers);

} // namespace lttng_gpu::captures
