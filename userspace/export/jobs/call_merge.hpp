// SPDX-License-Identifier: MIT
//
// A call that gave a command is told twice (see call_sink.hpp); here it becomes one, by the name
// that says more. The latest call of each thread waits for what may still be told of it.
#pragma once

#include "../../correlate/calls/call_sink.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace lttng_gpu::exporting {

class CallMerge final : public model::CallSink {
public:
    explicit CallMerge(model::CallSink& next) : m_next{next} {}

    void on_call(const model::ApiCall& call) override
    {
        const auto [place, is_new] = m_latest.try_emplace(key_of(call), call);
        if (is_new) {
            return;
        }
        model::ApiCall& last = place->second;
        if (last.begin != call.begin) {
            m_next.on_call(std::exchange(last, call));
            return;
        }
        last.end = std::max(last.end, call.end);
        if (call.is_enqueue || !last.is_enqueue) {
            last.call = call.call;
            last.is_enqueue = call.is_enqueue;
        }
    }
    void finish()
    {
        for (const auto& [key, call] : m_latest) {
            m_next.on_call(call);
        }
        m_latest.clear();
    }

private:
    using Key = std::pair<OriginId, Known<Tid>>;

    static Key key_of(const model::ApiCall& call) { return {call.actor.origin, call.actor.tid}; }

    model::CallSink& m_next;
    std::map<Key, model::ApiCall> m_latest; // by thread
};

} // namespace lttng_gpu::exporting
