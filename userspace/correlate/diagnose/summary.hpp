// SPDX-License-Identifier: MIT
//
// Time by reason over all jobs that a report counts: of everything, and of each process on each
// ring. Reasons have the parts that lie inside of the window; mean latencies are of whole jobs. A
// job of which an event is missing has no reasons: it is counted, by what is unknown of it.
// This is what a report shows as the reasons that cost most: Summary::reasons() of total().
#pragma once

#include "../system/process_identity.hpp"
#include "reason.hpp"

#include <map>
#include <unordered_map>
#include <vector>

namespace lttng_gpu::diagnose {

struct ReasonTotal {
    Reason reason = Reason::Unexplained;
    Gap gap = Gap::None;
    std::uint64_t jobs = 0; // that it delayed
    Duration time;          // from queued to completed, due to it
    Duration before;        // in which the process had nothing on the device
    Duration as_root;       // of dependencies that come down to it
    Duration worst;         // of one job
    Duration of_ended;      // of `latency` of the totals
};

/// Jobs without reasons, by the first that is unknown of them.
struct LeftOut {
    std::uint64_t no_queue = 0;
    std::uint64_t no_submit = 0;
    std::uint64_t no_complete = 0;
    std::uint64_t no_times = 0;

    std::uint64_t all() const { return no_queue + no_submit + no_complete + no_times; }
};

struct Totals {
    std::uint64_t jobs = 0; // of which the reasons are
    Duration time;          // from queued to completed, inside of the window
    Duration before;
    std::uint64_t ended = 0; // jobs of which the whole latency is known
    Duration latency;        // of these
    LeftOut left_out;
    std::vector<ReasonTotal> by_reason; // in order of reason and gap

    /// Of a job, or of all executions of one that was preempted; the last decides if it counts.
    void add(const std::vector<const Diagnosis*>& intervals);
    void add(const Totals& other);
    /// Null: no time is due to it.
    const ReasonTotal* find(Reason reason, Gap gap) const;
    /// Those that cost most first.
    std::vector<ReasonTotal> reasons() const;
    /// The mean latency of a job that ended, and what it would be without that reason.
    Duration mean() const;
    Duration mean_without(const ReasonTotal& reason) const;

private:
    ReasonTotal& total_of(Reason reason, Gap gap);
    void add_inside(const Part& part);
    void add_worst(const std::vector<const Diagnosis*>& intervals);
    void leave_out(const model::Job& job);
};

struct GroupKey {
    Known<RingId> ring;
    model::ProcessIdentity process;

    friend auto operator<=>(const GroupKey&, const GroupKey&) = default;
    struct Hash {
        std::size_t operator()(const GroupKey& key) const;
    };
};

struct Group {
    StringId comm;
    Totals totals;
};

class Summary {
public:
    void add(const Diagnosis& diagnosis);

    Totals total() const;
    const std::map<GroupKey, Group>& groups() const { return m_groups; }
    /// Jobs of so many more processes and rings are in total() only.
    std::uint64_t ungrouped_jobs() const { return m_ungrouped; }

private:
    static constexpr std::size_t most_groups = 16384;
    static constexpr std::size_t most_preempted = 4096;

    struct JobKey {
        Known<RingId> ring;
        Known<FenceContext> context;
        Known<FenceSeqno> seqno;

        friend auto operator<=>(const JobKey&, const JobKey&) = default;
    };

    void add_job(const std::vector<const Diagnosis*>& intervals);
    Group* group_of(const model::Job& job);

    std::map<GroupKey, Group> m_groups;
    std::unordered_map<GroupKey, Group*, GroupKey::Hash> m_places; // of m_groups
    Totals m_of_no_group;
    std::uint64_t m_ungrouped = 0;
    std::map<JobKey, std::vector<Diagnosis>> m_preempted; // that have not ended yet
};

} // namespace lttng_gpu::diagnose
