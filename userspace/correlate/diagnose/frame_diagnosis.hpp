// SPDX-License-Identifier: MIT
//
// What a diagnosis of a frame consists of, and which are shown. Its parts cut the time from the
// frame's begin to the end of its last job, or of the call that ends it where that is later; what
// the thread did that ends the frames comes first, and what remained of its jobs after that.
#pragma once

#include "../calls/frame.hpp"
#include "reason.hpp"

#include <optional>
#include <string>

namespace lttng_gpu::diagnose {

struct FrameDiagnosis {
    model::Frame frame;
    Timestamp begin;
    Timestamp end;
    bool is_open = false; // a job of it had not completed when the trace ended
    std::vector<Part> parts;
    std::vector<Diagnosis> jobs; // that were made for it, the worst first
    std::uint64_t jobs_left_out = 0;

    Duration latency() const { return end - begin; }
};

/// N, SURFACE:N, or "late": those that exceeded their surface's cadence by the most.
struct WantedFrames {
    bool is_any = false; // frames are wanted at all
    bool is_late = false;
    std::uint64_t number = 0;
    std::optional<std::uint64_t> surface;
};
std::optional<WantedFrames> parse_frame_name(const std::string& text);

/// Time by reason, of all frames and of those that were late: their roots counted.
class FrameTotals {
public:
    struct Total {
        Reason reason = Reason::Unexplained;
        Gap gap = Gap::None;
        PlaceInFrame place = PlaceInFrame::None;
        Duration all;
        Duration late;
    };

    void add(const FrameDiagnosis& diagnosis);
    std::uint64_t frames() const { return m_frames; }
    std::uint64_t late() const { return m_late; }
    /// By how much more a late frame has than a frame that was not, the most first.
    std::vector<Total> reasons() const;
    Duration mean_late(const Total& total) const;
    Duration mean_other(const Total& total) const;

private:
    std::uint64_t m_frames = 0;
    std::uint64_t m_late = 0;
    std::vector<Total> m_totals;
};

/// Keeps those that are wanted: of the late ones the worst, of a number the first.
class FrameSelection {
public:
    FrameSelection(WantedFrames wanted, std::size_t worst) : m_wanted{wanted}, m_most{worst} {}

    void add(FrameDiagnosis&& diagnosis);
    std::vector<FrameDiagnosis> take();
    std::uint64_t left_out() const { return m_left_out; }

private:
    WantedFrames m_wanted;
    std::size_t m_most;
    std::vector<FrameDiagnosis> m_kept;
    std::uint64_t m_left_out = 0;
};

/// Of a frame whose begin is not known there is nothing to say.
constexpr bool has_latency(const model::Frame& frame)
{
    return frame.begin.has_value();
}

} // namespace lttng_gpu::diagnose
