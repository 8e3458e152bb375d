// SPDX-License-Identifier: MIT
//
// Losses that only the recording knew of, and the reports of it.
#include "base/loss_note.hpp"
#include "command_line.hpp"
#include "gpu_trace.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace lttng_gpu;
using namespace lttng_gpu::test;
namespace fs = std::filesystem;

namespace {

nlohmann::json report_of(const fs::path& trace, const fs::path& file, int code)
{
    const Result result =
        test::run({"report", "--format", "json", "-o", file.string(), trace.string()});
    CHECK(result.code == code);
    std::ifstream stream{file};
    return nlohmann::json::parse(stream);
}

std::uint64_t unfinished(const nlohmann::json& report)
{
    return report["accounting"]["losses_of_unknown_size"];
}

} // namespace

TEST_CASE("report_when_the_recording_has_a_note_of_losses_then_counts_them_whatever_part_is_read")
{
    const TemporaryDirectory directory;
    const fs::path recording = directory.path() / "recording";
    const fs::path trace = recording / "ust/uid/1000/64-bit";
    fs::create_directories(trace);
    write_two_jobs(trace);
    const fs::path file = directory.path() / "report";
    CHECK(unfinished(report_of(recording, file, 0)) == 0);
    REQUIRE(note_loss(recording, NotedLoss::UnfinishedEvent));
    CHECK(unfinished(report_of(recording, file, 4)) == 1);
    CHECK(unfinished(report_of(trace, file, 4)) == 1);
    REQUIRE(note_loss(recording, NotedLoss::EndedEarly)); // a second session of the same recording
    CHECK(unfinished(report_of(recording, file, 4)) == 2);
    CHECK(test::run({"report", recording.string(), "-o", file.string()})
              .errors.find("2 gaps of unknown size") != std::string::npos);
}

TEST_CASE("note_of_losses_when_the_folder_is_not_there_then_is_an_error")
{
    const TemporaryDirectory directory;
    CHECK(!note_loss(directory.path() / "nowhere", NotedLoss::EndedEarly));
}
