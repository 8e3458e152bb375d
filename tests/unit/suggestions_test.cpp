// SPDX-License-Identifier: MIT
//
// A command line without a command, or with a mistyped word.
#include "cli/suggestions.hpp"
#include "command_line.hpp"
#include "gpu_trace.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <iterator>

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using cli::nearest;

namespace {

std::string text_of(const std::string& path)
{
    std::ifstream stream{path};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

} // namespace

TEST_CASE("nearest_when_a_letter_is_wrong_then_is_that_word")
{
    CHECK(nearest("reprot", {"record", "report"}) == "report");
    CHECK(nearest("job", {"record", "jobs"}) == "jobs");
    CHECK(nearest("--fromat", {"--format", "--frames"}) == "--format");
}

TEST_CASE("nearest_when_no_word_is_like_it_then_none")
{
    CHECK_FALSE(nearest("trace.dat", {"record", "report"}));
    CHECK_FALSE(nearest("", {"record"}));
    CHECK_FALSE(nearest("x", {"jobs"}));
    CHECK_FALSE(nearest(std::string(10'000, 'a'), {"jobs"}));
}

TEST_CASE("command_line_when_a_trace_is_all_it_has_then_that_is_reported")
{
    const TemporaryDirectory directory;
    write_two_jobs(directory.path() / "trace");
    const std::string out = directory.path() / "plain";
    const std::string named = directory.path() / "named";
    CHECK(run({directory.path() / "trace", "--format", "csv", "-o", out}).code == 0);
    CHECK(run({"report", directory.path() / "trace", "--format", "csv", "-o", named}).code == 0);
    CHECK(text_of(out) == text_of(named));
    CHECK_FALSE(text_of(out).empty());
}

TEST_CASE(
    "report_when_it_names_the_command_that_tells_more_then_a_shell_takes_the_path_as_one_word")
{
    const TemporaryDirectory directory;
    const std::string path = directory.path() / "ann's $(trace)";
    write_two_jobs(path);
    const std::string out = directory.path() / "report";
    CHECK(run({"report", path, "-o", out}).code == 0);
    const std::string text = text_of(out);
    const std::string quoted = "'" + (directory.path() / "ann'\\''s $(trace)").string() + "'";
    CHECK(text.starts_with("worst job: "));
    CHECK(text.find("\nwhy: lttng-gpu diagnose --job ") != std::string::npos);
    CHECK(text.find(quoted + "\n") != std::string::npos);
}

TEST_CASE("command_line_when_a_word_is_mistyped_then_says_what_was_meant")
{
    const Result command = run({"reprot", "trace"});
    CHECK(command.code == 2);
    CHECK(command.errors == "lttng-gpu: reprot is no command, and no file has that name; did you "
                            "mean report? (see --help)\n");
    CHECK(run({"gone.dat"}).errors ==
          "lttng-gpu: gone.dat is no command, and no file has that name (see --help)\n");
    CHECK(run({"report", "/", "--fromat=csv"}).errors.find("did you mean --format?") !=
          std::string::npos);
    CHECK(run({"report", "/", "--xyzzy"}).errors.find("did you mean") == std::string::npos);
    CHECK(run({}).errors == "lttng-gpu: give a trace or a command (see --help)\n");
}
