// SPDX-License-Identifier: MIT
//
// Finds where in a text another one begins: buffers that were printed one after the other
// (`cat per_cpu/cpu*/trace`), captures that were put into one file, also the same twice.
#pragma once

#include "line_decoder.hpp"
#include "line_reader.hpp"

namespace lttng_gpu::trace::ftrace {

/// Parts whose events are in order, but for what ReorderWindow puts right; and how their lines are
/// to be decoded.
struct TextRuns {
    std::vector<FilePart> parts;
    LineDecoder decoder;
};

/// A large file is read at some places first, and as a whole only if times go back between them.
Expected<TextRuns> find_runs(const std::shared_ptr<File>& file);

} // namespace lttng_gpu::trace::ftrace
