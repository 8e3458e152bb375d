// SPDX-License-Identifier: MIT
//
// The sinks of `frames`: one row per frame as CSV or JSON, written while the trace is read, or a
// text with a summary of each surface and the latest frames. A frame counts when it ends inside
// the window. Where only the latest are asked for, rows are written at the end, the latest first.
#pragma once

#include "format.hpp"
#include "frame_row.hpp"
#include "output.hpp"
#include "window.hpp"

#include <memory>

namespace lttng_gpu::report {

struct FrameChoice {
    bool is_late_only = false;
    std::optional<std::size_t> most; // of those that exceed their cadence by the most
};

class FramesSink : public model::JobSink {
public:
    FramesSink(const model::RingTable& texts, const Window& window, Output& output,
               FrameChoice choice)
        : m_texts{texts}, m_window{window}, m_output{output}, m_choice{choice}
    {
    }

    void on_job(const model::Job&) final {}
    void on_frame(const model::Frame& frame) final;
    virtual void begin() {}
    /// After the last frame.
    void end();
    /// Frames in the window, late or not.
    std::uint64_t frames() const { return m_frames; }

protected:
    virtual void note(const model::Frame&) {}
    virtual void write_row(const FrameRow& row) = 0;
    virtual void write_end() {}

    const model::RingTable& texts() const { return m_texts; }
    Output& output() { return m_output; }
    std::int64_t window_begin() const { return m_window.begin().value(); }

private:
    void keep(const model::Frame& frame);

    const model::RingTable& m_texts;
    const Window& m_window;
    Output& m_output;
    FrameChoice m_choice;
    std::vector<model::Frame> m_latest; // a heap, that with the least excess on top
    std::uint64_t m_frames = 0;
};

std::unique_ptr<FramesSink> make_frames_sink(Format format, const model::RingTable& texts,
                                             const Window& window, Output& output,
                                             FrameChoice choice);

} // namespace lttng_gpu::report
