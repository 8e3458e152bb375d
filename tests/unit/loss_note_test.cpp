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

TEST_CASE(
    "report_when_a_power_cut_took_the_metadata_of_one_trace_then_reads_the_others_and_counts_it")
{
    const TemporaryDirectory directory;
    const fs::path recording = directory.path() / "recording";
    const fs::path file = directory.path() / "report";
    for (const char* name : {"good", "empty", "zeros"})
        fs::create_directories(recording / "ust/pid" / name);
    write_two_jobs(recording / "ust/pid/good");
    std::ofstream{recording / "ust/pid/empty/metadata"};
    CHECK(unfinished(report_of(recording, file, 4)) == 1);
    std::ofstream{recording / "ust/pid/zeros/metadata"} << std::string(4096, '\0');
    // What LTTng 2.13 left whose daemon was killed: the header of a packet without content.
    fs::create_directories(recording / "ust/pid/header");
    std::string packet(4096, '\0');
    packet.replace(0, 4, "\x57\x1d\xd1\x75");
    packet[24] = 0x28; // 0x128 bits of content: the header itself
    packet[25] = 1;
    packet[29] = '\x80'; // 0x8000 bits in all
    packet[35] = 1;
    packet[36] = 8;
    std::ofstream{recording / "ust/pid/header/metadata", std::ios::binary} << packet;
    const auto report = report_of(recording, file, 4);
    CHECK(unfinished(report) == 3);
    CHECK(report["accounting"]["jobs_complete"] == 2);
    const fs::path exported = directory.path() / "exported";
    CHECK(test::run({"export", "--to", "ctf", recording.string(), "-o", exported.string()}).code ==
          4);
    CHECK(unfinished(report_of(exported, file, 4)) == 3);
    const Result alone = test::run({"report", (recording / "ust/pid/empty").string()});
    CHECK(alone.code == 3);
    CHECK(alone.errors.find("the metadata is empty") != std::string::npos);
}

TEST_CASE("note_of_losses_when_the_folder_is_not_there_then_is_an_error")
{
    const TemporaryDirectory directory;
    CHECK(!note_loss(directory.path() / "nowhere", NotedLoss::EndedEarly));
}

TEST_CASE("export_when_the_recording_has_a_note_of_losses_then_says_so_and_its_report_does")
{
    const TemporaryDirectory directory;
    const fs::path recording = directory.path() / "recording";
    fs::create_directories(recording / "kernel");
    write_two_jobs(recording / "kernel");
    REQUIRE(note_loss(recording, NotedLoss::EndedEarly));
    REQUIRE(note_loss(recording, NotedLoss::UnfinishedEvent));
    const fs::path file = directory.path() / "report";
    const std::string once = (directory.path() / "once").string();
    const std::string twice = (directory.path() / "twice").string();
    const Result result = test::run({"export", "--to", "ctf", recording.string(), "-o", once});
    CHECK(result.code == 4);
    CHECK(result.errors.find("2 gaps of unknown size") != std::string::npos);
    CHECK(unfinished(report_of(once, file, 4)) == 2);
    // also of the export of an export, and babeltrace2 reads it
    CHECK(test::run({"export", "--to", "ctf", once, "-o", twice}).code == 4);
    CHECK(test::run({"report", "--reader", "babeltrace2", twice, "-o", file.string()}).code == 4);
    CHECK(unfinished(report_of(twice, file, 4)) == 2);
}

TEST_CASE("merge_when_a_run_has_a_note_of_losses_then_says_so_and_its_report_does")
{
    const TemporaryDirectory directory;
    const std::string first = (directory.path() / "first").string();
    const std::string second = (directory.path() / "second").string();
    write_two_jobs(first);
    write_two_jobs(fs::path{second} / "kernel");
    REQUIRE(note_loss(second, NotedLoss::EndedEarly));
    const std::string merged = (directory.path() / "merged").string();
    const Result result =
        test::run({"merge", "--align", "drm_sched_job_queue", first, second, "-o", merged});
    CHECK(result.code == 4);
    CHECK(unfinished(report_of(merged, directory.path() / "report", 4)) == 1);
}
