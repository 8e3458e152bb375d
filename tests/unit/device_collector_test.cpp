// SPDX-License-Identifier: MIT
//
// Launches of made-up events: where their times on the device lie on the trace's clock.
#include "device/collector.hpp"
#include "preload/device/pack.hpp"

#include <array>
#include <cstdlib>
#include <doctest/doctest.h>
#include <string_view>

namespace {

using namespace lttng_gpu;
using namespace lttng_gpu::device;
using trace::FieldValue;

constexpr std::int64_t offset = 1'700'000'000'000'000'000; // of the device's timer

class Story {
public:
    void event(std::size_t wanted, std::int64_t time, const std::vector<FieldValue>& fields)
    {
        trace::RawEvent event{};
        event.time = Timestamp{time};
        event.wanted = wanted;
        event.fields = fields;
        x_collector.on_event(event);
    }

    /// One warp, which ran in [begin, end) of the trace's clock.
    void launch(std::uint64_t number, std::int64_t called, std::int64_t begin, std::int64_t end,
                std::int64_t completed, std::int64_t observed)
    {
        const auto integer = [](std::int64_t value) {
            return FieldValue{static_cast<std::uint64_t>(value)};
        };
        event(2, called,
              {FieldValue{number}, integer(1), integer(0), integer(0),
               FieldValue{std::string_view{"kernel"}}, integer(1), integer(0)});
        std::array<std::uint64_t, 128> words{};
        Packer packer{reinterpret_cast<std::uint8_t*>(words.data()), {true, false}};
        const std::uint32_t record = 1U << 31U | 64U << 13U | 1U;
        packer.put({0, 1U << 8U, static_cast<std::uint64_t>(begin + offset), &record, 1, true,
                    static_cast<std::uint32_t>(end - begin)});
        const auto count = static_cast<std::uint32_t>((packer.size() + 7) / 8);
        event(3, observed - 1,
              {FieldValue{number}, integer(0), FieldValue{std::uint64_t{packer.size()}},
               FieldValue{trace::NumberList{words.data(), count}}});
        event(4, observed,
              {FieldValue{number}, integer(1), integer(0), integer(0),
               FieldValue{trace::NumberList{}}, FieldValue{trace::NumberList{}},
               integer(completed)});
    }
    /// Of the trace's clock; fields of events do not have it.
    void clock_offset(std::int64_t ns)
    {
        trace::TraceFacts facts;
        facts.clock_offset = Duration{ns};
        x_collector.on_trace(TraceId{}, facts);
    }
    DeviceTrace finish() { return x_collector.finish(); }

private:
    Collector x_collector;
};

} // namespace

TEST_CASE("device_launch_when_its_completion_is_told_then_its_times_are_bounded_by_it")
{
    Story story;
    story.clock_offset(0);
    story.launch(1, 10'000, 12'000, 20'000, 21'000, 40'000'000);
    story.launch(2, 50'000'000, 50'004'000, 50'009'000, 50'012'000, 90'000'000);
    const DeviceTrace trace = story.finish();
    REQUIRE(trace.launches.size() == 2);
    const std::array begins{12'000, 50'004'000};
    for (std::size_t number = 0; number < 2; ++number) {
        const LaunchSum& launch = trace.launches[number];
        REQUIRE(launch.begin_on_trace);
        CHECK(launch.error.value() <=
              30'000); // the timer may drift by 500 ppm over the 50 ms between them
        CHECK(std::abs(launch.begin_on_trace->value() - begins[number]) <= launch.error.value());
    }
}

TEST_CASE("device_launch_when_the_completion_is_of_another_clock_then_its_reading_bounds_it")
{
    Story story;
    story.clock_offset(0);
    story.launch(1, 10'000, 12'000, 20'000, 7, 40'000'000);
    const DeviceTrace trace = story.finish();
    REQUIRE(trace.launches.size() == 1);
    CHECK(trace.launches[0].completed == Timestamp{40'000'000});
    REQUIRE(trace.launches[0].begin_on_trace);
    CHECK(trace.launches[0].error.value() > 10'000'000);
}

TEST_CASE("device_launch_when_the_traces_clock_has_an_offset_then_its_completion_counts_with_it")
{
    constexpr std::int64_t epoch = 1'700'000'000'000'000'000; // as LTTng's traces have it
    Story story;
    story.clock_offset(epoch);
    story.launch(1, epoch + 10'000, epoch + 12'000, epoch + 20'000, 21'000, epoch + 40'000'000);
    const DeviceTrace trace = story.finish();
    REQUIRE(trace.launches.size() == 1);
    CHECK(trace.launches[0].completed == Timestamp{epoch + 21'000});
    REQUIRE(trace.launches[0].begin_on_trace);
    CHECK(trace.launches[0].error.value() < 10'000);
}
