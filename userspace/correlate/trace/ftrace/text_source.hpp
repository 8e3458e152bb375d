// SPDX-License-Identifier: MIT
//
// The reader of text traces. Streams: a line is read, its columns are taken apart, and
// only when its event is wanted its text is, too. A line that cannot be read is counted
// and skipped; a last line without its end is damage, for a number in it may be cut.
// Where a text is several, one after the other, these are read at the same time.
#pragma once

#include "../lane_heap.hpp"
#include "line_decoder.hpp"
#include "line_reader.hpp"
#include "reorder_window.hpp"
#include "text_line.hpp"
#include "text_plan.hpp"

#include <memory>

namespace lttng_gpu::trace::ftrace {

class TextSource final : public EventSource {
public:
    static Expected<std::unique_ptr<EventSource>> open(File file,
                                                       const std::vector<WantedEvent>& wanted);

    Expected<bool> read_some(EventConsumer& consumer) override;
    const SourceTotals& totals() const override { return m_totals; }
    std::optional<double> progress() const override;
    /// The header says that nothing was overwritten, and all that it counts is here.
    bool has_told_losses() const override
    {
        return has_whole_buffers() && !m_is_cut && m_totals.events >= m_entries;
    }
    std::vector<CpuCoverage> coverage() const override;

private:
    /// A part of the text whose events are in order, and its next event.
    struct Run {
        LineReader lines;
        LineDecoder decoder;
        TextLine next;
        std::string_view text; // of which `next` is
    };

    /// What is known of one CPU's buffer.
    struct Buffer {
        bool has_begun = false;
        bool is_late = false; // a line said that it was overwritten
        bool has_lost = false;
        std::optional<std::uint64_t> lost;
        Timestamp last;
    };

    TextSource(std::shared_ptr<File> file, std::vector<Run> runs,
               const std::vector<WantedEvent>& wanted);

    Expected<bool> advance(Run& run);
    Expected<bool> begin();
    Expected<bool> read_line(EventConsumer& consumer);
    Expected<bool> read_earliest(EventConsumer& consumer);
    bool find_event(Run& run, const Line& line);
    bool is_event(const TextLine& line);
    bool is_repeated(std::size_t run, Timestamp time);
    void count_untimed();
    void take_event(const TextLine& line, EventConsumer& consumer);
    void take_lost(const TextLine& line);
    void add_losses(Buffer& buffer, Cpu cpu, Timestamp time, EventConsumer& consumer);
    void add_loss(const Loss& loss, EventConsumer& consumer);
    void add_event(TextPlan& plan, const TextLine& line, Timestamp time, EventConsumer& consumer);
    HeldItem* find_place(Timestamp time, EventConsumer& consumer);
    Expected<bool> finish(EventConsumer& consumer);

    /// The numbers are of all CPUs, get_total_entries() in kernel/trace/trace.c.
    bool has_whole_buffers() const { return m_headers > 0 && !m_is_overwritten; }

    std::shared_ptr<File> m_file;
    std::vector<Run> m_runs;
    LaneHeap m_heap; // of the runs
    /// The lines of the latest time, by their hash and run.
    std::vector<std::pair<std::size_t, std::size_t>> m_same_time;
    std::optional<Timestamp> m_time;
    TextPlans m_plans;
    ReorderWindow m_window;
    SourceTotals m_totals;
    CoverageCounter m_coverage;
    std::vector<Buffer> m_buffers; // by CPU
    bool m_is_overwritten = false;
    std::uint64_t m_headers = 0; // with numbers of entries
    std::uint64_t m_entries = 0; // that the buffers held, by these
    bool m_has_cpus = false;     // some event's line has the CPU
    bool m_lacks_cpus = false;   // some has not
    bool m_has_stamps = false;   // some has what stands for a time
    bool m_is_cut = false;
    bool m_is_begun = false;
    bool m_is_finished = false;
};

} // namespace lttng_gpu::trace::ftrace
