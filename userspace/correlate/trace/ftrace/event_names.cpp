// SPDX-License-Identifier: MIT
//
// See event_names.hpp.
#include "event_names.hpp"

#include "print_formats.hpp"

#include <algorithm>

namespace lttng_gpu::trace::ftrace {
namespace {

/// What `name` was called when it had the old name; empty when it never had.
std::string old_name_of(const std::string& name, const OldName& old)
{
    if (!is_among(name, old.now)) {
        return {};
    }
    if (!old.now.ends_with('*')) {
        return std::string{old.old};
    }
    std::string text{old.old.substr(0, old.old.size() - 1)};
    return text + name.substr(old.now.size() - 1);
}

bool is_wanted(const std::vector<WantedEvent>& wanted, std::string_view name)
{
    return std::any_of(wanted.begin(), wanted.end(),
                       [&](const WantedEvent& event) { return event.name == name; });
}

} // namespace

std::vector<NamedEvent> names_of(const std::vector<WantedEvent>& wanted)
{
    std::vector<NamedEvent> names;
    for (std::size_t index = 0; index < wanted.size(); ++index) {
        const std::string& name = wanted[index].name;
        if (name.find('*') != std::string::npos) {
            continue;
        }
        names.push_back({name, index});
        for (const OldName& old : old_event_names()) {
            std::string old_name = old_name_of(name, old);
            if (!old_name.empty() && !is_wanted(wanted, old_name)) {
                names.push_back({std::move(old_name), index});
            }
        }
    }
    return names;
}

} // namespace lttng_gpu::trace::ftrace
