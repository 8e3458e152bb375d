// SPDX-License-Identifier: MIT
//
// Whether a file is a text trace, and one that can be read, by its first events.
#pragma once

#include "../ftrace/file.hpp"

#include <string>

namespace lttng_gpu::trace {

struct TextHead {
    bool is_trace = false;
    std::string refusal; // why it cannot be read, and what to do; empty: it can
};

/// `head` is the begin of the file. Where it has no event, as in the kernel's log or in a page, the
/// file is searched for one.
Expected<TextHead> examine_text(ftrace::File file, std::string_view head);

} // namespace lttng_gpu::trace
