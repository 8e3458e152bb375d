// SPDX-License-Identifier: MIT
//
// What the page is told that a thread did.
#include "view/thread_spans.hpp"

#include <doctest/doctest.h>

using namespace lttng_gpu;
using view::ThreadSpans;

namespace {

class Story {
public:
    /// From that thread, which sleeps then, to another one, on CPU 0.
    void run(std::int64_t time, std::int64_t prev, std::int64_t next)
    {
        const std::vector<trace::FieldValue> fields{
            trace::FieldValue{next}, trace::FieldValue{std::string_view{"thread"}},
            trace::FieldValue{std::int64_t{1}}, trace::FieldValue{prev}};
        m_spans.on_switch({Timestamp{time}, TraceId{}, Cpu{0}, 0, fields, {}});
    }
    void wake(std::int64_t time, std::int64_t tid)
    {
        const std::vector<trace::FieldValue> fields{trace::FieldValue{tid},
                                                    trace::FieldValue{std::int64_t{0}}};
        m_spans.on_wakeup({Timestamp{time}, TraceId{}, Cpu{0}, 0, fields, {}});
    }
    /// The states of all spans, one byte each: the fourth column (userspace/view/packed.hpp).
    std::vector<std::uint8_t> states()
    {
        m_spans.finish();
        const std::string packed = *m_blobs.find(0);
        std::size_t place = 1; // fewer rows than 128
        for (int column = 0; column < 3; ++column) {
            place += 1 + static_cast<unsigned char>(packed[place]);
        }
        const auto size = static_cast<unsigned char>(packed[place]);
        const std::string bytes = packed.substr(place + 1, size);
        return {bytes.begin(), bytes.end()};
    }

private:
    view::NameTables m_names;
    view::Blobs m_blobs{view::Blobs::Form::Plain};
    // The table has the actor before this is made.
    ThreadSpans m_spans = [this] {
        model::Actor actor;
        actor.pid = Pid{100};
        actor.tid = Tid{101};
        actor.comm = StringId{1};
        m_names.actor(actor);
        return ThreadSpans{m_names, [](StringId) { return std::string{"thread"}; },
                           view::SpanChunks{m_blobs, Timestamp{0}}};
    }();
};

using States = std::vector<std::uint8_t>;

} // namespace

TEST_CASE("thread_spans_when_a_wakeup_is_told_before_the_sleep_then_it_could_run_from_there_on")
{
    for (const bool is_overtaken : {true, false}) {
        Story story;
        story.run(1, 0, 101);
        if (is_overtaken) {
            story.wake(90, 101);
        }
        story.run(100, 101, 0);
        story.run(200, 0, 101);
        story.run(300, 101, 0);
        const std::uint8_t between = is_overtaken ? ThreadSpans::Ready : ThreadSpans::Blocked;
        CHECK(story.states() == States{ThreadSpans::Running, between, ThreadSpans::Running});
    }
}
