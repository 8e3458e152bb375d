// SPDX-License-Identifier: MIT
//
// What the layers' timestamps tell of frames, and when the program learned of the GPU's end.
#include "opencl_program.hpp"
#include "report/frame_row.hpp"
#include "system/actor_origins.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

constexpr Labelled swap_buffers{7, "eglSwapBuffers"};

/// Shows frames with timed commands. The events of all APIs are alike.
class TimedRenderer : public Program {
public:
    explicit TimedRenderer(JobFeeder& feeder) : Program{feeder}, m_feed{feeder}
    {
        device(10).queue(20);
        for (std::int64_t time = 100; time < 20'000; time += 100) {
            m_clocks.push_back(time);
        }
    }
    TimedRenderer& frame(std::int64_t begin, std::int64_t end, std::uint64_t number)
    {
        m_feed.at(end)("lttng_gpu_opencl:frame", {{"begin_ns", begin},
                                                  {"result", 1},
                                                  {"function", swap_buffers},
                                                  {"frame", number},
                                                  {"surface", 5},
                                                  {"context", 9},
                                                  {"draws", 1},
                                                  {"dispatches", 0},
                                                  {"uploads", 0}});
        return *this;
    }
    TimedRenderer& call(const Labelled& function, std::int64_t begin, std::int64_t end)
    {
        m_feed.at(end)("lttng_gpu_opencl:call", {{"function", function}, {"begin_ns", begin}});
        return *this;
    }
    /// Clock readings that bound the device's clock up to now.
    TimedRenderer& clocks_until(std::int64_t now)
    {
        for (; m_next < m_clocks.size() && m_clocks[m_next] <= now; ++m_next) {
            clock(m_clocks[m_next]);
        }
        return *this;
    }

private:
    JobFeeder& m_feed;
    std::vector<std::int64_t> m_clocks;
    std::size_t m_next = 0;
};

/// Two commands of frame 2, executed at 2200 to 2400 and 2300 to 2700; the wait is of another call.
model::Frame second_frame(const Labelled& function, std::int64_t wait_begin, std::int64_t wait_end)
{
    JobFeeder feed;
    TimedRenderer program{feed};
    program.clocks_until(1'000).frame(900, 1'010, 1).clocks_until(2'000);
    program.enqueue(2'010, 2'020, 1).enqueue(2'030, 2'040, 2);
    program.clocks_until(2'100);
    program.frame(2'110, 2'150, 2).clocks_until(wait_end - 1).call(function, wait_begin, wait_end);
    program.clocks_until(3'400);
    program.times(3'450, 1, {2'015, 2'050, 2'200, 2'400})
        .times(3'460, 2, {2'035, 2'060, 2'300, 2'700});
    program.frame(3'500, 3'600, 3);
    const auto& frames = feed.frames();
    REQUIRE(frames.size() == 3);
    CHECK((frames[0].gpu_commands == 0 && !frames[0].gpu));
    CHECK((frames[2].gpu_commands == 0 && !frames[2].gpu_end));
    return frames[1];
}

} // namespace

TEST_CASE("frame_gpu_when_commands_are_timed_then_the_frame_has_their_union")
{
    const model::Frame frame = second_frame(finish, 2'500, 2'800);
    CHECK(frame.gpu_commands == 2);
    CHECK(is_near(frame.gpu_begin, 2'200));
    CHECK(is_near(frame.gpu_end, 2'700));
    REQUIRE(frame.gpu);
    CHECK(std::abs(frame.gpu->value() - 500) <= 2);
    CHECK(frame.gpu_error);
}

TEST_CASE("frame_gpu_when_a_wait_is_under_way_at_the_end_then_its_return_is_when_it_was_learned")
{
    const model::Frame frame = second_frame(finish, 2'500, 2'800);
    CHECK(frame.learned == Timestamp{2'800});
    StringPool strings;
    const model::RingTable texts{strings};
    const auto after = report::FrameRow{frame, texts}.learned_after();
    REQUIRE(after);
    CHECK(std::abs(after->value() - 100) <= 2);
}

TEST_CASE("frame_gpu_when_the_wait_begins_later_then_nobody_is_known_to_have_waited")
{
    CHECK(!second_frame(finish, 2'900, 3'000).learned);
}

TEST_CASE("frame_gpu_when_the_call_does_not_wait_then_it_learns_nothing")
{
    CHECK(!second_frame(flush, 2'500, 2'800).learned);
}

TEST_CASE("frame_gpu_when_one_commands_times_are_unknown_then_so_are_the_frames")
{
    JobFeeder feed;
    TimedRenderer program{feed};
    program.clocks_until(1'000).frame(900, 1'010, 1);
    program.enqueue(2'010, 2'020, 1).enqueue(2'030, 2'040, 2);
    program.frame(2'110, 2'150, 2);
    program.clocks_until(3'400).times(3'450, 1, {2'015, 2'050, 2'200, 2'400});
    const auto& frames = feed.frames();
    REQUIRE(frames.size() == 2);
    CHECK(frames[1].gpu_commands == 2);
    CHECK((!frames[1].gpu_begin && !frames[1].gpu_end && !frames[1].gpu && !frames[1].learned));
}
