// SPDX-License-Identifier: MIT
//
// The table of a job's columns: what every output may rely on, and the documents that repeat it.
#include "report/job_columns.hpp"

#include <doctest/doctest.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <set>

using namespace lttng_gpu;
using namespace lttng_gpu::report;

namespace {

/// The names of the columns that are empty in the row of a job.
std::set<std::string> empty_columns(const model::Job& job, model::RingNames& names)
{
    std::set<std::string> found;
    const JobRow row{job, names};
    for_each_place<job_column_facts.size()>([&](auto place) {
        const auto& column = std::get<place>(job_columns);
        if (is_empty(column.value(row))) {
            found.insert(column.name);
        }
    });
    return found;
}

std::string document(const char* path)
{
    const auto top = std::filesystem::path{__FILE__}.parent_path() / "../..";
    std::ifstream file{top / path};
    REQUIRE(file);
    return {std::istreambuf_iterator<char>{file}, {}};
}

} // namespace

TEST_CASE("job_columns_when_named_then_differ_and_say_their_unit")
{
    std::set<std::string_view> names;
    for (const ColumnFacts& column : job_column_facts) {
        INFO(column.name);
        CHECK(names.insert(column.name).second);
        CHECK(std::string_view{column.name}.ends_with("_ns") == (column.unit != Unit::None));
        CHECK((column.unit == Unit::None || column.type == ValueType::Signed));
    }
}

TEST_CASE("job_columns_when_nothing_is_known_then_those_are_empty_that_can_be")
{
    StringPool strings;
    const model::RingTable rings{strings};
    model::RingNames names{rings};
    std::set<std::string> expected;
    for (const ColumnFacts& column : job_column_facts) {
        if (column.can_be_empty()) {
            expected.insert(column.name);
        }
    }
    CHECK(empty_columns({}, names) == expected);
}

TEST_CASE("job_columns_when_all_is_known_then_none_is_empty")
{
    StringPool strings;
    model::RingTable rings{strings};
    model::RingNames names{rings};
    model::Job job;
    job.ring = rings.intern(TraceId{}, "gpu", "gfx");
    rings.set_driver(*job.ring, "amdgpu");
    job.fence = {FenceContext{5}, FenceSeqno{6}};
    job.actor = {Pid{1}, Tid{2}, strings.intern("game"), {}};
    job.api_call = strings.intern("clEnqueueNDRangeKernel(sum)");
    job.api_call_basis = model::CallBasis::HelperThread;
    job.debug_group = strings.intern("shadow pass");
    job.queued = job.runnable = job.submitted = job.started = Timestamp{10};
    job.completed = job.observed = Timestamp{20};
    job.fault = model::Fault::TimedOut;
    job.clock_error = Duration{1};
    CHECK(empty_columns(job, names).empty());

    const JobRow row{job, names};
    CHECK(std::get<job_place("driver")>(job_columns).value(row) == "amdgpu");
    CHECK(plain_value(std::get<job_place("seqno")>(job_columns).value(row)) == 6);
    CHECK(plain_value(std::get<job_place("completed_ns")>(job_columns).value(row)) == 20);
    CHECK(std::get<job_place("fault")>(job_columns).value(row) == "timed_out");
}

TEST_CASE("job_columns_when_documented_then_as_in_the_table")
{
    std::string table = "| column | meaning | empty when |\n|---|---|---|\n";
    std::string list = ".SH COLUMNS OF JOBS\n";
    for (const ColumnFacts& column : job_column_facts) {
        const std::string empty_when = column.can_be_empty() ? column.empty_when : "never";
        const bool is_in_csv = column.is_in_csv();
        table += fmt::format("| `{}`{} | {} | {} |\n", column.name,
                             is_in_csv ? "" : " (not in CSV)", column.meaning, empty_when);
        list += fmt::format(".TP\n.B {}\n{}{}{}\n", column.name, column.meaning,
                            column.can_be_empty() ? " (empty when " + empty_when + ")" : "",
                            is_in_csv ? "" : "; not in CSV");
    }
    INFO("docs/reading-the-report.md should have:\n" << table);
    CHECK(document("docs/reading-the-report.md").find("\n" + table + "\n") != std::string::npos);
    INFO("docs/man/lttng-gpu.1 should have:\n" << list);
    CHECK(document("docs/man/lttng-gpu.1").find("\n" + list + ".SH ") != std::string::npos);
}
