// SPDX-License-Identifier: MIT
//
// What the page gets: one JSON text that names everything, and the packed pieces that it points to.
// userspace/page/src/data.js reads both.
#pragma once

#include "../correlate/report/report.hpp"
#include "../correlate/run/pipeline.hpp"
#include "job_diagnoses.hpp"
#include "page_sink.hpp"

#include <filesystem>

namespace lttng_gpu::view {

struct PageData {
    std::string index; // JSON, deflated
    Blobs blobs;
    /// Pieces that the first picture needs.
    std::vector<std::uint32_t> first;
};

struct PageContents {
    const std::vector<std::filesystem::path>& traces;
    const model::RingTable& rings;
    const report::Report& report;
    const run::Outcome& outcome;
    const std::vector<std::string>& other_threads; // of states
    const JobDiagnoses* diagnoses = nullptr;       // null: none were made
};

/// After the sink's finish().
PageData make_page_data(PageSink& sink, const PageContents& contents);

} // namespace lttng_gpu::view
