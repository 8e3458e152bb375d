// SPDX-License-Identifier: MIT
//
// A call that makes a driver submit, and a job that a thread of the driver queued for one.
#pragma once

#include "../base/ids.hpp"
#include "../base/known.hpp"

namespace lttng_gpu::model {

/// What a call gives the driver.
enum class SubmitRole : std::uint8_t {
    Submit,  // it makes the driver submit what was drawn before: usually one job
    Command, // a command: a part of a job at least
    Other,   // commands of other calls are handed on, or waited for
    May,     // as Submit, but often there is nothing to submit
};

/// What an API tells of a call beside its name.
struct SubmitDetail {
    std::uint64_t queue = 0; // by its handle; 0: not told
    /// When it returned, everything was complete that was given to its queue before.
    bool is_sync = false;
    /// It only asks whether something is complete.
    bool is_poll = false;
    bool has_failed = false;
};

struct SubmitCall {
    std::int64_t tid = 0; // in its own namespace
    Timestamp begin;
    Timestamp end;
    StringId name;
    SubmitRole role = SubmitRole::Submit;
    SubmitDetail detail{};
};

struct SubmitJob {
    std::uint64_t serial = 0;
    Timestamp queued;
    KnownTime completed{};
    /// What helper_jobs.hpp knows: calls that began later are not in it;
    Timestamp asked{};
    /// its thread had handed over the job before, and began with this one then or later;
    KnownTime free{};
    /// and its next job is of the same context.
    bool is_followed = false;
};

} // namespace lttng_gpu::model
