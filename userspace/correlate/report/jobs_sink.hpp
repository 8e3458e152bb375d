// SPDX-License-Identifier: MIT
//
// The sinks of `jobs`: one row per job as CSV, JSON or text, written while the
// trace is read. Jobs outside the window are left out. An empty cell (null in
// JSON) is an unknown value.
#pragma once

#include "format.hpp"
#include "job_row.hpp"
#include "output.hpp"
#include "window.hpp"

#include <memory>

namespace lttng_gpu::report {

class JobsSink : public model::JobSink {
public:
    JobsSink(const model::RingTable& rings, const Window& window, Output& output)
        : m_names{rings}, m_window{window}, m_output{output}
    {
    }

    void on_job(const model::Job& job) final;
    virtual void begin() = 0;
    virtual void end() {}
    const model::RingNames& names() const { return m_names; }

protected:
    virtual void write_row(const JobRow& row) = 0;

    Timestamp window_begin() const { return m_window.begin(); }
    Output& output() { return m_output; }

private:
    model::RingNames m_names;
    const Window& m_window;
    Output& m_output;
};

std::unique_ptr<JobsSink> make_jobs_sink(Format format, const model::RingTable& rings,
                                         const Window& window, Output& output);

} // namespace lttng_gpu::report
