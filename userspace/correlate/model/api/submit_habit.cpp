// SPDX-License-Identifier: MIT
//
// See submit_habit.hpp. The search goes from the simple to the less simple: what is usual for all
// names, then one name or two that differ from it.
#include "submit_habit.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

/// Before that a solution may be a coincidence.
constexpr std::uint64_t least_segments = 2;
constexpr std::uint64_t least_jobs_seen = 4;
constexpr std::uint64_t least_taken = 4;
/// A segment may lack a lost event, or have a job of the driver's own.
constexpr std::uint64_t explained_for_each_other = 20;

} // namespace

std::optional<std::size_t> SubmitHabit::name_of(const SubmitCall& call)
{
    const auto found = std::ranges::find(x_names, call.name, &Name::id);
    if (found != x_names.end()) {
        return static_cast<std::size_t>(found - x_names.begin());
    }
    if (x_names.size() == most_names) {
        return {};
    }
    x_names.push_back({call.name, call.role, {}, usual_jobs(call.role)});
    return x_names.size() - 1;
}

bool SubmitHabit::is_regular() const
{
    return x_is_solved && x_explained >= least_segments && x_explained_jobs >= least_jobs_seen &&
           explained_for_each_other * x_unexplained <= x_explained;
}

std::optional<unsigned> SubmitHabit::jobs_of(StringId name) const
{
    const auto found = std::ranges::find(x_names, name, &Name::id);
    if (found == x_names.end()) {
        return {};
    }
    // A program that never waits does so once, at its end: of one segment any number may be a
    // coincidence.
    const auto place = static_cast<std::size_t>(found - x_names.begin());
    const auto segments =
        static_cast<std::size_t>(std::ranges::count_if(x_segments, [place](const Segment& segment) {
            return segment.calls.size() > place && segment.calls[place] > 0;
        }));
    const bool is_repeated = segments == x_segments.size() &&
                             std::max({x_explained, x_merged, x_split}) >= least_segments;
    return segments >= least_segments || is_repeated ? std::optional{found->jobs} : std::nullopt;
}

unsigned SubmitHabit::jobs_of(const SubmitCall& call) const
{
    return jobs_of(call.name).value_or(usual_jobs(call.role));
}

bool SubmitHabit::explains(const Segment& segment) const
{
    std::size_t jobs = 0;
    for (std::size_t name = 0; name < segment.calls.size(); ++name) {
        jobs += std::size_t{segment.calls[name]} * x_names[name].jobs;
    }
    return jobs == segment.jobs;
}

bool SubmitHabit::explains_all() const
{
    const auto others = static_cast<std::uint64_t>(std::ranges::count_if(
        x_segments, [this](const Segment& segment) { return !explains(segment); }));
    return explained_for_each_other * others <= x_segments.size();
}

/// What a call alone made is known; the rest is as usual.
void SubmitHabit::start_over()
{
    for (Name& name : x_names) {
        name.jobs = name.alone.value_or(usual_jobs(name.role));
    }
}

/// The only set with so many names (one or two) that differ from what is usual.
std::optional<std::vector<SubmitHabit::Deviation>> SubmitHabit::find_only(std::size_t deviations)
{
    std::optional<std::vector<Deviation>> only;
    bool is_several = false;
    std::vector<Deviation> tried;
    const auto search = [&](auto&& self, std::size_t first) -> void {
        if (tried.size() == deviations) {
            if (explains_all()) {
                is_several = only.has_value();
                only = tried;
            }
            return;
        }
        for (std::size_t name = first; name < x_names.size() && !is_several; ++name) {
            Name& tried_name = x_names[name];
            if (tried_name.alone) {
                continue;
            }
            const unsigned usual = tried_name.jobs;
            for (unsigned jobs = least_jobs(tried_name.role);
                 jobs <= most_jobs_of_call && !is_several; ++jobs) {
                if (jobs != usual) {
                    tried_name.jobs = jobs;
                    tried.push_back({name, jobs});
                    self(self, name + 1);
                    tried.pop_back();
                }
            }
            tried_name.jobs = usual;
        }
    };
    search(search, 0);
    return is_several ? std::nullopt : only;
}

bool SubmitHabit::solve()
{
    start_over();
    if (explains_all()) {
        return true;
    }
    for (const std::size_t deviations : {std::size_t{1}, std::size_t{2}}) {
        const auto found = find_only(deviations);
        if (found) {
            for (const Deviation& deviation : *found) {
                x_names[deviation.name].jobs = deviation.jobs;
            }
            return true;
        }
    }
    start_over();
    return false;
}

void SubmitHabit::note_taking(Taking taking)
{
    x_took_all += taking == Taking::All ? 1 : 0;
    x_left_some += taking == Taking::NotAll ? 1 : 0;
}

bool SubmitHabit::takes_all() const
{
    return x_took_all >= least_taken && has_merged() && !has_split() &&
           explained_for_each_other * x_left_some <= x_took_all;
}

void SubmitHabit::learn(std::span<const SubmitCall> calls, std::size_t jobs, bool is_whole)
{
    Segment segment;
    segment.jobs = jobs;
    std::size_t least = 0;
    for (const SubmitCall& call : calls) {
        const auto name = name_of(call);
        if (!name) {
            return;
        }
        segment.calls.resize(std::max(segment.calls.size(), *name + 1));
        ++segment.calls[*name];
        least += usual_jobs(call.role);
    }
    if (calls.empty()) {
        return;
    }
    x_merged += jobs < least ? 1 : 0;
    x_split += jobs > calls.size() ? 1 : 0;
    if (!is_whole) {
        return;
    }
    Name& first = x_names[*name_of(calls.front())];
    if (calls.size() == 1 && jobs > 0 && jobs <= most_jobs_of_call && !first.alone) {
        first.alone = static_cast<unsigned>(jobs);
        x_is_solved = x_is_solved && first.jobs == jobs;
    }
    if (std::ranges::find(x_segments, segment) == x_segments.end()) {
        if (x_segments.size() == most_segments) {
            x_segments.pop_front();
        }
        x_segments.push_back(segment);
    }
    if (x_is_solved && explains(segment)) {
        ++x_explained;
        x_explained_jobs += jobs;
        return;
    }
    if (x_is_solved && explained_for_each_other * (x_unexplained + 1) <= x_explained) {
        ++x_unexplained;
        return;
    }
    x_is_solved = solve();
    x_explained = x_explained_jobs = x_unexplained = 0;
    for (const Segment& known : x_segments) {
        const bool is_explained = x_is_solved && explains(known);
        x_explained += is_explained ? 1 : 0;
        x_explained_jobs += is_explained ? known.jobs : 0;
        x_unexplained += is_explained ? 0 : 1;
    }
}

} // namespace lttng_gpu::model
