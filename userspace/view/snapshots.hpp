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
    explicit GuardedSink(PageSink& sink) : x_sink{sink} {}

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
    void on_learned(const model::LearnedEnd& end) override { guarded(&PageSink::on_learned, end); }

    std::mutex& mutex() { return x_mutex; }
    PageSink& sink() { return x_sink; }

private:
    template <typename Item> void guarded(void (PageSink::*take)(const Item&), const Item& item)
    {
        const std::lock_guard lock{x_mutex};
        (x_sink.*take)(item);
    }

    PageSink& x_sink;
    std::mutex x_mutex;
};

class Snapshots {
public:
    using Clock = std::chrono::steady_clock;

    Snapshots(LivePage& page, GuardedSink& guarded, std::shared_ptr<Blobs> blobs)
        : x_page{page}, x_guarded{guarded}, x_blobs{std::move(blobs)}
    {
    }

    /// By the thread that reads: no name is added meanwhile. True: the page has a new version.
    bool update(const std::vector<std::filesystem::path>& traces, const model::RingTable& rings,
                const trace::EventSource& source, Clock::time_point now = Clock::now());

private:
    void forget_tiles();

    LivePage& x_page;
    GuardedSink& x_guarded;
    std::shared_ptr<Blobs> x_blobs;
    Clock::time_point x_next = Clock::now() + std::chrono::milliseconds{200};
    std::vector<std::uint32_t> x_tiles; // of the version that is shown
    std::vector<std::uint32_t> x_old_tiles;
};

} // namespace lttng_gpu::view
