// SPDX-License-Identifier: MIT
#include "record/unfinished_packets.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

using namespace lttng_gpu::record;
namespace fs = std::filesystem;

namespace {

/// As LTTng begins each packet of one stream; `letter` is its content.
std::string packet(char letter, std::uint64_t bytes = 4096)
{
    std::string text{"\xC1\x1F\xFC\xC1", 4};
    text += "the UUID, 16 byte";
    text.resize(24, '\0');
    text.resize(56, letter);
    const std::uint64_t bits = bytes * 8;
    text.append(reinterpret_cast<const char*>(&bits), sizeof bits);
    text.resize(bytes, letter);
    return text;
}

struct Folder {
    Folder() : path{fs::temp_directory_path() / ("packets-" + std::to_string(getpid()))}
    {
        fs::create_directories(path / "index");
        std::ofstream{path / "index/gpu_0.idx"} << "index";
    }
    ~Folder() { fs::remove_all(path); }

    /// What is left of a stream.
    std::string repaired(const std::string& content, std::uint64_t removed) const
    {
        std::ofstream{path / "gpu_0", std::ios::binary} << content;
        CHECK(remove_unfinished_packets_in(path) == removed);
        std::ifstream file{path / "gpu_0", std::ios::binary};
        return {std::istreambuf_iterator<char>{file}, {}};
    }

    fs::path path;
};

} // namespace

TEST_CASE("unfinished packets: whole streams and other files stay as they are")
{
    const Folder folder;
    const std::string whole = packet('a') + packet('b', 8192);
    CHECK(folder.repaired(whole, 0) == whole);
    CHECK(folder.repaired("", 0).empty());
    CHECK(folder.repaired("not a stream", 0) == "not a stream");
    CHECK(folder.repaired(std::string(5000, 'x'), 0) == std::string(5000, 'x'));
    CHECK(fs::exists(folder.path / "index/gpu_0.idx"));
}

TEST_CASE(
    "unfinished packets: a part at the end, in the middle, at the beginning, and nothing else")
{
    const Folder folder;
    const std::string part = packet('p').substr(0, 1000);
    CHECK(folder.repaired(packet('a') + part, 1000) == packet('a'));
    CHECK_FALSE(fs::exists(folder.path / "index/gpu_0.idx"));
    CHECK(folder.repaired(packet('a') + part + packet('b') + part + part + packet('c'), 3000) ==
          packet('a') + packet('b') + packet('c'));
    CHECK(folder.repaired(part + packet('b', 2 << 20), 1000) == packet('b', 2 << 20));
    CHECK(folder.repaired(part, 1000).empty());
    CHECK(folder.repaired(packet('a') + packet('b').substr(0, 10), 10) == packet('a'));
}

TEST_CASE("unfinished packets: a size that is none is a part")
{
    const Folder folder;
    std::string wrong = packet('a');
    std::memset(wrong.data() + 56, 0, 8);
    CHECK(folder.repaired(wrong + packet('b'), 4096) == packet('b'));
    std::memset(wrong.data() + 56, 0xFF, 8);
    CHECK(folder.repaired(wrong + packet('b'), 4096) == packet('b'));
}
