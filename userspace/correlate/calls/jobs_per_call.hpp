// SPDX-License-Identifier: MIT
//
// How a thread of a driver makes jobs of calls, learned from segments: the calls and the jobs
// between two moments at which it is known to have had nothing left to do. There, numbers are
// facts. If calls of each name always make as many jobs, one set of numbers explains all segments,
// and it says which job is of which call. Nothing is taken for known that a second, equally simple
// set explains as well.
#pragma once

#include "submit_call.hpp"

#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace lttng_gpu::model {

/// Whether a thread of the driver makes one job of all commands that wait when it comes to them.
enum class Taking : std::uint8_t { Unknown, All, NotAll };

class JobsPerCall {
public:
    /// A segment. Of one that is not whole (the first of a trace) only what cannot be explained by
    /// what is missing counts.
    void learn(std::span<const SubmitCall> calls, std::size_t jobs, bool is_whole = true);

    /// Numbers that explain (nearly) all segments are known.
    bool is_regular() const;
    /// Of each call of that name; only if regular. Nothing: the name is new.
    std::optional<unsigned> jobs_of(StringId name) const;
    /// Calls that no segment had are one job each, or none for what is no command.
    unsigned jobs_of(const SubmitCall& call) const;
    /// A segment had fewer jobs than commands, or more than calls.
    bool has_merged() const { return m_merged > 0; }
    bool has_split() const { return m_split > 0; }
    /// Of one more segment.
    void note_taking(Taking taking);
    bool takes_all() const;

private:
    static constexpr std::size_t most_names = 16;
    static constexpr std::size_t most_segments = 64;
    static constexpr unsigned most_jobs_of_call = 4;

    struct Name {
        StringId id;
        SubmitRole role = SubmitRole::Submit;
        std::optional<unsigned> alone; // jobs in segments with only one call, which was of it
        unsigned jobs = 0;             // the solution
    };
    struct Segment {
        std::vector<unsigned> calls; // by name
        std::size_t jobs = 0;

        friend bool operator==(const Segment&, const Segment&) = default;
    };
    struct Deviation {
        std::size_t name = 0;
        unsigned jobs = 0;
    };

    static unsigned usual_jobs(SubmitRole role)
    {
        return role == SubmitRole::Other || role == SubmitRole::May ? 0 : 1;
    }
    static unsigned least_jobs(SubmitRole role) { return role == SubmitRole::Command ? 1 : 0; }
    std::optional<std::size_t> name_of(const SubmitCall& call);
    bool explains(const Segment& segment) const;
    bool explains_all() const;
    void start_over();
    bool solve();
    std::optional<std::vector<Deviation>> find_only(std::size_t deviations);

    std::vector<Name> m_names;
    std::deque<Segment> m_segments; // the latest, each once
    bool m_is_solved = false;
    std::uint64_t m_explained = 0; // segments, by the solution
    std::uint64_t m_explained_jobs = 0;
    std::uint64_t m_unexplained = 0;
    std::uint64_t m_merged = 0;
    std::uint64_t m_split = 0;
    std::uint64_t m_took_all = 0; // segments
    std::uint64_t m_left_some = 0;
};

} // namespace lttng_gpu::model
