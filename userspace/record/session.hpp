// SPDX-License-Identifier: MIT
//
// One LTTng session, as the `lttng` commands that make it. The command line and not
// liblttng-ctl: what --verbose and --dry-run show is what is done, and LTTng 2.13 to 2.16
// accept the same commands.
#pragma once

#include "buffers.hpp"
#include "record_options.hpp"
#include "tool.hpp"

namespace lttng_gpu::record {

/// A channel and what is recorded in it.
struct Channel {
    enum class Side { Kernel, User };

    Side side = Side::Kernel;
    std::string name;
    Buffers buffers;
    std::vector<std::string> events;   // LTTng's patterns
    std::vector<std::string> excluded; // of user space only
    bool is_overwriting = false;
    bool is_blocking = false;          // applications wait for room
    std::vector<std::string> syscalls; // names, of the kernel only
};

struct SessionPlan {
    std::string name;
    std::filesystem::path folder; // absolute
    bool is_flight_recorder = false;
    std::vector<Channel> channels;
    std::filesystem::path shared_buffers; // see shared_buffers.hpp; empty: LTTng's own place

    /// Of the kernel and of one user, on all CPUs.
    std::uint64_t buffer_bytes(std::uint32_t cpus) const;
    /// The largest that LTTng writes at once.
    std::uint64_t packet_bytes() const;
};

/// The session that is recorded.
SessionPlan plan_recording(const RecordOptions& options, const std::string& name,
                           const std::filesystem::path& folder, bool has_kernel,
                           const Memory& memory);
/// The session that is searched for late jobs: a flight recorder of job events only, with small
/// buffers.
SessionPlan plan_watch(const RecordOptions& options, const std::string& name,
                       const std::filesystem::path& folder, bool has_kernel, const Memory& memory);

/// The commands in order; after them the session records.
std::vector<std::vector<std::string>> commands_of(const SessionPlan& plan);

/// Makes and starts it. The user's current session, which `lttng create` changes, is as
/// before afterwards. When it fails, what was made of it is destroyed.
Expected<void> start_session(Tool& tool, const SessionPlan& plan);
/// Everything recorded is written when this returns, unless `goes_on` returned false.
Expected<void> stop_session(Tool& tool, const std::string& name,
                            const std::function<bool()>& goes_on);
/// Waits until everything is written, unless that is `settled`.
Expected<void> destroy_session(Tool& tool, const std::string& name, bool is_settled = false);

} // namespace lttng_gpu::record
