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
    std::string find_death();
    /// After that: the session daemon's, when another's was found. One that is killed may hold its
    /// threads and sockets for seconds, in which its consumer daemons end. Empty: it runs.
    std::string find_later_death() const;

private:
    struct Daemon {
        std::string name;
        int pid = 0;
        Descriptor process;
        bool is_told = false;
    };

    void add(int pid);
    static bool has_died(const Daemon& daemon);
    static std::string text_of(const Daemon& daemon);

    std::vector<Daemon> m_daemons; // the session daemon first
    std::set<unsigned> m_cpus;     // online when it began
};

} // namespace lttng_gpu::record
