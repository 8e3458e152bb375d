// SPDX-License-Identifier: MIT
//
// Field access for the trace systems, see event_spec.hpp. Integers may have
// been recorded signed or unsigned; both read the same.
#include "event_spec.hpp"

namespace lttng_gpu::model {

std::optional<std::uint64_t> find_unsigned(const trace::RawEvent& event, std::size_t field)
{
    const trace::FieldValue& value = event.fields[field];
    if (const auto* number = std::get_if<std::uint64_t>(&value)) {
        return *number;
    }
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        return static_cast<std::uint64_t>(*number);
    }
    return {};
}

std::optional<std::int64_t> find_signed(const trace::RawEvent& event, std::size_t field)
{
    const auto number = find_unsigned(event, field);
    return number ? std::optional{static_cast<std::int64_t>(*number)} : std::nullopt;
}

std::string_view find_text(const trace::RawEvent& event, std::size_t field)
{
    const auto* text = std::get_if<std::string_view>(&event.fields[field]);
    return text == nullptr ? std::string_view{} : *text;
}

VirtioFences::Place place_of(const trace::RawEvent& event, const Actor& actor)
{
    if (actor.tid) {
        return {event.trace, true, actor.tid->value()};
    }
    return {event.trace, false, event.cpu.value()};
}

} // namespace lttng_gpu::model
