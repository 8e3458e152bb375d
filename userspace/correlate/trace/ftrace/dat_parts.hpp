// SPDX-License-Identifier: MIT
//
// Which parts of a trace.dat file are in use. Its tables say where the parts are, and
// nothing keeps a file from naming one part a million times, to be unpacked or read each
// time. Recorders write each part once, and none inside another.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>

namespace lttng_gpu::trace::ftrace {

class DatParts {
public:
    /// Bytes [begin, end) of the file; false if some of them are in use. An empty part is
    /// always free.
    bool take(std::uint64_t begin, std::uint64_t end)
    {
        if (begin >= end) {
            return true;
        }
        const auto next = m_parts.lower_bound(begin);
        if (next != m_parts.end() && next->first < end) {
            return false;
        }
        if (next != m_parts.begin() && std::prev(next)->second > begin) {
            return false;
        }
        m_parts.emplace_hint(next, begin, end);
        return true;
    }

private:
    std::map<std::uint64_t, std::uint64_t> m_parts; // begin to end
};

} // namespace lttng_gpu::trace::ftrace
