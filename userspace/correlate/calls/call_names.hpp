// SPDX-License-Identifier: MIT
//
// The names of API functions, from the enumerations of the trace: looked up once for
// each number, so that a call costs no search and no comparison of texts.
#pragma once

#include "../base/string_pool.hpp"
#include "../trace/enumeration_table.hpp"

#include <optional>
#include <span>

namespace lttng_gpu::model {

struct CallName {
    StringId text;        // empty: the trace does not name the function
    bool is_wait = false; // the function does nothing but wait until commands are complete
};

class CallNames {
public:
    CallNames(StringPool& strings, const trace::EnumerationTable& enumerations)
        : m_strings{strings}, m_enumerations{enumerations}
    {
    }

    /// `waits`: which functions of that API only wait.
    CallName of(const trace::FieldValue& function, std::span<const std::string_view> waits);

private:
    static constexpr std::uint64_t most_functions = 4096; // of one enumeration that are kept

    CallName look_up(const trace::FieldValue& function, std::span<const std::string_view> waits);

    StringPool& m_strings;
    const trace::EnumerationTable& m_enumerations;
    std::vector<std::vector<std::optional<CallName>>> m_known; // by enumeration and number
};

} // namespace lttng_gpu::model
