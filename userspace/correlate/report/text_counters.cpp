// SPDX-License-Identifier: MIT
//
// See text_counters.hpp.
#include "text_counters.hpp"

#include <fmt/format.h>

namespace lttng_gpu::report {

std::string counter_lines(const std::vector<model::CounterAccount>& counters)
{
    if (counters.empty()) {
        return {};
    }
    std::string text = "\ncounters of devices over the whole trace\n";
    for (const model::CounterAccount& counter : counters) {
        text +=
            fmt::format("  {}: {}{}: {}–{}, mean {:.1f}, last {} · {} {}\n",
                        counter.device.empty() ? "unknown device" : counter.device, counter.name,
                        counter.unit.empty() ? "" : fmt::format(" in {}", counter.unit),
                        counter.least, counter.most, counter.mean, counter.last, counter.count,
                        counter.is_sampled ? "samples" : "changes");
    }
    return text;
}

Json counters_json(const Report& report)
{
    Json all = Json::array();
    for (const model::CounterAccount& counter : report.trace.counters) {
        all.push_back({{"device", text_or_null(counter.device)},
                       {"counter", counter.name},
                       {"unit", text_or_null(counter.unit)},
                       {"source", counter.is_sampled ? "sampled" : "events"},
                       {"count", counter.count},
                       {"min", counter.least},
                       {"mean", counter.mean},
                       {"max", counter.most},
                       {"last", counter.last},
                       {"begin_ns", counter.begin.value()},
                       {"end_ns", counter.end.value()}});
    }
    return all;
}

} // namespace lttng_gpu::report
