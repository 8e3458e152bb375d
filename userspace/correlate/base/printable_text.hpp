// SPDX-License-Identifier: MIT
//
// Names in traces are bytes: a thread may call itself anything, and a damaged
// packet gives garbage. What is shown of them is valid UTF-8 on one line.
#pragma once

#include <string>
#include <string_view>

namespace lttng_gpu {

/// Control characters and bytes that are no UTF-8 (RFC 3629) become \xNN.
std::string printable_text(std::string_view bytes);

} // namespace lttng_gpu
