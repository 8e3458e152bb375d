// SPDX-License-Identifier: MIT
//
// See loss_note.hpp.
#include "loss_note.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lttng_gpu {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "lttng-gpu-losses";
/// In the folder of a trace itself, where babeltrace2 takes every other file for a stream.
constexpr const char* hidden_name = ".lttng-gpu-losses";
// In the order of NotedLoss.
constexpr std::array<std::string_view, 2> texts{"unfinished_event", "ended_early"};
/// A trace of LTTng-UST lies so deep in its recording: snapshot/ust/uid/1000/64-bit.
constexpr int most_levels = 5;
/// Who writes more than that is not record.
constexpr int most_lines = 10'000;

/// Those that record writes.
void read_notes(const fs::path& file, std::vector<std::string>& notes)
{
    std::ifstream stream{file};
    int lines = 0;
    for (std::string line; lines < most_lines && std::getline(stream, line); ++lines) {
        if (std::ranges::find(texts, line) != texts.end()) {
            notes.push_back(line);
        }
    }
}

/// A recording has the file itself, a trace of it has it some levels up.
std::vector<std::string> notes_of(std::span<const fs::path> traces)
{
    std::set<fs::path> files;
    for (const fs::path& trace : traces) {
        std::error_code error;
        fs::path folder = fs::canonical(trace, error);
        for (int level = 0; level <= most_levels && folder.has_relative_path(); ++level) {
            for (const char* name : {file_name, hidden_name}) {
                if (fs::is_regular_file(folder / name, error)) {
                    files.insert(folder / name);
                }
            }
            folder = folder.parent_path();
        }
    }
    std::vector<std::string> notes;
    for (const fs::path& file : files) {
        read_notes(file, notes);
    }
    return notes;
}

Expected<void> write_notes(const fs::path& file, std::span<const std::string> notes)
{
    std::ofstream stream{file, std::ios::app};
    for (const std::string& note : notes) {
        stream << note << '\n';
    }
    stream << std::flush;
    if (!stream) {
        return Failure{{ErrorKind::Output, "cannot write " + file.string()}};
    }
    return {};
}

} // namespace

Expected<void> note_loss(const fs::path& recording, NotedLoss loss)
{
    const std::string note{texts.at(static_cast<std::size_t>(loss))};
    return write_notes(recording / file_name, {&note, 1});
}

Expected<void> copy_noted_losses(std::span<const fs::path> traces, const fs::path& trace,
                                 std::size_t ended_early)
{
    std::vector<std::string> notes = notes_of(traces);
    notes.insert(notes.end(), ended_early,
                 std::string{texts.at(static_cast<std::size_t>(NotedLoss::EndedEarly))});
    return notes.empty() ? Expected<void>{} : write_notes(trace / hidden_name, notes);
}

std::uint64_t count_noted_losses(std::span<const fs::path> traces)
{
    return notes_of(traces).size();
}

} // namespace lttng_gpu
