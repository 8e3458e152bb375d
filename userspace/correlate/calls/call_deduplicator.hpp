// SPDX-License-Identifier: MIT
//
// Hands on the calls of APIs, each once: of two events that began together in one thread the one
// of a command names more. So the latest call of a thread waits for the next one.
#pragma once

#include "frame.hpp"
#include "thread_of_space.hpp"

#include <map>

namespace lttng_gpu::model {

class CallDeduplicator {
public:
    CallDeduplicator(JobSink& sink, const ActorOrigins& origins) : m_sink{sink}, m_origins{origins}
    {
    }

    void on_call(const ReturnedCall& call, bool is_enqueue);
    void finish();

private:
    static constexpr std::size_t most_threads = 4096;

    struct Latest {
        ReturnedCall call;
        bool is_enqueue = false;
    };

    JobSink& m_sink;
    const ActorOrigins& m_origins;
    std::map<ThreadOfSpace, Latest> m_latest;
};

} // namespace lttng_gpu::model
