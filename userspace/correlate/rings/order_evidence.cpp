// SPDX-License-Identifier: MIT
//
// See order_evidence.hpp.
#include "order_evidence.hpp"

#include <algorithm>
#include <limits>

namespace lttng_gpu::model {
namespace {

/// Where one pair in n contradicts, more than 8 n that agree in a row come by chance once in
/// three thousand times (e^-8).
constexpr std::uint64_t chance_factor = 8;
/// Fewer agreements than this between two contradictions say nothing.
constexpr std::uint64_t least_calm = 64;

constexpr Timestamp earliest{std::numeric_limits<std::int64_t>::min()};
constexpr Timestamp latest{std::numeric_limits<std::int64_t>::max()};

/// So many agreements in a row are usual among these.
std::uint64_t usual_run(std::uint64_t agreements, std::uint64_t contradictions)
{
    const std::uint64_t pairs = agreements + contradictions;
    return std::max(least_calm, chance_factor * pairs / contradictions);
}

} // namespace

std::uint64_t OrderEvidence::needed() const
{
    constexpr std::uint64_t most_doublings = 32;
    return least_calm << std::min(m_count - 1, most_doublings);
}

/// Every second one goes when there are too many.
void OrderEvidence::add_checkpoint(Timestamp time)
{
    if (m_checkpoints.size() == most_checkpoints) {
        for (std::size_t at = 0; at < most_checkpoints / 2; ++at) {
            m_checkpoints[at] = m_checkpoints[2 * at];
        }
        m_checkpoints.resize(most_checkpoints / 2);
        m_stride *= 2;
    }
    if (((m_agreements - 1) & (m_stride - 1)) == 0) {
        m_checkpoints.push_back(time);
    }
}

void OrderEvidence::contradict(TimeSpan overtaken)
{
    ++m_count;
    m_agreements_at_last = m_agreements;
    if (m_contradictions.size() == most_contradictions) {
        Contradiction& last = m_contradictions.back(); // it grows
        last.span.begin = std::min(last.span.begin, overtaken.begin);
        last.span.end = std::max(last.span.end, overtaken.end);
        ++last.count;
        return;
    }
    m_contradictions.push_back({overtaken, m_agreements});
}

/// When the checkpoint at or before that agreement was.
Timestamp OrderEvidence::time_before(std::uint64_t agreements, Timestamp otherwise) const
{
    const std::uint64_t place = agreements / m_stride;
    return place < m_checkpoints.size() ? std::min(m_checkpoints[place], otherwise) : otherwise;
}

Timestamp OrderEvidence::time_after(std::uint64_t agreements, Timestamp otherwise) const
{
    const std::uint64_t place = (agreements + m_stride - 1) / m_stride;
    return place < m_checkpoints.size() ? std::max(m_checkpoints[place], otherwise) : latest;
}

/// `first` and `last`: agreements before the first and the last contradiction.
void OrderEvidence::widen(Disorder& disorder, std::uint64_t first, std::uint64_t last) const
{
    const std::uint64_t run = usual_run(disorder.agreements, disorder.contradictions);
    disorder.span.begin =
        first <= run ? earliest : time_before(first - run - 1, disorder.span.begin);
    disorder.span.end =
        m_agreements <= last + run ? latest : time_after(last + run, disorder.span.end);
}

std::vector<OrderEvidence::Disorder> OrderEvidence::find_disorder() const
{
    std::vector<Disorder> found;
    for (std::size_t at = 0; at < m_contradictions.size();) {
        const std::size_t begin = at;
        Disorder disorder{m_contradictions[at].span, m_contradictions[at].count, 0};
        for (++at; at < m_contradictions.size(); ++at) {
            const Contradiction& next = m_contradictions[at];
            const std::uint64_t between =
                next.agreements_before - m_contradictions[at - 1].agreements_before;
            if (between > usual_run(disorder.agreements, disorder.contradictions)) {
                break;
            }
            disorder.agreements += between;
            disorder.contradictions += next.count;
            disorder.span.begin = std::min(disorder.span.begin, next.span.begin);
            disorder.span.end = std::max(disorder.span.end, next.span.end);
        }
        if (disorder.is_parallel()) {
            widen(disorder, m_contradictions[begin].agreements_before,
                  m_contradictions[at - 1].agreements_before);
        }
        found.push_back(disorder);
    }
    return found;
}

} // namespace lttng_gpu::model
