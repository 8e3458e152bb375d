// SPDX-License-Identifier: MIT
//
// The numbers of the texts met lately. Interning walks a large table; the few
// thread names of a trace come again and again and are found here in one step.
#pragma once

#include "../base/string_pool.hpp"
#include "byte_hash.hpp"

#include <array>

namespace lttng_gpu::model {

class TextIds {
public:
    explicit TextIds(StringPool& strings) : x_strings{strings} {}

    StringId of(std::string_view text)
    {
        if (text.empty()) {
            return {};
        }
        if (text.size() > longest) {
            return x_strings.intern(text);
        }
        Known& known = x_known[hash_bytes(0, text) % x_known.size()];
        const bool is_known = known.length == text.size() &&
                              std::memcmp(known.bytes.data(), text.data(), text.size()) == 0;
        if (!is_known) {
            known.id = x_strings.intern(text);
            known.length = text.size();
            std::memcpy(known.bytes.data(), text.data(), text.size());
        }
        return known.id;
    }

private:
    static constexpr std::size_t longest = 24;

    struct Known {
        std::size_t length = 0;
        std::array<char, longest> bytes{};
        StringId id;
    };

    StringPool& x_strings;
    std::array<Known, 256> x_known{};
};

} // namespace lttng_gpu::model
