// SPDX-License-Identifier: MIT
//
// See job_stage.hpp.
#include "job_stage.hpp"

#include <utility>

namespace lttng_gpu::run {
namespace {

/// Large enough that handing over costs nothing beside the work in it.
constexpr std::size_t batch_size = 1024;
/// Batches that may wait; then the tracker helps with them.
constexpr std::size_t pending_at_most = 24;

} // namespace

void JobStage::Batch::clear()
{
    jobs.clear();
    dependencies.clear();
    waits.clear();
    unseen.clear();
    frames.clear();
    calls.clear();
    learned.clear();
}

JobStage::JobStage(Workers& workers, model::JobSink& sink) : x_workers{workers}, x_sink{sink} {}

JobStage::~JobStage()
{
    x_workers.settle([this] { return !is_draining(); });
}

void JobStage::on_job(const model::Job& job)
{
    x_current->jobs.push_back(job);
    forward_if_full();
}

void JobStage::on_dependency(const model::Dependency& dependency)
{
    x_current->dependencies.push_back(dependency);
    forward_if_full();
}

void JobStage::on_wait(const model::Wait& wait)
{
    x_current->waits.push_back(wait);
    forward_if_full();
}

void JobStage::on_unseen(const model::UnseenJobs& jobs)
{
    x_current->unseen.push_back(jobs);
    forward_if_full();
}

void JobStage::on_frame(const model::Frame& frame)
{
    x_current->frames.push_back(frame);
    forward_if_full();
}

void JobStage::on_api_call(const model::ReturnedCall& call)
{
    x_current->calls.push_back(call);
    forward_if_full();
}

void JobStage::on_learned(const model::LearnedEnd& end)
{
    x_current->learned.push_back(end);
    forward_if_full();
}

void JobStage::finish()
{
    forward();
    x_workers.help_until([this] { return !is_draining(); });
}

bool JobStage::is_draining()
{
    const std::lock_guard lock{x_mutex};
    return x_is_draining;
}

void JobStage::forward_if_full()
{
    if (x_current->size() >= batch_size) {
        forward();
    }
}

void JobStage::forward()
{
    bool must_submit = false;
    bool is_crowded = false;
    {
        const std::lock_guard lock{x_mutex};
        if (x_current->size() > 0) {
            x_pending.push(std::move(x_current));
            x_current = x_pending.take_unused();
        }
        must_submit = !x_is_draining && !x_pending.is_empty();
        x_is_draining = x_is_draining || must_submit;
        is_crowded = x_pending.size() > pending_at_most;
    }
    if (must_submit) {
        x_workers.submit([this] { drain(); });
    }
    if (is_crowded) {
        x_workers.help_until([this] {
            const std::lock_guard lock{x_mutex};
            return x_pending.size() <= pending_at_most / 2;
        });
    }
}

/// One batch for each task: who helps out goes back to what only he can do.
void JobStage::drain()
{
    std::unique_ptr<Batch> batch;
    {
        const std::lock_guard lock{x_mutex};
        batch = x_pending.pop();
    }
    deliver(*batch);
    batch->clear();
    const std::lock_guard lock{x_mutex};
    x_pending.give_back(std::move(batch));
    x_is_draining = !x_pending.is_empty();
    if (x_is_draining) {
        x_workers.submit([this] { drain(); });
    }
}

void JobStage::deliver(const Batch& batch)
{
    for (const model::Job& job : batch.jobs) {
        x_sink.on_job(job);
    }
    for (const model::Dependency& dependency : batch.dependencies) {
        x_sink.on_dependency(dependency);
    }
    for (const model::Wait& wait : batch.waits) {
        x_sink.on_wait(wait);
    }
    for (const model::UnseenJobs& jobs : batch.unseen) {
        x_sink.on_unseen(jobs);
    }
    for (const model::Frame& frame : batch.frames) {
        x_sink.on_frame(frame);
    }
    for (const model::ReturnedCall& call : batch.calls) {
        x_sink.on_api_call(call);
    }
    for (const model::LearnedEnd& end : batch.learned) {
        x_sink.on_learned(end);
    }
}

} // namespace lttng_gpu::run
