// SPDX-License-Identifier: MIT
//
// Counts which process waits for jobs of which other, and for how long. Only the
// parts inside the window; overlapping times of one pair count once.
#pragma once

#include "tallies.hpp"

namespace lttng_gpu::report {

class DependencyTable {
public:
    struct Pair {
        std::uint32_t process = 0; // that waits; its number in the tallies
        std::optional<RingId> producer_ring;
        ActorKey producer;

        std::uint64_t hash() const
        {
            const std::uint64_t ring = producer_ring ? producer_ring->value() + 1ULL : 0;
            return mix_hash(mix_hash(producer.hash(), process), ring);
        }

        friend bool operator==(const Pair&, const Pair&) = default;
    };
    struct Count {
        std::uint64_t all = 0;
        std::uint64_t blocking = 0;
        IntervalUnion blocked;
    };

    /// False when some of the time could not be told.
    bool add(std::uint32_t process, const model::Dependency& dependency, bool is_counted,
             std::optional<std::pair<std::int64_t, std::int64_t>> blocked);

    const std::vector<Pair>& pairs() const { return m_pairs.keys(); }
    const Count& count(std::size_t pair) const { return m_counts[pair]; }

private:
    KeyIndex<Pair> m_pairs;
    std::vector<Count> m_counts;
};

} // namespace lttng_gpu::report
