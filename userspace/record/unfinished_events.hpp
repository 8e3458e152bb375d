// SPDX-License-Identifier: MIT
//
// Events in LTTng-UST's buffers that were begun and never finished, or that nobody has read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace lttng_gpu::record {

/// A sub-buffer in which more room was taken than was given back.
struct UnfinishedEvent {
    std::filesystem::path buffer; // one CPU's, of one user or process
    std::uint64_t begin = 0;      // of the sub-buffer
    std::uint64_t taken = 0;      // bytes of it
    std::uint64_t finished = 0;   // bytes of it

    bool operator==(const UnfinishedEvent&) const = default;
};

struct UnfinishedEvents {
    bool is_known = true;    // every buffer was read, and is of a form that is understood
    bool has_unread = false; // finished ones that nobody has read yet
    std::vector<UnfinishedEvent> found;

    bool operator==(const UnfinishedEvents&) const = default;
};

/// In all buffers in this folder and below, of what nobody has read yet. While programs write, an
/// event may be under way: one that is killed in the middle leaves the same at every look.
UnfinishedEvents find_unfinished_events(const std::filesystem::path& buffers);

} // namespace lttng_gpu::record
