// SPDX-License-Identifier: MIT
//
// See source.hpp.
#include "source.hpp"

#include "machine_name.hpp"

#include "metadata.hpp"
#include "source_loop.hpp"

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

CtfSource::CtfSource(const SourceOptions& options) : x_options{options}
{
    if (x_options.workers == nullptr && x_options.threads > 1) {
        x_own_workers = std::make_unique<Workers>(x_options.threads);
        x_options.workers = x_own_workers.get();
    }
    if (x_options.workers != nullptr && !x_options.workers->is_parallel()) {
        x_options.workers = nullptr;
    }
    x_merge = std::make_unique<StreamMerge>(x_options.workers);
}

CtfSource::~CtfSource()
{
    // A worker may still be filling a window.
    if (x_options.workers != nullptr) {
        x_options.workers->settle([&] {
            const std::lock_guard lock{x_mutex};
            return !x_is_filling;
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
            x_clocks.try_emplace({clock.uid, clock.frequency, clock.is_origin_unix_epoch}, clock)
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
    if (x_options.aligns_clocks) {
        align_clocks(*schema);
    }
    x_plans.push_back(make_trace_plan(*schema, wanted, x_options.enumerations));
    x_plan_traces.push_back(trace_id(*schema, directory.path));
    for (const StreamPlan& stream : x_plans.back()->streams) {
        if (stream.clock && !stream.clock->is_usable()) {
            return Failure{{ErrorKind::UnreadableTrace,
                            (directory.path / "metadata").string() +
                                ": the offset of a clock does not fit into 64 bits"}};
        }
    }
    const TraceId id = x_plan_traces.back();
    if (text_of(schema->environment, "domain") == "kernel") {
        x_kernel_traces.push_back(id);
    }
    // Where streams have clocks of their own, nothing says which one a value is of.
    std::optional<ClockMap> clock;
    bool is_one = true;
    for (const StreamPlan& stream : x_plans.back()->streams) {
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
    x_facts.emplace_back(id, std::move(facts));
    return add_streams(directory, *x_plans.back(), id);
}

bool CtfSource::has_event(std::string_view name) const
{
    for (const auto& plan : x_plans) {
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
    if (x_options.begin || x_options.end) {
        return {}; // not all of it was read
    }
    std::map<std::pair<TraceId, Cpu>, CpuCoverage> cpus;
    x_merge->for_each_decoder([&](const StreamDecoder& decoder) {
        const auto begin = decoder.begin();
        const auto end = decoder.end();
        const bool is_kernel = std::find(x_kernel_traces.begin(), x_kernel_traces.end(),
                                         decoder.trace()) != x_kernel_traces.end();
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
    const TraceId next{static_cast<std::uint32_t>(x_traces.size())};
    return x_traces.emplace(std::move(name), next).first->second;
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
        x_counts_discarded = x_counts_discarded && first && first->discarded;
        x_bytes += size;
        x_files.push_back(std::move(*file));
        const MappedFile& kept = x_files.back();
        const bool has_instance = first && first->stream_instance && first->begin;
        const auto key =
            has_instance ? std::tuple{first->stream->id, *first->stream_instance, std::size_t{0}}
                         : std::tuple{UINT64_MAX, UINT64_MAX, x_files.size()};
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
        x_merge->add(StreamDecoder{plan, id, std::move(parts)});
    }
    return {};
}

void CtfSource::set_range()
{
    if (!x_options.begin && !x_options.end) {
        return;
    }
    std::int64_t first = INT64_MAX;
    x_merge->for_each_decoder([&](StreamDecoder& decoder) {
        if (const auto time = decoder.first_event()) {
            first = std::min(first, time->value());
        }
    });
    if (first == INT64_MAX) {
        return;
    }
    x_totals.first = Timestamp{first};
    // Who runs where, and the state dump, may be needed from the beginning on.
    const bool has_contexts = std::all_of(x_plans.begin(), x_plans.end(),
                                          [](const auto& plan) { return plan->has_contexts; });
    ReadRange range;
    if (x_options.begin && has_contexts) {
        range.begin = add_saturating(resolve(*x_options.begin, first), -margin);
    }
    if (x_options.end) {
        range.end = add_saturating(resolve(*x_options.end, first), margin);
    }
    x_merge->for_each_decoder([&](StreamDecoder& decoder) { decoder.set_range(range); });
}

std::optional<double> CtfSource::progress() const
{
    return x_bytes == 0
               ? 1.0
               : std::min(static_cast<double>(x_bytes_read) / static_cast<double>(x_bytes), 1.0);
}

Expected<bool> CtfSource::read_some(EventConsumer& consumer)
{
    return read_some_into(consumer);
}

/// Lays out the slots of all classes of events, and what in them never changes.
void CtfSource::make_places()
{
    std::size_t slots = 0;
    std::size_t events = 0;
    for (const auto& trace : x_plans) {
        for (const StreamPlan& stream : trace->streams) {
            for (const EventPlan& plan : stream.events) {
                ++events;
                slots += plan.slot_count;
            }
        }
    }
    x_slots.resize(slots);
    x_places.resize(events);
    FieldValue* at = x_slots.data();
    EventPlace* next = x_places.data();
    for (std::size_t trace = 0; trace < x_plans.size(); ++trace) {
        for (StreamPlan& stream : x_plans[trace]->streams) {
            for (EventPlan& plan : stream.events) {
                EventPlace& place = *next++;
                plan.place = &place;
                place.slots = at;
                place.has_contexts = plan.context_count > 0;
                place.event.trace = x_plan_traces[trace];
                place.event.wanted = plan.wanted;
                place.event.fields = {at + plan.context_count, plan.field_count};
                settle_slots(plan, at);
                at += plan.slot_count;
            }
        }
    }
}

/// The event of a record whose values were read when it was decoded.
const RawEvent& CtfSource::stored_event(const Record& record)
{
    const EventPlan& plan = *record.plan;
    const FieldValue* const values = x_window->values.at(record.values.first);
    const auto context = [&](std::uint32_t slot) {
        return slot == EventPlan::none ? FieldValue{} : values[slot];
    };
    x_stored_event = plan.place->event;
    x_stored_event.time = Timestamp{record.time};
    x_stored_event.cpu = Cpu{record.cpu};
    x_stored_event.fields = {values + plan.context_count,
                             plan.field_count + record.values.appended};
    x_stored_event.context = {context(plan.pid_slot),      context(plan.tid_slot),
                              context(plan.procname_slot), context(plan.pid_ns_slot),
                              context(plan.vpid_slot),     context(plan.vtid_slot)};
    return x_stored_event;
}

/// A stream whose first packets were overwritten lacks what came before, unless
/// they are in another file (a chunk of the same session).
void CtfSource::find_late_begins()
{
    if (x_options.begin) {
        return;
    }
    std::map<TraceId, Timestamp> begins;
    x_merge->for_each_decoder([&](const StreamDecoder& decoder) {
        if (const auto begin = decoder.begin()) {
            const auto found = begins.try_emplace(decoder.trace(), *begin).first;
            found->second = std::min(found->second, *begin);
        }
    });
    x_merge->for_each_decoder([&](const StreamDecoder& decoder) {
        const auto begin = decoder.begins_late() ? decoder.begin() : std::nullopt;
        if (begin && begins.at(decoder.trace()) < *begin) {
            x_late_begins.push_back({begins.at(decoder.trace()),
                                     *begin,
                                     decoder.trace(),
                                     decoder.cpu(),
                                     LossUnit::LateBegin,
                                     {}});
        }
    });
}

/// Makes the next window the current one; false at the end of all.
bool CtfSource::next_window()
{
    if (x_window->is_last) {
        return false;
    }
    if (!x_is_started) {
        x_is_started = true;
        find_late_begins();
    }
    x_next_record = 0;
    if (x_options.workers == nullptr) {
        x_window->clear();
        x_merge->fill(*x_window);
        account();
        return true;
    }
    bool must_submit = false;
    {
        const std::lock_guard lock{x_mutex};
        x_ready.give_back(std::move(x_window));
        must_submit = !x_is_filling && !x_is_filled && x_ready.size() <= windows_ahead / 2;
        x_is_filling = x_is_filling || must_submit;
    }
    if (must_submit) {
        x_options.workers->submit([this] { fill_ahead(); });
    }
    x_options.workers->help_until([&] {
        const std::lock_guard lock{x_mutex};
        return !x_ready.is_empty();
    });
    {
        const std::lock_guard lock{x_mutex};
        x_window = x_ready.pop();
    }
    account();
    return true;
}

/// One window for each task: who helps out goes back to what only he can do, and the
/// next one is for whoever is free.
void CtfSource::fill_ahead()
{
    std::unique_ptr<Window> window;
    {
        const std::lock_guard lock{x_mutex};
        window = x_ready.take_unused();
    }
    window->clear();
    x_merge->fill(*window);
    const std::lock_guard lock{x_mutex};
    x_is_filled = window->is_last;
    x_ready.push(std::move(window));
    x_is_filling = !x_is_filled && x_ready.size() < windows_ahead;
    if (x_is_filling) {
        x_options.workers->submit([this] { fill_ahead(); });
    }
}

void CtfSource::account()
{
    const ReadAccount& read = x_window->account;
    x_totals.events += read.events;
    x_totals.events_without_clock += read.events_without_clock;
    x_bytes_read += read.bytes;
    if (read.first_time) {
        const Timestamp first{*read.first_time};
        x_totals.first = std::min(x_totals.first.value_or(first), first);
    }
    if (read.last_time) {
        const Timestamp last{*read.last_time};
        x_totals.last = std::max(x_totals.last.value_or(last), last);
    }
    x_more_faults += read.more_faults;
    if (read.fault) {
        add_fault(*read.fault);
    }
}

/// The first is told in words, others are counted.
void CtfSource::add_fault(const Error& fault)
{
    if (x_fault) {
        ++x_more_faults;
    } else {
        x_fault = fault;
    }
}

Expected<bool> CtfSource::conclude() const
{
    if (!x_fault) {
        return false;
    }
    Error fault = *x_fault;
    if (x_more_faults > 0) {
        fault.message += fmt::format(" (and {} more)", x_more_faults);
    }
    return Failure{fault};
}

} // namespace lttng_gpu::trace::ctf
