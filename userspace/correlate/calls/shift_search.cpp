// SPDX-License-Identifier: MIT
//
// See shift_search.hpp. For each execution the shifts at which it agrees are intervals; they are
// added up in steps of a part of what executions may differ by.
#include "shift_search.hpp"

#include <algorithm>
#include <cstdlib>

namespace lttng_gpu::model {
namespace {

constexpr std::size_t least_agreeing = 24;
/// Of what was compared so much must agree, and elsewhere at most so much of that.
constexpr double least_share = 0.7;
constexpr double most_elsewhere = 0.6;
/// A load that repeats itself is recognized by that it fits again that many executions later.
constexpr std::int64_t least_range = 8;
constexpr std::int64_t steps_of_tolerance = 4;
constexpr std::int64_t most_steps = 1 << 17;
constexpr std::size_t most_pairs = 1 << 19;

/// How much begin or end may differ: a part of the execution, but of very short ones more, and no
/// more than edges are apart.
class Tolerance {
public:
    Tolerance(std::span<const Execution> executions, const ExecutionEdges& edges)
    {
        std::vector<std::int64_t> lengths;
        lengths.reserve(executions.size());
        for (const Execution& each : executions) {
            lengths.push_back(each.end - each.begin);
        }
        std::ranges::sort(lengths);
        m_limit = std::max<std::int64_t>(1, edges.usual_length / 4);
        m_least = std::clamp<std::int64_t>(lengths[lengths.size() / 2] / 8, 1, m_limit);
        m_usual = of_length(lengths[lengths.size() / 2]);
        m_most = of_length(lengths[lengths.size() * 9 / 10]);
    }

    std::int64_t of(const Execution& execution) const
    {
        return of_length(execution.end - execution.begin);
    }
    /// When a device begins is less exact: it is inferred from what it was given and did before.
    std::int64_t of_begin(const Execution& execution) const { return 3 * of(execution); }
    std::int64_t usual() const { return m_usual; }
    /// Shifts that differ by less are not told apart.
    std::int64_t neighbourhood() const { return 2 * m_most; }

private:
    std::int64_t of_length(std::int64_t length) const
    {
        return std::clamp(length / 4, m_least, m_limit);
    }

    std::int64_t m_limit = 1;
    std::int64_t m_least = 1;
    std::int64_t m_usual = 1;
    std::int64_t m_most = 1;
};

/// Shifts from -range to range, in steps.
class Votes {
public:
    Votes(std::int64_t range, std::int64_t step)
        : m_range{range}, m_step{step}, m_counts(static_cast<std::size_t>(2 * range / step) + 2)
    {
    }

    void add(std::int64_t low, std::int64_t high)
    {
        low = std::max(low, -m_range);
        high = std::min(high, m_range);
        if (low <= high) {
            ++m_counts[index_of(low)];
            --m_counts[index_of(high) + 1];
        }
    }
    void sum_up()
    {
        std::int32_t sum = 0;
        for (std::int32_t& count : m_counts) {
            count = sum += count;
        }
    }
    std::size_t size() const { return m_counts.size() - 1; }
    std::int32_t at(std::size_t index) const { return m_counts[index]; }
    std::int64_t shift_at(std::size_t index) const
    {
        return -m_range + static_cast<std::int64_t>(index) * m_step + m_step / 2;
    }

private:
    std::size_t index_of(std::int64_t shift) const
    {
        return static_cast<std::size_t>((shift + m_range) / m_step);
    }

    std::int64_t m_range;
    std::int64_t m_step;
    std::vector<std::int32_t> m_counts;
};

struct Interval {
    std::int64_t low;
    std::int64_t high;
};

/// The shifts at which one of the edges is at `time`, give or take the tolerance; they do not
/// overlap.
void shifts_to(const std::vector<std::int64_t>& edges, std::int64_t time, std::int64_t tolerance,
               std::int64_t range, std::vector<Interval>& shifts)
{
    shifts.clear();
    for (auto edge = std::ranges::lower_bound(edges, time - range - tolerance);
         edge != edges.end() && *edge <= time + range + tolerance; ++edge) {
        const Interval next{*edge - time - tolerance, *edge - time + tolerance};
        if (!shifts.empty() && next.low <= shifts.back().high) {
            shifts.back().high = next.high;
        } else {
            shifts.push_back(next);
        }
    }
}

/// False: there are too many possibilities.
bool count_votes(std::span<const Execution> executions, const ExecutionEdges& edges,
                 const Tolerance& tolerance, std::int64_t range, Votes& votes)
{
    std::vector<Interval> begins;
    std::vector<Interval> ends;
    std::size_t pairs = 0;
    for (const Execution& each : executions) {
        shifts_to(edges.begins, each.begin, tolerance.of_begin(each), range, begins);
        shifts_to(edges.ends, each.end, tolerance.of(each), range, ends);
        pairs += begins.size() + ends.size();
        if (pairs > most_pairs) {
            return false;
        }
        for (auto begin = begins.begin(), end = ends.begin();
             begin != begins.end() && end != ends.end();) {
            const Interval both{std::max(begin->low, end->low), std::min(begin->high, end->high)};
            if (both.low <= both.high) {
                votes.add(both.low, both.high);
            }
            begin->high < end->high ? static_cast<void>(++begin) : static_cast<void>(++end);
        }
    }
    votes.sum_up();
    return true;
}

/// What lies beyond the other side's first or last edge cannot agree.
class Compared {
public:
    Compared(std::span<const Execution> executions, const ExecutionEdges& edges)
        : m_begins(edges_of(executions).begins),
          m_ends(edges_of(executions).ends), m_first{edges.begins.front()}, m_last{
                                                                                edges.ends.back()}
    {
    }

    /// At least half of all: chance is great among few.
    double at(std::int64_t shift) const
    {
        const auto before = std::ranges::lower_bound(m_begins, m_first - shift) - m_begins.begin();
        const auto after = m_ends.end() - std::ranges::upper_bound(m_ends, m_last - shift);
        const auto all = static_cast<std::ptrdiff_t>(m_begins.size());
        return static_cast<double>(std::max(all - before - after, (all + 1) / 2));
    }

private:
    std::vector<std::int64_t> m_begins;
    std::vector<std::int64_t> m_ends;
    std::int64_t m_first;
    std::int64_t m_last;
};

/// Where most agree, if it is the one place inside of the bounds.
std::optional<std::int64_t> only_peak(const Votes& votes, const Compared& compared,
                                      std::int64_t most, std::int64_t neighbourhood)
{
    std::size_t best = 0;
    for (std::size_t index = 1; index < votes.size(); ++index) {
        best = votes.at(index) > votes.at(best) ? index : best;
    }
    std::size_t last = best; // of the plateau
    while (last + 1 < votes.size() && votes.at(last + 1) == votes.at(best)) {
        ++last;
    }
    const std::int64_t shift = (votes.shift_at(best) + votes.shift_at(last)) / 2;
    const auto agreeing = static_cast<double>(votes.at(best));
    const double share = agreeing / compared.at(shift);
    if (agreeing < least_agreeing || share < least_share || std::abs(shift) > most) {
        return {};
    }
    for (std::size_t index = 0; index < votes.size(); ++index) {
        const std::int64_t other = votes.shift_at(index);
        if (std::abs(other - shift) > neighbourhood &&
            votes.at(index) > most_elsewhere * share * compared.at(other)) {
            return {};
        }
    }
    return shift;
}

/// The nearest edge to that time.
std::optional<std::int64_t> edge_near(const std::vector<std::int64_t>& edges, std::int64_t time,
                                      std::int64_t tolerance)
{
    const auto after = std::ranges::lower_bound(edges, time);
    std::optional<std::int64_t> nearest;
    if (after != edges.end() && *after - time <= tolerance) {
        nearest = *after;
    }
    if (after != edges.begin() && time - *std::prev(after) <= tolerance &&
        (!nearest || time - *std::prev(after) < *nearest - time)) {
        nearest = *std::prev(after);
    }
    return nearest;
}

/// By how much the ends of those that agree are off.
std::vector<std::int64_t> agreeing_ends(std::span<const Execution> executions,
                                        const ExecutionEdges& edges, const Tolerance& tolerance,
                                        std::int64_t about, std::int64_t error)
{
    std::vector<std::int64_t> differences;
    for (const Execution& each : executions) {
        const auto end = edge_near(edges.ends, each.end + about, error + tolerance.of(each));
        if (end && edge_near(edges.begins, each.begin + about, error + tolerance.of_begin(each))) {
            differences.push_back(*end - each.end);
        }
    }
    return differences;
}

std::int64_t middle_of(std::vector<std::int64_t>& values, std::size_t part, std::size_t of)
{
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(values.size() * part / of);
    std::ranges::nth_element(values, place);
    return *place;
}

} // namespace

std::int64_t usual_length(std::span<const Execution> executions)
{
    std::vector<std::int64_t> lengths;
    lengths.reserve(executions.size());
    for (const Execution& each : executions) {
        lengths.push_back(each.end - each.begin);
    }
    return middle_of(lengths, 1, 2);
}

ExecutionEdges edges_of(std::span<const Execution> executions)
{
    ExecutionEdges edges;
    edges.begins.reserve(executions.size());
    edges.ends.reserve(executions.size());
    for (const Execution& each : executions) {
        edges.begins.push_back(each.begin);
        edges.ends.push_back(each.end);
    }
    std::ranges::sort(edges.begins);
    std::ranges::sort(edges.ends);
    edges.usual_length = executions.empty() ? 0 : usual_length(executions);
    return edges;
}

std::optional<Shift> follow_shift(std::span<const Execution> executions,
                                  const ExecutionEdges& edges, std::int64_t about,
                                  std::int64_t error)
{
    if (executions.empty()) {
        return {};
    }
    const Tolerance tolerance{executions, edges};
    Shift shift{about, 0, 0};
    for (const std::int64_t most : {error, std::int64_t{0}}) {
        auto differences = agreeing_ends(executions, edges, tolerance, shift.value, most);
        if (2 * differences.size() < executions.size()) {
            return {};
        }
        shift.agreeing = differences.size();
        shift.value = middle_of(differences, 1, 2);
        for (std::int64_t& difference : differences) {
            difference = std::abs(difference - shift.value);
        }
        shift.error = middle_of(differences, 3, 4);
    }
    return shift.error <= tolerance.usual() ? std::optional{shift} : std::nullopt;
}

std::optional<Shift> find_shift(std::span<const Execution> executions, const ExecutionEdges& edges,
                                std::int64_t most)
{
    if (executions.size() < least_agreeing || edges.begins.size() < least_agreeing) {
        return {};
    }
    const Tolerance tolerance{executions, edges};
    const std::int64_t step = std::max<std::int64_t>(1, tolerance.usual() / steps_of_tolerance);
    const auto [first, last] = std::ranges::minmax(executions, {}, &Execution::end);
    const std::int64_t gap = (last.end - first.end) / static_cast<std::int64_t>(executions.size());
    const std::int64_t range = std::max(most, least_range * gap) + tolerance.neighbourhood();
    if (range / step > most_steps) {
        return {};
    }
    Votes votes{range, step};
    if (!count_votes(executions, edges, tolerance, range, votes)) {
        return {};
    }
    const auto shift =
        only_peak(votes, Compared{executions, edges}, most, tolerance.neighbourhood());
    return shift ? follow_shift(executions, edges, *shift, 0) : std::nullopt;
}

} // namespace lttng_gpu::model
