// SPDX-License-Identifier: MIT
//
// What the model costs per event, without reading: raw events from memory through
// normaliser and job tracker into a sink that only counts. Prints ns per event, of
// the fastest of many rounds (first argument; few of them to count instructions).
#include "run/pipeline.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>

using namespace lttng_gpu;

namespace {

class CountingSink final : public model::JobSink {
public:
    void on_job(const model::Job& job) override { count += job.completed ? 1 : 0; }

    std::uint64_t count = 0;
};

/// Events of one kind after the other, as a decoder would hand them out.
class Stream {
public:
    void add(std::string_view name, std::int64_t time, std::uint32_t cpu,
             std::initializer_list<std::pair<std::string_view, trace::FieldValue>> fields)
    {
        std::size_t wanted = 0;
        while (m_wanted[wanted].name != name) {
            ++wanted;
        }
        std::vector<trace::FieldValue>& values = m_values.emplace_back();
        for (const std::string& field : m_wanted[wanted].fields) {
            trace::FieldValue found;
            for (const auto& [key, value] : fields) {
                found = key == field ? value : found;
            }
            values.push_back(found);
        }
        for (std::size_t at = 0; at < values.size(); ++at) {
            if (m_wanted[wanted].fields[at].ends_with("seqno")) {
                m_seqnos.push_back(&values[at]);
            }
        }
        trace::RawEvent event{Timestamp{time}, TraceId{}, Cpu{cpu}, wanted, values, {}};
        event.context.pid = trace::FieldValue{std::int64_t{100 + cpu}};
        event.context.tid = trace::FieldValue{std::int64_t{200 + cpu}};
        event.context.procname = trace::FieldValue{std::string_view{"some-renderer"}};
        m_events.push_back(event);
    }

    /// The events stay in the cache and come again with later times and seqnos.
    double ns_per_event(std::int64_t rounds)
    {
        CountingSink sink;
        run::Pipeline pipeline;
        pipeline.start(sink);
        const std::int64_t length = m_events.back().time.value() + 1;
        double best = 1e9;
        for (std::int64_t round = 0; round < rounds; ++round) {
            const auto begin = std::chrono::steady_clock::now();
            for (const trace::RawEvent& event : m_events) {
                pipeline.on_event(event);
            }
            const std::chrono::duration<double, std::nano> took =
                std::chrono::steady_clock::now() - begin;
            best = std::min(best, took.count() / static_cast<double>(m_events.size()));
            go_on(length);
        }
        pipeline.finish();
        return best;
    }

private:
    void go_on(std::int64_t length)
    {
        for (trace::RawEvent& event : m_events) {
            event.time = event.time + Duration{length};
        }
        for (trace::FieldValue* seqno : m_seqnos) {
            *seqno = trace::FieldValue{seqno->as_unsigned().value_or(0) + m_events.size()};
        }
    }

    std::vector<trace::WantedEvent> m_wanted = run::Pipeline::wanted();
    std::deque<std::vector<trace::FieldValue>> m_values;
    std::vector<trace::RawEvent> m_events;
    std::vector<trace::FieldValue*> m_seqnos;
};

trace::FieldValue number(std::uint64_t value)
{
    return trace::FieldValue{value};
}

constexpr const char* ring_names[]{"gfx_0.0.0", "comp_1.0.0", "comp_1.1.0", "sdma0"};

void print_cost(const char* what, Stream stream, std::int64_t rounds)
{
    std::printf("%-40s %6.1f ns/event\n", what, stream.ns_per_event(rounds));
}

/// Each job is queued, run and done; the next runs when one has ended.
Stream jobs(std::uint64_t in_flight, std::uint64_t count)
{
    Stream stream;
    std::int64_t time = 1;
    const auto tell = [&](const char* name, std::uint64_t job, bool has_ring) {
        const auto cpu = static_cast<std::uint32_t>(job % 8);
        const auto context = number(400 + job % 4 * 2);
        if (has_ring) {
            stream.add(name, time++, cpu,
                       {{"name", trace::FieldValue{std::string_view{ring_names[job % 4]}}},
                        {"dev", trace::FieldValue{std::string_view{"0000:04:00.0"}}},
                        {"driver", trace::FieldValue{std::string_view{"amdgpu"}}},
                        {"fence_context", context},
                        {"fence_seqno", number(1 + job / 4)}});
        } else {
            stream.add(name, time++, cpu,
                       {{"fence_context", context}, {"fence_seqno", number(1 + job / 4)}});
        }
    };
    for (std::uint64_t job = 0; job < count + in_flight; ++job) {
        if (job < count) {
            tell("drm_sched_job_queue", job, true);
            tell("drm_sched_job_run", job, true);
        }
        if (job >= in_flight - 1 && job - (in_flight - 1) < count) {
            tell("drm_sched_job_done", job - (in_flight - 1), false);
        }
    }
    return stream;
}

Stream foreign_fences(std::uint64_t count)
{
    Stream stream;
    for (std::uint64_t fence = 0; fence < count; ++fence) {
        stream.add("gpu_fence_signaled", static_cast<std::int64_t>(fence),
                   static_cast<std::uint32_t>(fence % 8),
                   {{"driver", trace::FieldValue{std::string_view{"amdgpu"}}},
                    {"timeline", trace::FieldValue{std::string_view{"gfx_0.0.0"}}},
                    {"context", number(7 + fence % 16)},
                    {"seqno", number(fence)}});
    }
    return stream;
}

Stream switches(std::uint64_t count)
{
    Stream stream;
    for (std::uint64_t at = 0; at < count; ++at) {
        stream.add("sched_switch", static_cast<std::int64_t>(at),
                   static_cast<std::uint32_t>(at % 8),
                   {{"next_tid", trace::FieldValue{static_cast<std::int64_t>(at * 7 % 300)}},
                    {"next_comm", trace::FieldValue{std::string_view{"kworker/u16:3"}}}});
    }
    return stream;
}

} // namespace

int main(int argc, char** argv)
{
    const std::int64_t rounds = argc > 1 ? std::strtoll(argv[1], nullptr, 10) : 20000;
    constexpr std::uint64_t count = 128;
    print_cost("job, 1 in flight", jobs(1, count), rounds);
    print_cost("jobs on 4 rings, 8 in flight", jobs(8, count), rounds);
    print_cost("jobs on 4 rings, 64 in flight", jobs(64, count), rounds);
    print_cost("fence of no job signaled", foreign_fences(3 * count), rounds);
    print_cost("sched_switch", switches(3 * count), rounds);
}
