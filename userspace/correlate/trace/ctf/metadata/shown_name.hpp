// SPDX-License-Identifier: MIT
//
// Names from metadata in messages: one line, and not longer than a reader wants.
#pragma once

#include "../../../base/printable_text.hpp"

namespace lttng_gpu::trace::ctf {

inline std::string shown_name(std::string_view name)
{
    constexpr std::size_t longest = 80;
    return printable_text(name.substr(0, longest)) + (name.size() > longest ? "..." : "");
}

} // namespace lttng_gpu::trace::ctf
