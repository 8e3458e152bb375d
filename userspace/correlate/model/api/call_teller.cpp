// SPDX-License-Identifier: MIT
//
// See call_teller.hpp.
#include "call_teller.hpp"

#include <algorithm>

namespace lttng_gpu::model {

void CallTeller::on_call(const ReturnedCall& call, bool is_enqueue)
{
    if (!call.actor.tid) {
        x_sink.on_api_call(call);
        return;
    }
    if (x_latest.size() == most_threads) {
        finish();
    }
    const auto [place, is_new] =
        x_latest.try_emplace(thread_of(x_origins, call.actor), Latest{call, is_enqueue});
    Latest& latest = place->second;
    if (is_new) {
        return;
    }
    if (latest.call.begin != call.begin) {
        x_sink.on_api_call(latest.call);
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

void CallTeller::finish()
{
    for (const auto& [thread, latest] : x_latest) {
        x_sink.on_api_call(latest.call);
    }
    x_latest.clear();
}

} // namespace lttng_gpu::model
