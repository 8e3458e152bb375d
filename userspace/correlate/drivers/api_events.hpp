// SPDX-License-Identifier: MIT
//
// What the event families of all APIs share. Each API of apis.def has a file drivers/NAME.cpp,
// which registers its family (event_family.hpp) with this state.
#pragma once

#include "../base/apis.hpp"
#include "../calls/api_jobs.hpp"
#include "event_family.hpp"

namespace lttng_gpu::model {

/// Of every API whose commands have device times, the event that brings them has this name.
inline constexpr std::string_view times_event = "command_times";

class ApiEvents : public FamilyState {
public:
    explicit ApiEvents(EventContext& context)
        : FamilyState{context}, strings{context.strings}, enumerations{context.enumerations},
          clock_offsets{context.clock_offsets}, m_context{context}
    {
    }

    StringPool& strings;
    /// Whose numbers the values of enumerations have; empty if the reader was given none.
    const trace::EnumerationTable& enumerations;
    PerTrace<std::optional<Duration>>& clock_offsets;

    /// Of all APIs, made by the first event of any; traces without any pay nothing.
    ApiJobs& api() { return m_context.api_jobs(); }

private:
    EventContext& m_context;
};

} // namespace lttng_gpu::model
