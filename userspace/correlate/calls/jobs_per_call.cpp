// SPDX-License-Identifier: MIT
//
// See submit_habit.hpp. The search goes from the simple to the less simple: what is usual for all
// names, then one name or two that differ from it.
#include "jobs_per_call.hpp"

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

std::optional<std::size_t> JobsPerCall::name_of(const SubmitCall& call)
{
    const auto found = std::ranges::find(m_names, call.name, &Name::id);
    if (found != m_names.end()) {
        return static_cast<std::size_t>(found - m_names.begin());
    }
    if (m_names.size() == most_names) {
        return {};
    }
    m_names.push_back({call.name, call.role, {}, usual_jobs(call.role)});
    return m_names.size() - 1;
}

bool JobsPerCall::is_regular() const
{
    return m_is_solved && m_explained >= least_segments && m_explained_jobs >= least_jobs_seen &&
           explained_for_each_other * m_unexplained <= m_explained;
}

std::optional<unsigned> JobsPerCall::jobs_of(StringId name) const
{
    const auto found = std::ranges::find(m_names, name, &Name::id);
    if (found == m_names.end()) {
        return {};
    }
    // A program that never waits does so once, at its end: of one segment any number may be a
    // coincidence.
    const auto place = static_cast<std::size_t>(found - m_names.begin());
    const auto segments =
        static_cast<std::size_t>(std::ranges::count_if(m_segments, [place](const Segment& segment) {
            return segment.calls.size() > place && segment.calls[place] > 0;
        }));
    const bool is_repeated = segments == m_segments.size() &&
                             std::max({m_explained, m_merged, m_split}) >= least_segments;
    return segments >= least_segments || is_repeated ? std::optional{found->jobs} : std::nullopt;
}

unsigned JobsPerCall::jobs_of(const SubmitCall& call) const
{
    return jobs_of(call.name).value_or(usual_jobs(call.role));
}

bool JobsPerCall::explains(const Segment& segment) const
{
    std::size_t jobs = 0;
    for (std::size_t name = 0; name < segment.calls.size(); ++name) {
        jobs += std::size_t{segment.calls[name]} * m_names[name].jobs;
    }
    return jobs == segment.jobs;
}

bool JobsPerCall::explains_all() const
{
    const auto others = static_cast<std::uint64_t>(std::ranges::count_if(
        m_segments, [this](const Segment& segment) { return !explains(segment); }));
    return explained_for_each_other * others <= m_segments.size();
}

/// What a call alone made is known; the rest is as usual.
void JobsPerCall::start_over()
{
    for (Name& name : m_names) {
        name.jobs = name.alone.value_or(usual_jobs(name.role));
    }
}

/// The only set with so many names (one or two) that differ from what is usual.
std::optional<std::vector<JobsPerCall::Deviation>> JobsPerCall::find_only(std::size_t deviations)
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
        for (std::size_t name = first; name < m_names.size() && !is_several; ++name) {
            Name& tried_name = m_names[name];
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

bool JobsPerCall::solve()
{
    start_over();
    if (explains_all()) {
        return true;
    }
    for (const std::size_t deviations : {std::size_t{1}, std::size_t{2}}) {
        const auto found = find_only(deviations);
        if (found) {
            for (const Deviation& deviation : *found) {
                m_names[deviation.name].jobs = deviation.jobs;
            }
            return true;
        }
    }
    start_over();
    return false;
}

void JobsPerCall::note_taking(Taking taking)
{
    m_took_all += taking == Taking::All ? 1 : 0;
    m_left_some += taking == Taking::NotAll ? 1 : 0;
}

bool JobsPerCall::takes_all() const
{
    return m_took_all >= least_taken && has_merged() && !has_split() &&
           explained_for_each_other * m_left_some <= m_took_all;
}

void JobsPerCall::learn(std::span<const SubmitCall> calls, std::size_t jobs, bool is_whole)
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
    m_merged += jobs < least ? 1 : 0;
    m_split += jobs > calls.size() ? 1 : 0;
    if (!is_whole) {
        return;
    }
    Name& first = m_names[*name_of(calls.front())];
    if (calls.size() == 1 && jobs > 0 && jobs <= most_jobs_of_call && !first.alone) {
        first.alone = static_cast<unsigned>(jobs);
        m_is_solved = m_is_solved && first.jobs == jobs;
    }
    if (std::ranges::find(m_segments, segment) == m_segments.end()) {
        if (m_segments.size() == most_segments) {
            m_segments.pop_front();
        }
        m_segments.push_back(segment);
    }
    if (m_is_solved && explains(segment)) {
        ++m_explained;
        m_explained_jobs += jobs;
        return;
    }
    if (m_is_solved && explained_for_each_other * (m_unexplained + 1) <= m_explained) {
        ++m_unexplained;
        return;
    }
    m_is_solved = solve();
    m_explained = m_explained_jobs = m_unexplained = 0;
    for (const Segment& known : m_segments) {
        const bool is_explained = m_is_solved && explains(known);
        m_explained += is_explained ? 1 : 0;
        m_explained_jobs += is_explained ? known.jobs : 0;
        m_unexplained += is_explained ? 0 : 1;
    }
}

} // namespace lttng_gpu::model
