// SPDX-License-Identifier: MIT
//
// Shows what was read so far: now and then, jobs that are there become a version of the page. The
// time that this takes is a small part of the time of reading.
#pragma once

#include "live_page.hpp"
#include "page_data.hpp"

#include <chrono>

namespace lttng_gpu::view {

/// A sink whose items come on another thread than that which looks at it.
class GuardedSink final : public model::JobSink {
public:
    explicit GuardedSink(PageSink& sink) : m_sink{sink} {}

    void on_job(const model::Job& job) override { guarded(&PageSink::on_job, job); }
    void on_dependency(const model::Dependency& dependency) override
    {
        guarded(&PageSink::on_dependency, dependency);
    }
    void on_wait(const model::Wait& wait) override { guarded(&PageSink::on_wait, wait); }
    void on_unseen(const model::UnseenJobs& jobs) override { guarded(&PageSink::on_unseen, jobs); }
    void on_frame(const model::Frame& frame) override { guarded(&PageSink::on_frame, frame); }
    void on_api_call(const model::ReturnedCall& call) override
    {
        guarded(&PageSink::on_api_call, call);
    }
    void on_completion_notice(const model::CompletionNotice& end) override
    {
        guarded(&PageSink::on_completion_notice, end);
    }

    std::mutex& mutex() { return m_mutex; }
    PageSink& sink() { return m_sink; }

private:
    template <typename Item> void guarded(void (PageSink::*take)(const Item&), const Item& item)
    {
        const std::lock_guard lock{m_mutex};
        (m_sink.*take)(item);
    }

    PageSink& m_sink;
    std::mutex m_mutex;
};

class Snapshots {
public:
    using Clock = std::chrono::steady_clock;

    Snapshots(LivePage& page, GuardedSink& guarded, std::shared_ptr<Blobs> blobs)
        : m_page{page}, m_guarded{guarded}, m_blobs{std::move(blobs)}
    {
    }

    /// By the thread that reads: no name is added meanwhile. True: the page has a new version.
    bool update(const std::vector<std::filesystem::path>& traces, const model::RingTable& rings,
                const trace::EventSource& source, Clock::time_point now = Clock::now());

private:
    void forget_tiles();

    LivePage& m_page;
    GuardedSink& m_guarded;
    std::shared_ptr<Blobs> m_blobs;
    Clock::time_point m_next = Clock::now() + std::chrono::milliseconds{200};
    std::vector<std::uint32_t> m_tiles; // of the version that is shown
    std::vector<std::uint32_t> m_old_tiles;
};

} // namespace lttng_gpu::view
