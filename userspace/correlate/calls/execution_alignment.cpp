// SPDX-License-Identifier: MIT
//
// See execution_alignment.hpp. Commands are looked at in windows. The offset of a window is
// searched for in all of the bounds, or followed from the window beside it, because a clock drifts
// by little. Either all commands are compared with edges of jobs, which finds split ones, or the
// jobs of one context with edges of commands, which finds merged ones and knows contexts of other
// APIs apart.
#include "execution_alignment.hpp"

#include "device_clocks.hpp"

#include <algorithm>
#include <cstdlib>

namespace lttng_gpu::model {
namespace {

constexpr std::size_t window = 32;
constexpr std::size_t most_searched = 256;
constexpr std::size_t least_followed = 8;
constexpr std::size_t most_contexts = 8;
constexpr int most_searches = 12;
constexpr std::int64_t drift_limit = 2'000; // 500 ppm, as device clocks have

} // namespace

/// What a clock may show that is far from any sane one stays away from the limits of numbers.
bool ExecutionAlignment::is_comparable(const TimedCommand& command)
{
    constexpr std::int64_t far = INT64_MAX / 8;
    return std::abs(command.started.value() / 4) < far &&
           std::abs(command.offset.value() / 2) < far && command.error.value() < far;
}

bool ExecutionAlignment::is_coarse(const TimedCommand& command)
{
    return is_comparable(command) &&
           command.error.value() > (command.completed - command.started).value() / 4;
}

/// As far as a clock may be off its rate, where nothing is known; else as it was in the pieces
/// about that one, with what it may change by.
ExecutionAlignment::Rate ExecutionAlignment::rate_at(const Pieces& pieces, std::size_t about)
{
    constexpr std::size_t most_each_side = 8;
    constexpr double change = 20e-6;
    const Piece& first = pieces[about - std::min(about, most_each_side)];
    const Piece& last = pieces[std::min(about + most_each_side, pieces.size() - 1)];
    Rate unknown;
    if (last.first <= first.last) {
        return unknown;
    }
    const auto middle = [](const Piece& piece) {
        return static_cast<double>(piece.first) + static_cast<double>(piece.last - piece.first) / 2;
    };
    const double length = middle(last) - middle(first);
    const Rate rate{static_cast<double>(last.offset - first.offset) / length,
                    static_cast<double>(last.error + first.error) / length + change};
    return std::abs(rate.value) + rate.error < unknown.error ? rate : unknown;
}

/// By the distance in time; the end: there is none.
ExecutionAlignment::Pieces::const_iterator ExecutionAlignment::nearest(const Pieces& pieces,
                                                                       std::int64_t time)
{
    const auto distance = [time](const Piece& piece) {
        return std::max({piece.first - time, time - piece.last, std::int64_t{0}});
    };
    const auto after = std::ranges::upper_bound(pieces, time, {}, &Piece::first);
    if (after == pieces.begin()) {
        return after;
    }
    const auto before = std::prev(after);
    return after == pieces.end() || distance(*before) <= distance(*after) ? before : after;
}

void ExecutionAlignment::place(TimedCommand& command)
{
    const auto known = m_pieces.find(command.clock);
    if (command.is_aligned || !is_coarse(command) || known == m_pieces.end()) {
        return;
    }
    const std::int64_t time = command.on_device();
    const auto piece = nearest(known->second, time);
    if (piece == known->second.end()) {
        return;
    }
    const std::int64_t distance =
        std::max({piece->first - time, time - piece->last, std::int64_t{0}});
    const std::int64_t drift = distance / drift_limit;
    if (drift > std::max(piece->error, (command.completed - command.started).value() / 8)) {
        return; // more may come to be known
    }
    const Duration error{piece->error + drift};
    const Duration moved{piece->offset - command.offset.value()};
    if (error < command.error && std::abs(moved.value()) <= command.error.value()) {
        command.started = command.started + moved;
        command.completed = command.completed + moved;
        command.offset = Duration{piece->offset};
        command.error = error;
        command.is_aligned = true;
        if (command.clock != nullptr) {
            ++command.clock->aligned;
            command.clock->aligned_error_most = std::max(command.clock->aligned_error_most, error);
        }
    }
}

/// One clock's commands, and all jobs.
class ExecutionAlignment::Pass {
public:
    Pass(const std::vector<TimedCommand*>& commands, const JobExecutions& jobs, Pieces& pieces);

    void run();

private:
    /// Offsets that are possible.
    struct Bounds {
        std::int64_t low = INT64_MIN;
        std::int64_t high = INT64_MAX;

        std::int64_t middle() const { return low + (high - low) / 2; }
    };
    struct Found {
        Piece piece;
        std::size_t agreeing = 0;
    };

    std::span<const Execution> executions(std::size_t from, std::size_t count) const
    {
        return std::span{m_executions}.subspan(from, count);
    }
    Bounds bounds_of(std::size_t from, std::size_t count) const;
    bool is_needed(std::size_t from, std::size_t count) const;
    bool search(std::size_t from);
    std::vector<Found> search_once(std::size_t from, std::size_t count) const;
    bool follow(std::size_t from, std::size_t count);
    std::size_t follow_some(std::size_t from, std::size_t count);
    void add(const Piece& piece);

    const std::vector<TimedCommand*>& m_commands;
    std::vector<Execution> m_executions;               // of commands, by the device's clock
    ExecutionEdges m_command_edges;                    // likewise
    std::vector<const std::vector<Execution>*> m_jobs; // of contexts that have most
    ExecutionEdges m_job_edges;
    Pieces& m_pieces;
};

namespace {

/// Those that began between both times, and some of the ones beside them where that are few.
std::span<const Execution> jobs_about(const std::vector<Execution>& jobs, std::int64_t first,
                                      std::int64_t last)
{
    const std::size_t least = std::min(2 * least_followed, jobs.size());
    auto from = static_cast<std::size_t>(
        std::ranges::lower_bound(jobs, first, {}, &Execution::begin) - jobs.begin());
    auto to = static_cast<std::size_t>(std::ranges::upper_bound(jobs, last, {}, &Execution::begin) -
                                       jobs.begin());
    to = std::clamp(to, std::min(from + least, jobs.size()), from + 4 * window);
    from = std::min(from, to - std::min(to, least));
    return std::span{jobs}.subspan(from, std::min(to, jobs.size()) - from);
}

std::vector<Execution> moved(std::span<const Execution> executions, std::int64_t offset)
{
    std::vector<Execution> all{executions.begin(), executions.end()};
    for (Execution& each : all) {
        each.begin += offset;
        each.end += offset;
    }
    return all;
}

} // namespace

ExecutionAlignment::Pass::Pass(const std::vector<TimedCommand*>& commands,
                               const JobExecutions& jobs, Pieces& pieces)
    : m_commands{commands}, m_pieces{pieces}
{
    for (const TimedCommand* command : commands) {
        const std::int64_t begin = command->on_device();
        m_executions.push_back({begin, begin + (command->completed - command->started).value()});
    }
    m_command_edges = edges_of(m_executions);
    std::vector<Execution> all;
    for (const auto& [context, executions] : jobs) {
        all.insert(all.end(), executions.begin(), executions.end());
        m_jobs.push_back(&executions);
    }
    m_job_edges = edges_of(all);
    std::ranges::stable_sort(m_jobs, std::greater{},
                             [](const auto* executions) { return executions->size(); });
    m_jobs.resize(std::min(m_jobs.size(), most_contexts));
}

ExecutionAlignment::Pass::Bounds ExecutionAlignment::Pass::bounds_of(std::size_t from,
                                                                     std::size_t count) const
{
    Bounds bounds;
    for (std::size_t index = from; index < from + count; ++index) {
        const TimedCommand& command = *m_commands[index];
        bounds.low = std::max(bounds.low, command.offset.value() - command.error.value());
        bounds.high = std::min(bounds.high, command.offset.value() + command.error.value());
    }
    return bounds;
}

bool ExecutionAlignment::Pass::is_needed(std::size_t from, std::size_t count) const
{
    return std::ranges::any_of(
        std::span{m_commands}.subspan(from, count),
        [](const TimedCommand* command) { return !command->is_aligned && is_coarse(*command); });
}

void ExecutionAlignment::Pass::add(const Piece& piece)
{
    m_pieces.insert(std::ranges::upper_bound(m_pieces, piece.first, {}, &Piece::first), piece);
    if (m_pieces.size() > most_pieces) {
        m_pieces.pop_front();
    }
}

/// What the commands say, and what the jobs of each context do.
std::vector<ExecutionAlignment::Pass::Found>
ExecutionAlignment::Pass::search_once(std::size_t from, std::size_t count) const
{
    std::vector<Found> found;
    const Bounds bounds = bounds_of(from, count);
    if (bounds.high <= bounds.low) {
        return found;
    }
    const std::int64_t middle = bounds.middle();
    const std::int64_t most = (bounds.high - bounds.low) / 2;
    const auto commands = moved(executions(from, count), middle);
    if (const auto shift = find_shift(commands, m_job_edges, most)) {
        found.push_back({{m_executions[from].begin, m_executions[from + count - 1].begin,
                          middle + shift->value, shift->error},
                         shift->agreeing});
    }
    for (const auto* executions : m_jobs) {
        // Their clock may be off by more than all of them took.
        const auto begun = static_cast<std::size_t>(
            std::ranges::lower_bound(*executions, commands.front().begin, {}, &Execution::begin) -
            executions->begin());
        const std::size_t some = std::min(count, executions->size());
        const auto jobs =
            moved(std::span{*executions}.subspan(std::min(begun, executions->size() - some), some),
                  -middle);
        if (const auto shift = find_shift(jobs, m_command_edges, most)) {
            found.push_back({{jobs.front().begin + shift->value, jobs.back().begin + shift->value,
                              middle - shift->value, shift->error},
                             shift->agreeing});
        }
    }
    return found;
}

/// More and more are looked at until one offset is left.
bool ExecutionAlignment::Pass::search(std::size_t from)
{
    const std::size_t most_commands = std::min(most_searched, m_commands.size());
    for (std::size_t count = window; count <= most_commands; count *= 2) {
        from = std::min(from, m_commands.size() - count);
        const auto found = search_once(from, count);
        if (found.empty()) {
            continue;
        }
        const auto offset_of = [](const Found& each) { return each.piece.offset; };
        const auto [least, most] = std::ranges::minmax(found, {}, offset_of);
        if (most.piece.offset - least.piece.offset > usual_length(executions(from, count))) {
            return false;
        }
        add(std::ranges::max(found, {}, &Found::agreeing).piece);
        return true;
    }
    return false;
}

bool ExecutionAlignment::Pass::follow(std::size_t from, std::size_t count)
{
    const auto commands = executions(from, count);
    const std::int64_t first = commands.front().begin;
    const std::int64_t last = commands.back().begin;
    const auto near = nearest(m_pieces, first + (last - first) / 2);
    if (near == m_pieces.end()) {
        return false;
    }
    const std::int64_t after = std::max(last - near->last, std::int64_t{0});
    const std::int64_t before = std::max(near->first - first, std::int64_t{0});
    const auto distance = static_cast<double>(after > before ? after : -before);
    const Rate rate = rate_at(m_pieces, static_cast<std::size_t>(near - m_pieces.begin()));
    const auto error = near->error + static_cast<std::int64_t>(std::abs(distance) * rate.error);
    if (error > usual_length(commands)) {
        return false;
    }
    const auto about = near->offset + static_cast<std::int64_t>(rate.value * distance);
    std::optional<Piece> best;
    std::size_t agreeing = 0;
    const auto consider = [&](const std::optional<Shift>& shift, std::int64_t offset) {
        if (shift && shift->agreeing > agreeing) {
            agreeing = shift->agreeing;
            best = Piece{first, last, offset, shift->error};
        }
    };
    if (count >= least_followed) {
        const auto shift = follow_shift(commands, m_job_edges, about, error);
        consider(shift, shift ? shift->value : 0);
    }
    for (const auto* executions : m_jobs) {
        const auto jobs = moved(jobs_about(*executions, first + about, last + about), -about);
        if (jobs.size() >= least_followed) {
            const auto shift = follow_shift(jobs, m_command_edges, 0, error);
            consider(shift, shift ? about - shift->value : 0);
        }
    }
    if (best) {
        add(*best);
    }
    return best.has_value();
}

/// As many of these as can be, less where they are far apart: how many.
std::size_t ExecutionAlignment::Pass::follow_some(std::size_t from, std::size_t count)
{
    constexpr std::size_t least = 4;
    for (std::size_t some = count; some >= least; some /= 2) {
        if (follow(from, some)) {
            return some;
        }
    }
    return 0;
}

void ExecutionAlignment::Pass::run()
{
    std::vector<std::pair<std::size_t, std::size_t>> left;
    int searches = 0;
    std::size_t next_search = 0;
    std::size_t pause = window; // until the next search
    for (std::size_t from = 0; from < m_commands.size();) {
        const std::size_t count = std::min(window, m_commands.size() - from);
        std::size_t done = is_needed(from, count) ? follow_some(from, count) : count;
        if (done == 0 && from >= next_search && searches < most_searches) {
            ++searches;
            const bool is_found = search(from);
            pause = is_found ? window : 2 * pause;
            next_search = from + pause;
            done = is_found ? follow_some(from, count) : 0;
        }
        if (done == 0) {
            left.emplace_back(from, count);
            done = count;
        }
        from += done;
    }
    for (auto each = left.rbegin(); each != left.rend(); ++each) {
        follow(each->first, each->second);
    }
}

bool ExecutionAlignment::align(const std::vector<TimedCommand*>& commands,
                               const JobExecutions& jobs)
{
    if (commands.empty() || jobs.empty()) {
        return false;
    }
    Pass{commands, jobs, m_pieces[commands.front()->clock]}.run();
    bool has_moved = false;
    for (TimedCommand* command : commands) {
        if (!command->is_aligned) {
            place(*command);
            has_moved = has_moved || command->is_aligned;
        }
    }
    return has_moved;
}

} // namespace lttng_gpu::model
