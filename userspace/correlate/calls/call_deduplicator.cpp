// SPDX-License-Identifier: MIT
//
// See call_teller.hpp.
#include "call_deduplicator.hpp"

#include <algorithm>

namespace lttng_gpu::model {

void CallDeduplicator::on_call(const ReturnedCall& call, bool is_enqueue)
{
    if (!call.actor.tid) {
        m_sink.on_api_call(call);
        return;
    }
    if (m_latest.size() == most_threads) {
        finish();
    }
    const auto [place, is_new] =
        m_latest.try_emplace(thread_of(m_origins, call.actor), Latest{call, is_enqueue});
    Latest& latest = place->second;
    if (is_new) {
        return;
    }
    if (latest.call.begin != call.begin) {
        m_sink.on_api_call(latest.call);
        latest = {call, is_enqueue};
        return;
    }
    if (latest.call.end <= call.end) {
        latest.call.end = call.end;
        latest.call.on_cpu = call.on_cpu;
    }
    if (is_enqueue || !latest.is_enqueue) {
        latest.call.name = call.name;
        latest.is_enqueue = is_enqueue;
    }
}

void CallDeduplicator::finish()
{
    for (const auto& [thread, latest] : m_latest) {
        m_sink.on_api_call(latest.call);
    }
    m_latest.clear();
}

} // namespace lttng_gpu::model
