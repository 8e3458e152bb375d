// SPDX-License-Identifier: MIT
//
// What a recording lost without the tracer counting it, and who recorded knows: a small file beside
// the traces, so that no report of them says that nothing was lost. `lttng-gpu record` writes it
// into the folder of the recording; see docs/formats.md.
#pragma once

#include "expected.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace lttng_gpu {

enum class NotedLoss {
    UnfinishedEvent, // a program died in the middle of one; LTTng left out later events of that CPU
    EndedEarly,      // the disk was full, or a daemon of LTTng died
};

Expected<void> note_loss(const std::filesystem::path& recording, NotedLoss loss);

/// The notes of what was exported, for the trace made of it, and more of those that ended early.
Expected<void> copy_noted_losses(std::span<const std::filesystem::path> traces,
                                 const std::filesystem::path& trace, std::size_t ended_early = 0);

/// How many such notes the recordings have that these traces, or folders of traces, are part of.
std::uint64_t count_noted_losses(std::span<const std::filesystem::path> traces);

} // namespace lttng_gpu
