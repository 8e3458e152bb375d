// SPDX-License-Identifier: MIT
//
// What `record` says of CPUs that have come online when a daemon of LTTng's has died.
#include "record/cpus.hpp"

#include <doctest/doctest.h>

using namespace lttng_gpu::record;
using Cpus = std::set<unsigned>;

TEST_CASE("cpu_list_when_read_then_ranges_and_numbers_are_there")
{
    CHECK(read_cpu_list("0-3,6,8-9") == Cpus{0, 1, 2, 3, 6, 8, 9});
    CHECK(read_cpu_list("0\n") == Cpus{0});
    CHECK(read_cpu_list("").empty());
    CHECK(read_cpu_list("none").empty());
    CHECK(read_cpu_list("0-") == Cpus{});
    CHECK(read_cpu_list("0-4294967295").size() == 65536);
}

TEST_CASE("daemon_death_when_a_cpu_came_online_then_that_is_said")
{
    CHECK(note_on_cpus_that_came({0}, {0, 1, 2}).starts_with("CPU 1, 2 has come online"));
    CHECK(note_on_cpus_that_came({0, 1}, {0, 1}).empty());
    CHECK(note_on_cpus_that_came({0, 1}, {0}).empty());
    CHECK(note_on_cpus_that_came({}, {0, 1}).empty()); // nobody knows what was before
}
