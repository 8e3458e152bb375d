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
        x_tool.narrator().note(fmt::format("snapshot {}: {}", snapshot->name, snapshot->reason));
    }
}

void FlightRecorder::take_at_exit()
{
    if (const Snapshot* snapshot = take("exit", "the command has ended")) {
        x_tool.narrator().note(fmt::format("snapshot {}: {}", snapshot->name, snapshot->reason));
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
    x_tool.narrator().note(fmt::format("snapshot {}: {}; complete {} later{}", snapshot->name,
                                       reason, duration_text(delay), reach));
}

const Snapshot* FlightRecorder::take_if_not_full(const std::string& why, const std::string& reason)
{
    if (x_snapshots.size() >= x_most) {
        if (!x_has_reported_full) {
            x_tool.narrator().note(fmt::format(
                "no more snapshots after {} (--max-snapshots); not taken: {}", x_most, reason));
            x_has_reported_full = true;
        }
        return nullptr;
    }
    return take(why, reason);
}

const Snapshot* FlightRecorder::take(const std::string& why, const std::string& reason)
{
    const std::string name = fmt::format("{}-{}", why, x_snapshots.size() + 1);
    const auto taken = x_tool.must({"lttng", "--no-sessiond", "snapshot", "record",
                                    "--session=" + x_session, "--name=" + name});
    if (!taken) {
        ++x_failures;
        const std::string shortage = shortage_of(x_folder);
        x_tool.narrator().note(taken.error().message + (shortage.empty() ? "" : "; " + shortage));
        return nullptr;
    }
    x_snapshots.push_back({name, settle(name), reason});
    return &x_snapshots.back();
}

/// LTTng adds date, time and a number to the name. Where the snapshot is then.
std::filesystem::path FlightRecorder::settle(const std::string& name)
{
    auto wanted = x_folder / name;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator{x_folder, ignored}) {
        if (!entry.path().filename().string().starts_with(name + "-")) {
            continue;
        }
        std::error_code error;
        std::filesystem::rename(entry.path(), wanted, error);
        if (error) {
            x_tool.narrator().note(fmt::format("cannot rename {} to {}: {}", entry.path().string(),
                                               name, error.message()));
            return entry.path();
        }
    }
    return wanted;
}

} // namespace lttng_gpu::record
