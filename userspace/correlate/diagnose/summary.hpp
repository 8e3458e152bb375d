// SPDX-License-Identifier: MIT
//
// Time by reason over all diagnosed jobs: of everything, and of each process on each ring.
// This is what a report shows as the reasons that cost most: Summary::reasons() of total().
#pragma once

#include "../model/process_identity.hpp"
#include "reason.hpp"

#include <map>

namespace lttng_gpu::diagnose {

struct ReasonTotal {
    Reason reason = Reason::Unexplained;
    Gap gap = Gap::None;
    std::uint64_t jobs = 0; // that it delayed
    Duration latency;       // from queued to completed, due to it
    Duration before;        // in which the process had nothing on the device
    Duration as_root;       // of dependencies that come down to it
    Duration worst;         // of one job
};

struct Totals {
    std::uint64_t jobs = 0;
    Duration latency;
    Duration before;
    std::map<std::pair<Reason, Gap>, ReasonTotal> by_reason;

    void add(const Diagnosis& diagnosis);
    /// Those that cost most first.
    std::vector<ReasonTotal> reasons() const;
    /// The mean latency of a job, and what it would be without that reason.
    Duration mean() const;
    Duration mean_without(const ReasonTotal& reason) const;
};

struct GroupKey {
    Known<RingId> ring;
    model::ProcessIdentity process;

    friend auto operator<=>(const GroupKey&, const GroupKey&) = default;
};

struct Group {
    StringId comm;
    Totals totals;
};

class Summary {
public:
    void add(const Diagnosis& diagnosis);

    const Totals& total() const { return x_total; }
    const std::map<GroupKey, Group>& groups() const { return x_groups; }
    /// Jobs of so many more processes and rings are in total() only.
    std::uint64_t ungrouped_jobs() const { return x_ungrouped; }

private:
    static constexpr std::size_t most_groups = 16384;

    Totals x_total;
    std::map<GroupKey, Group> x_groups;
    std::uint64_t x_ungrouped = 0;
};

} // namespace lttng_gpu::diagnose
