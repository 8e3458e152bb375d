// SPDX-License-Identifier: MIT
//
// Wait lists of commands. A dependency is told when both commands are done: the one that waits, and
// the one that it waits for. How many wait at a time is bounded; more are counted and dropped.
#pragma once

#include "../base/anomaly.hpp"
#include "device_clocks.hpp"
#include "row_merge.hpp"

#include <map>
#include <utility>
#include <vector>

namespace lttng_gpu::model {

class CommandDependencies {
public:
    /// Commands are numbered in each process.
    using Key = std::pair<ApiProcess, std::uint64_t>;

    CommandDependencies(RowMerge& rows, AnomalyCounters& anomalies)
        : m_rows{rows}, m_anomalies{anomalies}
    {
    }

    /// On a command that is done. `until` of a dependency is when the waiting job started, if that
    /// is known, here and below.
    void tell(Dependency dependency, const Job& producer);
    /// On one of which nothing is known.
    void tell_unended(Dependency dependency);
    /// On one that is open.
    void await(const Key& producer, const Dependency& dependency);
    /// All that waited for it are told.
    void on_done(const Key& producer, const Job& job);
    /// Nothing will be done any more.
    void finish();

private:
    static constexpr std::size_t most_waiters = 65536;

    RowMerge& m_rows;
    AnomalyCounters& m_anomalies;
    std::map<Key, std::vector<Dependency>> m_waiters; // for open commands
    std::size_t m_count = 0;                          // of all of these
};

} // namespace lttng_gpu::model
