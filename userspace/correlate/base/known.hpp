// SPDX-License-Identifier: MIT
//
// A strong number (strong.hpp) that may be unknown and takes no more room than a known one:
// jobs are held by the hundred, copied, and taken from one processor's cache to another's.
// Used like std::optional, and turns into one. The smallest signed or largest unsigned number
// means unknown: no clock, process or fence gets there.
#pragma once

#include "time.hpp"

#include <compare>
#include <limits>
#include <optional>
#include <type_traits>

namespace lttng_gpu {

template <typename Number> class Known {
public:
    constexpr Known() = default;
    constexpr Known(std::nullopt_t) {}
    constexpr Known(Number number) : m_number{number} {}
    constexpr Known(const std::optional<Number>& number) : m_number{number.value_or(unknown)} {}

    constexpr operator std::optional<Number>() const
    {
        return has_value() ? std::optional{m_number} : std::nullopt;
    }

    constexpr bool has_value() const { return m_number != unknown; }
    constexpr explicit operator bool() const { return has_value(); }
    /// Only of a known one.
    constexpr const Number& operator*() const { return m_number; }
    constexpr const Number* operator->() const { return &m_number; }
    constexpr Number value_or(Number other) const { return has_value() ? m_number : other; }
    constexpr void reset() { m_number = unknown; }

    friend constexpr bool operator==(const Known&, const Known&) = default;
    /// What is unknown comes first.
    friend constexpr auto operator<=>(const Known& left, const Known& right)
    {
        const auto known = left.has_value() <=> right.has_value();
        return known != 0 ? known : left.m_number <=> right.m_number;
    }

private:
    using Limits = std::numeric_limits<typename Number::rep>;
    static constexpr Number unknown{std::is_signed_v<typename Number::rep> ? Limits::min()
                                                                           : Limits::max()};

    Number m_number = unknown;
};

using KnownTime = Known<Timestamp>;
using KnownDuration = Known<Duration>;

} // namespace lttng_gpu
