// SPDX-License-Identifier: MIT
//
// Which traces `export` and `merge` put into one: those of one boot of one host.
#include "ctf_writer.hpp"
#include "export/input_plan.hpp"

#include <doctest/doctest.h>
#include <fstream>

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

namespace fs = std::filesystem;

constexpr std::string_view one_boot = "11111111-1111-4111-8111-111111111111";
constexpr std::string_view other_boot = "22222222-2222-4222-8222-222222222222";

/// Of a trace whose clock has this identity; empty: none.
fs::path write_trace(const fs::path& folder, int number, std::string_view host,
                     std::string_view boot)
{
    const fs::path trace = folder / std::to_string(number);
    fs::create_directories(trace);
    const std::string clock_uuid = boot.empty() ? "" : "uuid = \"" + std::string{boot} + "\"; ";
    std::ofstream{trace / "metadata"}
        << "/* CTF 1.8 */\n"
        << "typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
        << "trace { major = 1; minor = 8; byte_order = le; uuid = "
           "\"00000000-0000-4000-8000-00000000000"
        << number << "\"; packet.header := struct { u32 magic; }; };\n"
        << "env { hostname = \"" << host << "\"; domain = \"kernel\"; };\n"
        << "clock { name = monotonic; " << clock_uuid << "freq = 1000000000; offset = 5; };\n"
        << "typealias integer { size = 64; align = 8; map = clock.monotonic.value; } := time;\n"
        << "stream { event.header := struct { u32 id; time timestamp; }; };\n";
    return trace;
}

std::vector<std::string> names(const exporting::InputPlan& plan)
{
    std::vector<std::string> all;
    for (const exporting::InputGroup& group : plan.groups) {
        all.push_back(group.name);
    }
    return all;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("input_plan_when_hosts_of_one_name_are_of_two_boots_then_they_are_two_traces")
{
    const TemporaryDirectory folder;
    const fs::path first = write_trace(folder.path(), 1, "localhost", one_boot);
    const fs::path second = write_trace(folder.path(), 2, "localhost", other_boot);
    const fs::path third = write_trace(folder.path(), 3, "localhost", one_boot);
    const auto plan = exporting::plan_input({{first, second, third}});
    REQUIRE(plan);
    CHECK(names(*plan) == Names{"localhost", "localhost-2"});
    CHECK(plan->groups[0].sources == std::vector<std::size_t>{0, 2});
    CHECK(plan->sources[0].label == "kernel");
    CHECK(plan->sources[1].label == "kernel");
    CHECK(plan->sources[2].label == "kernel-2");
}

TEST_CASE("input_plan_when_runs_are_of_two_boots_then_they_are_two_traces")
{
    const TemporaryDirectory folder;
    const fs::path first = write_trace(folder.path(), 1, "host", one_boot);
    const fs::path second = write_trace(folder.path(), 2, "host", other_boot);
    const fs::path third = write_trace(folder.path(), 3, "host", one_boot);
    const auto of_two = exporting::plan_input({{first}, {second}});
    REQUIRE(of_two);
    CHECK(names(*of_two) == Names{"host", "host-2"});
    const auto of_one = exporting::plan_input({{first}, {third}});
    REQUIRE(of_one);
    CHECK(names(*of_one) == Names{"host"});
}

TEST_CASE("input_plan_when_containers_of_one_boot_have_names_then_each_keeps_its_own")
{
    const TemporaryDirectory folder;
    const fs::path first = write_trace(folder.path(), 1, "web", one_boot);
    const fs::path second = write_trace(folder.path(), 2, "db", one_boot);
    const auto plan = exporting::plan_input({{first, second}});
    REQUIRE(plan);
    CHECK(names(*plan) == Names{"web", "db"});
}

TEST_CASE("input_plan_when_a_trace_has_no_boot_then_it_is_with_the_only_one_of_its_host")
{
    const TemporaryDirectory folder;
    const fs::path unknown = write_trace(folder.path(), 1, "host", "");
    const fs::path first = write_trace(folder.path(), 2, "host", one_boot);
    const fs::path second = write_trace(folder.path(), 3, "host", other_boot);
    const auto of_one = exporting::plan_input({{unknown, first}});
    REQUIRE(of_one);
    CHECK(names(*of_one) == Names{"host"});
    const auto of_two = exporting::plan_input({{unknown, first, second}});
    REQUIRE(of_two);
    CHECK(of_two->groups.size() == 3);
    CHECK(of_two->groups[0].sources == std::vector<std::size_t>{0});
}
