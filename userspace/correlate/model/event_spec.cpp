// SPDX-License-Identifier: MIT
//
// Field access for the trace systems, see event_spec.hpp.
#include "event_spec.hpp"

namespace lttng_gpu::model {

std::optional<std::uint64_t> find_unsigned(const trace::RawEvent& event, std::size_t field)
{
    return event.fields[field].as_unsigned();
}

std::optional<std::int64_t> find_signed(const trace::RawEvent& event, std::size_t field)
{
    return event.fields[field].as_signed();
}

std::string_view find_text(const trace::RawEvent& event, std::size_t field)
{
    return event.fields[field].as_text();
}

VirtioFences::Place place_of(const trace::RawEvent& event, const Actor& actor)
{
    if (actor.tid) {
        return {event.trace, true, actor.tid->value()};
    }
    return {event.trace, false, event.cpu.value()};
}

} // namespace lttng_gpu::model
