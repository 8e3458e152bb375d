// SPDX-License-Identifier: MIT
//
// See anomaly.hpp.
#include "anomaly.hpp"

#include <algorithm>

namespace lttng_gpu {

constexpr std::array<AnomalyText, anomaly_count> anomaly_texts{{
    {"duplicate_queue", "a job was queued twice; the first time is kept"},
    {"duplicate_submit", "a job was submitted twice; the first time is kept"},
    {"duplicate_complete", "a job completed twice; the first time is kept"},
    {"submit_of_unknown_job", "submitted, but queued before the trace started or in a gap"},
    {"complete_of_unknown_job", "completed, but submitted before the trace or in a gap"},
    {"queue_after_submit", "the queue event came after submit; its time is not used"},
    {"stage_before_previous", "a time before an earlier stage of the job is not used"},
    {"ring_changed", "queued for one ring, submitted to another; the latter is kept"},
    {"fence_pointer_reused", "a fence pointer was reused while its job was still open"},
    {"completion_never_seen", "a later job of its context completed; its own end is lost"},
    {"queue_event_missing", "a job has no queue event, but other jobs of its context have one"},
    {"submit_event_missing", "no submit event, but later events prove the submission"},
    {"completion_event_missing", "no completion event, but later events prove the end"},
    {"job_missing", "a fence context skips a number: all events of that job are missing"},
    {"cpu_begins_late", "a CPU has no events at the start; its buffer may start later"},
    {"cpu_ends_early", "a CPU has no events at the end; its buffer may end earlier"},
    {"cpu_missing", "a CPU has no events at all, and events of jobs are missing"},
    {"cpu_clocks_differ", "effects came before causes; the CPU's clock was corrected"},
    {"context_out_of_order", "a fence was signaled after a later one of its context"},
    {"dependency_of_unknown_job", "a dependency names a job that is not open"},
    {"event_without_identity", "an event lacks the fields that identify its job"},
    {"event_without_clock", "an event has no usable time"},
    {"ambiguous_fence", "truncated numbers of a fence fit several open jobs; it ended none"},
    {"fence_without_job_events", "a job is known from its fence only; it has no row"},
    {"submission_abandoned", "a fence was created, but no command used it"},
    {"retired_unended", "the driver retired a request that has no completion event"},
    {"end_untold", "the driver ended a job that the device had not answered; its end is unknown"},
    {"submission_in_doubt", "preempted near a gap; the time of the last submission is unknown"},
    {"row_out_of_order", "a job stayed open so long that its rows are out of order"},
    {"too_many_open_jobs", "too many jobs were open; the oldest was given up"},
    {"wait_unpaired", "a wait for a fence has no start or no end"},
    {"dependency_dropped", "too many dependencies were open; one was given up"},
    {"ring_name_shared", "one ring name hides several schedulers; no start is inferred"},
    {"ring_names_differ", "a ring known by its number got several names; none is shown"},
    {"thread_forgotten", "too many threads; the oldest was forgotten"},
    {"job_timed_out", "the driver says that a job timed out"},
    {"job_failed", "the driver says that a job ended with an error"},
    {"job_banned", "the driver says that a job's queue was banned"},
    {"event_out_of_order", "an event that came too late to be ordered, or twice, is left out"},
    {"line_unread", "a line of a text trace is neither an event nor a known comment"},
    {"command_untimed", "the times of an API's command could not be recorded"},
    {"command_times_unavailable", "the driver refused the times of an API's command"},
    {"command_times_disordered", "the times of an API's command are out of order"},
    {"command_times_implausible", "the times of an API's command are implausible"},
    {"command_times_unmapped", "the device clock could not be mapped to the trace's"},
    {"command_never_reported", "the end of an API's command is unknown"},
    {"command_forgotten", "too many commands of an API were open; the oldest was given up"},
    {"api_call_ambiguous", "a job matches several API calls; none is named"},
    {"api_call_untimed", "a helper's job matches only commands without a known end"},
    {"api_call_elsewhere", "a call of that thread number is of another machine or container"},
    {"api_call_machine_unknown", "nothing says that a call and a job are of one machine"},
    {"api_call_namespace_unknown", "a call and a job may be of two pid namespaces; not joined"},
    {"api_call_helper_in_doubt", "a helper's job may be of several calls; none is named"},
    {"api_call_helper_unmatched", "a helper's job fits no call that submits"},
    {"frame_job_unplaced", "a job of a process that shows frames on several surfaces fits none"},
    {"frame_forgotten", "too many frames or jobs of frames were open; figures are unknown"},
}};

// An array may have fewer texts than places; the last ones are then empty.
static_assert(std::ranges::none_of(anomaly_texts, &std::string_view::empty, &AnomalyText::name));

} // namespace lttng_gpu
