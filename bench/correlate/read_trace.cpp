// SPDX-License-Identifier: MIT
//
// read-trace [--threads N] TRACE: what reading alone costs: decodes and merges a
// trace of the benchmarks, takes three fields of every event and adds them up.
// Prints the number of events and the sum, which tells whether two runs read the
// same.
#include "trace/ctf/ctf_source_events.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace lttng_gpu;

namespace {

/// Nobody looks at the contexts: three fields are all that is taken.
std::vector<trace::WantedEvent> wanted()
{
    std::vector<trace::WantedEvent> events{
        {"lttng_gpu_bench:step", {"number", "thread", "value"}},
        {"sched_switch", {"prev_tid", "prev_state", "next_tid"}},
        {"drm_sched_job_queue", {"name", "fence_context", "fence_seqno"}},
        {"drm_sched_job_run", {"name", "fence_context", "fence_seqno"}},
        {"drm_sched_job_done", {"fence_context", "fence_seqno"}},
        {"gpu_fence_signaled", {"timeline", "context", "seqno"}}};
    for (trace::WantedEvent& event : events) {
        event.needs_contexts = false;
    }
    return events;
}

/// Known to the reader when it is compiled: what a call for every event would cost is
/// not what is measured.
class Sum {
public:
    void on_event(const trace::RawEvent& event)
    {
        ++m_events;
        for (const trace::FieldValue& value : event.fields) {
            m_sum += value.is_integer() ? value.as_unsigned_or(0) : value.as_text().size();
        }
        m_is_ordered = m_is_ordered && event.time >= m_last;
        m_last = event.time;
    }
    void on_loss(const trace::Loss&) { ++m_losses; }

    void print() const
    {
        std::printf("{\"events\": %llu, \"losses\": %llu, \"sum\": %llu, \"in_order\": %s}\n",
                    static_cast<unsigned long long>(m_events),
                    static_cast<unsigned long long>(m_losses),
                    static_cast<unsigned long long>(m_sum), m_is_ordered ? "true" : "false");
    }

private:
    std::uint64_t m_events = 0;
    std::uint64_t m_losses = 0;
    std::uint64_t m_sum = 0;
    Timestamp m_last;
    bool m_is_ordered = true;
};

int fail(const Error& error)
{
    std::fprintf(stderr, "read-trace: %s\n", error.message.c_str());
    return 3;
}

} // namespace

int main(int argc, char** argv)
{
    trace::ctf::SourceOptions options;
    if (argc == 4 && std::string_view{argv[1]} == "--threads") {
        options.threads = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));
    } else if (argc != 2) {
        std::fprintf(stderr, "usage: read-trace [--threads N] TRACE\n");
        return 2;
    }
    const auto traces = trace::find_traces({argv[argc - 1]});
    if (!traces) {
        return fail(traces.error());
    }
    auto source = trace::ctf::CtfSource::open(*traces, wanted(), options);
    if (!source) {
        return fail(source.error());
    }
    Sum sum;
    for (;;) {
        const auto has_more = (*source)->read_some_into(sum);
        if (!has_more) {
            return fail(has_more.error());
        }
        if (!*has_more) {
            break;
        }
    }
    sum.print();
    return 0;
}
