// SPDX-License-Identifier: MIT
//
// See dependency_table.hpp.
#include "dependency_table.hpp"

namespace lttng_gpu::report {

bool DependencyTable::add(std::uint32_t process, const model::Dependency& dependency,
                          bool is_counted,
                          std::optional<std::pair<std::int64_t, std::int64_t>> blocked)
{
    if (!is_counted && !blocked) {
        return true; // outside of the window
    }
    const std::uint32_t number =
        m_pairs.find_or_add({process, dependency.producer_ring, ActorKey{dependency.producer}});
    if (number == m_counts.size()) {
        m_counts.emplace_back();
    }
    Count& count = m_counts[number];
    count.all += is_counted ? 1 : 0;
    count.blocking += is_counted && dependency.is_blocking ? 1 : 0;
    return !blocked || count.blocked.add(blocked->first, blocked->second);
}

} // namespace lttng_gpu::report
