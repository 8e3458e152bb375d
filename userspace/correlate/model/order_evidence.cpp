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
    return least_calm << std::min(x_count - 1, most_doublings);
}

/// Every second one goes when there are too many.
void OrderEvidence::add_checkpoint(Timestamp time)
{
    if (x_checkpoints.size() == most_checkpoints) {
        for (std::size_t at = 0; at < most_checkpoints / 2; ++at) {
            x_checkpoints[at] = x_checkpoints[2 * at];
        }
        x_checkpoints.resize(most_checkpoints / 2);
        x_stride *= 2;
    }
    if (((x_agreements - 1) & (x_stride - 1)) == 0) {
        x_checkpoints.push_back(time);
    }
}

void OrderEvidence::contradict(TimeSpan overtaken)
{
    ++x_count;
    x_agreements_at_last = x_agreements;
    if (x_contradictions.size() == most_contradictions) {
        Contradiction& last = x_contradictions.back(); // it grows
        last.span.begin = std::min(last.span.begin, overtaken.begin);
        last.span.end = std::max(last.span.end, overtaken.end);
        ++last.count;
        return;
    }
    x_contradictions.push_back({overtaken, x_agreements});
}

/// When the checkpoint at or before that agreement was.
Timestamp OrderEvidence::time_before(std::uint64_t agreements, Timestamp otherwise) const
{
    const std::uint64_t place = agreements / x_stride;
    return place < x_checkpoints.size() ? std::min(x_checkpoints[place], otherwise) : otherwise;
}

Timestamp OrderEvidence::time_after(std::uint64_t agreements, Timestamp otherwise) const
{
    const std::uint64_t place = (agreements + x_stride - 1) / x_stride;
    return place < x_checkpoints.size() ? std::max(x_checkpoints[place], otherwise) : latest;
}

/// `first` and `last`: agreements before the first and the last contradiction.
void OrderEvidence::widen(Disorder& disorder, std::uint64_t first, std::uint64_t last) const
{
    const std::uint64_t run = usual_run(disorder.agreements, disorder.contradictions);
    disorder.span.begin =
        first <= run ? earliest : time_before(first - run - 1, disorder.span.begin);
    disorder.span.end =
        x_agreements <= last + run ? latest : time_after(last + run, disorder.span.end);
}

std::vector<OrderEvidence::Disorder> OrderEvidence::find_disorder() const
{
    std::vector<Disorder> found;
    for (std::size_t at = 0; at < x_contradictions.size();) {
        const std::size_t begin = at;
        Disorder disorder{x_contradictions[at].span, x_contradictions[at].count, 0};
        for (++at; at < x_contradictions.size(); ++at) {
            const Contradiction& next = x_contradictions[at];
            const std::uint64_t between =
                next.agreements_before - x_contradictions[at - 1].agreements_before;
            if (between > usual_run(disorder.agreements, disorder.contradictions)) {
                break;
            }
            disorder.agreements += between;
            disorder.contradictions += next.count;
            disorder.span.begin = std::min(disorder.span.begin, next.span.begin);
            disorder.span.end = std::max(disorder.span.end, next.span.end);
        }
        if (disorder.is_parallel()) {
            widen(disorder, x_contradictions[begin].agreements_before,
                  x_contradictions[at - 1].agreements_before);
        }
        found.push_back(disorder);
    }
    return found;
}

} // namespace lttng_gpu::model
