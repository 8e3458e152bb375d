// SPDX-License-Identifier: MIT
//
// The fields that an event has, with their numbers: of events that have a number in
// Perfetto's own schema, from perfetto.proto; of others, from the trace.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace lttng_gpu::perfetto {
class EventDescriptor;
}

namespace lttng_gpu::trace::perfetto {

enum class FieldKind : std::uint8_t { Other, Unsigned, Signed, Text };

struct FieldForm {
    std::string name;
    std::uint32_t number = 0;
    FieldKind kind = FieldKind::Other;
};

struct EventForm {
    std::string name;
    std::vector<FieldForm> fields;
};

/// By the event's number.
using EventForms = std::unordered_map<std::uint32_t, EventForm>;

/// Those of perfetto.proto.
EventForms known_forms();

EventForm form_of(const lttng_gpu::perfetto::EventDescriptor& description);

} // namespace lttng_gpu::trace::perfetto
