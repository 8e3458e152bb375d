// SPDX-License-Identifier: MIT
//
// A thread that made API calls: trace, pid namespace and its number in there.
#pragma once

#include "../system/actor_origins.hpp"

#include <tuple>

namespace lttng_gpu::model {

using ThreadOfSpace = std::tuple<TraceId, std::uint32_t, Tid>;

/// Of an actor with a tid.
inline ThreadOfSpace thread_of(const ActorOrigins& origins, const Actor& actor)
{
    const ActorOrigin& origin = origins.at(actor.origin);
    return {origin.trace, origin.pid_ns, *actor.tid};
}

/// The call that made a job.
struct CallPlace {
    ThreadOfSpace thread;
    Timestamp begin;
    Timestamp end;
};

} // namespace lttng_gpu::model
