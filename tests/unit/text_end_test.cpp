// SPDX-License-Identifier: MIT
//
// Where texts end, for all lengths around the bytes of a step and at each address. Every
// text has memory of its own, exactly as much as may be loaded: the address sanitizer
// sees anything beyond.
#include "trace/ctf/text_end.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace lttng_gpu::trace::ctf;

namespace {

constexpr std::uint32_t longest = 40;

/// Bytes that are not zero, then perhaps a zero, then bytes that are none of the text's.
std::vector<std::uint8_t> bytes_of(std::size_t length, bool has_end, std::size_t behind)
{
    std::vector<std::uint8_t> bytes;
    for (std::size_t index = 0; index < length; ++index) {
        bytes.push_back(static_cast<std::uint8_t>(index % 2 == 0 ? 0x01 : 0x80));
    }
    if (has_end) {
        bytes.push_back(0);
    }
    for (std::size_t index = 0; index < behind; ++index) {
        bytes.push_back(static_cast<std::uint8_t>(index % 3 == 0 ? 0 : 0xff));
    }
    bytes.shrink_to_fit();
    return bytes;
}

} // namespace

TEST_CASE("text_end_when_a_text_has_any_length_then_its_end_is_found")
{
    for (std::size_t length = 0; length <= longest; ++length) {
        for (std::size_t behind = 0; behind <= longest; ++behind) {
            const auto bytes = bytes_of(length, true, behind);
            const std::uint8_t* const begin = bytes.data();
            const std::uint8_t* const end = begin + bytes.size();
            CHECK(find_zero(begin, end) == begin + length);
            CHECK(find_zero(begin, begin + length) == nullptr);
            const std::uint8_t* const last = end - text_step;
            if (last < begin) {
                continue;
            }
            // Steps go from the beginning on; the one with the zero may begin behind `last`.
            const std::size_t step = length / text_step * text_step;
            const bool is_reached = begin + step <= last;
            CHECK(behind_string(begin, last) == (is_reached ? begin + length + 1 : nullptr));
            if (is_reached) {
                CHECK(behind_string(begin) == begin + length + 1);
            }
        }
    }
}

TEST_CASE("text_end_when_a_text_is_in_an_array_then_it_ends_at_a_zero_or_with_the_array")
{
    for (std::uint32_t array = 0; array <= longest; ++array) {
        for (std::size_t length = 0; length <= longest; ++length) {
            auto bytes = bytes_of(length, true, longest);
            bytes.resize(array + static_cast<std::size_t>(text_step) - (array > 0 ? 1 : 0));
            bytes.shrink_to_fit();
            CHECK(text_at(bytes.data(), array).size() == std::min<std::size_t>(length, array));
        }
    }
}
