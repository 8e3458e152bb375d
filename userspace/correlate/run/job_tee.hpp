// SPDX-License-Identifier: MIT
//
// Gives what the pipeline decides to two sinks, so that one reading serves both.
#pragma once

#include "../model/api/frame.hpp"

namespace lttng_gpu::run {

class JobTee final : public model::JobSink {
public:
    /// Both must outlive it.
    JobTee(model::JobSink& first, model::JobSink& second) : x_first{first}, x_second{second} {}

    void on_job(const model::Job& job) override
    {
        x_first.on_job(job);
        x_second.on_job(job);
    }
    void on_dependency(const model::Dependency& dependency) override
    {
        x_first.on_dependency(dependency);
        x_second.on_dependency(dependency);
    }
    void on_wait(const model::Wait& wait) override
    {
        x_first.on_wait(wait);
        x_second.on_wait(wait);
    }
    void on_unseen(const model::UnseenJobs& jobs) override
    {
        x_first.on_unseen(jobs);
        x_second.on_unseen(jobs);
    }
    void on_frame(const model::Frame& frame) override
    {
        x_first.on_frame(frame);
        x_second.on_frame(frame);
    }
    void on_api_call(const model::ReturnedCall& call) override
    {
        x_first.on_api_call(call);
        x_second.on_api_call(call);
    }
    void on_learned(const model::LearnedEnd& end) override
    {
        x_first.on_learned(end);
        x_second.on_learned(end);
    }

private:
    model::JobSink& x_first;
    model::JobSink& x_second;
};

} // namespace lttng_gpu::run
