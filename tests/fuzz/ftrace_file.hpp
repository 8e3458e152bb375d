// SPDX-License-Identifier: MIT
//
// Reads fuzzed bytes through the entry of the ftrace readers, from a file in memory,
// and looks at every value that comes out.
#pragma once

#include "trace/open/open_ftrace.hpp"

#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace lttng_gpu::test {

class LookingConsumer final : public trace::EventConsumer {
public:
    void on_event(const trace::RawEvent& event) override
    {
        if (m_last && event.time < *m_last) {
            std::abort();
        }
        m_last = event.time;
        for (const trace::FieldValue& value : event.fields) {
            look(value);
        }
        look(event.context.pid);
        look(event.context.tid);
        look(event.context.procname);
    }
    void on_loss(const trace::Loss& loss) override
    {
        if (loss.end < loss.begin) {
            std::abort();
        }
    }

private:
    void look(const trace::FieldValue& value)
    {
        for (const char character : value.as_text()) {
            m_sum = m_sum + static_cast<unsigned char>(character);
        }
    }

    std::optional<Timestamp> m_last;
    volatile unsigned m_sum = 0;
};

inline void read_fuzzed_file(std::string_view content)
{
    static const int file = ::memfd_create("fuzz", 0);
    static const std::string path = "/proc/self/fd/" + std::to_string(file);
    if (::ftruncate(file, 0) != 0 ||
        ::pwrite(file, content.data(), content.size(), 0) != static_cast<ssize_t>(content.size())) {
        std::abort();
    }
    auto source = trace::open_ftrace(
        path,
        {{"drm_sched_job", {"fence", "name", "dev", "id", "hw_job_count", "fence_context"}},
         {"drm_run_job", {"fence", "name", "fence_seqno", "*"}},
         {"drm_sched_job_done", {"fence_context", "fence_seqno"}},
         {"dma_fence_signaled", {"driver", "timeline", "context", "seqno"}},
         {"i915_request_in", {"ctx", "seqno", "class", "port"}},
         {"amdgpu_cs_ioctl", {"timeline", "context", "seqno", "ring"}},
         {"sched_switch", {"prev_comm", "next_comm", "next_tid"}},
         {"*", {"$name", "*", "name", "seqno"}}},
        {});
    LookingConsumer consumer;
    while (source) {
        const auto more = (*source)->read_some(consumer);
        if (!more || !*more) {
            break;
        }
    }
}

} // namespace lttng_gpu::test
