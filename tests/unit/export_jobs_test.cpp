// SPDX-License-Identifier: MIT
#include "export/jobs/actor_numbers.hpp"
#include "export/jobs/call_merge.hpp"
#include "export/jobs/depth_steps.hpp"
#include "export/jobs/output_file.hpp"
#include "export/jobs/proto_bytes.hpp"
#include "export/jobs/slice_lanes.hpp"

#include <array>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>

namespace lttng_gpu::exporting {
namespace {

namespace fs = std::filesystem;

Timestamp at(std::int64_t time)
{
    return Timestamp{time};
}

std::vector<std::pair<std::int64_t, std::int64_t>> released(DepthSteps& steps, std::int64_t safe)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> told;
    steps.release(at(safe), [&](Timestamp time, std::int64_t depth) {
        told.emplace_back(time.value(), depth);
    });
    return told;
}

class Calls final : public model::CallSink {
public:
    void on_call(const model::ApiCall& call) override { calls.push_back(call); }
    std::vector<model::ApiCall> calls;
};

model::ApiCall call_of(std::int64_t tid, std::int64_t begin, std::int64_t end, std::uint32_t name,
                       bool is_enqueue)
{
    model::ApiCall call;
    call.actor.tid = Tid{tid};
    call.begin = at(begin);
    call.end = at(end);
    call.call = StringId{name};
    call.is_enqueue = is_enqueue;
    return call;
}

model::Actor actor_of(std::int64_t pid, std::int64_t tid, std::uint32_t comm)
{
    model::Actor actor;
    actor.pid = Pid{pid};
    actor.tid = Tid{tid};
    actor.comm = StringId{comm};
    return actor;
}

class Folder {
public:
    Folder()
    {
        std::string name = (fs::temp_directory_path() / "lttng-gpu-unit-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        m_path = name;
    }
    ~Folder() { fs::remove_all(m_path); }
    std::string file() const { return (m_path / "file").string(); }
    std::ptrdiff_t files() const
    {
        return std::distance(fs::directory_iterator{m_path}, fs::directory_iterator{});
    }

private:
    fs::path m_path;
};

report::OutputPlace place_of(const std::string& file)
{
    const auto place = report::OutputPlace::check(file, report::OutputKind::Text, {});
    REQUIRE(place);
    return *place;
}

std::string content(const std::string& file)
{
    std::ostringstream text;
    text << std::ifstream{file}.rdbuf();
    return text.str();
}

} // namespace

TEST_CASE("depth_steps_when_jobs_overlap_then_each_change_is_told_once_in_order")
{
    DepthSteps steps;
    steps.add(at(10), at(40));
    steps.add(at(20), at(30));
    CHECK(released(steps, 20) == decltype(released(steps, 0)){{10, 1}});
    steps.add(at(30), at(30)); // no time at all
    steps.add(at(40), at(50)); // one leaves when another comes
    CHECK(released(steps, INT64_MAX) == decltype(released(steps, 0)){{20, 2}, {30, 1}, {50, 0}});
}

TEST_CASE("slice_lanes_when_slices_overlap_then_they_have_lanes_of_their_own")
{
    SliceLanes lanes;
    CHECK(lanes.take(at(0), at(10)) == 0);
    CHECK(lanes.take(at(5), at(20)) == 1);
    CHECK(lanes.take(at(10), at(15)) == 0); // free at the very moment
    CHECK(lanes.take(at(12), at(13)) == 2);
}

TEST_CASE("slice_lanes_when_all_are_taken_then_there_is_none")
{
    SliceLanes lanes;
    for (std::size_t lane = 0; lane < SliceLanes::most; ++lane) {
        CHECK(lanes.take(at(0), at(10)) == lane);
    }
    CHECK_FALSE(lanes.take(at(5), at(6)));
    CHECK(lanes.take(at(10), at(11)) == 0);
}

TEST_CASE("call_merge_when_a_call_gave_a_command_then_it_is_one_by_the_better_name")
{
    Calls sink;
    CallMerge merge{sink};
    merge.on_call(call_of(1, 10, 20, 7, true));
    merge.on_call(call_of(1, 10, 21, 8, false));
    merge.on_call(call_of(2, 10, 15, 9, false)); // another thread
    merge.on_call(call_of(1, 30, 40, 8, false));
    REQUIRE(sink.calls.size() == 1);
    CHECK(sink.calls[0].call == StringId{7});
    CHECK(sink.calls[0].end == at(21));
    merge.finish();
    REQUIRE(sink.calls.size() == 3);
    CHECK(sink.calls[1].begin == at(30));
    CHECK(sink.calls[2].call == StringId{9});
}

TEST_CASE("actor_numbers_when_a_thread_is_renamed_then_it_is_two_of_one_process")
{
    ActorNumbers actors;
    CHECK(actors.thread_of(actor_of(5, 6, 1)) == 1);
    CHECK(actors.thread_of(actor_of(5, 6, 2)) == 2);
    CHECK(actors.thread_of(actor_of(5, 6, 1)) == 1);
    CHECK(actors.thread_of(actor_of(5, 5, 3)) == 3); // the main thread names the process
    REQUIRE(actors.processes().size() == 1);
    CHECK(actors.processes()[0].comm == StringId{3});
}

TEST_CASE("actor_numbers_when_the_process_is_unknown_then_threads_have_nothing_in_common")
{
    ActorNumbers actors;
    model::Actor first = actor_of(0, 1, 1);
    first.pid.reset();
    model::Actor second = actor_of(0, 2, 1);
    second.pid.reset();
    CHECK(actors.thread(actors.thread_of(first)).process !=
          actors.thread(actors.thread_of(second)).process);
}

TEST_CASE("proto_bytes_when_written_then_they_are_fields_of_the_wire_format")
{
    std::array<char, 256> buffer{};
    ProtoBytes bytes{buffer.data()};
    bytes.message(1, [&] {
        bytes.number(8, 300);
        bytes.text(2, "ab");
        bytes.fixed(47, 1);
    });
    const std::string written{buffer.data(), bytes.end()};
    CHECK(written == std::string{"\x0A\x91\x00\x40\xAC\x02\x12\x02"
                                 "ab\xF9\x02\x01\0\0\0\0\0\0\0",
                                 20});
}

TEST_CASE("proto_bytes_when_a_message_is_long_then_its_length_has_both_bytes")
{
    std::array<char, 512> buffer{};
    ProtoBytes bytes{buffer.data()};
    const std::string text(200, 'x');
    bytes.message(1, [&] { bytes.text(2, text); });
    CHECK(static_cast<unsigned char>(buffer[1]) == (203U % 128U | 0x80U));
    CHECK(buffer[2] == 203 / 128);
}

TEST_CASE("output_file_when_finished_then_it_has_its_name_and_the_usual_mode")
{
    const Folder folder;
    auto file = OutputFile::create(place_of(folder.file()));
    REQUIRE(file);
    file->write("text");
    CHECK_FALSE(fs::exists(folder.file()));
    REQUIRE(file->finish());
    CHECK(content(folder.file()) == "text");
    CHECK(folder.files() == 1);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    struct stat status = {};
    REQUIRE(::stat(folder.file().c_str(), &status) == 0);
    CHECK((status.st_mode & 0777U) == (0666U & ~mask));
}

TEST_CASE("output_file_when_not_finished_then_what_was_there_stays")
{
    const Folder folder;
    std::ofstream{folder.file()} << "old";
    {
        auto file = OutputFile::create(place_of(folder.file()));
        REQUIRE(file);
        file->write("new");
        file->fail("disk full");
        const auto finished = file->finish();
        REQUIRE_FALSE(finished);
        CHECK(finished.error().message == "cannot write " + folder.file() + ": disk full");
    }
    CHECK(content(folder.file()) == "old");
    CHECK(folder.files() == 1);
}

TEST_CASE("output_file_when_it_is_no_regular_file_then_it_is_written_as_it_is")
{
    auto file = OutputFile::create(place_of("/dev/full"));
    REQUIRE(file);
    CHECK(file->is_stream());
    file->write("text");
    CHECK_FALSE(file->finish());
    CHECK(fs::is_character_file("/dev/full"));
}

} // namespace lttng_gpu::exporting
