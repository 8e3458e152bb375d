// SPDX-License-Identifier: MIT
//
// See call_collector.hpp.
#include "call_collector.hpp"

#include <set>

namespace lttng_gpu::view {

void CallCollector::give(NameTables& names, Spans& spans) const
{
    std::set<std::pair<std::uint32_t, Timestamp>> enqueues;
    for (const model::ApiCall& call : m_calls) {
        if (call.is_enqueue) {
            enqueues.emplace(names.actor(call.actor), call.begin);
        }
    }
    for (const model::ApiCall& call : m_calls) {
        const std::uint32_t actor = names.actor(call.actor);
        if (call.is_enqueue || !enqueues.contains({actor, call.begin})) {
            spans.add({call.begin, call.end, actor, names.text(call.call), 0});
        }
    }
}

} // namespace lttng_gpu::view
