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

namespace lttng_gpu {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "lttng-gpu-losses";
// In the order of NotedLoss.
constexpr std::array<std::string_view, 2> texts{"unfinished_event", "ended_early"};
/// A trace of LTTng-UST lies so deep in its recording: snapshot/ust/uid/1000/64-bit.
constexpr int most_levels = 5;
/// Who writes more than that is not record.
constexpr int most_lines = 10'000;

std::uint64_t count_in(const fs::path& file)
{
    std::ifstream stream{file};
    std::uint64_t count = 0;
    int lines = 0;
    for (std::string line; lines < most_lines && std::getline(stream, line); ++lines) {
        count += std::ranges::find(texts, line) != texts.end() ? 1 : 0;
    }
    return count;
}

} // namespace

Expected<void> note_loss(const fs::path& recording, NotedLoss loss)
{
    const fs::path file = recording / file_name;
    std::ofstream stream{file, std::ios::app};
    stream << texts.at(static_cast<std::size_t>(loss)) << '\n' << std::flush;
    if (!stream) {
        return Failure{{ErrorKind::Output, "cannot write " + file.string()}};
    }
    return {};
}

/// A recording has the file itself, a trace of it has it some levels up.
std::uint64_t count_noted_losses(std::span<const fs::path> traces)
{
    std::set<fs::path> files;
    for (const fs::path& trace : traces) {
        std::error_code error;
        fs::path folder = fs::canonical(trace, error);
        for (int level = 0; level <= most_levels && folder.has_relative_path(); ++level) {
            if (fs::is_regular_file(folder / file_name, error)) {
                files.insert(folder / file_name);
            }
            folder = folder.parent_path();
        }
    }
    std::uint64_t count = 0;
    for (const fs::path& file : files) {
        count += count_in(file);
    }
    return count;
}

} // namespace lttng_gpu
