// SPDX-License-Identifier: MIT
//
// Jobs that a thread of the driver's library submits: whose states count, and what cannot be told.
#include "diagnose_story.hpp"

#include <doctest/doctest.h>

namespace lttng_gpu::test {
namespace {

using diagnose::Gap;
using diagnose::Reason;

constexpr std::int64_t ms = 1'000'000;

TEST_CASE("bubble_when_helper_thread_submits_then_the_thread_that_woke_it_counts")
{
    DiagnoseStory story;
    story.sleep(101, 3 * ms, 8 * ms, 100, "app");
    story.run(100, 0, 2 * ms, 1 * ms);
    story.job({.tid = 101,
               .comm = "app:cs0",
               .queued = 1 * ms,
               .submitted = 1 * ms,
               .completed = 3 * ms});
    story.job({.tid = 101,
               .comm = "app:cs0",
               .queued = 9 * ms,
               .submitted = 9 * ms,
               .completed = 10 * ms});
    const auto diagnosis = story.of(100, 2);
    CHECK(story.time(diagnosis, Reason::Blocked) == 0);
    CHECK(story.time(diagnosis, Reason::CpuBound) == 6 * ms - 1000);
    CHECK(diagnosis.parts.at(0).thread == Tid{100});
}

/// A helper submits two jobs; between them it is the story's.
class HelperStory : public DiagnoseStory {
public:
    HelperStory()
    {
        for (const std::int64_t at : {1 * ms, 9 * ms}) {
            job({.tid = 101,
                 .comm = "app:cs0",
                 .queued = at,
                 .submitted = at,
                 .completed = at + 2 * ms});
        }
        process_of(100, 100);
        process_of(101, 100);
        process_of(700, 700);
        run(100, 0, 2 * ms, 1 * ms); // the program's thread runs from then on
    }
    std::int64_t time_of(Reason reason, std::int64_t thread)
    {
        std::int64_t sum = 0;
        for (const auto& part : of(100, 2).parts) {
            const bool is_sought = part.reason == reason && part.thread == Tid{thread};
            sum += is_sought ? part.length.value() : 0;
        }
        return sum;
    }
};

TEST_CASE("bubble_when_helper_thread_slept_for_a_disk_then_who_gave_it_its_work_counts")
{
    HelperStory story; // it writes a file, is done, and waits for work until 8 ms
    story.sleep_for_disk(101, 3 * ms + 1000, 6 * ms);
    story.sleep(101, 7 * ms, 8 * ms, 100, "app");
    CHECK(story.time_of(Reason::CpuBound, 100) == 5 * ms);
    CHECK(story.time_of(Reason::Blocked, 101) == 0);
    CHECK(story.time_of(Reason::CpuBound, 101) == 1 * ms - 1000);
}

TEST_CASE("bubble_when_helper_thread_has_work_and_sleeps_for_a_disk_then_it_is_blocked")
{
    HelperStory story;
    story.sleep(101, 3 * ms + 1000, 4 * ms, 100, "app");
    story.sleep_for_disk(101, 5 * ms, 8 * ms);
    CHECK(story.time_of(Reason::CpuBound, 100) == 1 * ms);
    CHECK(story.time_of(Reason::Blocked, 101) == 3 * ms);
}

TEST_CASE("bubble_when_an_interrupt_or_another_process_wakes_a_helper_then_the_giver_is_unknown")
{
    for (const std::int64_t waker : {0, 700}) { // the interrupt comes while the CPU is idle
        HelperStory story;
        story.sleep(101, 3 * ms + 1000, 8 * ms, waker, "other");
        CHECK(story.time_of(Reason::Unknown, 101) == 5 * ms - 1000);
        CHECK(story.time_of(Reason::Blocked, 101) == 0);
        for (const auto& part : story.of(100, 2).parts) {
            CHECK(part.thread != Tid{700});
            CHECK((part.reason != Reason::Unknown || part.gap == Gap::GiverUnknown));
        }
    }
}

} // namespace
} // namespace lttng_gpu::test
