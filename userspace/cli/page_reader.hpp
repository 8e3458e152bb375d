// SPDX-License-Identifier: MIT
//
// Reads traces for the page: jobs and what joins them; then what threads did and why jobs were
// late, in one reading. A listener has a version of the page after each, and while jobs are being
// read.
#pragma once

#include "../correlate/base/progress.hpp"
#include "../correlate/report/report_builder.hpp"
#include "../correlate/run/diagnosis.hpp"
#include "../view/call_collector.hpp"
#include "../view/snapshots.hpp"
#include "options.hpp"

namespace lttng_gpu::cli {

/// What one reading gave. No page: there is nothing to show, or nothing could be read.
struct ReadPage {
    run::Outcome outcome;
    std::optional<view::PageData> page;
    std::shared_ptr<view::Blobs> blobs;
};

/// Who shows the page while it is made.
struct PageListener {
    view::LivePage& page;
    std::function<void()> on_first; // there is something to show
    std::function<bool()> is_over;  // nobody looks at it any more
};

/// Sinks are called on the workers' threads; they are done when a reading is over.
class PageReader {
public:
    explicit PageReader(const Options& options, const PageListener* listener = nullptr);

    /// As for the report, a capture that lacks more than its tracer says is read twice.
    Expected<ReadPage> read();

private:
    Expected<ReadPage> read_once();
    Expected<void> read_jobs(run::Reading& reading, report::Window& window, view::PageSink& sink,
                             view::CallCollector& calls, ReadPage& result);
    void make_page(const run::Reading& reading, const view::PageSink& sink, report::Report& report,
                   ReadPage& result);
    bool wants_diagnoses(const run::Outcome& outcome) const;
    std::optional<view::JobDiagnoses> diagnose(view::JobDiagnoses diagnoses,
                                               view::ThreadSpans& threads);
    void read_threads(view::ThreadSpans& threads);
    void show(const view::PageSink& sink, const view::PageContents& contents,
              const ReadPage& result);
    const run::CaptureSurvey* survey() const { return m_whole.survey ? &*m_whole.survey : nullptr; }
    bool is_over() const { return m_listener != nullptr && m_listener->is_over(); }
    void update_progress(const trace::EventSource& source);

    const Options& m_options;
    const PageListener* m_listener;
    Workers m_workers;
    Progress m_progress;
    run::WholeTrace m_whole; // of the first reading
    std::uint32_t m_next_piece = 0;
    bool m_is_shown = false;
};

} // namespace lttng_gpu::cli
