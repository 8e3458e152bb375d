// SPDX-License-Identifier: MIT
//
// See source.hpp.
#include "source.hpp"

#include "metadata.hpp"
#include "source_loop.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace lttng_gpu::trace::ctf {
namespace {

namespace fs = std::filesystem;

/// Batches of a stream that may wait for the merge, and their size.
constexpr std::size_t ahead = 4;
constexpr std::size_t records_ahead = 8192;
/// Jobs that began before the window, or end after it, are read this far: drivers
/// give up on a job after at most that long (amdgpu's lockup_timeout is 10 s for
/// graphics; i915's heartbeat and xe's job timeout are shorter).
constexpr std::int64_t margin = 10'000'000'000;

std::vector<fs::path> stream_files(const fs::path& directory)
{
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator entry{directory, error}, end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (entry->is_regular_file(error) && name != "metadata" && !name.starts_with('.')) {
            files.push_back(entry->path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

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
}

CtfSource::~CtfSource()
{
    // A worker may still be decoding for one of the channels.
    if (x_options.workers != nullptr) {
        x_options.workers->help_until([&] {
            const std::lock_guard lock{x_mutex};
            return std::none_of(x_channels.begin(), x_channels.end(),
                                [](const auto& channel) { return channel->is_decoding; });
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
    return source;
}

Expected<void> CtfSource::add_trace(const TraceDirectory& directory,
                                    const std::vector<WantedEvent>& wanted)
{
    const auto schema = read_metadata_file(directory.path / "metadata");
    if (!schema) {
        return Failure{schema.error()};
    }
    x_plans.push_back(make_trace_plan(*schema, wanted));
    for (const StreamPlan& stream : x_plans.back()->streams) {
        if (stream.clock && !stream.clock->is_usable()) {
            return Failure{{ErrorKind::UnreadableTrace,
                            (directory.path / "metadata").string() +
                                ": the offset of a clock does not fit into 64 bits"}};
        }
        x_slots.resize(std::max<std::size_t>(x_slots.size(), stream.max_slot_count));
    }
    const TraceId id = trace_id(*schema, directory.path);
    if (const auto release = schema->environment.find("kernel_release");
        release != schema->environment.end()) {
        x_kernel_releases.emplace_back(id, release->second);
    }
    // Where streams have clocks of their own, nothing says which one a value is of.
    std::optional<ClockMap> clock;
    bool is_one = true;
    for (const StreamPlan& stream : x_plans.back()->streams) {
        is_one = is_one && stream.clock && stream.clock->simple_limit() > 0 &&
                 stream.clock->offset() == clock.value_or(*stream.clock).offset();
        clock = stream.clock;
    }
    if (clock && is_one) {
        x_clock_offsets.emplace_back(id, Duration{clock->offset()});
    }
    return add_streams(directory.path, *x_plans.back(), id);
}

bool CtfSource::has_event(std::string_view name) const
{
    for (const auto& plan : x_plans) {
        for (const StreamPlan& stream : plan->streams) {
            if (std::any_of(stream.events.begin(), stream.events.end(), [name](const auto& event) {
                    return event.wanted != EventPlan::nobody && event.name == name;
                })) {
                return true;
            }
        }
    }
    return false;
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

Expected<void> CtfSource::add_streams(const fs::path& directory, const TracePlan& plan, TraceId id)
{
    // Stream files that name the same instance of a stream continue each other.
    std::map<std::tuple<std::uint64_t, std::uint64_t, std::size_t>, StreamFiles> streams;
    for (const fs::path& path : stream_files(directory)) {
        auto file = MappedFile::open(path);
        if (!file) {
            return Failure{file.error()};
        }
        const std::uint64_t size = file->bytes().size();
        if (size == 0) {
            continue;
        }
        x_bytes += size;
        x_files.push_back(std::move(*file));
        const MappedFile& kept = x_files.back();
        const auto first = read_packet(plan, kept.bytes(), 0);
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
        x_channels.push_back(std::make_unique<Channel>(StreamDecoder{plan, id, std::move(parts)},
                                                       x_channels.size()));
    }
    return {};
}

void CtfSource::set_range()
{
    if (!x_options.begin && !x_options.end) {
        return;
    }
    std::int64_t first = INT64_MAX;
    for (const auto& channel : x_channels) {
        if (const auto time = channel->decoder.first_event()) {
            first = std::min(first, time->value());
        }
    }
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
    for (const auto& channel : x_channels) {
        channel->decoder.set_range(range);
    }
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

void CtfSource::start()
{
    if (x_options.workers != nullptr) {
        // With hundreds of streams they must not take hundreds of megabytes.
        const std::size_t records =
            std::clamp(16 * records_ahead / std::max<std::size_t>(x_channels.size(), 1),
                       records_ahead / 8, records_ahead);
        for (const auto& channel : x_channels) {
            channel->decoder.set_batch_records(records);
        }
    }
    for (const auto& channel : x_channels) {
        schedule(*channel);
    }
    for (const auto& channel : x_channels) {
        if (next_batch(*channel)) {
            x_heap.push_back({channel->current->records[0].time, channel->index, channel.get()});
        }
    }
    // Sorted is a heap, too.
    std::sort(x_heap.begin(), x_heap.end(), is_before);
    find_late_begins();
}

/// A stream whose first packets were overwritten lacks what came before, unless
/// they are in another file (a chunk of the same session).
void CtfSource::find_late_begins()
{
    if (x_options.begin) {
        return;
    }
    std::map<TraceId, Timestamp> begins;
    for (const auto& channel : x_channels) {
        if (const auto begin = channel->decoder.begin()) {
            const auto found = begins.try_emplace(channel->decoder.trace(), *begin).first;
            found->second = std::min(found->second, *begin);
        }
    }
    for (const auto& channel : x_channels) {
        const StreamDecoder& decoder = channel->decoder;
        if (!decoder.begins_late() || !decoder.begin()) {
            continue;
        }
        const Timestamp begin = begins.at(decoder.trace());
        if (begin < *decoder.begin()) {
            x_late_begins.push_back(
                {begin, *decoder.begin(), decoder.trace(), decoder.cpu(), LossUnit::LateBegin, {}});
        }
    }
}

/// Makes the next batch with records the current one; false at the stream's end.
bool CtfSource::next_batch(Channel& channel)
{
    do {
        if (channel.current->is_last) {
            return false;
        }
        channel.next_record = 0;
        if (x_options.workers == nullptr) {
            channel.current->clear();
            channel.decoder.fill(*channel.current);
        } else {
            x_options.workers->help_until([&] {
                const std::lock_guard lock{x_mutex};
                return !channel.ready.empty();
            });
            {
                const std::lock_guard lock{x_mutex};
                channel.empty.push_back(std::move(channel.current));
                channel.current = std::move(channel.ready.front());
                channel.ready.pop_front();
            }
            schedule(channel);
        }
        account(*channel.current);
    } while (channel.current->records.empty());
    return true;
}

void CtfSource::schedule(Channel& channel)
{
    if (x_options.workers == nullptr) {
        return;
    }
    {
        const std::lock_guard lock{x_mutex};
        if (channel.is_decoding || channel.is_over || channel.ready.size() > ahead / 2) {
            return;
        }
        channel.is_decoding = true;
    }
    x_options.workers->submit([this, &channel] { decode_ahead(channel); });
}

void CtfSource::decode_ahead(Channel& channel)
{
    std::unique_lock lock{x_mutex};
    while (!channel.is_over && channel.ready.size() < ahead) {
        std::unique_ptr<Batch> batch;
        if (channel.empty.empty()) {
            batch = std::make_unique<Batch>();
        } else {
            batch = std::move(channel.empty.back());
            channel.empty.pop_back();
        }
        lock.unlock();
        batch->clear();
        channel.decoder.fill(*batch);
        lock.lock();
        channel.is_over = batch->is_last;
        channel.ready.push_back(std::move(batch));
    }
    channel.is_decoding = false;
}

void CtfSource::account(const Batch& batch)
{
    x_totals.events += batch.events;
    x_totals.events_without_clock += batch.events_without_clock;
    x_bytes_read += batch.bytes;
    if (batch.first_time) {
        const Timestamp first{*batch.first_time};
        x_totals.first = std::min(x_totals.first.value_or(first), first);
    }
    if (batch.last_time) {
        const Timestamp last{*batch.last_time};
        x_totals.last = std::max(x_totals.last.value_or(last), last);
    }
    if (batch.fault && x_fault) {
        ++x_more_faults;
    } else if (batch.fault) {
        x_fault = batch.fault;
    }
}

/// Fills the event with everything but its time.
void CtfSource::read_values(const Record& record, const Batch& batch)
{
    const EventPlan& plan = *record.plan;
    x_event.wanted = plan.wanted;
    const FieldValue* values = x_slots.data();
    std::size_t appended = 0;
    if (record.body != nullptr) {
        read_simple_values(record);
    } else {
        values = batch.values.at(record.values.first);
        appended = record.values.appended;
        x_dense_plan = nullptr;
    }
    const auto context = [&](std::uint32_t slot) {
        return slot == EventPlan::nobody ? FieldValue{} : values[slot];
    };
    x_event.context = {context(plan.pid_slot), context(plan.tid_slot), context(plan.procname_slot)};
    x_event.fields = {values + plan.context_count, plan.field_count + appended};
}

void CtfSource::read_simple_values(const Record& record)
{
    const EventPlan& plan = *record.plan;
    FieldValue* const slots = x_slots.data();
    x_dense_plan = nullptr;
    if (plan.dense_bytes != 0) {
        prepare_dense(plan, slots);
        if (read_dense(plan, record.body, record.end, slots)) {
            x_dense_plan = plan.context_count == 0 ? &plan : nullptr;
            return;
        }
    }
    if (plan.has_prepared_slots) {
        prepare_slots(plan, slots);
    }
    read_simple(plan, record.body, record.end, slots);
}

void CtfSource::sift_down_far()
{
    const Head moved = x_heap.front();
    std::size_t at = 0;
    for (std::size_t child = 1; child < x_heap.size(); child = 2 * at + 1) {
        if (child + 1 < x_heap.size() && is_before(x_heap[child + 1], x_heap[child])) {
            ++child;
        }
        if (!is_before(x_heap[child], moved)) {
            break;
        }
        x_heap[at] = x_heap[child];
        at = child;
    }
    x_heap[at] = moved;
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
