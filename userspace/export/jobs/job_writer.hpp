// SPDX-License-Identifier: MIT
//
// What turns jobs into a file for another program: gets jobs, dependencies and waits while the
// trace is read, calls of APIs when they are over, values of counters, the reasons of jobs, and at
// the end what became of the reading.
// A new format is a class of this kind and its line in export_jobs.cpp.
#pragma once

#include "../../correlate/calls/call_sink.hpp"
#include "../../correlate/report/window.hpp"
#include "../../correlate/rings/ring_names.hpp"
#include "../../correlate/run/pipeline.hpp"
#include "job_reasons.hpp"
#include "output_file.hpp"

#include <memory>

namespace lttng_gpu::exporting {

class JobWriter : public model::JobSink,
                  public model::CallSink,
                  public model::CounterSink,
                  public ReasonSink {
public:
    void on_counter(std::size_t, const model::Counters::Name&, Timestamp, std::int64_t) override {}
    void on_reason(const ReasonRow&) override {}
    /// Gets the scheduler's events of the window; null: none are wanted.
    virtual model::ThreadObserver* thread_observer() { return nullptr; }
    /// Before the first job.
    virtual Expected<void> begin() { return {}; }
    /// After the last one. The file is complete, but has not its name yet.
    virtual Expected<void> finish(const run::Outcome& outcome) = 0;
    /// Of rings whose rows have left; null: all rows have the final names.
    virtual const model::RingNames* shown_names() const { return nullptr; }
    /// Nothing more can be written.
    virtual bool has_failed() const = 0;
};

/// All that is given outlives the writer.
struct WriterContext {
    const model::RingTable& rings;
    const StringPool& strings;
    const report::Window& window;
    OutputFile& output;
    bool has_reasons = false; // they will be given
};

std::unique_ptr<JobWriter> make_sqlite_writer(const WriterContext& context);
std::unique_ptr<JobWriter> make_perfetto_writer(const WriterContext& context);
std::unique_ptr<JobWriter> make_chrome_writer(const WriterContext& context);
std::unique_ptr<JobWriter> make_parquet_writer(const WriterContext& context);

} // namespace lttng_gpu::exporting
