// SPDX-License-Identifier: MIT
//
// See selection.hpp.
#include "selection.hpp"

#include <algorithm>
#include <charconv>

namespace lttng_gpu::diagnose {
namespace {

constexpr std::size_t most_over = 100'000;

std::optional<std::uint64_t> parse_number(std::string_view text)
{
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number);
    const bool is_number = result.ec == std::errc{} && result.ptr == end && !text.empty();
    return is_number ? std::optional{number} : std::nullopt;
}

/// Of equal latency the earlier is the worse, so that the order is always the same.
bool is_worse(const Diagnosis& left, const Diagnosis& right)
{
    if (left.latency() != right.latency()) {
        return left.latency() > right.latency();
    }
    return left.begin < right.begin;
}

} // namespace

bool JobName::is(const model::Job& job, const model::RingTable& rings) const
{
    if (job.fence.seqno != seqno) {
        return false;
    }
    if (context) {
        return job.fence.context == context;
    }
    return job.ring && rings.text(rings.at(*job.ring).device) == device &&
           (rings.text(rings.at(*job.ring).shown) == ring ||
            rings.text(rings.at(*job.ring).name) == ring);
}

std::optional<JobName> parse_job_name(const std::string& text)
{
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos) {
        return {};
    }
    const auto seqno = parse_number(std::string_view{text}.substr(colon + 1));
    const std::string place = text.substr(0, colon);
    const std::size_t slash = place.find('/');
    const auto context = parse_number(place);
    if (!seqno || (!context && slash == std::string::npos)) {
        return {};
    }
    JobName name;
    name.seqno = FenceSeqno{*seqno};
    if (slash == std::string::npos) {
        name.context = FenceContext{*context};
    } else {
        name.device = place.substr(0, slash);
        name.ring = place.substr(slash + 1);
    }
    return name;
}

std::size_t Selection::most() const
{
    return m_wanted.job || m_wanted.over ? most_over : m_wanted.worst;
}

void Selection::add(Diagnosis&& diagnosis, const model::RingTable& rings)
{
    const bool is_late = diagnosis.is_known() && diagnosis.is_counted &&
                         (!m_wanted.over || diagnosis.latency() >= *m_wanted.over);
    if (m_wanted.job ? !m_wanted.job->is(diagnosis.job, rings) : !is_late) {
        return;
    }
    if (m_kept.size() == most()) {
        ++m_left_out;
        if (m_kept.empty() || !is_worse(diagnosis, m_kept.front())) {
            return;
        }
        std::pop_heap(m_kept.begin(), m_kept.end(), is_worse);
        m_kept.pop_back();
    }
    m_kept.push_back(std::move(diagnosis));
    std::push_heap(m_kept.begin(), m_kept.end(), is_worse);
}

std::vector<Diagnosis> Selection::take()
{
    std::sort(m_kept.begin(), m_kept.end(), is_worse);
    return std::move(m_kept);
}

} // namespace lttng_gpu::diagnose
