// SPDX-License-Identifier: MIT
//
// See call_names.hpp.
#include "call_names.hpp"

#include <algorithm>

namespace lttng_gpu::model {

CallName CallNames::of(const trace::FieldValue& function, std::span<const std::string_view> waits)
{
    const std::uint64_t number = function.as_unsigned_or(most_functions);
    const std::uint32_t enumeration = function.enumeration();
    if (enumeration == 0 || number >= most_functions) {
        return look_up(function, waits);
    }
    if (m_known.size() <= enumeration) {
        m_known.resize(enumeration + std::size_t{1});
    }
    auto& known = m_known[enumeration];
    if (known.size() <= number) {
        known.resize(number + 1);
    }
    if (!known[number]) {
        known[number] = look_up(function, waits);
    }
    return *known[number];
}

CallName CallNames::look_up(const trace::FieldValue& function,
                            std::span<const std::string_view> waits)
{
    const std::string_view label = m_enumerations.label_of(function);
    if (label.empty()) {
        return {};
    }
    return {m_strings.intern(label), std::ranges::find(waits, label) != waits.end()};
}

} // namespace lttng_gpu::model
