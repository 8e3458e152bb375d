// SPDX-License-Identifier: MIT
//
// See session.hpp.
#include "session.hpp"

#include "../correlate/base/gpu_drivers.hpp"
#include "descriptor.hpp"
#include "lttng_home.hpp"
#include "root_folder.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <optional>
#include <sstream>
#include <unistd.h>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

using Words = std::vector<std::string>;

// Patterns and not names, because an event of a driver that is not there would be an error.
// Only what jobs are made of: a driver's events of buffers and page tables come by --events.
// Frequencies are few, and beside jobs they say why one took longer.
const Words kernel_job_events = [] {
    Words events = gpu_job_events();
    events.push_back("intel_gpu_freq_*");
    return events;
}();
// What late jobs are found without.
const Words calls_and_objects{"*:call", "*:call_begin", "*:object_*"};

// A program waits for room in a buffer no longer than that, for each event. It is the last resort:
// a recording whose buffers nobody reads is ended, see Recording::end_if_broken().
constexpr std::chrono::microseconds most_blocking{std::chrono::seconds{5}};

/// Every API layer's provider begins so.
Words user_job_events(const RecordOptions& options)
{
    Words events;
    for (const std::string& api : options.apis) {
        events.push_back("lttng_gpu_" + api + ":*");
    }
    if (!events.empty() && !options.device.kernels.empty()) {
        events.emplace_back("lttng_gpu_devicetrace:*");
    }
    return events.empty() ? Words{"lttng_gpu_*"} : events;
}

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
            create.push_back(fmt::format("--blocking-timeout={}", most_blocking.count()));
        }
    }
    create.push_back(channel.name);
    commands.push_back(std::move(create));
    if (!channel.events.empty()) {
        Words events = lttng({"enable-event", domain, session, of_channel, joined(channel.events)});
        if (!channel.excluded.empty()) {
            events.push_back("--exclude=" + joined(channel.excluded));
        }
        commands.push_back(std::move(events));
    }
    if (!channel.syscalls.empty()) {
        commands.push_back(lttng(
            {"enable-event", domain, session, of_channel, "--syscall", joined(channel.syscalls)}));
    }
    // A thread's numbers in its own pid namespace are all that both sides know.
    Words contexts = lttng({"add-context", domain, session, of_channel, "--type=vpid",
                            "--type=vtid", "--type=pid_ns", "--type=procname"});
    if (is_kernel) {
        contexts.insert(contexts.end(), {"--type=pid", "--type=tid"});
    }
    commands.push_back(std::move(contexts));
}

/// $LTTNG_HOME/.lttngrc names the session that the user's `lttng` commands are for.
class CurrentSession {
public:
    CurrentSession() : m_path{lttng_home() / ".lttngrc"}, m_text{content_of(m_path)}
    {
        std::error_code error;
        m_is_known = m_text || fs::symlink_status(m_path, error).type() == fs::file_type::not_found;
    }
    CurrentSession(const CurrentSession&) = delete;
    CurrentSession& operator=(const CurrentSession&) = delete;
    ~CurrentSession()
    {
        std::error_code ignored;
        if (!m_is_known || content_of(m_path) == m_text) {
            return;
        }
        if (!m_text) {
            fs::remove(m_path, ignored);
            return;
        }
        // LTTng writes it anew, too. A copy takes its place, so that there is no moment when a
        // reader, or one who kills us, finds half of it.
        fs::path target = fs::canonical(m_path, ignored);
        target = target.empty() ? m_path : target;
        std::string copy = target.string() + "-XXXXXX";
        const Descriptor file{mkostemp(copy.data(), O_CLOEXEC)};
        const auto mode = fs::status(target, ignored).permissions();
        if (!file || write(file.get(), m_text->data(), m_text->size()) !=
                         static_cast<ssize_t>(m_text->size())) {
            fs::remove(copy, ignored);
            return;
        }
        fs::permissions(copy, mode, ignored);
        fs::rename(copy, target, ignored);
    }

private:
    static std::optional<std::string> content_of(const fs::path& path)
    {
        std::ifstream file{path, std::ios::binary};
        if (!file) {
            return {};
        }
        return std::string{std::istreambuf_iterator<char>{file}, {}};
    }

    fs::path m_path;
    std::optional<std::string> m_text; // empty: there is none
    bool m_is_known = false;           // else it stays as it becomes
};

/// A program that was killed while it wrote can leave a count below zero, which LTTng shows as one
/// of 2^63 and more. Nothing discards so many.
bool is_damaged_count(const std::string& text)
{
    constexpr std::uint64_t most = 1'000'000'000'000'000;
    return std::strtoull(text.c_str(), nullptr, 10) > most;
}

/// Not to be missed where no report says it. That a flight recorder overwrote packets, which LTTng
/// warns of, too, is what it is for.
void tell_discarded(Tool& tool, const Finished& finished)
{
    std::istringstream lines{finished.output + finished.errors};
    for (std::string line; std::getline(lines, line);) {
        if (const auto at = line.find("Warning: ");
            at != std::string::npos && line.find("discarded", at) != std::string::npos) {
            const std::string text = line.substr(at + std::strlen("Warning: "));
            tool.narrator().note(is_damaged_count(text)
                                     ? "lttng: events were discarded; its count of them is damaged"
                                     : "lttng: " + text);
        }
    }
}

} // namespace

SessionPlan plan_recording(const RecordOptions& options, const std::string& name,
                           const fs::path& folder, bool has_kernel, const Memory& memory)
{
    const bool is_flight = options.is_flight_recorder;
    const Buffers buffers = is_flight ? flight_recorder_buffers(memory, options.buffer_bytes)
                                      : streaming_buffers(memory, options.buffer_bytes);
    SessionPlan plan{name, folder, is_flight, {}, {}};
    const auto add = [&](Channel::Side side, const char* channel, const Words& events) {
        const bool is_blocking = options.is_without_loss && side == Channel::Side::User;
        plan.channels.push_back({side, channel, buffers, events, {}, is_flight, is_blocking, {}});
    };
    // What was asked for beside job events has a channel of its own, so that it neither
    // crowds them out nor makes the flight recorder forget them sooner.
    if (has_kernel) {
        add(Channel::Side::Kernel, "gpu", kernel_job_events);
        if (!options.events.more_kernel.empty() || !options.events.syscalls.empty()) {
            add(Channel::Side::Kernel, "more", options.events.more_kernel);
            plan.channels.back().syscalls = options.events.syscalls;
        }
    }
    if (options.events.has_user) {
        add(Channel::Side::User, "gpu", user_job_events(options));
        if (!options.events.more_user.empty()) {
            add(Channel::Side::User, "more", options.events.more_user);
        }
    }
    return plan;
}

SessionPlan plan_watch(const RecordOptions& options, const std::string& name,
                       const fs::path& folder, bool has_kernel, const Memory& memory)
{
    SessionPlan plan{name, folder, true, {}, {}};
    const Buffers buffers = watch_buffers(memory);
    if (has_kernel) {
        plan.channels.push_back(
            {Channel::Side::Kernel, "watch", buffers, kernel_job_events, {}, true, false, {}});
    }
    if (options.events.has_user) {
        plan.channels.push_back({Channel::Side::User,
                                 "watch",
                                 buffers,
                                 user_job_events(options),
                                 calls_and_objects,
                                 true,
                                 false,
                                 {}});
    }
    return plan;
}

std::uint64_t SessionPlan::buffer_bytes(std::uint32_t cpus) const
{
    std::uint64_t bytes = 0;
    for (const Channel& channel : channels) {
        bytes += channel.buffers.bytes() * cpus;
    }
    return bytes;
}

std::uint64_t SessionPlan::packet_bytes() const
{
    std::uint64_t bytes = 0;
    for (const Channel& channel : channels) {
        bytes = std::max(bytes, channel.buffers.subbuffer_bytes);
    }
    return bytes;
}

std::vector<Words> commands_of(const SessionPlan& plan)
{
    // LTTng makes the name at the end of links of --output, and of a descriptor's, when it creates
    // the session, and opens that when it starts it. A URL stays as it is.
    const std::string output = is_place(plan.folder) ? "--set-url=file://" : "--output=";
    std::vector<Words> commands{lttng({"create", plan.name, output + plan.folder.string()})};
    if (plan.is_flight_recorder) {
        commands[0].emplace_back("--snapshot");
    }
    if (!plan.shared_buffers.empty()) {
        commands[0].push_back("--shm-path=" + plan.shared_buffers.string());
    }
    for (const Channel& channel : plan.channels) {
        add_channel(commands, plan, channel);
    }
    commands.push_back(lttng({"start", plan.name}));
    return commands;
}

/// Probes attach to drivers a moment after LTTng has enabled their events (modules/base/tap.h).
/// Reading this waits for it.
void wait_for_probes()
{
    std::ifstream{"/sys/module/lttng_gpu_base/parameters/settled"}.get();
}

Expected<void> start_session(Tool& tool, const SessionPlan& plan)
{
    std::optional<CurrentSession> current;
    if (!tool.narrator().is_dry_run()) {
        current.emplace();
    }
    bool is_created = false; // else the name may be that of a session of somebody else
    for (const Words& words : commands_of(plan)) {
        if (const auto finished = tool.must(words); !finished) {
            if (is_created) {
                (void)destroy_session(tool, plan.name);
            }
            return Failure{finished.error()};
        }
        is_created = true;
    }
    if (!tool.narrator().is_dry_run()) {
        wait_for_probes();
    }
    return {};
}

Expected<void> stop_session(Tool& tool, const std::string& name,
                            const std::function<bool()>& goes_on)
{
    const auto stopped = tool.must_while(lttng({"stop", name}), goes_on);
    if (stopped) {
        tell_discarded(tool, *stopped);
        return {};
    }
    // An earlier attempt to end it may have come so far.
    const bool was_stopped = stopped.error().message.find("already stopped") != std::string::npos;
    return was_stopped ? Expected<void>{} : Failure{stopped.error()};
}

Expected<void> destroy_session(Tool& tool, const std::string& name, bool is_settled)
{
    Words words = lttng({"destroy", name});
    if (is_settled) {
        words.emplace_back("--no-wait");
    }
    const auto destroyed = tool.must(words);
    if (!destroyed) {
        return Failure{destroyed.error()};
    }
    tell_discarded(tool, *destroyed);
    return {};
}

} // namespace lttng_gpu::record
