// SPDX-License-Identifier: MIT
//
// What states threads are told, and how long they are remembered.
#include "diagnose/thread_states.hpp"

#include <doctest/doctest.h>

using namespace lttng_gpu;
using diagnose::ThreadState;

namespace {

class Story {
public:
    /// From that thread, which sleeps then, to another one, on CPU 0.
    void run(std::int64_t time, std::int64_t prev, std::int64_t next)
    {
        const std::vector<trace::FieldValue> fields{
            trace::FieldValue{next}, trace::FieldValue{std::string_view{"thread"}},
            trace::FieldValue{std::int64_t{1}}, trace::FieldValue{prev}};
        states.on_switch(event(time, fields, prev));
    }
    void wake(std::int64_t time, std::int64_t tid, std::int64_t waker)
    {
        const std::vector<trace::FieldValue> fields{trace::FieldValue{tid},
                                                    trace::FieldValue{std::int64_t{0}}};
        states.on_wakeup(event(time, fields, waker));
    }
    ThreadState at(std::int64_t tid, std::int64_t time) const
    {
        ThreadState state = ThreadState::Unknown;
        states.visit({TraceId{}, Tid{tid}}, Timestamp{time}, Timestamp{time + 1},
                     [&](const auto& change, Timestamp, Timestamp) { state = change.state; });
        return state;
    }

    diagnose::ThreadStates states;

private:
    static trace::RawEvent event(std::int64_t time, const std::vector<trace::FieldValue>& fields,
                                 std::int64_t tid)
    {
        trace::RawEvent raw{Timestamp{time}, TraceId{}, Cpu{0}, 0, fields, {}};
        raw.context.tid = trace::FieldValue{tid};
        return raw;
    }
};

} // namespace

TEST_CASE("thread_states_when_a_thread_wakes_one_that_submits_then_its_own_are_kept_for_as_long")
{
    for (const bool wakes : {true, false}) {
        Story story;
        story.states.follow({TraceId{}, Tid{101}});
        story.run(1, 0, 101);
        story.run(10, 101, 100);
        if (wakes) {
            story.wake(20, 101, 100);
        }
        for (std::int64_t time = 100; time < 100 + 4000; time += 2) { // 4000 states of 100
            story.run(time, 100, 0);
            story.run(time + 1, 0, 100);
        }
        CHECK((story.at(100, 15) == ThreadState::Running) == wakes);
        CHECK(story.at(100, 4000) != ThreadState::Unknown);
    }
}

/// The order of events is that of a recording: the thread was woken on another CPU between the
/// kernel's taking it off its queue and the event that tells so.
TEST_CASE("thread_states_when_a_wakeup_is_told_before_the_sleep_then_it_could_run_from_there_on")
{
    for (const bool is_overtaken : {true, false}) {
        Story story;
        story.run(1, 0, 101);
        if (is_overtaken) {
            story.wake(90, 101, 0);
        }
        story.run(100, 101, 0);
        if (!is_overtaken) {
            story.wake(190, 101, 0);
        }
        story.run(200, 0, 101);
        story.run(300, 101, 0);
        story.wake(390, 101, 0);
        story.run(400, 0, 101);
        CHECK(story.at(101, 150) == (is_overtaken ? ThreadState::Waking : ThreadState::Blocked));
        CHECK(story.at(101, 350) == ThreadState::Blocked); // its next sleep is as it is told
    }
}

TEST_CASE("thread_states_when_a_thread_that_runs_is_woken_and_sleeps_later_then_it_is_blocked")
{
    Story story;
    story.run(1, 0, 101);
    story.wake(50, 101, 0); // found it before it slept
    story.run(100, 101, 0);
    story.wake(190, 101, 0);
    story.run(200, 0, 101);
    CHECK(story.at(101, 150) == ThreadState::Blocked);
}
