// SPDX-License-Identifier: MIT
//
// What the page gets: one JSON text that names everything, and the packed pieces that it points to.
// userspace/page/src/data.js reads both.
#pragma once

#include "../correlate/report/report.hpp"
#include "../correlate/run/pipeline.hpp"
#include "job_diagnoses.hpp"
#include "page_sink.hpp"
#include "thread_spans.hpp"

#include <filesystem>

namespace lttng_gpu::view {

struct PageData {
    std::string index; // JSON, in the form of the pieces
    /// Pieces that the first picture needs.
    std::vector<std::uint32_t> first;
};

/// What is being read: the page of a server is looked at before all is there.
enum class Stage : std::uint8_t { Jobs, Reasons, All };

struct PageContents {
    const std::vector<std::filesystem::path>& traces;
    const model::RingTable& rings;
    Stage stage = Stage::All;
    // Stage::Jobs
    std::optional<double> ratio = {}; // of the trace is read; empty: unknown
    KnownTime read_until = {};        // that is this time
    // the others
    const report::Report* report = nullptr;
    std::uint32_t report_piece = 0;
    const run::Outcome* outcome = nullptr;
    /// Of write_launches(); null: nothing was recorded inside of kernels.
    const nlohmann::ordered_json* device_trace = nullptr;
    // Stage::All
    const ThreadSpans* states = nullptr;
    const JobDiagnoses* diagnoses = nullptr; // null: none were made
};

/// The report as a piece.
std::uint32_t add_report(Blobs& blobs, const report::Report& report);

/// After the sink's finish(), or in Stage::Jobs after its settle().
PageData make_page_data(const PageSink& sink, const PageContents& contents);

} // namespace lttng_gpu::view
