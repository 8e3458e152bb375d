// SPDX-License-Identifier: MIT
//
// One template for every number that has a unit or names something, so that a
// fence context can never be passed where a seqno is wanted. Types of this
// layer live directly in lttng_gpu, because every layer above uses them.
#pragma once

#include <compare>
#include <cstddef>
#include <functional>

namespace lttng_gpu {

template <typename Tag, typename Rep> class Strong {
public:
    using rep = Rep;

    constexpr Strong() = default;
    constexpr explicit Strong(Rep value) : m_value{value} {}

    constexpr Rep value() const { return m_value; }

    friend constexpr auto operator<=>(const Strong&, const Strong&) = default;

private:
    Rep m_value{};
};

} // namespace lttng_gpu

template <typename Tag, typename Rep> struct std::hash<lttng_gpu::Strong<Tag, Rep>> {
    std::size_t operator()(const lttng_gpu::Strong<Tag, Rep>& strong) const noexcept
    {
        return std::hash<Rep>{}(strong.value());
    }
};
