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

struct Device {
    std::int64_t offset = 1'700'000'000'000'000'000; // of its timer
    std::uint64_t handle = 0;
    std::uint64_t queue = 0;
    bool is_told = false; // by the launch; else by its queue's event, if there is one
};
constexpr std::int64_t second = 1'000'000'000;

class Story {
public:
    void event(std::size_t wanted, std::int64_t time, const std::vector<FieldValue>& fields)
    {
        trace::RawEvent event{};
        event.time = Timestamp{time};
        event.wanted = wanted;
        event.fields = fields;
        m_collector.on_event(event);
    }

    /// One warp, which ran in [begin, end) of the trace's clock.
    /// `on` has the timer's offset.
    void launch(std::uint64_t number, std::int64_t called, std::int64_t begin, std::int64_t end,
                std::int64_t completed, std::int64_t observed, Device on = {})
    {
        const auto integer = [](std::int64_t value) {
            return FieldValue{static_cast<std::uint64_t>(value)};
        };
        event(2, called,
              {FieldValue{number}, integer(1), integer(0), FieldValue{on.queue},
               FieldValue{std::string_view{"kernel"}}, integer(1), integer(0),
               on.is_told ? FieldValue{on.handle} : FieldValue{}});
        std::array<std::uint64_t, 128> words{};
        Packer packer{reinterpret_cast<std::uint8_t*>(words.data()), {true, false}};
        const std::uint32_t record = 1U << 31U | 64U << 13U | 1U;
        packer.put({0, 1U << 8U, static_cast<std::uint64_t>(begin + on.offset), &record, 1, true,
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
    void queue(const Device& of) { event(6, 1, {FieldValue{of.queue}, FieldValue{of.handle}}); }
    /// Of the trace's clock; fields of events do not have it.
    void clock_offset(std::int64_t ns)
    {
        trace::TraceFacts facts;
        facts.clock_offset = Duration{ns};
        m_collector.on_trace(TraceId{}, facts);
    }
    DeviceTrace finish() { return m_collector.finish(); }

private:
    Collector m_collector;
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

namespace {

/// Launches of two devices in turn, whose timers differ by seconds.
DeviceTrace of_two_devices(Story& story, const Device& one, const Device& other)
{
    story.clock_offset(0);
    for (std::int64_t number = 0; number < 6; ++number) {
        const std::int64_t called = (number + 1) * 1'000'000;
        story.launch(static_cast<std::uint64_t>(number + 1), called, called + 2'000,
                     called + 50'000, called + 53'000, called + 400'000,
                     number % 2 == 0 ? one : other);
    }
    return story.finish();
}

void check_two_timers(const DeviceTrace& trace)
{
    REQUIRE(trace.launches.size() == 6);
    REQUIRE(trace.timers.size() == 2);
    REQUIRE(trace.timers[0].offset);
    REQUIRE(trace.timers[1].offset);
    CHECK(std::abs(trace.timers[1].offset->value() - trace.timers[0].offset->value() - 3 * second) <
          20'000);
    for (const TimerSum& timer : trace.timers) {
        CHECK(timer.launches == 3);
        CHECK(timer.mapped == 3);
        CHECK(timer.call_conflicts == 0);
    }
    for (std::size_t number = 0; number < trace.launches.size(); ++number) {
        const LaunchSum& launch = trace.launches[number];
        const auto begin = static_cast<std::int64_t>(number + 1) * 1'000'000 + 2'000;
        REQUIRE(launch.begin_on_trace);
        CHECK(std::abs(launch.begin_on_trace->value() - begin) <= launch.error.value());
        CHECK(launch.error.value() < 10'000);
    }
}

} // namespace

TEST_CASE("device_launch_when_two_devices_of_a_process_are_told_then_each_has_its_clock")
{
    Story story;
    check_two_timers(
        of_two_devices(story, {40 * second, 0x10, 7, true},
                       {43 * second, 0x20, 7, true})); // streams of CUDA are both 0, for example
}

TEST_CASE("device_launch_when_an_older_trace_has_the_queues_of_two_devices_then_each_has_its_clock")
{
    Story story;
    const Device one{40 * second, 0x10, 7, false};
    const Device other{43 * second, 0x20, 8, false};
    story.queue(one);
    story.queue(other);
    const DeviceTrace trace = of_two_devices(story, one, other);
    check_two_timers(trace);
    CHECK(trace.timers[0].device == 0x10);
    CHECK(trace.timers[1].device == 0x20);
}

TEST_CASE("device_launch_when_devices_are_unknown_then_each_queue_has_its_clock")
{
    Story story;
    const DeviceTrace trace =
        of_two_devices(story, {40 * second, 0x10, 7, false}, {43 * second, 0x20, 8, false});
    check_two_timers(trace);
    CHECK(trace.timers[0].device == 0);
    CHECK(trace.timers[0].queue == 7);
    CHECK(trace.timers[1].queue == 8);
}
