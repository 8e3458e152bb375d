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
using Words = std::array<std::uint32_t, chunk_words>;

class Kept final : public RecordConsumer {
public:
    void on_chunk(const Chunk& chunk) override
    {
        words.push_back({});
        words.back()[0] = chunk.group;
        words.back()[1] = chunk.warp | (chunk.is_first ? 1U << 8U : 0U) | chunk.place << 16U;
        words.back()[2] = static_cast<std::uint32_t>(chunk.time);
        words.back()[3] = static_cast<std::uint32_t>(chunk.time >> 32U);
        x_next = head_words;
    }
    void on_record(const Chunk&, const Record& record) override
    {
        const bool is_end = record.location == end_location;
        words.back()[x_next++] = record.location << 20U | record.count;
        words.back()[x_next++] = is_end ? static_cast<std::uint32_t>(record.time) : record.lanes;
        if (has_times) {
            words.back()[x_next++] = is_end ? 0 : static_cast<std::uint32_t>(record.time);
        }
    }

    std::vector<Words> words;
    bool has_times = false;

private:
    std::size_t x_next = 0;
};

/// Few different values, as kernels have them, or any at all.
Words random_chunk(std::mt19937& random, bool has_times, bool is_wild)
{
    Words chunk{};
    const auto any = [&] { return static_cast<std::uint32_t>(random()); };
    const auto upto = [&](std::uint32_t most) { return any() % (most + 1); };
    chunk[0] = is_wild ? any() : upto(1000);
    chunk[1] = upto(255) | upto(1) << 8U | upto(is_wild ? 0xffff : 131) << 16U;
    chunk[2] = any();
    chunk[3] = is_wild ? any() : 0x17a0;
    const std::size_t width = has_times ? 3 : 2;
    const std::size_t most = (chunk_words - head_words) / width;
    const std::size_t count = upto(static_cast<std::uint32_t>(most));
    for (std::size_t number = 0; number < count; ++number) {
        std::uint32_t* const record = &chunk[head_words + number * width];
        const std::uint32_t location = upto(9) == 0 ? end_location : upto(is_wild ? 4094 : 5);
        const bool is_end = location == end_location;
        record[0] = location << 20U | (is_end ? 1 : 1 + upto(is_wild ? 0xffffe : 2));
        record[1] = is_wild || is_end ? any() : upto(3) == 0 ? 0xffff0000U : 0xffffffffU;
        if (has_times) {
            record[2] = is_end ? 0 : any();
        }
    }
    return chunk;
}

void round_trip(std::uint32_t seed, bool has_times, bool is_wild)
{
    std::mt19937 random{seed};
    std::vector<std::uint8_t> bytes(64 * 1024);
    Packer packer{bytes.data(), has_times};
    std::vector<Words> chunks;
    const std::size_t count = random() % 40;
    for (std::size_t number = 0; number < count; ++number) {
        chunks.push_back(random_chunk(random, has_times, is_wild));
        const std::size_t before = packer.size();
        packer.put_chunk(chunks.back().data());
        REQUIRE(packer.size() - before <= most_chunk_bytes);
    }
    Kept kept;
    kept.has_times = has_times;
    REQUIRE(unpack(std::span{bytes}.first(packer.size()), has_times, kept));
    REQUIRE(kept.words == chunks);
}

} // namespace

TEST_CASE("device_records_when_chunks_are_random_then_they_come_out_as_they_went_in")
{
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        round_trip(seed, seed % 2 == 0, seed % 3 == 0);
    }
}

TEST_CASE("device_records_when_parts_begin_anew_then_each_is_read_alone")
{
    std::mt19937 random{7};
    std::vector<std::uint8_t> bytes(4096);
    Packer packer{bytes.data(), false};
    packer.put_chunk(random_chunk(random, false, false).data());
    packer.restart();
    const Words second = random_chunk(random, false, false);
    packer.put_chunk(second.data());
    Kept kept;
    REQUIRE(unpack(std::span{bytes}.first(packer.size()), false, kept));
    CHECK(kept.words == std::vector<Words>{second});
}

TEST_CASE("device_records_when_bytes_end_early_or_are_changed_then_nothing_breaks")
{
    std::mt19937 random{3};
    std::vector<std::uint8_t> bytes(8192);
    Packer packer{bytes.data(), true};
    for (int number = 0; number < 5; ++number) {
        packer.put_chunk(random_chunk(random, true, true).data());
    }
    std::size_t refused = 0;
    for (std::size_t size = 0; size < packer.size(); ++size) {
        Kept kept;
        refused += unpack(std::span{bytes}.first(size), true, kept) ? 0 : 1;
        CHECK(kept.words.size() <= 5);
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
