// SPDX-License-Identifier: MIT
//
// Keeps jobs in the order of their first known time until they can be handed on.
// Jobs are decided in any order; a decided one is held while an earlier one is
// open. How many are held is the caller's to watch. Knows jobs by number only.
#pragma once

#include "../base/bounded_deque.hpp"
#include "../base/time.hpp"

#include <cstdint>

namespace lttng_gpu::model {

class JobOrder {
public:
    using Place = std::uint64_t;

    /// Times must not go back.
    Place reserve(Timestamp first_known, std::uint32_t job);
    void decide(Place place);
    /// The place is not needed any more; nothing is handed on for it.
    void drop(Place place);

    bool is_empty() const { return m_entries.is_empty(); }
    std::uint32_t front() const { return m_entries.front().job; }
    Timestamp front_time() const { return m_entries.front().time; }
    bool is_front_decided() const { return m_entries.front().state == State::Decided; }
    void pop_front();

    /// Decided and not handed on yet.
    std::size_t decided() const { return m_decided; }
    std::size_t size() const { return m_entries.size(); }

private:
    enum class State : std::uint8_t { Open, Decided, Dropped };
    struct Entry {
        Timestamp time;
        std::uint32_t job = 0;
        State state = State::Open;
    };

    void skip_dropped();

    BoundedDeque<Entry> m_entries; // the first is never a dropped one
    Place m_first = 0;             // of the first entry
    std::size_t m_decided = 0;
};

} // namespace lttng_gpu::model
