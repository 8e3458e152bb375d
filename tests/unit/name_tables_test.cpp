// SPDX-License-Identifier: MIT
//
// Which processes of the page have a colour of their own.
#include "view/name_tables.hpp"

#include <doctest/doctest.h>

using namespace lttng_gpu;
using view::NameTables;

namespace {

std::uint32_t actor(NameTables& names, std::uint32_t origin, std::int32_t pid, std::uint32_t comm,
                    std::uint64_t jobs)
{
    model::Actor thread;
    thread.origin = OriginId{origin};
    thread.pid = Pid{pid};
    thread.tid = Tid{pid};
    thread.comm = StringId{comm};
    const std::uint32_t number = names.actor(thread);
    names.process_of(number).jobs += jobs;
    return names.process_number(number);
}

} // namespace

TEST_CASE("name_tables_when_a_process_is_in_two_traces_then_it_has_one_class")
{
    NameTables names;
    const auto kernel = actor(names, 1, 100, 7, 10);
    const auto other = actor(names, 1, 200, 8, 5);
    const auto user = actor(names, 2, 100, 7, 9); // the same by number and name
    const auto renumbered = actor(names, 2, 200, 9, 1);
    const auto classes = names.classes(8);
    REQUIRE(kernel != user);
    CHECK(classes[kernel] == 0);
    CHECK(classes[user] == 0);
    CHECK(classes[other] == 1); // none is left out between
    CHECK(classes[renumbered] == 2);
}

TEST_CASE("name_tables_when_processes_are_unknown_then_threads_are_told_apart")
{
    NameTables names;
    const auto number = [&](std::int32_t tid, std::uint32_t comm) {
        model::Actor thread;
        thread.tid = Tid{tid};
        thread.comm = StringId{comm};
        return names.process_number(names.actor(thread));
    };
    const auto alpha = number(10, 7);
    CHECK(number(20, 8) != alpha);
    CHECK(number(20, 7) != alpha); // of the same name
    CHECK(number(10, 7) == alpha);
    CHECK(names.processes()[alpha].tid == Tid{10});
}

TEST_CASE("name_tables_when_there_are_more_processes_than_classes_then_the_last_class_has_the_rest")
{
    NameTables names;
    for (std::int32_t pid = 1; pid <= 5; ++pid) {
        actor(names, 1, pid, static_cast<std::uint32_t>(pid), static_cast<std::uint64_t>(10 - pid));
    }
    CHECK(names.classes(3) == std::vector<std::uint8_t>{0, 1, 2, 2, 2});
}
