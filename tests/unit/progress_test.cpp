// SPDX-License-Identifier: MIT
//
// The progress line, and when it is drawn. Time is given, nothing waits.
#include "base/progress.hpp"

#include <array>
#include <doctest/doctest.h>
#include <unistd.h>

using namespace lttng_gpu;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

/// What a Progress wrote.
class Pipe {
public:
    Pipe() { REQUIRE(::pipe(m_ends.data()) == 0); }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe()
    {
        ::close(m_ends[0]);
        ::close(m_ends[1]);
    }

    int end() const { return m_ends[1]; }
    /// A byte is always put in, so that reading never waits.
    std::string take()
    {
        REQUIRE(::write(m_ends[1], ".", 1) == 1);
        std::array<char, 4096> bytes{};
        const ssize_t count = ::read(m_ends[0], bytes.data(), bytes.size());
        REQUIRE(count > 0);
        return {bytes.data(), static_cast<std::size_t>(count) - 1};
    }

private:
    std::array<int, 2> m_ends{};
};

} // namespace

TEST_CASE("progress_line_when_end_is_known_then_shows_share_rate_and_rest")
{
    const std::string line = progress_line(0.25, 30'000'000, seconds{3}, 100);
    CHECK(line.starts_with("reading [##########     "));
    CHECK(line.ends_with("]  25 %  10.0 M events/s  9 s left"));
    CHECK(progress_line(0.5, 1000, seconds{600}, 100).ends_with("10:00 min left"));
    CHECK(progress_line(1.5, 1000, seconds{1}, 100).find("] 100 %") != std::string::npos);
}

TEST_CASE("progress_line_when_end_is_unknown_then_counts")
{
    CHECK(progress_line({}, 5000, seconds{2}, 79) == "reading: 5000 events, 2 k events/s");
}

TEST_CASE("progress_line_when_terminal_is_narrow_then_fits")
{
    for (std::size_t columns = 0; columns < 120; ++columns) {
        CHECK(progress_line(0.37, 123'456'789, seconds{77}, columns).size() <= columns);
    }
}

TEST_CASE("progress_when_reading_takes_less_than_a_second_then_shows_nothing")
{
    Pipe pipe;
    const Progress::Clock::time_point begin{};
    {
        Progress progress{pipe.end(), begin};
        progress.update(0.5, 1000, begin + milliseconds{999});
    }
    CHECK(pipe.take().empty());
}

TEST_CASE("progress_when_shown_then_is_redrawn_seldom_and_erased")
{
    Pipe pipe;
    const Progress::Clock::time_point begin{};
    Progress progress{pipe.end(), begin};
    progress.update(0.5, 1000, begin + milliseconds{1000});
    CHECK(pipe.take().find("50 %") != std::string::npos);
    progress.update(0.6, 1000, begin + milliseconds{1050});
    CHECK(pipe.take().empty());
    progress.update(0.7, 1000, begin + milliseconds{1100});
    CHECK(pipe.take().find("70 %") != std::string::npos);
    progress.erase();
    CHECK(pipe.take() == "\r\033[K");
    progress.erase();
    CHECK(pipe.take().empty());
}
