// SPDX-License-Identifier: MIT
//
// See session.hpp.
#include "session.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

using Words = std::vector<std::string>;

// Patterns and not names, because an event of a driver that is not there would be an error.
// Only what jobs are made of: a driver's events of buffers and page tables come by --events.
const Words kernel_job_events{
    "drm_sched_*",           "drm_run_job*", "virtio_gpu_*",   "gpu_fence_*",    "amdgpu_cs*",
    "amdgpu_sched_run_job*", "amdgpu_ib_*",  "i915_request_*", "xe_sched_job_*", "xe_hw_fence_*"};
// Every API layer's provider begins so.
const Words user_job_events{"lttng_gpu_*"};
// What late jobs are found without.
const Words calls_and_objects{"*:call", "*:call_begin", "*:object_*"};

std::string joined(const Words& words)
{
    return fmt::format("{}", fmt::join(words, ","));
}

Words lttng(std::initializer_list<std::string> words)
{
    Words all{"lttng", "--no-sessiond"};
    all.insert(all.end(), words.begin(), words.end());
    return all;
}

void add_channel(std::vector<Words>& commands, const SessionPlan& plan, const Channel& channel)
{
    const bool is_kernel = channel.side == Channel::Side::Kernel;
    const std::string domain = is_kernel ? "--kernel" : "--userspace";
    const std::string session = "--session=" + plan.name;
    const std::string of_channel = "--channel=" + channel.name;
    Words create = lttng({"enable-channel", domain, session,
                          fmt::format("--subbuf-size={}", channel.buffers.subbuffer_bytes),
                          fmt::format("--num-subbuf={}", channel.buffers.subbuffers),
                          channel.is_overwriting ? "--overwrite" : "--discard"});
    if (plan.is_flight_recorder) {
        create.emplace_back("--output=mmap");
    }
    if (!is_kernel) {
        // One set of buffers for all processes of a user: it outlives those that end early.
        create.emplace_back("--buffers-uid");
        if (channel.is_blocking) {
            create.emplace_back("--blocking-timeout=inf");
        }
    }
    create.push_back(channel.name);
    commands.push_back(std::move(create));
    Words events = lttng({"enable-event", domain, session, of_channel, joined(channel.events)});
    if (!channel.excluded.empty()) {
        events.push_back("--exclude=" + joined(channel.excluded));
    }
    commands.push_back(std::move(events));
    commands.push_back(is_kernel ? lttng({"add-context", domain, session, of_channel, "--type=pid",
                                          "--type=tid", "--type=procname"})
                                 : lttng({"add-context", domain, session, of_channel, "--type=vpid",
                                          "--type=vtid", "--type=procname"}));
}

/// $LTTNG_HOME/.lttngrc names the session that the user's `lttng` commands are for.
class CurrentSession {
public:
    CurrentSession()
    {
        const char* home = std::getenv("LTTNG_HOME");
        home = home != nullptr ? home : std::getenv("HOME");
        if (home != nullptr) {
            x_path = fs::path{home} / ".lttngrc";
            std::ifstream file{x_path, std::ios::binary};
            x_is_there = static_cast<bool>(file);
            x_text.assign(std::istreambuf_iterator<char>{file}, {});
        }
    }
    CurrentSession(const CurrentSession&) = delete;
    CurrentSession& operator=(const CurrentSession&) = delete;
    ~CurrentSession()
    {
        std::error_code ignored;
        if (x_is_there) {
            std::ofstream{x_path, std::ios::binary | std::ios::trunc} << x_text;
        } else if (!x_path.empty()) {
            fs::remove(x_path, ignored);
        }
    }

private:
    fs::path x_path;
    bool x_is_there = false;
    std::string x_text;
};

} // namespace

SessionPlan plan_recording(const RecordOptions& options, const std::string& name,
                           const fs::path& folder, bool has_kernel, const Memory& memory)
{
    const bool is_flight = options.is_flight_recorder;
    const Buffers buffers = is_flight ? flight_recorder_buffers(memory, options.buffer_bytes)
                                      : streaming_buffers(memory, options.buffer_bytes);
    SessionPlan plan{name, folder, is_flight, {}};
    const auto add = [&](Channel::Side side, const char* channel, const Words& events) {
        const bool is_blocking = options.is_without_loss && side == Channel::Side::User;
        plan.channels.push_back({side, channel, buffers, events, {}, is_flight, is_blocking});
    };
    // What was asked for beside job events has a channel of its own, so that it neither
    // crowds them out nor makes the flight recorder forget them sooner.
    if (has_kernel) {
        add(Channel::Side::Kernel, "gpu", kernel_job_events);
        if (!options.events.more_kernel.empty()) {
            add(Channel::Side::Kernel, "more", options.events.more_kernel);
        }
    }
    if (options.events.has_user) {
        add(Channel::Side::User, "gpu", user_job_events);
        if (!options.events.more_user.empty()) {
            add(Channel::Side::User, "more", options.events.more_user);
        }
    }
    return plan;
}

SessionPlan plan_watch(const RecordOptions& options, const std::string& name,
                       const fs::path& folder, bool has_kernel, const Memory& memory)
{
    SessionPlan plan{name, folder, true, {}};
    const Buffers buffers = watch_buffers(memory);
    if (has_kernel) {
        plan.channels.push_back(
            {Channel::Side::Kernel, "watch", buffers, kernel_job_events, {}, true, false});
    }
    if (options.events.has_user) {
        plan.channels.push_back({Channel::Side::User, "watch", buffers, user_job_events,
                                 calls_and_objects, true, false});
    }
    return plan;
}

std::vector<Words> commands_of(const SessionPlan& plan)
{
    std::vector<Words> commands{lttng({"create", plan.name, "--output=" + plan.folder.string()})};
    if (plan.is_flight_recorder) {
        commands[0].emplace_back("--snapshot");
    }
    for (const Channel& channel : plan.channels) {
        add_channel(commands, plan, channel);
    }
    commands.push_back(lttng({"start", plan.name}));
    return commands;
}

Expected<void> start_session(Tool& tool, const SessionPlan& plan)
{
    const CurrentSession current;
    for (const Words& words : commands_of(plan)) {
        if (const auto finished = tool.must(words); !finished) {
            (void)destroy_session(tool, plan.name);
            return Failure{finished.error()};
        }
    }
    return {};
}

Expected<void> destroy_session(Tool& tool, const std::string& name)
{
    if (const auto destroyed = tool.must(lttng({"destroy", name})); !destroyed) {
        return Failure{destroyed.error()};
    }
    return {};
}

} // namespace lttng_gpu::record
