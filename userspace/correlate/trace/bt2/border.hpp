// SPDX-License-Identifier: MIT
//
// The boundary between babeltrace2's C API and components of this program: errors and
// exceptions become causes of the current thread's error, and the status that the library
// expects.
#pragma once

#include "../../base/expected.hpp"

#include <babeltrace2/babeltrace.h>
#include <exception>

namespace lttng_gpu::trace {

inline void append_cause(bt_self_component* component, const char* cause)
{
    // Without memory for the cause there is none; the status still says it.
    static_cast<void>(bt_current_thread_error_append_cause_from_component(component, __FILE__,
                                                                          __LINE__, "%s", cause));
}

/// Calls `body`, which gives an Expected<Status>.
template <typename Status, typename Body>
Status at_border(bt_self_component* component, Status error, const Body& body) noexcept
{
    try {
        const Expected<Status> status = body();
        if (status) {
            return *status;
        }
        append_cause(component, status.error().message.c_str());
    } catch (const std::exception& exception) {
        append_cause(component, exception.what());
    }
    return error;
}

} // namespace lttng_gpu::trace
