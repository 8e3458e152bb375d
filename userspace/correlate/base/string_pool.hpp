// SPDX-License-Identifier: MIT
//
// Keeps each distinct text once and gives it a small number. Events carry
// views into packet memory that dies with the next event; what has to live
// longer is interned here. StringId{} (0) is the empty text = unknown. Texts
// come out printable; two that only look alike keep different numbers.
#pragma once

#include "ids.hpp"

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace lttng_gpu {

class StringPool {
public:
    StringPool();

    StringId intern(std::string_view text);
    /// The view stays valid as long as the pool.
    std::string_view at(StringId id) const;

private:
    std::deque<std::string> m_texts; // a deque never moves its elements
    std::deque<std::string> m_unprintable;
    std::unordered_map<std::string_view, StringId> m_ids;
};

} // namespace lttng_gpu
