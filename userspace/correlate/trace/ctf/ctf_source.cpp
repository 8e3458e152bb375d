// SPDX-License-Identifier: MIT
//
// How the traces are opened, see ctf_source.hpp. How they are read is in
// ctf_source_windows.cpp.
#include "ctf_source.hpp"

#include "metadata/machine_name.hpp"
#include "metadata/read_metadata.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace lttng_gpu::trace::ctf {
namespace {

namespace fs = std::filesystem;

/// Jobs that began before the window, or end after it, are read this far: drivers
/// give up on a job after at most that long (amdgpu's lockup_timeout is 10 s for
/// graphics; i915's heartbeat and xe's job timeout are shorter).
constexpr std::int64_t margin = 10'000'000'000;

std::int64_t add_saturating(std::int64_t first, std::int64_t second)
{
    std::int64_t sum = 0;
    if (__builtin_add_overflow(first, second, &sum)) {
        return second > 0 ? INT64_MAX : INT64_MIN;
    }
    return sum;
}

std::int64_t resolve(const ReadBound& bound, std::int64_t first)
{
    return bound.is_relative ? add_saturating(first, bound.nanoseconds) : bound.nanoseconds;
}

/// Files of one stream in one directory, in order of time.
struct StreamFiles {
    std::vector<std::pair<std::uint64_t, StreamPart>> parts; // by begin
};

} // namespace

CtfSource::CtfSource(const SourceOptions& options) : m_options{options}
{
    if (m_options.workers == nullptr && m_options.threads > 1) {
        m_own_workers = std::make_unique<Workers>(m_options.threads);
        m_options.workers = m_own_workers.get();
    }
    if (m_options.workers != nullptr && !m_options.workers->is_parallel()) {
        m_options.workers = nullptr;
    }
    m_merge = std::make_unique<StreamMerge>(m_options.workers);
}

CtfSource::~CtfSource()
{
    // A worker may still be filling a window.
    if (m_options.workers != nullptr) {
        m_options.workers->settle([&] {
            const std::lock_guard lock{m_mutex};
            return !m_is_filling;
        });
    }
}

Expected<std::unique_ptr<CtfSource>> CtfSource::open(const std::vector<TraceDirectory>& traces,
                                                     const std::vector<WantedEvent>& wanted,
                                                     const SourceOptions& options)
{
    std::unique_ptr<CtfSource> source{new CtfSource{options}};
    for (const TraceDirectory& trace : traces) {
        if (const auto added = source->add_trace(trace, wanted); !added) {
            return Failure{added.error()};
        }
    }
    source->set_range();
    source->make_places();
    return source;
}

void CtfSource::align_clocks(Schema& schema)
{
    for (ClockClass& clock : schema.clocks) {
        if (clock.uid.empty()) {
            continue; // nothing says that another one is the same
        }
        const ClockClass& first =
            m_clocks.try_emplace({clock.uid, clock.frequency, clock.is_origin_unix_epoch}, clock)
                .first->second;
        clock.offset_seconds = first.offset_seconds;
        clock.offset_cycles = first.offset_cycles;
    }
}

Expected<void> CtfSource::add_trace(const TraceDirectory& directory,
                                    const std::vector<WantedEvent>& wanted)
{
    auto schema = read_metadata_file(directory.path / "metadata");
    if (!schema) {
        return Failure{schema.error()};
    }
    if (m_options.aligns_clocks) {
        align_clocks(*schema);
    }
    m_plans.push_back(make_trace_plan(*schema, wanted, m_options.enumerations));
    m_plan_traces.push_back(trace_id(*schema, directory.path));
    for (const StreamPlan& stream : m_plans.back()->streams) {
        if (stream.clock && !stream.clock->is_usable()) {
            return Failure{{ErrorKind::UnreadableTrace,
                            (directory.path / "metadata").string() +
                                ": the offset of a clock does not fit into 64 bits"}};
        }
    }
    const TraceId id = m_plan_traces.back();
    if (text_of(schema->environment, "domain") == "kernel") {
        m_kernel_traces.push_back(id);
    }
    // Where streams have clocks of their own, nothing says which one a value is of.
    std::optional<ClockMap> clock;
    bool is_one = true;
    for (const StreamPlan& stream : m_plans.back()->streams) {
        is_one = is_one && stream.clock && stream.clock->simple_limit() > 0 &&
                 stream.clock->offset() == clock.value_or(*stream.clock).offset();
        clock = stream.clock;
    }
    TraceFacts facts;
    facts.kernel_release = text_of(schema->environment, "kernel_release");
    if (clock && is_one) {
        facts.clock_offset = Duration{clock->offset()};
    }
    facts.machine = machine_of(*schema);
    facts.path = directory.path.string();
    m_facts.emplace_back(id, std::move(facts));
    return add_streams(directory, *m_plans.back(), id);
}

bool CtfSource::has_event(std::string_view name) const
{
    for (const auto& plan : m_plans) {
        for (const StreamPlan& stream : plan->streams) {
            if (std::any_of(stream.events.begin(), stream.events.end(), [name](const auto& event) {
                    return event.wanted != EventPlan::none && event.name == name;
                })) {
                return true;
            }
        }
    }
    return false;
}

/// Of the streams of one CPU (channels) the longest counts: one may have been enabled later.
std::vector<CpuCoverage> CtfSource::coverage() const
{
    if (m_options.begin || m_options.end) {
        return {}; // not all of it was read
    }
    std::map<std::pair<TraceId, Cpu>, CpuCoverage> cpus;
    m_merge->for_each_decoder([&](const StreamDecoder& decoder) {
        const auto begin = decoder.begin();
        const auto end = decoder.end();
        const bool is_kernel = std::find(m_kernel_traces.begin(), m_kernel_traces.end(),
                                         decoder.trace()) != m_kernel_traces.end();
        if (!is_kernel || !begin || !end || *end < *begin) {
            return;
        }
        auto& coverage =
            cpus.try_emplace({decoder.trace(), decoder.cpu()},
                             CpuCoverage{decoder.trace(), decoder.cpu(), 1, *begin, *end, {}, true})
                .first->second;
        coverage.first = std::min(coverage.first, *begin);
        coverage.last = std::max(coverage.last, *end);
    });
    std::vector<CpuCoverage> all;
    for (const auto& [key, coverage] : cpus) {
        for (std::uint32_t cpu =
                 all.empty() || all.back().trace != coverage.trace ? 0 : all.back().cpu.value() + 1;
             cpu < coverage.cpu.value(); ++cpu) {
            all.push_back({coverage.trace, Cpu{cpu}, 0, {}, {}, {}, true}); // no stream of it
        }
        all.push_back(coverage);
    }
    return all;
}

/// The same UUID means chunks of one trace (session rotation).
TraceId CtfSource::trace_id(const Schema& schema, const fs::path& directory)
{
    std::string name = schema.identity.empty() ? "path " + directory.string() : schema.identity;
    if (schema.uuid) {
        name = "uuid " + std::string{schema.uuid->begin(), schema.uuid->end()};
    }
    const TraceId next{static_cast<std::uint32_t>(m_traces.size())};
    return m_traces.emplace(std::move(name), next).first->second;
}

Expected<void> CtfSource::add_streams(const TraceDirectory& directory, const TracePlan& plan,
                                      TraceId id)
{
    const TraceFiles files = find_files(directory);
    for (const fs::path& file : files.refused) {
        add_fault(refusal(ErrorKind::DamagedTrace, file));
    }
    // Stream files that name the same instance of a stream continue each other.
    std::map<std::tuple<std::uint64_t, std::uint64_t, std::size_t>, StreamFiles> streams;
    for (const fs::path& path : files.streams) {
        auto file = MappedFile::open(path);
        if (!file) {
            return Failure{file.error()};
        }
        const std::uint64_t size = file->bytes().size();
        if (size == 0) {
            continue;
        }
        const auto first = read_packet(plan, file->bytes(), 0);
        if (!first && is_unused_by_lttng(plan, file->bytes())) {
            continue;
        }
        m_counts_discarded = m_counts_discarded && first && first->discarded;
        m_bytes += size;
        m_files.push_back(std::move(*file));
        const MappedFile& kept = m_files.back();
        const bool has_instance = first && first->stream_instance && first->begin;
        const auto key =
            has_instance ? std::tuple{first->stream->id, *first->stream_instance, std::size_t{0}}
                         : std::tuple{UINT64_MAX, UINT64_MAX, m_files.size()};
        streams[key].parts.push_back(
            {has_instance ? *first->begin : 0, {&kept, read_packet_index(path, size)}});
    }
    for (auto& [key, stream] : streams) {
        std::stable_sort(
            stream.parts.begin(), stream.parts.end(),
            [](const auto& left, const auto& right) { return left.first < right.first; });
        std::vector<StreamPart> parts;
        for (auto& part : stream.parts) {
            parts.push_back(std::move(part.second));
        }
        m_merge->add(StreamDecoder{plan, id, std::move(parts)});
    }
    return {};
}

void CtfSource::set_range()
{
    if (!m_options.begin && !m_options.end) {
        return;
    }
    std::int64_t first = INT64_MAX;
    m_merge->for_each_decoder([&](StreamDecoder& decoder) {
        if (const auto time = decoder.first_event()) {
            first = std::min(first, time->value());
        }
    });
    if (first == INT64_MAX) {
        return;
    }
    m_totals.first = Timestamp{first};
    // Who runs where, and the state dump, may be needed from the beginning on.
    const bool has_contexts = std::all_of(m_plans.begin(), m_plans.end(),
                                          [](const auto& plan) { return plan->has_contexts; });
    ReadRange range;
    if (m_options.begin && has_contexts) {
        range.begin = add_saturating(resolve(*m_options.begin, first), -margin);
    }
    if (m_options.end) {
        range.end = add_saturating(resolve(*m_options.end, first), margin);
    }
    m_merge->for_each_decoder([&](StreamDecoder& decoder) { decoder.set_range(range); });
}

/// Lays out the slots of all classes of events, and what in them never changes.
void CtfSource::make_places()
{
    std::size_t slots = 0;
    std::size_t events = 0;
    for (const auto& trace : m_plans) {
        for (const StreamPlan& stream : trace->streams) {
            for (const EventPlan& plan : stream.events) {
                ++events;
                slots += plan.slot_count;
            }
        }
    }
    m_slots.resize(slots);
    m_places.resize(events);
    FieldValue* at = m_slots.data();
    EventPlace* next = m_places.data();
    for (std::size_t trace = 0; trace < m_plans.size(); ++trace) {
        for (StreamPlan& stream : m_plans[trace]->streams) {
            for (EventPlan& plan : stream.events) {
                EventPlace& place = *next++;
                plan.place = &place;
                place.slots = at;
                place.has_contexts = plan.context_count > 0;
                place.event.trace = m_plan_traces[trace];
                place.event.wanted = plan.wanted;
                place.event.fields = {at + plan.context_count, plan.field_count};
                settle_slots(plan, at);
                at += plan.slot_count;
            }
        }
    }
}

} // namespace lttng_gpu::trace::ctf
