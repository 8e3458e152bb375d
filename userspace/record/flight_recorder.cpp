// SPDX-License-Identifier: MIT
//
// See flight_recorder.hpp.
#include "flight_recorder.hpp"

#include "disk_space.hpp"
#include "record_options.hpp"

#include <algorithm>
#include <ctime>
#include <fmt/format.h>

namespace lttng_gpu::record {
namespace {

/// On the clock of the trace's times, if the clock was not set meanwhile.
Timestamp now()
{
    timespec time{};
    clock_gettime(CLOCK_REALTIME, &time);
    return Timestamp{std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec};
}

std::string describe(const LateJob& job)
{
    return fmt::format("a job of {} ({}) on {} {} {} in the host queue",
                       job.comm.empty() ? "an unknown process" : job.comm, job.identity.pid,
                       job.identity.ring, job.submitted ? "waited" : "has waited for",
                       duration_text(job.waited));
}

} // namespace

void FlightRecorder::take_on_request()
{
    if (const Snapshot* snapshot = take_if_not_full("request", "asked for by SIGUSR1")) {
        m_tool.narrator().note(fmt::format("snapshot {}: {}", snapshot->name, snapshot->reason));
    }
}

void FlightRecorder::take_at_exit()
{
    if (const Snapshot* snapshot = take("exit", "the command has ended")) {
        m_tool.narrator().note(fmt::format("snapshot {}: {}", snapshot->name, snapshot->reason));
    }
}

void FlightRecorder::take_for(const std::vector<LateJob>& late, Duration limit)
{
    const LateJob& first = late.front();
    std::string reason = describe(first);
    if (late.size() > 1) {
        reason += fmt::format(", and {} more", late.size() - 1);
    }
    const Snapshot* snapshot = take_if_not_full("late", reason);
    if (snapshot == nullptr) {
        return;
    }
    const Duration delay = now() - first.submitted.value_or(first.queued + first.waited);
    std::string reach;
    if (const auto held = find_late_jobs(snapshot->folder, limit); !held) {
        reach = "; it cannot be read: " + held.error().message;
    } else if (std::none_of(held->jobs.begin(), held->jobs.end(),
                            [&](const LateJob& job) { return job.identity == first.identity; })) {
        reach = "; it does not include that job: use larger --buffers";
    }
    m_tool.narrator().note(fmt::format("snapshot {}: {}; complete {} later{}", snapshot->name,
                                       reason, duration_text(delay), reach));
}

const Snapshot* FlightRecorder::take_if_not_full(const std::string& why, const std::string& reason)
{
    if (m_snapshots.size() >= m_most) {
        if (!m_has_reported_full) {
            m_tool.narrator().note(fmt::format(
                "no more snapshots after {} (--max-snapshots); not taken: {}", m_most, reason));
            m_has_reported_full = true;
        }
        return nullptr;
    }
    return take(why, reason);
}

const Snapshot* FlightRecorder::take(const std::string& why, const std::string& reason)
{
    const std::string name = fmt::format("{}-{}", why, m_snapshots.size() + 1);
    const auto taken = m_tool.must({"lttng", "--no-sessiond", "snapshot", "record",
                                    "--session=" + m_session, "--name=" + name});
    if (!taken) {
        ++m_failures;
        const std::string shortage = shortage_of(m_folder);
        m_tool.narrator().note(taken.error().message + (shortage.empty() ? "" : "; " + shortage));
        return nullptr;
    }
    m_snapshots.push_back({name, settle(name), reason});
    return &m_snapshots.back();
}

/// LTTng adds date, time and a number to the name. Where the snapshot is then.
std::filesystem::path FlightRecorder::settle(const std::string& name)
{
    auto wanted = m_folder / name;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator{m_folder, ignored}) {
        if (!entry.path().filename().string().starts_with(name + "-")) {
            continue;
        }
        std::error_code error;
        std::filesystem::rename(entry.path(), wanted, error);
        if (error) {
            m_tool.narrator().note(fmt::format("cannot rename {} to {}: {}", entry.path().string(),
                                               name, error.message()));
            return entry.path();
        }
    }
    return wanted;
}

} // namespace lttng_gpu::record
