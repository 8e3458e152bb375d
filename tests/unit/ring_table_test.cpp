// SPDX-License-Identifier: MIT
//
// Rings met lately are found by a shorter way: it must give the same ring as the
// table, for names of any length, of more rings than it remembers, and after a
// ring has got another device.
#include "base/short_text.hpp"
#include "rings/ring_table.hpp"

#include <doctest/doctest.h>
#include <map>
#include <set>
#include <string_view>

using namespace lttng_gpu;
using model::RingTable;
using model::ShortText;

TEST_CASE("short_text_when_one_byte_differs_then_not_equal")
{
    for (std::size_t size = 0; size <= ShortText::longest; ++size) {
        const std::string text(size, 'x');
        CHECK(ShortText{text} == ShortText{text});
        CHECK(ShortText{text} != ShortText{});
        if (size > 0) {
            CHECK(ShortText{text} != ShortText{text.substr(1)});
        }
        for (std::size_t at = 0; at < size; ++at) {
            std::string other = text;
            other[at] = 'y';
            CHECK(ShortText{text} != ShortText{other});
        }
    }
}

TEST_CASE("ring_when_names_come_again_then_same_ring")
{
    StringPool strings;
    RingTable rings{strings};
    std::vector<RingId> known;
    std::set<std::uint32_t> numbers;
    for (int round = 0; round < 2; ++round) {
        std::size_t next = 0;
        for (std::uint32_t trace = 0; trace < 3; ++trace) {
            for (const std::string device : {"", "card0", "0000:04:00.0"}) {
                for (std::size_t size = 1; size < 40; ++size) {
                    const RingId ring =
                        rings.intern(TraceId{trace}, device, std::string(size, 'r'));
                    if (round == 0) {
                        known.push_back(ring);
                        numbers.insert(ring.value());
                    }
                    CHECK(ring == known[next++]);
                }
            }
        }
    }
    CHECK(numbers.size() == known.size());
    CHECK(rings.all().size() == known.size());
}

TEST_CASE("ring_when_it_got_a_device_then_old_name_is_another_ring")
{
    StringPool strings;
    RingTable rings{strings};
    const RingId ring = rings.intern(TraceId{}, "", "gfx");
    REQUIRE(rings.intern(TraceId{}, "", "gfx") == ring);
    REQUIRE(rings.set_device(ring, "0000:04:00.0") == ring);
    CHECK(rings.intern(TraceId{}, "0000:04:00.0", "gfx") == ring);
    CHECK(rings.intern(TraceId{}, "", "gfx") != ring);
}

TEST_CASE("driver_when_set_again_then_texts_and_order_follow")
{
    StringPool strings;
    RingTable rings{strings};
    rings.add_firmware_driver("xe");
    const RingId ring = rings.intern(TraceId{}, "", "rcs0");
    for (const std::string driver : {"amdgpu", "a driver of a long name", "msm", "xe"}) {
        for (int time = 0; time < 2; ++time) {
            rings.set_driver(ring, driver);
            CHECK(rings.text(rings.at(ring).driver) == driver);
            CHECK(rings.at(ring).is_fifo == (driver != "xe"));
        }
    }
}

TEST_CASE("names_when_only_the_eighth_character_differs_then_are_not_of_one_place")
{
    // Two of one place are found at once; more of them drive each other out.
    std::map<std::size_t, int> names_of_place;
    for (const std::string_view name : {"render-0", "render-1", "render-2", "render-3", "render-4",
                                        "render-5", "render-6", "render-7"}) {
        const std::uint64_t hash = mix_hash(0, ShortText{name}.digest());
        CHECK(++names_of_place[hash_place(hash, 7)] <= 2);
    }
}
