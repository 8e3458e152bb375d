// SPDX-License-Identifier: MIT
//
// Diagnoses and their summary as text, JSON (schema lttng-gpu/diagnosis/1) and CSV, and one
// diagnosis as a JSON object for whoever embeds it.
#pragma once

#include "../jobs/waits.hpp"
#include "../report/screen.hpp"
#include "../rings/ring_table.hpp"
#include "../trace/recorder.hpp"
#include "frame_diagnosis.hpp"
#include "summary.hpp"

#include <functional>
#include <string>

namespace lttng_gpu::diagnose {

using TextSink = std::function<void(std::string_view)>;

struct Result {
    std::vector<Diagnosis> jobs; // the worst first
    Summary summary;
    std::uint64_t left_out = 0; // that were wanted, too
    /// Instead of jobs, when frames were asked for.
    bool has_frames = false;
    std::vector<FrameDiagnosis> frames; // of late ones the worst first
    FrameTotals frame_totals;
    std::uint64_t frames_left_out = 0;
    Timestamp window_begin;
    Timestamp window_end;
    bool has_sched_events = false;
    trace::Recorder recorder = trace::Recorder::Lttng; // for advice in texts
    std::vector<model::OpenWait> open_waits;           // at the end of the trace, the longest first
    Timestamp trace_begin;
    Timestamp trace_end;
};

/// What text for people is made with.
struct TextPlace {
    const model::RingTable& rings;
    const TextSink& sink;
    const report::Screen& screen;
};

void write_text(const Result& result, const TextPlace& place);
/// What the text of jobs and that of frames says first, where it is so; else empty.
std::string no_sched_text(const Result& result);
void write_json(const Result& result, const model::RingTable& rings, const TextSink& sink);
void write_csv(const Result& result, const model::RingTable& rings, const TextSink& sink);

/// {"device", "ring", "context", …, "latency_ns", "parts": [{"reason", "time_ns", …, "root": […]}]}
void append_json(std::string& line, const Diagnosis& diagnosis, const model::RingTable& rings);

/// The same for frames.
void write_frames_text(const Result& result, const TextPlace& place);
void write_frames_json(const Result& result, const model::RingTable& rings, const TextSink& sink);
void write_frames_csv(const Result& result, const model::RingTable& rings, const TextSink& sink);

/// Lines of parts with their roots, as of a job whose latency is `whole`. In colours what delayed
/// it most stands out.
void write_parts(const std::vector<Part>& parts, Duration whole, std::size_t depth,
                 const TextPlace& place);
void append_parts_json(std::string& line, const std::vector<Part>& parts,
                       const model::RingTable& rings);
std::string part_csv_cells(const Part& part, const model::RingTable& rings);

/// One line: "ring busy with 3 jobs of game 100 on 0000:04:00.0/gfx_0.0.0".
std::string sentence(const Part& part, const model::RingTable& rings);
/// Of a part of a frame: ", in an API call".
std::string_view place_words(PlaceInFrame place);
/// "kmscube 184"; as the trace has it, so perhaps not printable.
std::string actor_text(const model::Actor& actor, const model::RingTable& rings);
/// "0000:04:00.0/gfx_0.0.0"; "?" for an unknown one.
std::string place_text(const Known<RingId>& ring, const model::RingTable& rings);

} // namespace lttng_gpu::diagnose
