// SPDX-License-Identifier: MIT
//
// Chunks of the device's buffer come out of the packed bytes as they went in, and bytes that
// nobody packed are refused without harm.
#include "device/unpack.hpp"
#include "device/warps.hpp"
#include "device/writers.hpp"
#include "preload/device/pack.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <doctest/doctest.h>
#include <random>

namespace {

using namespace lttng_gpu::device;
using Words = std::vector<std::uint32_t>;

struct Told {
    std::uint32_t group, warp, place, location, lanes, count;
    std::uint64_t time;
    bool is_first;
    bool operator==(const Told&) const = default;
};

class Kept final : public RecordConsumer {
public:
    void on_chunk(const Chunk&) override { ++chunks; }
    void on_record(const Chunk& chunk, const Record& record) override
    {
        told.push_back({chunk.group, chunk.warp, chunk.place, record.location, record.lanes,
                        record.count, record.time, chunk.is_first});
    }

    std::size_t chunks = 0;
    std::vector<Told> told;
};

/// Records as the recorder writes them, and what they tell.
class Written {
public:
    Written(std::uint32_t seed, Recorded recorded, bool is_wild)
        : x_random{seed}, x_recorded{recorded}, x_is_wild{is_wild}
    {
    }

    std::uint32_t upto(std::uint32_t most)
    {
        return static_cast<std::uint32_t>(x_random()) % (most + 1);
    }
    std::uint32_t any() { return static_cast<std::uint32_t>(x_random()); }

    /// Of at most so many words; none if there is no room.
    Words record(std::uint32_t room, const Told& of, std::uint64_t& before, std::vector<Told>& told)
    {
        const std::uint32_t kind = upto(x_recorded.has_warps ? 2 : 1);
        const std::uint32_t location = upto(x_is_wild ? 2046 : 5);
        const std::uint32_t time = x_recorded.has_times ? any() : 0;
        const std::uint64_t at =
            x_recorded.has_times
                ? before +
                      static_cast<std::uint64_t>(static_cast<std::int64_t>(
                          static_cast<std::int32_t>(time - static_cast<std::uint32_t>(before))))
                : 0;
        Words words;
        std::vector<Told> now;
        Told one = of;
        one.location = location;
        one.time = at;
        if (kind == 0) {
            const std::uint32_t code = 33 + upto(94) % 63 - 33 * upto(1);
            one.count = 1 + upto(8190);
            one.lanes = lanes_of(code);
            words = {1U << 31U | location << 20U | code << 13U | one.count};
            now = {one};
        } else if (kind == 1) {
            one.count = 1 + upto(x_is_wild ? 0xffffe : 2);
            one.lanes = x_is_wild ? any() : upto(3) == 0 ? 0xffff0000U : 0xffffffffU;
            words = {location << 20U | one.count, one.lanes};
            now = {one};
        } else {
            words = table(one, now);
        }
        if (x_recorded.has_times) {
            words.insert(kind == 2 ? words.begin() + 2 : words.end(), time);
        }
        if (words.size() > room) {
            return {};
        }
        before = at;
        told.insert(told.end(), now.begin(), now.end());
        return words;
    }

private:
    std::uint32_t lanes_of(std::uint32_t code) const
    {
        std::uint32_t lanes = 0;
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            const bool is_in = code < 32    ? lane == code
                               : code <= 64 ? lane < code - 32
                                            : lane >= 96 - code;
            lanes |= static_cast<std::uint32_t>(is_in) << lane;
        }
        return x_recorded.has_warps ? lanes : code;
    }

    Words table(Told one, std::vector<Told>& now)
    {
        const std::uint32_t bytes = 1U << upto(2);
        one.lanes = any() | 1U;
        Words words{2047U << 20U | bytes << 16U | one.location, one.lanes};
        std::array<std::uint32_t, 32> counts{};
        std::uint32_t rank = 0;
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            if ((one.lanes >> lane & 1U) == 0) {
                continue;
            }
            counts[lane] = 1 + upto(bytes == 1 ? 254 : bytes == 2 ? 65534 : 1000000);
            const std::uint32_t bit = rank++ * bytes * 8;
            words.resize(std::max<std::size_t>(words.size(), 3 + bit / 32));
            words[2 + bit / 32] |= counts[lane] << bit % 32;
        }
        for (std::uint32_t passed = 0;;) {
            one.lanes = 0;
            one.count = ~0U;
            for (std::uint32_t lane = 0; lane < 32; ++lane) {
                if (counts[lane] > passed) {
                    one.lanes |= 1U << lane;
                    one.count = std::min(one.count, counts[lane] - passed);
                }
            }
            if (one.lanes == 0) {
                return words;
            }
            passed += one.count;
            now.push_back(one);
        }
    }

    std::mt19937 x_random;
    Recorded x_recorded;
    bool x_is_wild;
};

void append(Words& words, const Words& more)
{
    words.insert(words.end(), more.begin(), more.end());
}

/// A block and a chunk of one work-group, whose warp 1 has the chunk.
void round_trip(std::uint32_t seed, Recorded recorded, bool is_wild)
{
    Written written{seed, recorded, is_wild};
    const std::uint32_t warps = recorded.has_warps ? 2 + written.upto(30) : 1;
    const std::uint32_t chunked = recorded.has_warps ? 1 : 0;
    const std::uint64_t time = recorded.has_warps ? 0x17a0'1234'5678'9abc + written.any() : 0;
    const std::uint32_t group = written.any();
    const std::uint32_t place = written.upto(131);
    Words block{group, 1U << 8U | (warps - 1) | place << 16U, static_cast<std::uint32_t>(time),
                static_cast<std::uint32_t>(time >> 32U)};
    Words chunk{group, chunked | place << 16U, block[2], block[3]};
    std::vector<Told> expected;
    std::vector<Told> in_chunk;
    std::vector<Told> ends;
    for (std::uint32_t warp = 0; warp < warps; ++warp) {
        const bool is_chunked = warp == chunked;
        const bool is_wide = is_chunked || written.upto(1) == 0;
        const std::uint32_t begin = recorded.has_warps ? written.upto(511) : 0;
        const std::uint32_t ran = recorded.has_warps ? written.upto(0xffff) : 0;
        std::uint64_t before = time + begin;
        Words records;
        for (std::uint32_t number = written.upto(8); number > 0; --number) {
            append(records,
                   written.record(28 - static_cast<std::uint32_t>(records.size()),
                                  {group, warp, place, 0, 0, 0, 0, true}, before, expected));
        }
        block.push_back(static_cast<std::uint32_t>(records.size()) | (is_wide ? 1U << 5U : 0U) |
                        (is_chunked ? 1U << 6U : 0U) | (is_wide ? 0 : begin << 7U | ran << 16U));
        if (is_wide) {
            append(block, {block[2] + begin, block[2] + begin + ran});
        }
        append(block, records);
        if (recorded.has_warps) {
            (is_chunked ? ends : expected)
                .push_back(
                    {group, warp, place, end_location, 0, 1, time + begin + ran, !is_chunked});
        }
    }
    std::uint64_t before = time;
    while (chunk.size() < 40) {
        append(chunk, written.record(60 - static_cast<std::uint32_t>(chunk.size() - 4),
                                     {group, chunked, place, 0, 0, 0, 0, false}, before, in_chunk));
    }
    expected.insert(expected.end(), in_chunk.begin(), in_chunk.end());
    expected.insert(expected.end(), ends.begin(), ends.end());
    chunk.resize(chunk_words);
    append(chunk, block); // which is written last
    chunk.resize((chunk.size() + chunk_words - 1) / chunk_words * chunk_words);
    std::vector<std::uint8_t> bytes(64 * 1024);
    Packer packer{bytes.data(), recorded};
    const std::size_t count = chunk.size() / chunk_words;
    for (const Phase phase : {Phase::Blocks, Phase::Chunks, Phase::Ends}) {
        for (std::size_t at = 0; at < count;) {
            const unsigned taken = for_each_piece(
                chunk.data() + at * chunk_words, count - at, phase, [&](const Piece& piece) {
                    const std::size_t size = packer.size();
                    packer.put(piece);
                    REQUIRE(packer.size() - size <= most_chunk_bytes);
                });
            REQUIRE(taken > 0);
            at += taken;
        }
    }
    Kept kept;
    REQUIRE(unpack(std::span{bytes}.first(packer.size()), recorded.has_times, kept));
    REQUIRE(kept.told == expected);
}

/// A chunk of one warp.
Words some_chunk(std::uint32_t seed, Recorded recorded)
{
    Written written{seed, recorded, true};
    Words chunk{written.any(), written.upto(31), written.any(), 0x17a0};
    std::uint64_t before = 0;
    std::vector<Told> told;
    while (chunk.size() < 40) {
        append(chunk,
               written.record(60 - static_cast<std::uint32_t>(chunk.size() - 4), {}, before, told));
    }
    chunk.resize(chunk_words);
    return chunk;
}

void pack(Packer& packer, const Words& chunk)
{
    for_each_piece(chunk.data(), 1, Phase::Chunks, [&](const Piece& piece) { packer.put(piece); });
}

} // namespace

TEST_CASE("device_records_when_they_are_random_then_what_comes_out_is_what_they_tell")
{
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        round_trip(seed, {seed % 5 != 0, seed % 2 == 0}, seed % 3 == 0);
    }
}

TEST_CASE("device_records_when_a_block_is_cut_then_it_is_not_read_beyond_its_end")
{
    const Words block{0, 1U << 8U | 31U, 0, 0, 28};
    Words chunk = block;
    chunk.resize(chunk_words);
    chunk[4] = 28U | 1U << 5U;
    chunk[35] = 28U | 1U << 5U;
    CHECK(for_each_piece(chunk.data(), 1, Phase::Blocks, [](const Piece&) {}) == 0);
}

TEST_CASE("device_records_when_parts_begin_anew_then_each_is_read_alone")
{
    std::vector<std::uint8_t> bytes(4096);
    Packer packer{bytes.data(), {true, false}};
    pack(packer, some_chunk(7, {true, false}));
    Kept both;
    REQUIRE(unpack(std::span{bytes}.first(packer.size()), false, both));
    packer.restart();
    pack(packer, some_chunk(7, {true, false}));
    Kept kept;
    REQUIRE(unpack(std::span{bytes}.first(packer.size()), false, kept));
    CHECK(kept.told == both.told);
    CHECK(kept.chunks == 1);
}

TEST_CASE("device_records_when_bytes_end_early_or_are_changed_then_nothing_breaks")
{
    std::vector<std::uint8_t> bytes(8192);
    Packer packer{bytes.data(), {true, true}};
    for (std::uint32_t number = 0; number < 5; ++number) {
        pack(packer, some_chunk(number, {true, true}));
    }
    std::size_t refused = 0;
    for (std::size_t size = 0; size < packer.size(); ++size) {
        Kept kept;
        refused += unpack(std::span{bytes}.first(size), true, kept) ? 0 : 1;
        CHECK(kept.chunks <= 5);
    }
    CHECK(refused > packer.size() / 2);
    const std::vector<std::uint8_t> endless(100, 0xff);
    Kept kept;
    CHECK_FALSE(unpack(endless, false, kept));
}

TEST_CASE("device_warps_when_one_multiprocessor_is_idle_early_then_the_tail_is_told")
{
    Warps warps;
    std::map<std::uint32_t, LocationSum> locations;
    const auto run = [&](std::uint32_t warp, std::uint32_t place, std::uint64_t begin,
                         std::uint64_t end) {
        const Chunk chunk{0, warp, true, place, begin};
        warps.on_chunk(chunk);
        warps.on_record(chunk, {1, ~0U, 1, begin}, &locations);
        warps.on_record(chunk, {2, ~0U, 1, begin + 10}, &locations);
        warps.on_record(chunk, {end_location, 0, 1, end}, &locations);
    };
    run(0, 0, 1000, 1100);
    run(1, 0, 1100, 1200);
    run(2, 1, 1000, 1600);
    LaunchSum launch;
    warps.finish(launch);
    CHECK(launch.warps == 3);
    CHECK(launch.begin == 1000);
    CHECK(launch.end == 1600);
    CHECK(launch.places == 2);
    CHECK(launch.tail_ns == 400);
    CHECK(launch.mean_warps() == doctest::Approx(800.0 / 600));
    CHECK(launch.imbalance == doctest::Approx(1.5));
    CHECK(locations[1].ns == 30);
    CHECK(locations[2].ns == 770);
}

TEST_CASE("device_text_when_lanes_are_known_then_their_mean_is_told")
{
    DeviceTrace trace;
    KernelSum& kernel = trace.kernels.emplace_back();
    kernel.name = "mandelbrot";
    kernel.has_warps = true;
    kernel.launches = 1;
    kernel.records = 5;
    kernel.lost_records = 3;
    kernel.locations[0] = {"loop", "mandelbrot", 12, 5, 10, 240, 0};
    trace.untraced["no_source"] = {2, ""};
    const std::string text = text_of(trace, {});
    CHECK(text.find("3 records lost (buffer full)") != std::string::npos);
    CHECK(text.find("24.0") != std::string::npos);
    CHECK(text.find("mandelbrot:12:5") != std::string::npos);
    CHECK(text.find("left alone, no_source: 2 times") != std::string::npos);
    CHECK(json_of(trace).find("\"lanes_mean\": 24.0") != std::string::npos);
}
