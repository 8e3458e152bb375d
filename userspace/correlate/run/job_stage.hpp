// SPDX-License-Identifier: MIT
//
// Passes jobs to a sink on another thread: final jobs are passed in batches to a
// free worker, in order and one batch at a time. For
// sinks that look at nothing but the jobs themselves; texts and rings still change
// meanwhile.
#pragma once

#include "../base/recycling_queue.hpp"
#include "../base/workers.hpp"
#include "../calls/frame.hpp"

#include <memory>

namespace lttng_gpu::run {

class JobStage final : public model::JobSink {
public:
    /// The sink must outlive the stage.
    JobStage(Workers& workers, model::JobSink& sink);
    /// Waits for what is on its way; only finish() sends the rest.
    ~JobStage() override;

    void on_job(const model::Job& job) override;
    void on_dependency(const model::Dependency& dependency) override;
    void on_wait(const model::Wait& wait) override;
    void on_unseen(const model::UnseenJobs& jobs) override;
    void on_frame(const model::Frame& frame) override;
    void on_api_call(const model::ReturnedCall& call) override;
    void on_completion_notice(const model::CompletionNotice& end) override;

    /// Everything has reached the sink when this returns.
    void finish();

private:
    struct Batch {
        std::vector<model::Job> jobs;
        std::vector<model::Dependency> dependencies;
        std::vector<model::Wait> waits;
        std::vector<model::UnseenJobs> unseen;
        std::vector<model::Frame> frames;
        std::vector<model::ReturnedCall> calls;
        std::vector<model::CompletionNotice> learned;

        std::size_t size() const
        {
            return jobs.size() + dependencies.size() + waits.size() + unseen.size() +
                   frames.size() + calls.size() + learned.size();
        }
        void clear();
    };

    void forward_if_full();
    void forward();
    void drain();
    bool is_draining();
    void deliver(const Batch& batch);

    Workers& m_workers;
    model::JobSink& m_sink;
    std::unique_ptr<Batch> m_current = std::make_unique<Batch>();
    std::mutex m_mutex;
    // under the mutex
    RecyclingQueue<Batch> m_pending;
    bool m_is_draining = false;
};

} // namespace lttng_gpu::run
