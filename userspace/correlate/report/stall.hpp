// SPDX-License-Identifier: MIT
//
// What stands still at the end of the window: of each ring, the job that has been there longest
// without an end, and those that are there behind it.
#pragma once

#include "../jobs/job.hpp"
#include "../system/process_identity.hpp"

#include <optional>
#include <string>
#include <vector>

namespace lttng_gpu::report {

/// One of the processes whose jobs are behind it.
struct StalledProcess {
    std::optional<Pid> pid;
    std::optional<Tid> tid; // only where `pid` is unknown
    std::string comm;
    std::uint64_t jobs = 0;
};

struct Stall {
    Known<FenceContext> context;
    Known<FenceSeqno> seqno;
    std::optional<Pid> pid;
    std::optional<Tid> tid; // only where `pid` is unknown
    std::string comm;
    bool is_on_device = false; // else it is in the host queue
    Timestamp since;           // it is there
    std::int64_t length = 0;   // until the end of the window
    bool is_longest = false;   // no job of the ring that left it was there for so long
    std::uint64_t behind = 0;  // jobs of the ring that came later and have not ended either
    std::vector<StalledProcess> behind_by; // most jobs first
};

/// Of one ring, while jobs come.
class StallTally {
public:
    void add(const model::Job& job);
    template <typename TextOf>
    std::optional<Stall> finish(Timestamp end, const TextOf& text_of) const
    {
        const Open* const oldest = find_oldest(end);
        return oldest != nullptr ? std::optional{make(*oldest, end, text_of)} : std::nullopt;
    }

private:
    struct Open {
        model::FenceId fence;
        model::Actor actor;
        Timestamp since;
        bool is_on_device = false;
    };
    struct Behind {
        model::Actor actor;
        std::uint64_t jobs = 0;
    };

    /// Null: nothing was there at `end`.
    const Open* find_oldest(Timestamp end) const;
    bool is_longest(const Open& open, Timestamp end) const;
    std::vector<Behind> find_behind(const Open& oldest, Timestamp end) const;

    template <typename TextOf>
    Stall make(const Open& open, Timestamp end, const TextOf& text_of) const
    {
        const auto text = [&](StringId id) { return std::string{text_of(id)}; };
        Stall stall;
        stall.context = open.fence.context;
        stall.seqno = open.fence.seqno;
        stall.pid = open.actor.pid;
        stall.tid = model::thread_without_pid(open.actor);
        stall.comm = text(open.actor.comm);
        stall.is_on_device = open.is_on_device;
        stall.since = open.since;
        stall.length = (end - open.since).value();
        stall.is_longest = is_longest(open, end);
        for (const Behind& behind : find_behind(open, end)) {
            stall.behind += behind.jobs;
            stall.behind_by.push_back({behind.actor.pid, model::thread_without_pid(behind.actor),
                                       text(behind.actor.comm), behind.jobs});
        }
        return stall;
    }

    std::vector<Open> m_open; // at the end of the trace
    Duration m_longest_in_host;
    Duration m_longest_on_device;
};

} // namespace lttng_gpu::report
