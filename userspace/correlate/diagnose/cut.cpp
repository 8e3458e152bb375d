// SPDX-License-Identifier: MIT
//
// See cut.hpp.
#include "cut.hpp"

#include "../system/process_identity.hpp"

#include <algorithm>

namespace lttng_gpu::diagnose {
namespace {

constexpr std::size_t most_parts = 128;

bool is_same_job(const Part& left, const Part& right)
{
    return left.fence.context == right.fence.context && left.fence.seqno == right.fence.seqno;
}

bool is_of_fence(Reason reason)
{
    return reason == Reason::Dependency || reason == Reason::OwnWait;
}

bool is_alike(const Part& left, const Part& right)
{
    return left.reason == right.reason && left.gap == right.gap &&
           left.is_before == right.is_before && left.is_outside == right.is_outside &&
           left.is_inferred == right.is_inferred && left.place == right.place &&
           left.ring == right.ring &&
           model::ProcessIdentity{left.actor} == model::ProcessIdentity{right.actor} &&
           left.thread == right.thread && left.by == right.by &&
           (!is_of_fence(left.reason) || is_same_job(left, right));
}

void append(Part& part, Part&& more)
{
    if (!is_same_job(part, more) && part.jobs > 0) {
        part.jobs += more.jobs;
        part.fence = {}; // of several
    }
    part.end = more.end;
    part.length = part.length + more.length;
    std::move(more.root.begin(), more.root.end(), std::back_inserter(part.root));
}

/// What its root has outside of the part, which was split, goes.
void clip_root(Part& part)
{
    std::int64_t left = part.length.value();
    for (Part& root : part.root) {
        root.begin = std::clamp(root.begin, part.begin, part.end);
        root.end = std::clamp(root.end, part.begin, part.end);
        const std::int64_t inside = (root.end - root.begin).value();
        root.length = Duration{std::min({root.length.value(), inside, left})};
        left -= root.length.value();
    }
    std::erase_if(part.root, [](const Part& root) { return root.length.value() == 0; });
}

} // namespace

void Cut::add(Part part, Timestamp begin, Timestamp end)
{
    if (end <= begin) {
        return;
    }
    if (is_below_clock(part.reason, end - begin)) {
        part = Part{};
        part.reason = Reason::Unknown;
        part.gap = Gap::ClockError;
    }
    if (m_window == nullptr) {
        add_piece(std::move(part), begin, end, false);
        return;
    }
    const Timestamp from = std::clamp(m_window->clip(begin), begin, end);
    const Timestamp to = std::clamp(m_window->clip(end), from, end);
    if (begin < from) {
        add_piece(part, begin, from, true);
    }
    if (from < to) {
        add_piece(part, from, to, false);
    }
    if (to < end) {
        add_piece(std::move(part), to, end, true);
    }
}

void Cut::add_piece(Part part, Timestamp begin, Timestamp end, bool is_outside)
{
    part.begin = begin;
    part.end = end;
    part.length = end - begin;
    part.is_before = m_is_before;
    part.is_outside = is_outside;
    part.place = m_place;
    clip_root(part);
    if (!m_parts.empty() && is_alike(m_parts.back(), part)) {
        append(m_parts.back(), std::move(part));
        return;
    }
    if (m_parts.size() >= most_parts) {
        const auto like = std::find_if(m_parts.rbegin(), m_parts.rend(), [&](const Part& other) {
            return other.reason == part.reason && other.is_before == part.is_before &&
                   other.is_outside == part.is_outside && other.place == part.place &&
                   other.gap == part.gap;
        });
        if (like != m_parts.rend()) {
            part.root.clear();
            append(*like, std::move(part));
            return;
        }
    }
    m_parts.push_back(std::move(part));
}

bool Cut::is_below_clock(Reason reason, Duration length) const
{
    const bool is_across = reason == Reason::Dependency || reason == Reason::BackPressure ||
                           reason == Reason::RingShared || reason == Reason::RingBusyOwn;
    return m_clock_error && length <= *m_clock_error && (is_across || m_is_before) &&
           reason != Reason::Unknown;
}

void Cut::add_if_whole(const Part& part, Timestamp begin, Timestamp end)
{
    Timestamp at = begin;
    while (at < end) {
        Timestamp lost_begin = end;
        Timestamp lost_end = end;
        for (const LostTime& lost : m_lost) {
            const Timestamp from = std::max(lost.begin, at);
            const Timestamp to = std::min(lost.end, end);
            if (lost.trace == m_trace && lost.begin < end && lost.end > at && to > from &&
                from < lost_begin) {
                lost_begin = from;
                lost_end = to;
            }
        }
        add(part, at, lost_begin);
        add_unknown(Gap::EventsLost, lost_begin, lost_end);
        at = std::max(lost_end, lost_begin);
    }
}

void Cut::add_unknown(Gap gap, Timestamp begin, Timestamp end)
{
    Part part;
    part.reason = Reason::Unknown;
    part.gap = gap;
    add(part, begin, end);
}

} // namespace lttng_gpu::diagnose
