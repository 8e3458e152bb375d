// SPDX-License-Identifier: MIT
//
// What --help says below the options of each command.
#pragma once

namespace lttng_gpu::cli {

inline constexpr const char* exit_codes =
    "Exit codes: 0 fine, 1 nothing to report, 2 bad arguments or output not writable,\n"
    "3 unreadable trace, 4 trace read but damaged or lossy (details on stderr),\n"
    "5 internal error or out of memory.";

inline constexpr const char* report_columns =
    "CSV has one row per ring (scope queue), one per process on a ring (scope process) and\n"
    "one per clock of a device (scope clock):\n"
    "scope, device, ring, driver, pid, comm, jobs, depth_mean, depth_max and latency\n"
    "(count, min, p50, p90, p99, max, sum in ns) of host_queue and device_queue, busy_ns,\n"
    "busy_ratio, latency of execution, idle/host_only/device_only/both_ns,\n"
    "jobs_start_unknown, fifo_violations, jobs_completion_inferred, preemptions, faults,\n"
    "blocked_ns, latency of waits, latency_error_ratio, clock_*. Percentiles are nearest-rank.\n";

inline constexpr const char* jobs_columns =
    "One row per job, sorted by queueing time. An empty CSV cell or JSON null is unknown.\n"
    "The basis of a time is observed, inferred (FIFO rule) or unknown.\n";

inline constexpr const char* frames_notes =
    "A frame of a surface is from the return of the call that ended the one before it (a swap, a\n"
    "present) to the return of the call that ends it. It is late when that took more than 1.5\n"
    "times the median of the up to 32 frames before it. Text has a summary of each surface and\n"
    "the latest frames; CSV and JSON have one row per frame, in order of their ends. An empty\n"
    "CSV cell or JSON null is unknown.\n";

inline constexpr const char* doctor_exit_codes =
    "Exit codes: 0 kernel GPU events can be recorded here, 1 something is missing for that,\n"
    "2 bad arguments or output not writable, 5 internal error or out of memory.";

inline constexpr const char* diagnose_notes =
    "Shows why the jobs with the longest latency were late. The time from queued to completed is\n"
    "cut into parts, each with one reason; the parts add up to the latency. Parts marked `before`\n"
    "lie before the job was queued, while its process had nothing on the device. What a job "
    "waited\n"
    "for is followed to its root, indented. Then: time by reason over all jobs. States of threads\n"
    "(preempted, blocked, CPU bound) need sched_switch, and sched_waking for what follows a "
    "sleep.\n"
    "JSON has schema lttng-gpu/diagnosis/1; CSV has one row per part of each job that is shown.\n"
    "With --frame: why frames took so long, from the frame before to the end of the last job; "
    "what\n"
    "their thread did, the jobs it waited for, and what late frames have more of than others.\n";

inline constexpr const char* export_notes =
    "ctf: DIR becomes one CTF 1.8 trace with all events of the inputs, unchanged. It adds\n"
    "events of the device, at their times on the trace's clock: of OpenCL commands\n"
    "(lttng_gpu_device:command_*) and of kernel drivers' jobs (lttng_gpu_device:job_*), and the\n"
    "decoded records of kernels that were recorded inside (lttng_gpu_device:kernel_*, warp_*).\n"
    "Inputs from another boot, host or process become separate traces below DIR.\n"
    "csv, json: the same as jobs --format; -o is a file.\n"
    "sqlite: a database of jobs, their intervals and reasons, rings, processes, API calls, waits,\n"
    "frames, counters and of what is missing, with views. Reasons (as diagnose tells them) take\n"
    "longer than all else: by default they are there of traces with up to 200000 jobs, and not\n"
    "with --read-once. perfetto, chrome: a timeline for ui.perfetto.dev or about:tracing.\n"
    "parquet: the rows of jobs, for DuckDB and Python, where lttng-gpu was built with\n"
    "libparquet. Such a file has its name only when it is complete.\n";

inline constexpr const char* merge_notes =
    "Combines traces of several runs of one program into one CTF 1.8 trace, for data that\n"
    "cannot be recorded in one run. The times of each later run are shifted so that its\n"
    "first OpenCL command (or call), or the first EVENT, is at the time of the first\n"
    "run's. The field run in the context of each packet is the number of the run. Stderr\n"
    "shows how similar the runs are; if they differ too much: a warning and exit code 4.\n";

inline constexpr const char* device_notes =
    "Of each kernel that was recorded inside and each location of its source: how often warps (or\n"
    "work-items, where the device has no warps that are known) came there, how many of a warp's\n"
    "lanes were active, and the share of warps' time (--device-times). Of each launch, by the\n"
    "device's timer: how long it ran, warps at once, multiprocessors, the most busy one against "
    "the\n"
    "mean (imbalance), and the time from the first idle multiprocessor to the end (tail). Times "
    "of\n"
    "the device are on the trace's clock within an error that is told, with what bounds them. What "
    "was\n"
    "left alone is told with its reason. JSON has schema lttng-gpu/device/1.\n";

inline constexpr const char* view_notes =
    "Serves the page of report --html for traces of any size on this machine only: parts are\n"
    "sent when they are looked at, also while more is read. The address has a secret, which\n"
    "nobody else has. Ctrl-C ends it.\n";

inline constexpr const char* record_notes =
    "lttng-gpu record [OPTIONS] [--] COMMAND...\n"
    "The command begins after --, or with the first word that is no option. It runs on this\n"
    "terminal while kernel and user space are recorded. The report goes to standard error,\n"
    "because standard output belongs to the command. Ctrl-C goes to it; the recording ends\n"
    "when the command ends. With\n"
    "--snapshot, kill -USR1 of record takes a snapshot. Afterwards record stops what it started\n"
    "and unloads what it loaded. Without root or probes only user space is recorded.\n"
    "Programs of an API are recorded by its layer, which needs its provider beside it and\n"
    "LTTng-UST; the API's loader and a driver are the system's. Other programs of the same user\n"
    "that run with such a layer meanwhile are recorded, too.\n"
    "Exit codes: the command's own, 128 + N when signal N ended it; 2 bad arguments,\n"
    "125 not (completely) recorded, 126 command not executable, 127 command not found.";

} // namespace lttng_gpu::cli
