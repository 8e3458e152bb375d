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

JobStage::JobStage(Workers& workers, model::JobSink& sink) : m_workers{workers}, m_sink{sink} {}

JobStage::~JobStage()
{
    m_workers.settle([this] { return !is_draining(); });
}

void JobStage::on_job(const model::Job& job)
{
    m_current->jobs.push_back(job);
    forward_if_full();
}

void JobStage::on_dependency(const model::Dependency& dependency)
{
    m_current->dependencies.push_back(dependency);
    forward_if_full();
}

void JobStage::on_wait(const model::Wait& wait)
{
    m_current->waits.push_back(wait);
    forward_if_full();
}

void JobStage::on_unseen(const model::UnseenJobs& jobs)
{
    m_current->unseen.push_back(jobs);
    forward_if_full();
}

void JobStage::on_frame(const model::Frame& frame)
{
    m_current->frames.push_back(frame);
    forward_if_full();
}

void JobStage::on_api_call(const model::ReturnedCall& call)
{
    m_current->calls.push_back(call);
    forward_if_full();
}

void JobStage::on_completion_notice(const model::CompletionNotice& end)
{
    m_current->learned.push_back(end);
    forward_if_full();
}

void JobStage::finish()
{
    forward();
    m_workers.help_until([this] { return !is_draining(); });
}

bool JobStage::is_draining()
{
    const std::lock_guard lock{m_mutex};
    return m_is_draining;
}

void JobStage::forward_if_full()
{
    if (m_current->size() >= batch_size) {
        forward();
    }
}

void JobStage::forward()
{
    bool must_submit = false;
    bool is_crowded = false;
    {
        const std::lock_guard lock{m_mutex};
        if (m_current->size() > 0) {
            m_pending.push(std::move(m_current));
            m_current = m_pending.take_unused();
        }
        must_submit = !m_is_draining && !m_pending.is_empty();
        m_is_draining = m_is_draining || must_submit;
        is_crowded = m_pending.size() > pending_at_most;
    }
    if (must_submit) {
        m_workers.submit([this] { drain(); });
    }
    if (is_crowded) {
        m_workers.help_until([this] {
            const std::lock_guard lock{m_mutex};
            return m_pending.size() <= pending_at_most / 2;
        });
    }
}

/// One batch for each task: who helps out goes back to what only he can do.
void JobStage::drain()
{
    std::unique_ptr<Batch> batch;
    {
        const std::lock_guard lock{m_mutex};
        batch = m_pending.pop();
    }
    deliver(*batch);
    batch->clear();
    const std::lock_guard lock{m_mutex};
    m_pending.give_back(std::move(batch));
    m_is_draining = !m_pending.is_empty();
    if (m_is_draining) {
        m_workers.submit([this] { drain(); });
    }
}

void JobStage::deliver(const Batch& batch)
{
    for (const model::Job& job : batch.jobs) {
        m_sink.on_job(job);
    }
    for (const model::Dependency& dependency : batch.dependencies) {
        m_sink.on_dependency(dependency);
    }
    for (const model::Wait& wait : batch.waits) {
        m_sink.on_wait(wait);
    }
    for (const model::UnseenJobs& jobs : batch.unseen) {
        m_sink.on_unseen(jobs);
    }
    for (const model::Frame& frame : batch.frames) {
        m_sink.on_frame(frame);
    }
    for (const model::ReturnedCall& call : batch.calls) {
        m_sink.on_api_call(call);
    }
    for (const model::CompletionNotice& end : batch.learned) {
        m_sink.on_completion_notice(end);
    }
}

} // namespace lttng_gpu::run
