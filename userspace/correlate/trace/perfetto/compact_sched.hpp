// SPDX-License-Identifier: MIT
//
// The switches of a bundle in Perfetto's compact form: one list for each field, times as
// differences, names in a table.
#pragma once

#include "wire_reader.hpp"

#include <string_view>
#include <vector>

namespace lttng_gpu::trace::perfetto {

class CompactSched {
public:
    void clear();
    /// False when the lists do not fit each other: what fits is taken.
    bool read(Bytes compact);

    std::size_t size() const { return m_times.size(); }
    std::uint64_t time(std::size_t index) const { return m_times[index]; }
    std::int64_t next_tid(std::size_t index) const { return as_signed(m_tids[index]); }
    std::string_view next_comm(std::size_t index) const { return m_names[m_comms[index]]; }
    /// As the fields of the event sched_switch, which has more than this form keeps.
    void get(std::size_t index, std::vector<WireField>& fields) const;

    /// Wake-ups are nobody's business here, but events all the same.
    std::uint64_t wakings() const { return m_wakings.size(); }
    std::uint64_t last_waking() const { return m_wakings.back(); }

private:
    static std::int64_t as_signed(std::uint64_t value) { return static_cast<std::int64_t>(value); }
    static bool add_numbers(Bytes packed, std::vector<std::uint64_t>& numbers);
    bool fit();

    std::vector<std::uint64_t> m_times;
    std::vector<std::uint64_t> m_states;
    std::vector<std::uint64_t> m_tids;
    std::vector<std::uint64_t> m_priorities;
    std::vector<std::uint64_t> m_comms;
    std::vector<std::uint64_t> m_wakings;
    std::vector<std::string_view> m_names;
};

} // namespace lttng_gpu::trace::perfetto
