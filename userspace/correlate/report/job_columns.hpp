// SPDX-License-Identifier: MIT
//
// The columns of a job's row, in their order: CSV, JSON, and the events of the babeltrace2 plugin
// and of export are made of this table. A new column is a new entry at the end. Names are
// promises: none goes or changes its meaning. docs/reading-the-report.md and the man page have
// the table, too; a unit test compares them.
#pragma once

#include "columns.hpp"
#include "job_row.hpp"

namespace lttng_gpu::report {

/// `take` is called with a JobRow or, where that is enough, with its Job.
template <typename Take>
constexpr auto job_column(const char* name, Take take, const char* meaning, const char* empty_when,
                          Where where = Where::Everywhere)
{
    if constexpr (std::is_invocable_v<Take, const JobRow&>) {
        return make_column<JobRow>(name, take, meaning, empty_when, where);
    } else {
        const auto take_of_job = [take](const JobRow& row) { return std::invoke(take, row.job()); };
        return make_column<JobRow>(name, take_of_job, meaning, empty_when, where);
    }
}

inline constexpr std::tuple job_columns{
    job_column("device", &JobRow::device, "the GPU, as its driver or its API calls it",
               "the events do not say it"),
    job_column("ring", &JobRow::ring, "the ring, or the queue of an API", "it is unknown"),
    job_column("driver", &JobRow::driver, "the kernel driver, or the API", "it is unknown"),
    job_column("context", &JobRow::context, "the context of the job's fence",
               "the events do not say it"),
    job_column("seqno", &JobRow::seqno,
               "the number of the fence in its context, or of the command of an API",
               "the events do not say it"),
    job_column("pid", &JobRow::pid, "the process that submitted the job", "it is unknown"),
    job_column("tid", &JobRow::tid, "the thread that submitted it", "it is unknown"),
    job_column("comm", &JobRow::comm, "the name of that thread", "it is unknown"),
    job_column("queued_ns", &model::Job::queued, "when it was put into its queue on the host",
               "its event is missing"),
    job_column("submitted_ns", &model::Job::submitted, "when the driver gave it to the device",
               "its event is missing"),
    job_column("started_ns", &model::Job::started, "when the device began to run it",
               "it is unknown"),
    job_column("started_basis", &JobRow::started_basis,
               "started_ns is observed, inferred or unknown", never),
    job_column("completed_ns", &model::Job::completed, "when it ended or was preempted",
               "its event is missing"),
    job_column("completed_basis", &JobRow::completed_basis,
               "completed_ns is observed, inferred or unknown", never),
    job_column("status", &JobRow::status,
               "complete, incomplete, preempted, or lost in a gap of the trace", never),
    job_column("api_call", &JobRow::api_call, "the API call that led to it, with its kernel",
               "no call is certain"),
    job_column("runnable_ns", &model::Job::runnable, "when its dependencies were resolved",
               "no event says it", Where::NotInCsv),
    job_column("observed_ns", &model::Job::observed, "when a CPU waiter knew of its end",
               "no event says it", Where::NotInCsv),
    job_column("interval", &model::Job::interval, "0, and one more after each preemption", never,
               Where::NotInCsv),
    job_column("fault", &JobRow::fault, "what the driver reported: timed_out, error or banned",
               "the driver reported nothing", Where::NotInCsv),
    job_column("clock_error_ns", &model::Job::clock_error,
               "each of its times may be off by up to this",
               "its times are of the trace's own clock", Where::NotInCsv),
    job_column("api_call_basis", &JobRow::api_call_basis,
               "how the call was found: same_thread, helper_thread, only_command or estimated",
               "no call is certain", Where::NotInCsv),
    job_column("api_calls", &JobRow::api_calls,
               "how many calls were merged into it; api_call is the last of them", never,
               Where::NotInCsv),
    job_column("debug_group", &JobRow::debug_group,
               "the innermost debug group of the program in which api_call was made",
               "there was none, or no call is certain", Where::NotInCsv),
};

inline constexpr auto job_column_facts = facts_of(job_columns);

/// The place of a column in the table, which must have it.
consteval std::size_t job_place(std::string_view name)
{
    return place_of(job_column_facts, name);
}

} // namespace lttng_gpu::report
