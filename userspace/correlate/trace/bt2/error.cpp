// SPDX-License-Identifier: MIT
//
// See error.hpp.
#include "error.hpp"

#include "../../base/printable_text.hpp"

#include <algorithm>
#include <babeltrace2/babeltrace.h>

namespace lttng_gpu::trace {
namespace {

std::string take_error_text()
{
    const bt_error* error = bt_current_thread_take_error();
    if (error == nullptr) {
        return "unknown babeltrace2 error";
    }
    std::string text = "unknown babeltrace2 error";
    if (bt_error_get_cause_count(error) > 0) {
        text = bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0));
    }
    bt_error_release(error);
    std::replace(text.begin(), text.end(), '\n', ' ');
    // What follows are the library's own object addresses, of no use to anyone.
    if (const std::size_t address = text.find("addr=0x"); address != std::string::npos) {
        text.resize(std::min(text.size(), text.rfind(": ", address)));
    }
    // ctf.fs says no more than this when it cannot parse the metadata.
    if (text.starts_with("Cannot create trace for")) {
        text = "its metadata is damaged";
    }
    constexpr std::size_t longest = 240;
    if (text.size() > longest) {
        text.resize(longest);
        text += "...";
    }
    return printable_text(text);
}

} // namespace

Failure bt2_failure(ErrorKind kind, const std::string& context)
{
    return Failure{{kind, context + ": " + take_error_text()}};
}

} // namespace lttng_gpu::trace
