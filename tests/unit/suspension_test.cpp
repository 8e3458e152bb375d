// SPDX-License-Identifier: MIT
//
// What `record` says of a machine that slept meanwhile.
#include "record/suspension.hpp"

#include <doctest/doctest.h>

using namespace lttng_gpu::record;
using namespace std::chrono_literals;

TEST_CASE("suspension_when_the_machine_slept_then_the_time_is_said")
{
    CHECK(suspension_note(8'430ms).find("suspended for 8.4 s") != std::string::npos);
    CHECK(suspension_note(100ms).find("suspended for 0.1 s") != std::string::npos);
}

TEST_CASE("suspension_when_only_the_readings_of_the_clocks_differ_then_nothing_is_said")
{
    CHECK(suspension_note(0ns).empty());
    CHECK(suspension_note(-40us).empty());
    CHECK(suspension_note(99ms).empty());
}

TEST_CASE("suspension_when_the_machine_is_awake_then_its_time_stands_still")
{
    const auto before = time_suspended();
    const auto change = time_suspended() - before;
    CHECK(change > -50ms);
    CHECK(change < 50ms);
}
