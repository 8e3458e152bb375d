// SPDX-License-Identifier: MIT
//
// The numbers of the texts met lately. Interning walks a large table; the few
// thread names of a trace come again and again and are found here in one step.
#pragma once

#include "../base/short_text.hpp"
#include "../base/string_pool.hpp"

#include <array>

namespace lttng_gpu::model {

class TextIds {
public:
    explicit TextIds(StringPool& strings) : m_strings{strings} {}

    StringId of(std::string_view text)
    {
        if (text.empty()) {
            return {};
        }
        if (text.size() > ShortText::longest) {
            return m_strings.intern(text);
        }
        const ShortText short_text{text};
        std::array<Known, 2>& pair =
            m_known[hash_place(mix_hash(0, short_text.digest()), place_bits)];
        for (const Known& known : pair) {
            if (known.text == short_text) {
                return known.id;
            }
        }
        pair[1] = pair[0];
        pair[0] = {short_text, m_strings.intern(text)};
        return pair[0].id;
    }

private:
    struct Known {
        ShortText text;
        StringId id;
    };

    static constexpr unsigned place_bits = 7;

    StringPool& m_strings;
    std::array<std::array<Known, 2>, 1U << place_bits> m_known{}; // the latter of a pair first
};

} // namespace lttng_gpu::model
