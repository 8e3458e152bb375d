// SPDX-License-Identifier: MIT
//
// See enumeration_table.hpp.
#include "enumeration_table.hpp"

#include <algorithm>

namespace lttng_gpu::trace {
namespace {

bool holds(const Enumerator& range, std::uint64_t value, bool is_signed)
{
    if (is_signed) {
        return static_cast<std::int64_t>(range.lower) <= static_cast<std::int64_t>(value) &&
               static_cast<std::int64_t>(value) <= static_cast<std::int64_t>(range.upper);
    }
    return range.lower <= value && value <= range.upper;
}

} // namespace

std::uint32_t EnumerationTable::add(Enumeration enumeration)
{
    std::ranges::sort(enumeration.enumerators); // formats and readers differ in the order
    const auto next = static_cast<std::uint32_t>(m_enumerations.size() + 1);
    const auto [place, is_new] = m_numbers.try_emplace(std::move(enumeration), next);
    if (is_new) {
        m_enumerations.push_back(&place->first); // entries of a map do not move
    }
    return place->second;
}

std::string_view EnumerationTable::label_of(const FieldValue& value) const
{
    const std::uint32_t number = value.enumeration();
    if (number == 0 || number > m_enumerations.size()) {
        return {};
    }
    const Enumeration& enumeration = *m_enumerations[number - 1];
    const auto found =
        std::ranges::find_if(enumeration.enumerators, [&](const Enumerator& enumerator) {
            return holds(enumerator, value.as_unsigned_or(0), enumeration.is_signed);
        });
    return found == enumeration.enumerators.end() ? std::string_view{} : found->label;
}

} // namespace lttng_gpu::trace
