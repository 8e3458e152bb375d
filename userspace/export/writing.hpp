// SPDX-License-Identifier: MIT
//
// The second half of export and merge: the graph runs to its end, the progress bar goes
// on, and there is either a whole directory or none.
#pragma once

#include "copy_filter.hpp"

#include "examination.hpp"
#include "output_directory.hpp"

namespace lttng_gpu::exporting {

/// The part of the progress bar, and about that of the time, that reading beforehand is.
constexpr double examination_share = 0.1;

struct Writing {
    const InputPlan& plan;
    CopyWork& work;
    std::uint64_t events; // in all
    const CommandContext& context;
    const std::vector<std::filesystem::path>& inputs; // as the user names them
};

Expected<void> write_traces(const Writing& writing, OutputDirectory& output);

} // namespace lttng_gpu::exporting
