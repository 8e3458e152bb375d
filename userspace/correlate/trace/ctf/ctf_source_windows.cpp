// SPDX-License-Identifier: MIT
//
// How windows are filled, ahead or when they are needed, and handed out; see ctf_source.hpp.
#include "ctf_source_events.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace lttng_gpu::trace::ctf {

std::optional<double> CtfSource::progress() const
{
    return m_bytes == 0
               ? 1.0
               : std::min(static_cast<double>(m_bytes_read) / static_cast<double>(m_bytes), 1.0);
}

Expected<bool> CtfSource::read_some(EventConsumer& consumer)
{
    return read_some_into(consumer);
}

/// The event of a record whose values were read when it was decoded.
const RawEvent& CtfSource::stored_event(const Record& record)
{
    const EventPlan& plan = *record.plan;
    const FieldValue* const values = m_window->values.at(record.values.first);
    const auto context = [&](std::uint32_t slot) {
        return slot == EventPlan::none ? FieldValue{} : values[slot];
    };
    m_stored_event = plan.place->event;
    m_stored_event.time = Timestamp{record.time};
    m_stored_event.cpu = Cpu{record.cpu};
    m_stored_event.fields = {values + plan.context_count,
                             plan.field_count + record.values.appended};
    m_stored_event.context = {context(plan.pid_slot),      context(plan.tid_slot),
                              context(plan.procname_slot), context(plan.pid_ns_slot),
                              context(plan.vpid_slot),     context(plan.vtid_slot)};
    return m_stored_event;
}

/// A stream whose first packets were overwritten lacks what came before, unless
/// they are in another file (a chunk of the same session).
void CtfSource::find_late_begins()
{
    if (m_options.begin) {
        return;
    }
    std::map<TraceId, Timestamp> begins;
    m_merge->for_each_decoder([&](const StreamDecoder& decoder) {
        if (const auto begin = decoder.begin()) {
            const auto found = begins.try_emplace(decoder.trace(), *begin).first;
            found->second = std::min(found->second, *begin);
        }
    });
    m_merge->for_each_decoder([&](const StreamDecoder& decoder) {
        const auto begin = decoder.begins_late() ? decoder.begin() : std::nullopt;
        if (begin && begins.at(decoder.trace()) < *begin) {
            m_late_begins.push_back({begins.at(decoder.trace()),
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
    if (m_window->is_last) {
        return false;
    }
    if (!m_is_started) {
        m_is_started = true;
        find_late_begins();
    }
    m_next_record = 0;
    if (m_options.workers == nullptr) {
        m_window->clear();
        m_merge->fill(*m_window);
        account();
        return true;
    }
    bool must_submit = false;
    {
        const std::lock_guard lock{m_mutex};
        m_ready.give_back(std::move(m_window));
        must_submit = !m_is_filling && !m_is_filled && m_ready.size() <= windows_ahead / 2;
        m_is_filling = m_is_filling || must_submit;
    }
    if (must_submit) {
        m_options.workers->submit([this] { fill_ahead(); });
    }
    m_options.workers->help_until([&] {
        const std::lock_guard lock{m_mutex};
        return !m_ready.is_empty();
    });
    {
        const std::lock_guard lock{m_mutex};
        m_window = m_ready.pop();
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
        const std::lock_guard lock{m_mutex};
        window = m_ready.take_unused();
    }
    window->clear();
    m_merge->fill(*window);
    const std::lock_guard lock{m_mutex};
    m_is_filled = window->is_last;
    m_ready.push(std::move(window));
    m_is_filling = !m_is_filled && m_ready.size() < windows_ahead;
    if (m_is_filling) {
        m_options.workers->submit([this] { fill_ahead(); });
    }
}

void CtfSource::account()
{
    const ReadAccount& read = m_window->account;
    m_totals.events += read.events;
    m_totals.events_without_clock += read.events_without_clock;
    m_bytes_read += read.bytes;
    if (read.first_time) {
        const Timestamp first{*read.first_time};
        m_totals.first = std::min(m_totals.first.value_or(first), first);
    }
    if (read.last_time) {
        const Timestamp last{*read.last_time};
        m_totals.last = std::max(m_totals.last.value_or(last), last);
    }
    m_more_faults += read.more_faults;
    if (read.fault) {
        add_fault(*read.fault);
    }
}

/// The first is told in words, others are counted.
void CtfSource::add_fault(const Error& fault)
{
    if (m_fault) {
        ++m_more_faults;
    } else {
        m_fault = fault;
    }
}

Expected<bool> CtfSource::conclude() const
{
    if (!m_fault) {
        return false;
    }
    Error fault = *m_fault;
    if (m_more_faults > 0) {
        fault.message += fmt::format(" (and {} more)", m_more_faults);
    }
    return Failure{fault};
}

} // namespace lttng_gpu::trace::ctf
