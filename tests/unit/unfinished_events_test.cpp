// SPDX-License-Identifier: MIT
#include "record/unfinished_events.hpp"

#include <atomic>
#include <cstring>
#include <doctest/doctest.h>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace lttng_gpu::record;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t words_at = 256; // written, consumed
constexpr std::size_t counts_at = 512;
constexpr std::size_t count_stride = 64;
constexpr std::uint64_t subbuffer = 4096;
constexpr std::uint64_t subbuffers = 4;

/// A buffer as LTTng-UST begins it, with sub-buffers that have nothing in them.
class Buffer {
public:
    explicit Buffer(std::uint8_t word = 8)
        : m_bytes(1024 + subbuffer * subbuffers, '\0'), m_word{word}
    {
        m_bytes.replace(0, 16, "\x17\x7B\xF1\x77\xBF\x17\x7B\xF1\x77\xBF\x17\x7B\xF1\x77\xBF\x17");
        put<std::uint16_t>(24, 0x1234);
        put<std::uint8_t>(30, word);
        put<std::uint32_t>(32, words_at);
        put<std::uint32_t>(36, words_at + word);
        put<std::uint32_t>(40, counts_at);
        put<std::uint32_t>(44, word);
        put<std::uint32_t>(84, count_stride);
        put<std::uint64_t>(96, subbuffer * subbuffers);
        put<std::uint64_t>(104, subbuffer);
        put<std::uint64_t>(112, subbuffers);
        put<std::uint32_t>(120, 1);
    }

    template <typename Number> void put(std::size_t at, Number number)
    {
        std::memcpy(m_bytes.data() + at, &number, sizeof number);
    }
    void put_word(std::size_t at, std::uint64_t word)
    {
        std::memcpy(m_bytes.data() + at, &word, m_word);
    }
    void set(std::uint64_t written, std::uint64_t consumed)
    {
        put_word(words_at, written);
        put_word(words_at + m_word, consumed);
    }
    void set_count(std::size_t index, std::uint64_t count)
    {
        put_word(counts_at + index * count_stride, count);
    }
    const std::string& bytes() const { return m_bytes; }

private:
    std::string m_bytes;
    std::uint8_t m_word;
};

/// What is found in a folder with such a file.
UnfinishedEvents found_in(const std::string& bytes)
{
    const fs::path folder = fs::temp_directory_path() / ("buffers-" + std::to_string(getpid()));
    fs::create_directories(folder / "ust/uid/0/64-bit");
    std::ofstream{folder / "ust/uid/0/64-bit/gpu_0", std::ios::binary} << bytes;
    auto found = find_unfinished_events(folder);
    fs::remove_all(folder);
    return found;
}

UnfinishedEvents all_finished()
{
    UnfinishedEvents events;
    events.has_unread = true;
    return events;
}

} // namespace

TEST_CASE("unfinished events: none in buffers that are empty, or whose events are all finished")
{
    for (const std::uint8_t word : {std::uint8_t{4}, std::uint8_t{8}}) {
        Buffer buffer{word};
        CHECK(found_in(buffer.bytes()) == UnfinishedEvents{});
        // The second round of the ring: one sub-buffer is read, two are full, one is half full.
        buffer.set(7 * subbuffer + 2000, 5 * subbuffer);
        buffer.set_count(0, 2 * subbuffer);
        buffer.set_count(1, 2 * subbuffer);
        buffer.set_count(2, 2 * subbuffer);
        buffer.set_count(3, subbuffer + 2000);
        CHECK(found_in(buffer.bytes()) == all_finished());
        // All of the second round is written, and then read.
        buffer.set(8 * subbuffer, 5 * subbuffer);
        buffer.set_count(3, 2 * subbuffer);
        CHECK(found_in(buffer.bytes()) == all_finished());
        buffer.set(8 * subbuffer, 8 * subbuffer);
        CHECK(found_in(buffer.bytes()) == UnfinishedEvents{});
    }
}

TEST_CASE("unfinished events: in a full sub-buffer and in the last one")
{
    for (const std::uint8_t word : {std::uint8_t{4}, std::uint8_t{8}}) {
        Buffer buffer{word};
        buffer.set(7 * subbuffer + 2000, 5 * subbuffer);
        buffer.set_count(1, 2 * subbuffer);
        buffer.set_count(2, 2 * subbuffer - 100);
        buffer.set_count(3, subbuffer + 1900);
        const auto events = found_in(buffer.bytes());
        REQUIRE(events.found.size() == 2);
        CHECK(events.is_known);
        CHECK(events.found[0].begin == 6 * subbuffer);
        CHECK(events.found[0].taken == subbuffer);
        CHECK(events.found[0].finished == subbuffer - 100);
        CHECK(events.found[1].begin == 7 * subbuffer);
        CHECK(events.found[1].taken == 2000);
        CHECK(events.found[1].finished == 1900);
    }
}

TEST_CASE("unfinished events: the first event of a sub-buffer")
{
    Buffer buffer;
    buffer.set(subbuffer + 100, subbuffer);
    buffer.set_count(0, subbuffer);
    const auto events = found_in(buffer.bytes());
    REQUIRE(events.found.size() == 1);
    CHECK(events.found[0].finished == 0);
    CHECK_FALSE(events.has_unread);
}

TEST_CASE("unfinished events: of buffers of another form nothing is known")
{
    for (const auto& [at, value] : {std::pair{24, 0x3412}, {26, 2}, {28, 1}, {44, 16}, {120, 0}}) {
        Buffer buffer;
        buffer.put<std::uint16_t>(static_cast<std::size_t>(at), static_cast<std::uint16_t>(value));
        CHECK_FALSE(found_in(buffer.bytes()).is_known);
    }
    CHECK(found_in("no buffer").is_known);
    CHECK(found_in(std::string(2000, 'x')).is_known);
}

TEST_CASE("unfinished_events_when_more_is_described_than_the_file_has_then_nothing_is_known")
{
    for (const auto& [bytes, count] : {std::pair<std::uint64_t, std::uint64_t>{1, 1ULL << 40U},
                                       {1ULL << 40U, 1},
                                       {1ULL << 63U, 2},
                                       {subbuffer, 2 * subbuffers},
                                       {2 * subbuffer, subbuffers}}) {
        CAPTURE(bytes);
        Buffer buffer;
        buffer.put<std::uint32_t>(84, 0); // all have the same count
        buffer.put<std::uint64_t>(104, bytes);
        buffer.put<std::uint64_t>(112, count);
        buffer.set(UINT64_MAX, 0);
        const auto events = found_in(buffer.bytes());
        CHECK_FALSE(events.is_known);
        CHECK(events.found.empty());
    }
}

TEST_CASE("unfinished events: of what cannot be read nothing is known")
{
    Buffer buffer;
    buffer.set(subbuffer + 100, subbuffer);
    // The description, without what it describes: where LTTng writes, and what is finished.
    for (const std::size_t size : {std::size_t{20}, std::size_t{128}, words_at + 8, counts_at}) {
        CAPTURE(size);
        CHECK_FALSE(found_in(buffer.bytes().substr(0, size)).is_known);
    }
    // `mem` among these gives an error.
    CHECK_FALSE(find_unfinished_events("/proc/thread-self").is_known);
}

TEST_CASE("unfinished events: without a descriptor left nothing is known")
{
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
    const rlimit none{3, before.rlim_max};
    REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
    const auto found = find_unfinished_events(fs::temp_directory_path());
    REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
    CHECK_FALSE(found.is_known);
}

TEST_CASE("unfinished events: folders that vanish meanwhile hide nothing")
{
    const fs::path folder = fs::temp_directory_path() / ("vanishing-" + std::to_string(getpid()));
    Buffer buffer;
    buffer.set(subbuffer + 100, subbuffer);
    buffer.set_count(0, subbuffer);
    for (const char* const stays : {"a", "z"}) {
        fs::create_directories(folder / stays);
        std::ofstream{folder / stays / "gpu_0", std::ios::binary} << buffer.bytes();
    }
    std::atomic<bool> is_over{false};
    std::thread programs{[&] {
        for (int number = 0; !is_over; number = (number + 1) % 8) {
            const fs::path own = folder / ("ust/pid/" + std::to_string(number));
            fs::create_directories(own / "64-bit");
            std::ofstream{own / "64-bit/gpu_0", std::ios::binary} << Buffer{}.bytes();
            fs::remove_all(number % 2 == 0 ? own : folder / "ust");
        }
    }};
    int unknown = 0;
    int wrong = 0;
    for (int look = 0; look < 2000; ++look) {
        const auto events = find_unfinished_events(folder);
        unknown += events.is_known ? 0 : 1;
        wrong += events.found.size() == 2 ? 0 : 1;
    }
    is_over = true;
    programs.join();
    fs::remove_all(folder);
    CHECK(unknown == 0);
    CHECK(wrong == 0);
}
