// SPDX-License-Identifier: MIT
//
// Events that the output has and the input has not: of the device, at times that were
// computed. The filter that copies asks for them in order of time.
#pragma once

#include "output_trace.hpp"

#include "../correlate/base/time.hpp"

#include <optional>

namespace lttng_gpu::exporting {

class ExtraEvents {
public:
    ExtraEvents() = default;
    ExtraEvents(const ExtraEvents&) = delete;
    ExtraEvents& operator=(const ExtraEvents&) = delete;
    virtual ~ExtraEvents() = default;

    /// When the next event is; empty when there is none left. Reads as far as it must.
    virtual Expected<std::optional<Timestamp>> next_time() = 0;
    /// The messages of that event and, the first time, of the beginning of its stream.
    /// `output` is the trace that it belongs to, the same each time.
    virtual Expected<std::vector<trace::Bt2MessageRef>>
    take(bt_self_message_iterator* iterator, bt_self_component* component, OutputTrace& output) = 0;
    /// What ends the stream; nothing when it has not begun.
    virtual Expected<std::vector<trace::Bt2MessageRef>>
    finish(bt_self_message_iterator* iterator) = 0;
};

} // namespace lttng_gpu::exporting
