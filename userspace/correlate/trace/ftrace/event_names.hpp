// SPDX-License-Identifier: MIT
//
// Which wanted event an event of a trace is, by its name: looked up once per event,
// through a hash, whatever the name was in the kernel that recorded it. Both ftrace
// readers make their plans from it.
#pragma once

#include "../event_source.hpp"

#include <string_view>
#include <unordered_map>

namespace lttng_gpu::trace::ftrace {

struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const
    {
        return std::hash<std::string_view>{}(text);
    }
};

template <typename Value>
using ByName = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

struct NamedEvent {
    std::string name; // as the trace calls it
    std::size_t wanted = 0;
};

/// All names that wanted events may have, older ones too; not patterns.
std::vector<NamedEvent> names_of(const std::vector<WantedEvent>& wanted);

/// The field that stands for the event's name.
constexpr std::string_view name_field = "$name";

} // namespace lttng_gpu::trace::ftrace
