// SPDX-License-Identifier: MIT
//
// Occupancy over time: however the pieces grew on the way, their means are those of the jobs.
#include "report/depth_curve.hpp"

#include <doctest/doctest.h>
#include <random>

using namespace lttng_gpu;
using namespace lttng_gpu::report;

namespace {

Life life(std::int64_t queued, std::int64_t submitted, std::int64_t completed)
{
    return {.times = {queued, submitted, submitted, completed}, .known = Life::all_known};
}

double sum_of(const std::vector<double>& means, std::int64_t piece, std::int64_t window)
{
    double sum = 0;
    for (std::size_t place = 0; place < means.size(); ++place) {
        const auto begin = static_cast<std::int64_t>(place) * piece;
        sum += means[place] * static_cast<double>(std::min(piece, window - begin));
    }
    return sum;
}

} // namespace

TEST_CASE("depth_curve_when_one_job_fills_half_of_the_window_then_half_of_the_pieces_have_it")
{
    DepthCurve curve;
    curve.add(life(0, 32 * 1024, 64 * 1024), 0);
    const OccupancyOverTime over = curve.over(Duration{64 * 1024});
    REQUIRE(over.piece == 2048); // the end is a point, too
    REQUIRE(over.host_queue.size() == 32);
    for (std::size_t place = 0; place < 32; ++place) {
        CHECK(over.host_queue[place] == (place < 16 ? 1.0 : 0.0));
        CHECK(over.device[place] == (place < 16 ? 0.0 : 1.0));
    }
}

TEST_CASE("depth_curve_when_jobs_come_in_any_order_then_no_time_is_lost")
{
    std::mt19937_64 random{7};
    for (const std::int64_t window : {1000L, 99'999L, 5'000'000L, 123'456'789'123L}) {
        DepthCurve curve;
        double host = 0;
        double device = 0;
        std::uniform_int_distribution<std::int64_t> any{0, window};
        for (int job = 0; job < 500; ++job) {
            std::array<std::int64_t, 3> times{any(random), any(random), any(random)};
            std::sort(times.begin(), times.end());
            curve.add(life(77 + times[0], 77 + times[1], 77 + times[2]), 77);
            host += static_cast<double>(times[1] - times[0]);
            device += static_cast<double>(times[2] - times[1]);
        }
        const OccupancyOverTime over = curve.over(Duration{window});
        CHECK(over.host_queue.size() <= DepthCurve::most_pieces);
        CHECK(sum_of(over.host_queue, over.piece, window) == doctest::Approx(host));
        CHECK(sum_of(over.device, over.piece, window) == doctest::Approx(device));
    }
}

TEST_CASE("depth_curve_when_a_job_does_not_end_then_it_counts_until_the_end")
{
    DepthCurve curve;
    Life open;
    open.times = {1024, 2048, 2048, 2048};
    open.known = 1 | 2 | Life::no_end; // queued, submitted
    curve.add(open, 0);
    const OccupancyOverTime over = curve.over(Duration{4096});
    REQUIRE(over.device.size() == 4);
    CHECK(over.host_queue == std::vector<double>{0, 1, 0, 0});
    CHECK(over.device == std::vector<double>{0, 0, 1, 1});
}

TEST_CASE("depth_curve_when_nothing_was_added_then_all_is_zero")
{
    const OccupancyOverTime over = DepthCurve{}.over(Duration{5000});
    CHECK(sum_of(over.device, over.piece, 5000) == 0);
    CHECK(DepthCurve{}.over(Duration{0}).piece == 0);
}
