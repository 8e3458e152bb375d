// SPDX-License-Identifier: MIT
//
// By what processes are told apart. Text traces of ftrace name threads only, unless the tracer kept
// the ids of their processes; two threads may be of one process then, and nobody knows.
#pragma once

#include "../base/gpu_event.hpp"

namespace lttng_gpu::model {

/// The thread, where the process is unknown; else nothing.
constexpr Known<Tid> thread_without_pid(const Actor& actor)
{
    return actor.pid ? Known<Tid>{} : actor.tid;
}

/// Threads of a known process may have names of their own.
struct ProcessIdentity {
    OriginId origin;
    Known<Pid> pid;
    Known<Tid> tid; // of the thread, only where the process is unknown
    StringId comm;  // likewise

    ProcessIdentity() = default;
    explicit ProcessIdentity(const Actor& actor)
        : origin{actor.origin}, pid{actor.pid}, tid{thread_without_pid(actor)},
          comm{actor.pid ? StringId{} : actor.comm}
    {
    }

    friend auto operator<=>(const ProcessIdentity&, const ProcessIdentity&) = default;
};

} // namespace lttng_gpu::model
