// SPDX-License-Identifier: MIT
//
// Calls that wait and say for which commands: for those of a queue up to a number, or for a list.
// Such a wait is told when all of these are done, with the one that ended last: that is what the
// thread waited for.
#pragma once

#include "api_objects.hpp"
#include "row_merge.hpp"

namespace lttng_gpu::model {

/// What the event of a wait says.
struct AwaitedCommands {
    std::uint64_t queue = 0;  // by its handle: its commands up to `newest`; 0: those of the list
    std::uint64_t newest = 0; // the greatest number that was given before the call
    std::vector<std::uint64_t> listed;
};

/// Of some commands that are done, the one that ended last.
struct LastEnded {
    Known<RingId> ring;
    FenceId fence;
    KnownTime completed;
    std::uint64_t number = 0; // 0: there is none

    /// Where an end is not known, the one that was enqueued later counts.
    void take(const Job& job, std::uint64_t of_number);
};

/// The commands of a queue.
struct QueueEnds {
    std::uint64_t open = 0;
    LastEnded last; // of those that are done
};

struct NamedWait {
    Wait wait;
    const ApiObjects* process = nullptr; // tells processes apart
    unsigned queue = 0;                  // by its number in the process; 0: `listed` counts
    std::uint64_t newest = 0;
    std::vector<std::uint64_t> listed; // those that are open
    std::uint64_t left = 0;            // that are open
    LastEnded last;

    bool is_for(const ApiObjects& objects, unsigned of_queue, std::uint64_t command) const;
};

class NamedWaits {
public:
    explicit NamedWaits(RowMerge& rows) : m_rows{rows} {}

    void add(NamedWait wait);
    /// A command is done.
    void on_done(const ApiObjects& process, unsigned queue, std::uint64_t command, const Job& job)
    {
        if (!m_waits.empty()) {
            note_done(process, queue, command, job);
        }
    }
    /// Nothing will be done any more.
    void finish();

private:
    /// Their commands' times come right after the call, as a rule.
    static constexpr std::size_t most_waits = 256;

    void note_done(const ApiObjects& process, unsigned queue, std::uint64_t command,
                   const Job& job);
    void tell(NamedWait& wait);

    RowMerge& m_rows;
    std::vector<NamedWait> m_waits; // for open commands; oldest first
};

} // namespace lttng_gpu::model
