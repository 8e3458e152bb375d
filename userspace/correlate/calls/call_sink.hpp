// SPDX-License-Identifier: MIT
//
// Who wants to know the API calls themselves, and not only the jobs that they made. Calls come
// when they have returned, those of a thread in that order. Of a call that gave a command two
// are told: what it is called, and with is_enqueue a name that says more; both began together.
#pragma once

#include "../base/gpu_event.hpp"

namespace lttng_gpu::model {

struct ApiCall {
    Actor actor;
    Timestamp begin;
    Timestamp end;
    StringId call;
    bool is_enqueue = false;
};

class CallSink {
public:
    CallSink() = default;
    CallSink(const CallSink&) = delete;
    CallSink& operator=(const CallSink&) = delete;
    virtual ~CallSink() = default;

    virtual void on_call(const ApiCall& call) = 0;
};

} // namespace lttng_gpu::model
