// SPDX-License-Identifier: MIT
//
// See stream_merge.hpp.
#include "stream_merge.hpp"

#include <algorithm>

namespace lttng_gpu::trace::ctf {
namespace {

/// Batches of a stream that may wait for the merge, and their size.
constexpr std::size_t ahead = 4;
constexpr std::size_t records_ahead = 2048;

} // namespace

void ReadAccount::add(const Batch& batch)
{
    events += batch.events;
    events_without_clock += batch.events_without_clock;
    bytes += batch.bytes;
    if (batch.first_time) {
        first_time = std::min(first_time.value_or(INT64_MAX), *batch.first_time);
    }
    if (batch.last_time) {
        last_time = std::max(last_time.value_or(INT64_MIN), *batch.last_time);
    }
    if (batch.fault && fault) {
        ++more_faults;
    } else if (batch.fault) {
        fault = batch.fault;
    }
}

void Window::clear()
{
    records.clear();
    values.clear();
    losses.clear();
    account = {};
    is_last = false;
}

StreamMerge::~StreamMerge()
{
    // A worker may still be decoding for one of the channels.
    if (x_workers != nullptr) {
        x_workers->settle([&] {
            const std::lock_guard lock{x_mutex};
            return std::none_of(x_channels.begin(), x_channels.end(),
                                [](const auto& channel) { return channel->is_decoding; });
        });
    }
}

void StreamMerge::add(StreamDecoder decoder)
{
    x_channels.push_back(std::make_unique<Channel>(std::move(decoder)));
}

void StreamMerge::start()
{
    x_is_started = true;
    if (x_workers != nullptr) {
        // With hundreds of streams they must not take hundreds of megabytes.
        const std::size_t records =
            std::clamp(16 * records_ahead / std::max<std::size_t>(x_channels.size(), 1),
                       records_ahead / 4, records_ahead);
        for (const auto& channel : x_channels) {
            channel->decoder.set_batch_records(records);
        }
    }
    for (const auto& channel : x_channels) {
        schedule(*channel);
        x_live.push_back(channel.get());
    }
}

/// Gives the streams whose batch is used up the next one, which may hold no record.
/// False: no stream is left.
bool StreamMerge::refill(Window& window)
{
    const auto is_over = [&](Channel* channel) {
        const auto is_used_up = [channel] {
            return channel->next_record == channel->current->records.size();
        };
        if (is_used_up() && !channel->current->is_last) {
            next_batch(*channel, window);
        }
        return is_used_up() && channel->current->is_last;
    };
    x_live.erase(std::remove_if(x_live.begin(), x_live.end(), is_over), x_live.end());
    return !x_live.empty();
}

void StreamMerge::next_batch(Channel& channel, Window& window)
{
    if (x_workers == nullptr) {
        channel.current->clear();
        channel.decoder.fill(*channel.current);
    } else {
        x_workers->help_until([&] {
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
    const Batch& batch = *channel.current;
    channel.next_record = 0;
    channel.reached = std::max(channel.reached, batch.last_time.value_or(INT64_MIN));
    if (const std::size_t count = batch.records.size(); count > 0) {
        channel.reached = std::max(channel.reached, batch.records[count - 1].time);
    }
    window.account.add(batch);
}

void StreamMerge::schedule(Channel& channel)
{
    if (x_workers == nullptr) {
        return;
    }
    {
        const std::lock_guard lock{x_mutex};
        if (channel.is_decoding || channel.is_over || channel.ready.size() > ahead / 2) {
            return;
        }
        channel.is_decoding = true;
    }
    x_workers->submit([this, &channel] { decode_ahead(channel); });
}

/// One batch for each task: who helps out goes back to what only he can do.
void StreamMerge::decode_ahead(Channel& channel)
{
    std::unique_ptr<Batch> batch;
    {
        const std::lock_guard lock{x_mutex};
        if (channel.empty.empty()) {
            batch = std::make_unique<Batch>();
        } else {
            batch = std::move(channel.empty.back());
            channel.empty.pop_back();
        }
    }
    batch->clear();
    channel.decoder.fill(*batch);
    const std::lock_guard lock{x_mutex};
    channel.is_over = batch->is_last;
    channel.ready.push_back(std::move(batch));
    channel.is_decoding = !channel.is_over && channel.ready.size() < ahead;
    if (channel.is_decoding) {
        x_workers->submit([this, &channel] { decode_ahead(channel); });
    }
}

/// The live stream that has come least far, of equal ones the first: nothing that comes
/// behind its batch belongs before what the others have up to there.
std::size_t StreamMerge::find_first_to_end() const
{
    const auto first =
        std::min_element(x_live.begin(), x_live.end(), [](const auto* left, const auto* right) {
            return left->reached < right->reached;
        });
    return static_cast<std::size_t>(first - x_live.begin());
}

void StreamMerge::fill(Window& window)
{
    if (!x_is_started) {
        start();
    }
    if (!refill(window)) {
        window.is_last = true;
        return;
    }
    const std::size_t first = find_first_to_end();
    const std::int64_t end_time = x_live[first]->reached;
    for (std::size_t index = 0; index < x_live.size(); ++index) {
        Channel& channel = *x_live[index];
        Batch& batch = *channel.current;
        const Record* const records = batch.records.data();
        const Record* const begin = records + channel.next_record;
        const Record* end = records + batch.records.size();
        // Of the end's own time, streams before the first one have their turn now.
        if (index < first) {
            end = std::upper_bound(begin, end, end_time, [](std::int64_t time, const auto& record) {
                return time < record.time;
            });
        } else if (index > first) {
            end = std::lower_bound(begin, end, end_time, [](const auto& record, std::int64_t time) {
                return record.time < time;
            });
        }
        const std::size_t next = channel.next_record + static_cast<std::size_t>(end - begin);
        if (batch.values.used() > 0 || !batch.losses.empty()) {
            keep_values(batch, channel.next_record, next, window);
        }
        if (begin != end) {
            x_runs.emplace_back(begin, end);
        }
        channel.next_record = next;
    }
    Channel& ending = *x_live[first];
    if (x_runs.size() == 1 && x_runs[0].data() == ending.current->records.data()) {
        // All of a batch and nothing else, as when programs take turns.
        std::swap(window.records, ending.current->records);
        ending.next_record = 0;
        x_runs.clear();
        return;
    }
    x_merge.merge(x_runs, window.records);
}

/// Batches are used again before the window is handed out: it gets what they hold.
void StreamMerge::keep_values(Batch& batch, std::size_t begin, std::size_t end, Window& window)
{
    for (std::size_t index = begin; index < end; ++index) {
        Record& record = batch.records.data()[index];
        if (!record.form.is_stored()) {
            continue;
        }
        const std::uint32_t from = record.values.first;
        if (record.plan == nullptr) {
            record.values.first = static_cast<std::uint32_t>(window.losses.size());
            window.losses.push_back(batch.losses[from]);
            continue;
        }
        const std::size_t count = record.plan->slot_count + record.values.appended;
        record.values.first = static_cast<std::uint32_t>(window.values.used());
        FieldValue* const to = window.values.reserve(count);
        std::copy_n(batch.values.at(from), count, to);
        window.values.take(count);
    }
}

} // namespace lttng_gpu::trace::ctf
