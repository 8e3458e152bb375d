// SPDX-License-Identifier: MIT
//
// `lttng-gpu export` to the formats of other programs: the jobs of traces, read like for `jobs`,
// go to a writer. What is not complete never has the file's name.
#pragma once

#include "../../correlate/report/output_place.hpp"
#include "../../correlate/report/window.hpp"
#include "../../correlate/trace/read_options.hpp"
#include "../commands.hpp"
#include "job_format.hpp"

namespace lttng_gpu::exporting {

struct JobExport {
    report::OutputPlace output;
    std::vector<std::filesystem::path> traces;
    JobFormat format = JobFormat::Sqlite;
    report::WindowRequest window;
    trace::ReadOptions read;
    bool reads_once = false;
    /// SQLite only, and not where the traces are read once: the reasons of all jobs, of none, or
    /// (unset) those of up to run::most_jobs_diagnosed jobs.
    std::optional<bool> has_reasons;
};

Expected<Exported> export_jobs(const JobExport& request, std::ostream& errors);

} // namespace lttng_gpu::exporting
