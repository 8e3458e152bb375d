// SPDX-License-Identifier: MIT
//
// Gives what the pipeline decides to two sinks, so that one reading serves both.
#pragma once

#include "../calls/frame.hpp"

namespace lttng_gpu::run {

class JobTee final : public model::JobSink {
public:
    /// Both must outlive it.
    JobTee(model::JobSink& first, model::JobSink& second) : m_first{first}, m_second{second} {}

    void on_job(const model::Job& job) override { give(&model::JobSink::on_job, job); }
    void on_dependency(const model::Dependency& dependency) override
    {
        give(&model::JobSink::on_dependency, dependency);
    }
    void on_wait(const model::Wait& wait) override { give(&model::JobSink::on_wait, wait); }
    void on_unseen(const model::UnseenJobs& jobs) override
    {
        give(&model::JobSink::on_unseen, jobs);
    }
    void on_frame(const model::Frame& frame) override { give(&model::JobSink::on_frame, frame); }
    void on_api_call(const model::ReturnedCall& call) override
    {
        give(&model::JobSink::on_api_call, call);
    }
    void on_completion_notice(const model::CompletionNotice& end) override
    {
        give(&model::JobSink::on_completion_notice, end);
    }

private:
    template <typename Item> void give(void (model::JobSink::*take)(const Item&), const Item& item)
    {
        (m_first.*take)(item);
        (m_second.*take)(item);
    }

    model::JobSink& m_first;
    model::JobSink& m_second;
};

} // namespace lttng_gpu::run
