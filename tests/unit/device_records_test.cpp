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
#include <bit>
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
        : m_random{seed}, m_recorded{recorded}, m_is_wild{is_wild}
    {
    }

    std::uint32_t upto(std::uint32_t most)
    {
        return static_cast<std::uint32_t>(m_random()) % (most + 1);
    }
    std::uint32_t any() { return static_cast<std::uint32_t>(m_random()); }

    /// Of at most so many words; none if there is no room.
    Words record(std::uint32_t room, const Told& of, std::uint64_t& before, std::vector<Told>& told)
    {
        const std::uint32_t kind = upto(m_recorded.has_warps ? 2 : 1);
        const std::uint32_t location = upto(m_is_wild ? 2045 : 5);
        const std::uint32_t time = m_recorded.has_times ? any() : 0;
        const std::uint64_t at =
            m_recorded.has_times
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
            one.count = 1 + upto(m_is_wild ? 0xffffe : 2);
            one.lanes = m_is_wild ? any() : upto(3) == 0 ? 0xffff0000U : 0xffffffffU;
            words = {location << 20U | one.count, one.lanes};
            now = {one};
        } else {
            words = upto(1) == 0 ? passes(one, now) : paths(one, now);
        }
        if (m_recorded.has_times) {
            words.insert(kind == 2 ? words.begin() + 1 + (words[0] >> 19U & 1U) : words.end(),
                         time);
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
        return m_recorded.has_warps ? lanes : code;
    }

    using Numbers = std::array<std::uint32_t, 32>; // by lane

    static std::vector<std::uint32_t> lanes_in(std::uint32_t lanes)
    {
        std::vector<std::uint32_t> numbers;
        for (; lanes != 0; lanes &= lanes - 1) {
            numbers.push_back(static_cast<std::uint32_t>(std::countr_zero(lanes)));
        }
        return numbers;
    }

    /// As the recorder writes it: lanes unless all, then the least of the forms.
    static Words table(std::uint32_t what, std::uint32_t lanes, Numbers numbers)
    {
        const std::vector<std::uint32_t> in = lanes_in(lanes);
        const std::uint32_t first = numbers[in.front()];
        const bool has_first = what >> 20U == 2047 && first > 63;
        std::uint32_t all = 0;
        bool are_equal = true;
        for (const std::uint32_t lane : in) {
            are_equal &= numbers[lane] == first;
            numbers[lane] ^= has_first ? first : 0;
            all |= numbers[lane];
        }
        Words words{what | (lanes != ~0U ? 1U << 19U : 0U)};
        if (lanes != ~0U) {
            words.push_back(lanes);
        }
        if (are_equal) {
            words[0] |= 13U << 15U;
            words.push_back(first);
            return words;
        }
        if (has_first) {
            words[0] |= 1U << 11U;
            words.push_back(first);
        }
        const auto width = static_cast<std::uint32_t>(std::bit_width(all));
        const std::uint32_t planes = width > 12 && width < 17 ? 16 : width;
        if (planes < in.size() && planes < 17) {
            words[0] |= (planes == 16 ? 14U : planes) << 15U;
            for (std::uint32_t bit = 0; bit < planes; ++bit) {
                std::uint32_t plane = 0;
                for (const std::uint32_t lane : in) {
                    plane |= (numbers[lane] >> bit & 1U) << lane;
                }
                words.push_back(plane);
            }
            return words;
        }
        words[0] |= 15U << 15U;
        for (const std::uint32_t lane : in) {
            words.push_back(numbers[lane]);
        }
        return words;
    }

    std::uint32_t some_lanes()
    {
        const std::uint32_t kind = upto(3);
        return kind == 0 ? ~0U : kind == 1 ? 1U << upto(31) : any() | 1U;
    }

    /// Lanes that leave a loop after passes of their own.
    Words passes(Told one, std::vector<Told>& now)
    {
        const std::uint32_t lanes = some_lanes();
        constexpr std::array most{2U, 254U, 3000U, 60'000U, 1'000'000U};
        const std::uint32_t bound = most[upto(4)];
        Numbers counts{};
        for (const std::uint32_t lane : lanes_in(lanes)) {
            counts[lane] = 1 + upto(bound);
        }
        for (std::uint32_t passed = 0;; passed += one.count) {
            one.lanes = 0;
            one.count = ~0U;
            for (std::uint32_t lane = 0; lane < 32; ++lane) {
                if (counts[lane] > passed) {
                    one.lanes |= 1U << lane;
                    one.count = std::min(one.count, counts[lane] - passed);
                }
            }
            if (one.lanes == 0) {
                return table(2047U << 20U | one.location, lanes, counts);
            }
            now.push_back(one);
        }
    }

    /// Lanes that go through the passes of a loop by branches of their own.
    Words paths(Told one, std::vector<Told>& now)
    {
        const std::uint32_t lanes = some_lanes(), bits = 1 + upto(14);
        const std::uint32_t location = one.location = upto(2000);
        const bool are_equal = upto(2) == 0;
        Numbers taken{};
        std::array<std::array<std::uint32_t, 16>, 30> points{}; // lanes, by pass and point
        const std::uint32_t all = 1 + upto(30 / bits - 1), what = any();
        for (const std::uint32_t lane : lanes_in(lanes)) {
            taken[lane] = 1;
            for (std::uint32_t pass = 0, most = are_equal ? all : 1 + upto(all - 1); pass < most;
                 ++pass) {
                const std::uint32_t branches = (are_equal ? what : any()) & ((1U << bits) - 1);
                taken[lane] = taken[lane] << bits | branches;
                points[pass][0] |= 1U << lane;
                for (std::uint32_t point = 0; point < bits; ++point) {
                    points[pass][point + 1] |= (branches >> point & 1U) << lane;
                }
            }
        }
        one.count = 1;
        for (const auto& pass : points) {
            for (std::uint32_t point = 0; point <= bits; ++point) {
                one.location = location + point;
                one.lanes = pass[point];
                if (one.lanes != 0) {
                    now.push_back(one);
                }
            }
        }
        return table(2046U << 20U | bits << 11U | location, lanes, taken);
    }

    std::mt19937 m_random;
    Recorded m_recorded;
    bool m_is_wild;
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
        warps.on_record(chunk, {1, ~0U, 1, begin, true}, &locations);
        warps.on_record(chunk, {2, ~0U, 1, begin + 10, true}, &locations);
        warps.on_record(chunk, {3, ~0U, 1, begin + 10, false}, &locations); // in a loop at 2
        warps.on_record(chunk, {end_location, 0, 1, end, true}, &locations);
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
    CHECK(launch.most_warps == 2);
    CHECK(launch.waves() == doctest::Approx(1.5));
    REQUIRE(launch.over_time.warps.size() == OverTime::slices); // of 10 ns
    CHECK(launch.over_time.warps[0] == doctest::Approx(2));
    CHECK(launch.over_time.warps[19] == doctest::Approx(2));
    CHECK(launch.over_time.warps[20] == doctest::Approx(1));
    CHECK(launch.over_time.places[15] == doctest::Approx(2));
    CHECK(launch.over_time.places[59] == doctest::Approx(1));
    CHECK(locations[1].ns == 30);
    CHECK(locations[2].ns == 770);
    CHECK(locations[3].ns == 0);
}

TEST_CASE("device_warps_when_they_share_a_multiprocessor_then_it_is_busy_once")
{
    Warps warps;
    const auto run = [&](std::uint32_t warp, std::uint64_t begin, std::uint64_t end) {
        const Chunk chunk{0, warp, true, 7, begin};
        warps.on_chunk(chunk);
        warps.on_record(chunk, {end_location, 0, 1, end, true}, nullptr);
    };
    run(0, 6000, 6300);
    run(1, 6100, 6200);
    run(2, 6450, 6600);
    LaunchSum launch;
    warps.finish(launch);
    CHECK(launch.most_warps == 2);
    CHECK(launch.over_time.warps[15] == doctest::Approx(2));
    CHECK(launch.over_time.places[15] == doctest::Approx(1));
    CHECK(launch.over_time.places[29] == doctest::Approx(1));
    CHECK(launch.over_time.places[30] == doctest::Approx(0));
    CHECK(launch.over_time.warps[59] == doctest::Approx(1));
    DeviceTrace trace;
    launch.name = "kernel";
    trace.launches.push_back(launch);
    const std::string text = text_of(trace, {});
    CHECK(text.find("multiprocessors |██████████████████████████████               ████") !=
          std::string::npos);
    CHECK(json_of(trace).find("\"warps_most\": 2") != std::string::npos);
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
