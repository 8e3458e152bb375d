// SPDX-License-Identifier: MIT
//
// A line of the tracer function_graph, which puts events in comments between its functions.
#pragma once

#include "text_line.hpp"

namespace lttng_gpu::trace::ftrace {

/// False: the line is not of that tracer. `text` has no spaces around it.
bool read_graph_line(std::string_view text, TextLine& line);

} // namespace lttng_gpu::trace::ftrace
