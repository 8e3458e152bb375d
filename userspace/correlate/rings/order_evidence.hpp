// SPDX-License-Identifier: MIT
//
// Whether one ring executes its jobs in order, judged by pairs of jobs that were on the
// device at the same time and whose submissions and completions were all observed. A pair
// agrees when the job that was submitted first also completed first, else it contradicts.
// One contradiction may come from a reset or from what the trace lacks; a ring is parallel
// where they come again and again. Memory is bounded.
#pragma once

#include "../base/time_span.hpp"

#include <cstdint>
#include <vector>

namespace lttng_gpu::model {

class OrderEvidence {
public:
    void agree(Timestamp completed)
    {
        if ((m_agreements++ & (m_stride - 1)) == 0) { // a power of two
            add_checkpoint(completed);
        }
    }
    /// From the submission of the job that was overtaken to its completion.
    void contradict(TimeSpan overtaken);

    std::uint64_t agreements() const { return m_agreements; }
    std::uint64_t contradictions() const { return m_count; }

    /// While the trace is read: so many pairs must agree after the latest contradiction before
    /// the ring is taken to be in order again; each contradiction doubles it.
    bool is_calm() const { return m_count == 0 || m_agreements - m_agreements_at_last >= needed(); }

    /// A stretch of time in which the ring was not in order.
    struct Disorder {
        TimeSpan span;
        std::uint64_t contradictions = 0;
        std::uint64_t agreements = 0; // pairs that agreed within the stretch

        /// Fewer contradictions are called a disturbance.
        bool is_parallel() const { return contradictions >= least_for_parallel; }
    };

    /// After the last event. Contradictions belong together when as few pairs agree between them
    /// as is usual among them; a parallel stretch reaches beyond its first and last contradiction
    /// by as many agreeing pairs as can come in a row by chance.
    std::vector<Disorder> find_disorder() const;

    static constexpr std::uint64_t least_for_parallel = 3;

private:
    struct Contradiction {
        TimeSpan span;
        std::uint64_t agreements_before = 0;
        std::uint64_t count = 1;
    };
    static constexpr std::size_t most_checkpoints = 1024;
    static constexpr std::size_t most_contradictions = 4096;

    std::uint64_t needed() const;
    void add_checkpoint(Timestamp time);
    Timestamp time_before(std::uint64_t agreements, Timestamp otherwise) const;
    Timestamp time_after(std::uint64_t agreements, Timestamp otherwise) const;
    void widen(Disorder& disorder, std::uint64_t first, std::uint64_t last) const;

    std::uint64_t m_agreements = 0;
    std::uint64_t m_agreements_at_last = 0; // contradiction
    std::uint64_t m_count = 0;              // of contradictions
    std::uint64_t m_stride = 1;
    std::vector<Timestamp> m_checkpoints; // of every m_stride-th agreement
    std::vector<Contradiction> m_contradictions;
};

} // namespace lttng_gpu::model
