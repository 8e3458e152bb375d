// SPDX-License-Identifier: MIT
//
// Takes decided jobs, dependencies and waits for the page, and hands them on to the report, whose
// figures the page shows, too. Jobs are packed on the way; memory holds about a dozen bytes of
// each. Rings and texts are looked up in finish() only, so that another thread may be adding some.
#pragma once

#include "../correlate/report/window.hpp"
#include "../correlate/rings/ring_table.hpp"
#include "frame_rows.hpp"
#include "latencies.hpp"
#include "relations.hpp"
#include "ring_depths.hpp"
#include "spans.hpp"

#include <memory>
#include <optional>

namespace lttng_gpu::view {

/// One ring's part of the page.
struct RingPart {
    RingPart(Blobs& blobs, Timestamp origin, std::uint64_t& next_chunk)
        : chunks{blobs, origin, next_chunk}
    {
    }

    Known<RingId> ring;
    JobChunks chunks;
    RingDepths depths;
    std::array<PhaseHistogram, phase_count> latencies;
    Waits waits;
    std::vector<DepthLevel> levels; // after finish() or settle()
};

class PageSink final : public model::JobSink {
public:
    /// Where a part of the trace was asked for, jobs outside of it are left out.
    PageSink(model::JobSink& next, const report::Window& window, bool is_part, Blobs& blobs)
        : m_next{next}, m_window{window}, m_is_part{is_part}, m_blobs{blobs}
    {
    }

    void on_job(const model::Job& job) override;
    void on_dependency(const model::Dependency& dependency) override;
    void on_wait(const model::Wait& wait) override;
    void on_unseen(const model::UnseenJobs& jobs) override;
    void on_frame(const model::Frame& frame) override;
    void on_api_call(const model::ReturnedCall& call) override { m_next.on_api_call(call); }
    void on_completion_notice(const model::CompletionNotice& end) override
    {
        m_next.on_completion_notice(end);
    }

    /// Only between the last item and finish().
    NameTables& tables() { return m_names; }
    Spans& calls() { return m_calls; }
    /// Before the last item: what there is makes pieces, and the coarse depths of each ring.
    void settle();
    std::uint64_t jobs() const { return m_job_count; }
    /// All jobs that began before are there.
    Timestamp reached() const { return m_reached; }
    /// After the last item; `end` is that of the trace.
    void finish(Timestamp end);

    // after finish() or settle()
    Timestamp origin() const { return m_origin.value_or(m_window.begin()); }
    std::int64_t length() const { return m_length; }
    const std::vector<std::unique_ptr<RingPart>>& rings() const { return m_rings; }
    const std::array<LongestJobs, phase_count>& longest() const { return m_longest; }
    const std::vector<model::UnseenJobs>& unseen() const { return m_unseen; }
    /// The jobs whose panel tells why they were late: all, or of too many the longest.
    std::vector<NumberedJob> told_of() const;
    std::uint64_t unseen_left_out() const { return m_unseen_left_out; }
    const NameTables& names() const { return m_names; }
    const FrameRows& frames() const { return m_frames; }
    const Relations& relations() const { return m_relations; }
    const Spans& all_calls() const { return m_calls; }
    const std::vector<std::uint8_t>& classes() const { return m_classes; }
    Blobs& blobs() const { return m_blobs; }
    std::size_t number_of(Known<RingId> ring) const;

private:
    struct Alive {
        model::Job job;
        RingPart* ring = nullptr;
        std::uint32_t process = 0;
    };

    RingPart& part_of(Known<RingId> ring);
    void add_depths(RingPart& ring, const model::Job& job, std::uint32_t process, KnownTime end);
    void add_latencies(RingPart& ring, const model::Job& job, std::uint64_t number);

    model::JobSink& m_next;
    const report::Window& m_window;
    bool m_is_part;
    std::optional<Timestamp> m_origin;
    Timestamp m_reached;
    std::int64_t m_length = 0;
    Blobs& m_blobs;
    NameTables m_names;
    Spans m_calls;
    Relations m_relations{m_blobs, m_names};
    FrameRows m_frames{m_names};
    std::uint64_t m_next_chunk = 0;
    std::vector<std::unique_ptr<RingPart>> m_rings;
    std::unordered_map<std::uint32_t, std::uint32_t> m_ring_places;
    std::array<LongestJobs, phase_count> m_longest;
    std::vector<NumberedJob> m_jobs; // none when there are too many
    std::uint64_t m_job_count = 0;
    std::vector<Alive> m_alive;
    std::vector<model::UnseenJobs> m_unseen;
    std::uint64_t m_unseen_left_out = 0;
    std::vector<std::uint8_t> m_classes;
};

} // namespace lttng_gpu::view
