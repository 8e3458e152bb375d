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

/// In the order of the streams.
constexpr auto is_before = [](const auto* left, const auto* right) {
    return left->index < right->index;
};

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
    if (m_workers != nullptr) {
        m_workers->settle([&] {
            const std::lock_guard lock{m_mutex};
            return std::none_of(m_channels.begin(), m_channels.end(),
                                [](const auto& channel) { return channel->is_decoding; });
        });
    }
}

void StreamMerge::add(StreamDecoder decoder)
{
    m_channels.push_back(std::make_unique<Channel>(std::move(decoder), m_channels.size()));
}

void StreamMerge::start()
{
    m_is_started = true;
    if (m_workers != nullptr) {
        // With hundreds of streams they must not take hundreds of megabytes.
        const std::size_t records =
            std::clamp(16 * records_ahead / std::max<std::size_t>(m_channels.size(), 1),
                       records_ahead / 4, records_ahead);
        for (const auto& channel : m_channels) {
            channel->decoder.set_batch_records(records);
        }
    }
    for (const auto& channel : m_channels) {
        schedule(*channel);
        m_used_up.push_back(channel.get());
        m_ends.push({channel->reached, channel.get()});
    }
    m_live = m_channels.size();
}

/// Gives the streams whose batch is used up the next one, which may hold no record.
/// False: no stream is left.
bool StreamMerge::refill(Window& window)
{
    std::sort(m_used_up.begin(), m_used_up.end(), is_before);
    std::erase_if(m_used_up, [&](Channel* channel) { return is_settled(*channel, window); });
    return m_live > 0;
}

/// It has a record now, or nothing will come.
bool StreamMerge::is_settled(Channel& channel, Window& window)
{
    if (!channel.current->is_last) {
        next_batch(channel, window);
    }
    if (channel.next_record < channel.current->records.size()) {
        note_next(channel);
        return true;
    }
    channel.is_done = channel.current->is_last;
    m_live -= channel.is_done ? 1 : 0;
    return channel.is_done;
}

void StreamMerge::next_batch(Channel& channel, Window& window)
{
    if (m_workers == nullptr) {
        channel.current->clear();
        channel.decoder.fill(*channel.current);
    } else {
        m_workers->help_until([&] {
            const std::lock_guard lock{m_mutex};
            return !channel.ready.empty();
        });
        {
            const std::lock_guard lock{m_mutex};
            channel.empty.push_back(std::move(channel.current));
            channel.current = std::move(channel.ready.front());
            channel.ready.pop_front();
        }
        schedule(channel);
    }
    const Batch& batch = *channel.current;
    channel.next_record = 0;
    const std::int64_t before = channel.reached;
    channel.reached = std::max(channel.reached, batch.last_time.value_or(INT64_MIN));
    if (const std::size_t count = batch.records.size(); count > 0) {
        channel.reached = std::max(channel.reached, batch.records[count - 1].time);
    }
    if (channel.reached != before) {
        m_ends.push({channel.reached, &channel});
    }
    window.account.add(batch);
}

void StreamMerge::schedule(Channel& channel)
{
    if (m_workers == nullptr) {
        return;
    }
    {
        const std::lock_guard lock{m_mutex};
        if (channel.is_decoding || channel.is_over || channel.ready.size() > ahead / 2) {
            return;
        }
        channel.is_decoding = true;
    }
    m_workers->submit([this, &channel] { decode_ahead(channel); });
}

/// One batch for each task: who helps out goes back to what only he can do.
void StreamMerge::decode_ahead(Channel& channel)
{
    std::unique_ptr<Batch> batch;
    {
        const std::lock_guard lock{m_mutex};
        if (channel.empty.empty()) {
            batch = std::make_unique<Batch>();
        } else {
            batch = std::move(channel.empty.back());
            channel.empty.pop_back();
        }
    }
    batch->clear();
    channel.decoder.fill(*batch);
    const std::lock_guard lock{m_mutex};
    channel.is_over = batch->is_last;
    channel.ready.push_back(std::move(batch));
    channel.is_decoding = !channel.is_over && channel.ready.size() < ahead;
    if (channel.is_decoding) {
        m_workers->submit([this, &channel] { decode_ahead(channel); });
    }
}

/// At the latest in the window that ends with this batch, also where a damaged stream is out of
/// order.
void StreamMerge::note_next(Channel& channel)
{
    const std::int64_t time = channel.current->records[channel.next_record].time;
    m_next.push({std::min(time, channel.reached), &channel});
}

/// The live stream that has come least far, of equal ones the first: nothing that comes
/// behind its batch belongs before what the others have up to there.
StreamMerge::Channel& StreamMerge::find_first_to_end()
{
    while (m_ends.top().channel->is_done || m_ends.top().time != m_ends.top().channel->reached) {
        m_ends.pop();
    }
    return *m_ends.top().channel;
}

/// In the order of the streams.
void StreamMerge::collect_until(std::int64_t end_time)
{
    m_taking.clear();
    while (!m_next.empty() && m_next.top().time <= end_time) {
        m_taking.push_back(m_next.top().channel);
        m_next.pop();
    }
    std::sort(m_taking.begin(), m_taking.end(), is_before);
}

void StreamMerge::take_run(Channel& channel, const Channel& first, Window& window)
{
    Batch& batch = *channel.current;
    const Record* const records = batch.records.data();
    const Record* const begin = records + channel.next_record;
    const Record* end = records + batch.records.size();
    // Of the end's own time, streams before the first one have their turn now.
    if (channel.index < first.index) {
        end =
            std::upper_bound(begin, end, first.reached, [](std::int64_t time, const auto& record) {
                return time < record.time;
            });
    } else if (channel.index > first.index) {
        end =
            std::lower_bound(begin, end, first.reached, [](const auto& record, std::int64_t time) {
                return record.time < time;
            });
    }
    const std::size_t next = channel.next_record + static_cast<std::size_t>(end - begin);
    if (batch.values.used() > 0 || !batch.losses.empty()) {
        keep_values(batch, channel.next_record, next, window);
    }
    if (begin != end) {
        m_runs.emplace_back(begin, end);
    }
    channel.next_record = next;
    if (next == batch.records.size()) {
        m_used_up.push_back(&channel);
    } else {
        note_next(channel);
    }
}

void StreamMerge::fill(Window& window)
{
    if (!m_is_started) {
        start();
    }
    if (!refill(window)) {
        window.is_last = true;
        return;
    }
    Channel& first = find_first_to_end();
    collect_until(first.reached);
    for (Channel* const channel : m_taking) {
        take_run(*channel, first, window);
    }
    if (m_runs.size() == 1 && m_runs[0].data() == first.current->records.data()) {
        // All of a batch and nothing else, as when programs take turns.
        std::swap(window.records, first.current->records);
        first.next_record = 0;
        m_runs.clear();
        return;
    }
    m_merge.merge(m_runs, window.records);
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
