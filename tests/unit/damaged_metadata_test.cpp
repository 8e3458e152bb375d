// SPDX-License-Identifier: MIT
//
// Metadata that is cut off or has a wrong byte: the answer is a schema or one
// line of text, soon and without harm. Sanitizers make this test stricter.
#include "lttng_metadata.hpp"
#include "trace/ctf/metadata/read_metadata.hpp"

#include <array>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace lttng_gpu;
using namespace lttng_gpu::trace::ctf;

namespace {

void check_answer(const std::string& text)
{
    const auto schema = read_metadata(text);
    const bool is_sound = schema ? schema->register_count < text.size()
                                 : schema.error().kind == ErrorKind::UnreadableTrace &&
                                       !schema.error().message.empty() &&
                                       schema.error().message.find('\n') == std::string::npos;
    if (!is_sound) { // CHECK itself would take most of the time
        FAIL_CHECK((schema ? "too many registers" : schema.error().message));
    }
}

void check_prefixes(const std::string& text)
{
    for (std::size_t length = 0; length < text.size(); ++length) {
        check_answer(text.substr(0, length));
    }
}

void check_wrong_bytes(std::string text)
{
    for (char& byte : text) {
        const char right = byte;
        const std::array<int, 8> wrong{0,         0xff,       right ^ 1,  right ^ 2,
                                       right ^ 4, right ^ 16, right ^ 64, right ^ 128};
        for (const int value : wrong) {
            byte = static_cast<char>(value);
            check_answer(text);
        }
        byte = right;
    }
}

/// Shorter, as the time that the test takes grows with the square of the length.
std::string without_space(const std::string& json)
{
    std::string text;
    bool is_in_text = false;
    for (const char c : json) {
        is_in_text = is_in_text != (c == '"');
        if (is_in_text || (c != ' ' && c != '\n')) {
            text += c;
        }
    }
    for (const std::string_view needless : {R"("preferred-display-base":10,)", R"("alignment":1,)",
                                            R"("description":"Monotonic Clock",)"}) {
        for (std::size_t at = text.find(needless); at != std::string::npos;
             at = text.find(needless, at)) {
            text.erase(at, needless.size());
        }
    }
    return text;
}

} // namespace

TEST_CASE("tsdl_when_it_is_cut_or_has_a_wrong_byte_then_there_is_an_answer")
{
    check_prefixes(lttng_tsdl_metadata());
    check_wrong_bytes(lttng_tsdl_metadata());
}

TEST_CASE("ctf2_when_it_is_cut_or_has_a_wrong_byte_then_there_is_an_answer")
{
    const std::string text = without_space(lttng_ctf2_metadata());
    REQUIRE(read_metadata(text).has_value());
    check_prefixes(text);
    check_wrong_bytes(text);
}

TEST_CASE("metadata_packets_when_cut_or_with_a_wrong_byte_then_there_is_an_answer")
{
    const auto golden = std::filesystem::path{__FILE__}.parent_path() / "../golden/linux-6.12";
    std::ifstream file{golden / "kernel/metadata", std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
    REQUIRE(bytes.size() > 4096);
    REQUIRE(read_metadata(bytes).has_value());
    check_prefixes(bytes.substr(0, 200));
    for (std::size_t length = 200; length < bytes.size(); length += 97) {
        check_answer(bytes.substr(0, length));
    }
    std::string damaged = bytes;
    for (std::size_t at = 0; at < 37; ++at) {
        for (const int value : {0, 0xff, bytes[at] ^ 1, bytes[at] ^ 128}) {
            damaged[at] = static_cast<char>(value);
            check_answer(damaged);
        }
        damaged[at] = bytes[at];
    }
}

TEST_CASE("metadata_file_when_it_is_of_a_recorded_trace_then_is_read")
{
    const auto golden = std::filesystem::path{__FILE__}.parent_path() / "../golden";
    for (const char* const trace : {"linux-6.12", "linux-7.2"}) {
        const auto schema = read_metadata_file(golden / trace / "kernel/metadata");
        REQUIRE(schema.has_value());
        CHECK(text_of(schema->environment, "sysname") == "Linux");
        REQUIRE(schema->streams.size() == 1);
        CHECK(schema->streams[0].events.size() > 10);
    }
    const auto missing = read_metadata_file(golden / "no-such-trace/metadata");
    REQUIRE_FALSE(missing.has_value());
    CHECK(missing.error().message.starts_with("cannot read "));
}
