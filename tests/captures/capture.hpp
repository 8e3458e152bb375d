// SPDX-License-Identifier: MIT
//
// A recording in memory: the events that the correlator asks for, as they were
// recorded, and beside each what it truly tells of which job. Readers fill it, damages
// change it, writers write it in one of the formats of captures.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lttng_gpu::captures {

using Time = std::int64_t;
inline constexpr Time unknown = -1;
inline constexpr std::size_t nobody = SIZE_MAX;

using Value = std::variant<std::uint64_t, std::int64_t, std::string>;

struct Field {
    std::string name;
    Value value;
};

/// What an event tells of its job.
enum class Phase : std::uint8_t { None, Queued, Submitted, Preempted, Completed };

struct Event {
    Time time = 0;      // what the capture says
    Time true_time = 0; // by a clock that all CPUs share
    std::uint32_t cpu = 0;
    std::string name; // as LTTng calls it
    std::vector<Field> fields;
    Time pid = unknown;
    Time tid = unknown;
    std::string comm;
    std::size_t job = nobody; // index into Capture::jobs
    Phase phase = Phase::None;
    bool is_hardware_fence = false; // that the driver made for the job
    bool is_kept = true;
};

const Value* find_field(const Event& event, std::string_view name);
/// Zero when the event has no such number.
std::uint64_t number_of(const Event& event, std::string_view name);
void set_field(Event& event, std::string_view name, std::uint64_t value);

/// The time between going to the hardware and leaving it.
struct Interval {
    Time queued = unknown;
    Time submitted = unknown;
    Time started = unknown; // as the events tell it by the FIFO rule, where they do
    Time completed = unknown;
    Time began = unknown; // when the hardware really began, not later than `began_until`
    Time began_until = unknown;
    std::string status;
};

struct Job {
    std::string device;
    std::string ring;
    std::uint64_t context = 0;
    std::uint64_t seqno = 0;
    std::string pid;
    std::string tid;
    std::string comm;
    std::vector<Interval> intervals;
    std::size_t original = nobody; // of a job that was copied or goes by another name
};

/// A part of one CPU's buffer that is missing and that the capture tells of.
struct Gap {
    std::uint32_t cpu = 0;
    Time begin = 0;
    Time end = 0;
    std::uint64_t count = 0;
    bool is_overwritten = false; // the CPU's buffer begins at `end`
};

struct Capture {
    std::vector<Event> events; // in order of time
    std::vector<Job> jobs;
    std::vector<Gap> gaps;
    std::uint32_t cpus = 0;
    bool has_contexts = true;
    bool are_losses_told = true; // all that is missing is in `gaps`, or was not recorded
    Time first = 0;              // when recording began and ended
    Time last = 0;
    Time skew = 0; // no CPU's clock differs by more from the true one

    void sort();
    /// Puts what `change` makes of it in the place of every time that is known.
    template <typename Change> void change_times(Change change);
    /// Those that are kept, in order.
    std::vector<const Event*> kept() const;
};

template <typename Change> void Capture::change_times(Change change)
{
    for (Event& event : events) {
        event.time = change(event.time);
        event.true_time = change(event.true_time);
    }
    for (Job& job : jobs) {
        for (Interval& life : job.intervals) {
            for (Time* time : {&life.queued, &life.submitted, &life.started, &life.completed,
                               &life.began, &life.began_until}) {
                *time = *time == unknown ? unknown : change(*time);
            }
        }
    }
    first = change(first);
    last = change(last);
}

/// Reads any trace that our readers know. Throws std::runtime_error.
Capture read_capture(const std::filesystem::path& path);

/// Jobs from a table like that of `lttng-gpu jobs --format csv`, which may have the
/// columns began_ns and began_until_ns, too.
std::vector<Job> read_jobs(const std::filesystem::path& path);

/// Makes everything take so many times as long, and begin a hundred seconds after the
/// machine did: LTTng's times are since 1970, ftrace's are not.
void stretch(Capture& capture, Time factor);

/// Finds out which job each event tells of, and what, from its own fields and the times of
/// the true jobs. Nothing of the correlator is used for it.
void tell_jobs(Capture& capture);

} // namespace lttng_gpu::captures
