// SPDX-License-Identifier: MIT
//
// The levels of detail of the page: each has the time that jobs were in each queue.
#include "view/latencies.hpp"
#include "view/ring_depths.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <map>
#include <random>
#include <zlib.h>

using namespace lttng_gpu::view;

namespace {

std::string inflated(const std::string& bytes)
{
    std::string result(1U << 22U, '\0');
    uLongf size = result.size();
    REQUIRE(uncompress(reinterpret_cast<Bytef*>(result.data()), &size,
                       reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) == Z_OK);
    result.resize(size);
    return result;
}

/// Time in ns of each column (place and class) that the level shows.
std::map<unsigned, double> sums_of(const DepthLevel& level, const Blobs& blobs)
{
    std::map<unsigned, double> sums;
    for (const std::int64_t tile : level.tiles) {
        if (tile < 0) {
            continue;
        }
        const std::string bytes = inflated(blobs.all()[static_cast<std::size_t>(tile)]);
        for (std::size_t place = 0; place < bytes.size();) {
            const auto column = static_cast<unsigned char>(bytes[place++]);
            for (std::size_t bin = 0; bin < RingDepths::bins_of_tile; ++bin) {
                std::uint64_t number = 0;
                for (unsigned shift = 0;; shift += 7) {
                    const auto byte = static_cast<unsigned char>(bytes[place++]);
                    number |= std::uint64_t{byte & 0x7fU} << shift;
                    if (byte < 0x80) {
                        break;
                    }
                }
                sums[column] += static_cast<double>(number) / 256 *
                                std::ldexp(1.0, static_cast<int>(level.shift));
            }
        }
    }
    return sums;
}

} // namespace

TEST_CASE("ring_depths_when_random_jobs_then_each_level_has_their_time")
{
    std::mt19937_64 random{7};
    const std::vector<std::uint8_t> classes{0, 1, 7, 7};
    for (const std::int64_t step : {50, 5'000, 3'000'000}) {
        RingDepths depths;
        std::map<unsigned, double> wanted;
        std::int64_t begin = 0;
        for (std::uint64_t job = 1; job <= 60'000; ++job) {
            begin += static_cast<std::int64_t>(random()) & step;
            const std::int64_t length = static_cast<std::int64_t>(random() % 5000) * step / 100;
            const auto process = static_cast<std::uint32_t>(random() % 4);
            const auto place = static_cast<Place>(random() % place_count);
            depths.add(place, process, begin, begin + length, job);
            wanted[static_cast<unsigned>(place) * 8 + classes[process]] +=
                static_cast<double>(length);
        }
        Blobs blobs;
        const auto levels = depths.finish(blobs, classes);
        REQUIRE(levels.size() >= 2);
        CHECK(levels.back().tiles.size() == 1);
        for (const DepthLevel& level : levels) {
            CAPTURE(level.shift);
            const auto sums = sums_of(level, blobs);
            REQUIRE(sums.size() == wanted.size());
            for (const auto& [column, length] : wanted) {
                CHECK(sums.at(column) == doctest::Approx(length).epsilon(0.01));
            }
        }
    }
}

TEST_CASE("ring_depths_when_nothing_is_added_then_no_level")
{
    Blobs blobs;
    RingDepths depths;
    depths.add(Place::Execution, 0, 10, 10, 1);
    CHECK(depths.finish(blobs, {}).empty());
}

TEST_CASE("base64_when_any_length_then_padded")
{
    CHECK(base64("") == "");
    CHECK(base64("f") == "Zg==");
    CHECK(base64("fo") == "Zm8=");
    CHECK(base64("foo") == "Zm9v");
    CHECK(base64("foobar") == "Zm9vYmFy");
}

TEST_CASE("phase_histogram_when_length_grows_then_bins_follow_each_other")
{
    std::size_t previous = 0;
    for (std::uint64_t length = 0; length < 5000; ++length) {
        const std::size_t bin = PhaseHistogram::bin_of(length);
        CHECK((bin == previous || bin == previous + 1));
        previous = bin;
    }
    CHECK(PhaseHistogram::bin_of(INT64_MAX) < PhaseHistogram::bins);
}

TEST_CASE("longest_jobs_when_many_then_the_longest_in_order")
{
    LongestJobs jobs;
    for (std::uint64_t job = 0; job < 1000; ++job) {
        jobs.add(static_cast<std::int64_t>(job * 7919 % 1000), job);
    }
    const auto sorted = jobs.sorted();
    REQUIRE(sorted.size() == 50);
    CHECK(sorted.front().length == 999);
    CHECK(sorted.back().length == 950);
}

TEST_CASE("ring_depths_when_more_is_to_come_then_so_far_has_the_time_and_changes_nothing")
{
    std::mt19937_64 random{11};
    const std::vector<std::uint8_t> classes{0, 1, 7, 7};
    RingDepths depths;
    RingDepths undisturbed;
    std::map<unsigned, double> wanted;
    Blobs blobs;
    std::int64_t begin = 0;
    for (std::uint64_t job = 1; job <= 200'000; ++job) {
        begin += static_cast<std::int64_t>(random() % 5000);
        const auto length = static_cast<std::int64_t>(random() % 20'000);
        const auto process = static_cast<std::uint32_t>(random() % 4);
        const auto place = static_cast<Place>(random() % place_count);
        for (RingDepths* const one : {&depths, &undisturbed}) {
            one->add(place, process, begin, begin + length, job);
        }
        wanted[static_cast<unsigned>(place) * 8 + classes[process]] += static_cast<double>(length);
        if (job % 50'000 != 0) {
            continue;
        }
        const auto levels = depths.so_far(blobs, classes);
        REQUIRE(levels.size() >= 2);
        CHECK(levels.front().bins <= 8192);
        CHECK(levels.back().tiles.size() == 1);
        for (const DepthLevel& level : levels) {
            const auto sums = sums_of(level, blobs);
            REQUIRE(sums.size() == wanted.size());
            for (const auto& [column, time] : wanted) {
                CHECK(sums.at(column) == doctest::Approx(time).epsilon(0.01));
            }
        }
    }
    Blobs one;
    Blobs other;
    depths.finish(one, classes);
    undisturbed.finish(other, classes);
    CHECK(one.all() == other.all());
}

TEST_CASE("blobs_when_plain_then_as_they_are_and_gone_when_forgotten")
{
    Blobs blobs{Blobs::Form::Plain, 7};
    CHECK(blobs.add("first") == 7);
    CHECK(blobs.add("second") == 8);
    CHECK(blobs.end() == 9);
    CHECK(blobs.find(7) == "first");
    blobs.forget(7);
    CHECK_FALSE(blobs.find(7));
    CHECK(blobs.find(8) == "second");
    CHECK_FALSE(blobs.find(6));
    CHECK_FALSE(blobs.find(9));
}
