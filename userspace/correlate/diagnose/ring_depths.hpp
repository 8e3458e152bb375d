// SPDX-License-Identifier: MIT
//
// How many jobs each ring was seen to take at once: learned by a first reading, so that what a
// diagnosis says does not depend on when it is made.
#pragma once

#include "../jobs/job.hpp"
#include "../rings/ring_table.hpp"

#include <functional>
#include <map>
#include <queue>
#include <string>

namespace lttng_gpu::diagnose {

class RingDepths final : public model::JobSink {
public:
    void on_job(const model::Job& job) override;

    /// After the reading. Remembers the rings by their names: another reading may number them in
    /// another way.
    void finish(const model::RingTable& rings);
    bool is_finished() const { return m_is_finished; }
    /// Of the reading under way: so far. 0: no job of it was seen on the device.
    unsigned of(RingId ring, const model::RingTable& rings) const;

private:
    struct Ring {
        Timestamp latest{INT64_MIN}; // submission
        std::priority_queue<Timestamp, std::vector<Timestamp>, std::greater<>> ends;
        std::size_t most = 0;
    };

    static std::string name_of(const model::Ring& ring, const model::RingTable& rings);

    std::vector<Ring> m_rings;
    bool m_is_finished = false;
    std::map<std::string, std::size_t> m_depths;
};

} // namespace lttng_gpu::diagnose
