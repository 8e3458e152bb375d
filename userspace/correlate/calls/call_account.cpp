// SPDX-License-Identifier: MIT
//
// See call_account.hpp.
#include "call_account.hpp"

#include <algorithm>

namespace lttng_gpu::model {

constexpr std::array<NoCallText, no_call_count> no_call_texts{{
    {"queued_unknown", "no event tells when they were queued"},
    {"thread_unknown", "no event tells which thread queued them"},
    {"process_without_calls", "their process made no recorded call until then"},
    {"thread_in_no_call", "their thread was in no recorded call, and is not known as a driver's"},
    {"ambiguous", "several calls or commands were under way"},
    {"untimed", "only commands without a known end fit"},
    {"elsewhere", "the call of that thread number is of another machine or container"},
    {"machine_unknown", "nothing says that call and job are of one machine"},
    {"namespace_unknown", "call and job may be of two pid namespaces"},
    {"helper_in_doubt", "a thread of the driver queued them for one of several calls"},
    {"helper_unmatched", "a thread of the driver queued them, and no call fits"},
}};

static_assert(std::ranges::none_of(no_call_texts, &std::string_view::empty, &NoCallText::name));

} // namespace lttng_gpu::model
