// SPDX-License-Identifier: MIT
//
// Notices that a daemon of LTTng has died. LTTng tells nobody: a session whose consumer daemon is
// gone still looks active, its buffers fill, and programs that wait for room stand still.
#pragma once

#include "descriptor.hpp"
#include "notes.hpp"

#include <set>
#include <string>
#include <vector>

namespace lttng_gpu::record {

class DaemonWatch {
public:
    /// Of the session daemon that record talks to and its consumer daemons, which run now. Where
    /// they cannot be found, nothing is watched.
    static DaemonWatch begin(const Notes& notes);

    /// Why nothing more is recorded; empty: all of them run.
    std::string find_death() const;

private:
    struct Daemon {
        std::string name;
        int pid = 0;
        Descriptor process;
    };

    void add(int pid);

    std::vector<Daemon> x_daemons;
    std::set<unsigned> x_cpus; // online when it began
};

} // namespace lttng_gpu::record
