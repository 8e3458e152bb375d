// SPDX-License-Identifier: MIT
//
// Why jobs were late, for a writer: a row for each cause of each job that was written, and below it
// the causes at its root. Parts of a diagnosis that say the same are one row.
#pragma once

#include "../../correlate/diagnose/diagnoser.hpp"
#include "../../correlate/run/pipeline.hpp"

#include <deque>

namespace lttng_gpu::exporting {

struct ReasonRow {
    std::int64_t job = 0;               // which of the written ones, from 1
    std::optional<std::int64_t> parent; // at whose root it is: which of the rows, from 1
    unsigned level = 0;                 // so many rows are above it
    /// Reason and whom it names; `jobs` 0: no job of another. Of several jobs the fence is empty.
    diagnose::Part part;
    KnownTime begin; // these are unknown where an event of the job is missing
    KnownTime end;
    KnownDuration time;                  // less than end - begin where other causes lie between
    std::optional<std::int64_t> culprit; // which of the written jobs
};

class ReasonSink {
public:
    ReasonSink() = default;
    ReasonSink(const ReasonSink&) = delete;
    ReasonSink& operator=(const ReasonSink&) = delete;
    virtual ~ReasonSink() = default;

    /// After the job itself, but not after the next job: what was on the device with it comes
    /// first. Rows of a job follow each other, each before those at its root.
    virtual void on_reason(const ReasonRow& row) = 0;
};

/// Which of the jobs that the pipeline gave were written. Bounded by what a diagnosis remembers.
class WrittenJobs {
public:
    void add(bool is_written) { m_numbers.push_back(is_written ? ++m_written : 0); }
    /// From 1; `given`: of all jobs, from 0.
    std::optional<std::int64_t> number_of(std::uint64_t given) const
    {
        const bool is_kept = given >= m_first && given - m_first < m_numbers.size();
        const std::int64_t number = is_kept ? m_numbers[given - m_first] : 0;
        return number != 0 ? std::optional{number} : std::nullopt;
    }
    void forget_before(std::uint64_t given)
    {
        for (; m_first < given && !m_numbers.empty(); ++m_first) {
            m_numbers.pop_front();
        }
    }

private:
    std::deque<std::int64_t> m_numbers; // 0: not written
    std::uint64_t m_first = 0;          // of all jobs
    std::int64_t m_written = 0;
};

/// The diagnosis as a part of the reading that writes: gets what the writer gets, after it.
class JobReasons final : public diagnose::DiagnosisSink {
public:
    /// All must outlive it. Before the reading begins.
    JobReasons(run::Pipeline& pipeline, const report::Window& window,
               const diagnose::RingDepths& depths, WrittenJobs& written, ReasonSink& sink);

    model::JobSink& sink() { return m_diagnoser; }
    /// After the reading.
    void finish(const run::Outcome& outcome);

    void on_diagnosis(diagnose::Diagnosis&& diagnosis) override;

private:
    void tell(std::int64_t job, std::vector<diagnose::Part> parts,
              std::optional<std::int64_t> parent, unsigned level);
    void tell_missing(std::int64_t job);

    WrittenJobs& m_written;
    ReasonSink& m_sink;
    std::int64_t m_rows = 0;
    diagnose::ThreadStates m_threads;
    diagnose::Diagnoser m_diagnoser;
};

} // namespace lttng_gpu::exporting
