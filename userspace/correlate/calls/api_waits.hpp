// SPDX-License-Identifier: MIT
//
// Calls that do nothing but wait for commands, and do not say for which (older recordings: see
// named_waits.hpp). The layer
// reads the times of these commands before its thread goes on: a wait is told when the thread does
// something else.
#pragma once

#include "api_objects.hpp"
#include "device_clocks.hpp"
#include "row_merge.hpp"
#include "thread_of_space.hpp"

#include <map>

namespace lttng_gpu::model {

class ApiWaits {
public:
    ApiWaits(RowMerge& rows, const DeviceClocks& clocks) : m_rows{rows}, m_clocks{clocks} {}

    /// `objects` are those of its process, and must outlive this.
    void add(const ThreadOfSpace& thread, const Wait& wait, const ApiObjects& objects);
    /// The thread learned of the end of a command that was enqueued at `begin`.
    void note_end(const ThreadOfSpace& thread, std::optional<Timestamp> begin, const Job& job);
    /// What the thread waited for is known, or will not be.
    void settle(const ThreadOfSpace& thread);
    void finish();

private:
    static constexpr std::size_t most_waits = 4096;

    struct ApiWait {
        Wait wait;
        const ApiObjects* objects;
    };

    RowMerge& m_rows;
    const DeviceClocks& m_clocks;
    std::map<ThreadOfSpace, ApiWait> m_waits; // whose commands are not known yet
};

} // namespace lttng_gpu::model
