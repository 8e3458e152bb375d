// SPDX-License-Identifier: MIT
//
// The sinks of `jobs`: one row per job as CSV, JSON or text, written while the
// trace is read. Jobs outside the window are left out. An empty cell (null in
// JSON) is an unknown value.
#pragma once

#include "../model/ring_names.hpp"
#include "format.hpp"
#include "output.hpp"
#include "window.hpp"

#include <memory>

namespace lttng_gpu::report {

class JobsSink : public model::JobSink {
public:
    JobsSink(const model::RingTable& rings, const Window& window, Output& output)
        : x_rings{rings}, x_names{rings}, x_window{window}, x_output{output}
    {
    }

    void on_job(const model::Job& job) final;
    virtual void begin() = 0;
    virtual void end() {}
    const model::RingNames& names() const { return x_names; }

protected:
    virtual void write_job(const model::Job& job) = 0;

    std::string_view device_of(const model::Job& job) const;
    std::string_view ring_of(const model::Job& job);
    std::string_view driver_of(const model::Job& job) const;
    std::string_view api_call_of(const model::Job& job) const;
    std::string_view comm_of(const model::Job& job) const;
    Timestamp window_begin() const { return x_window.begin(); }
    Output& output() { return x_output; }

private:
    const model::RingTable& x_rings;
    model::RingNames x_names;
    const Window& x_window;
    Output& x_output;
};

std::unique_ptr<JobsSink> make_jobs_sink(Format format, const model::RingTable& rings,
                                         const Window& window, Output& output);

} // namespace lttng_gpu::report
