// SPDX-License-Identifier: MIT
//
// virtio_gpu names a job by its fence id only. The thread that submits creates
// the fence first (init), gives it its seqno (emit) and then queues the command
// with that seqno as fence id. This class remembers, per thread, the fence under
// way, so that the command learns its fence context and when its submission
// began.
#pragma once

#include "../base/ids.hpp"
#include "../base/time.hpp"
#include "gpu_event.hpp"

#include <map>
#include <optional>

namespace lttng_gpu::model {

class VirtioFences {
public:
    /// A thread where it is known, else the CPU; a CPU only tells that emit and
    /// command follow each other, not which init came before.
    struct Place {
        TraceId trace;
        bool is_thread = false;
        std::int64_t number = 0;

        friend auto operator<=>(const Place&, const Place&) = default;
    };

    struct Fence {
        std::optional<Timestamp> begun;
        FenceContext context;
        std::optional<FenceSeqno> seqno;
    };

    void on_init(Place place, Timestamp time, FenceContext context);
    void on_emit(Place place, FenceContext context, FenceSeqno seqno);
    /// The fence of the command with this fence id, if it is the one under way.
    std::optional<Fence> take(Place place, std::uint64_t fence_id);

    /// The earliest init whose command may still come; forgets stale ones.
    std::optional<Timestamp> earliest_begun(Timestamp now);

private:
    std::map<Place, Fence> x_fences;
};

} // namespace lttng_gpu::model
