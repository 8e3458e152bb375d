// SPDX-License-Identifier: MIT
//
// Events with texts of every length that matters: how long they are goes from the loop that
// finds the ends of events to the one that reads values, where it fits.
#include "small_ctf.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

constexpr std::size_t most = trace::ctf::RecordForm::longest_text;
constexpr std::array<std::size_t, 11> lengths{0,  1,        7,    15,       16, 17,
                                              31, most - 1, most, most + 1, 500};

/// Of this length, and not like another one.
std::string text_of(std::size_t length, char first)
{
    std::string text(length, '.');
    for (std::size_t at = 0; at < length; ++at) {
        text[at] = static_cast<char>(first + at % 20);
    }
    return text;
}

/// One event with these texts, numbers and arrays between them, and how it reads.
struct Example {
    std::vector<std::string> texts;
    std::uint64_t number = 0;

    void put(PacketBytes& bytes, std::uint64_t time) const
    {
        bytes.put(0, 16).put(time, 32).put(number, 16);
        for (std::size_t at = 0; at < texts.size(); ++at) {
            bytes.text(texts[at]).raw(std::string{"ab"} + static_cast<char>('0' + at) + '\0');
            bytes.put(number + at + 1, 64);
        }
    }
    std::string line(std::uint64_t time) const
    {
        std::string line = fmt::format("{} {}", 1000 + time, number);
        for (std::size_t at = 0; at < texts.size(); ++at) {
            line += fmt::format(" {} ab{} {}", texts[at], at, number + at + 1);
        }
        return line;
    }
};

/// Reads events with so many texts each; wanted is all or the last fields only.
void check_texts(std::size_t count)
{
    const TemporaryDirectory directory;
    std::string fields = "u16 number; ";
    std::vector<std::string> names{"number"};
    for (std::size_t at = 0; at < count; ++at) {
        fields += fmt::format("string text{0}; char8 array{0}[4]; u64 number{0}; ", at);
        for (const char* kind : {"text", "array", "number"}) {
            names.push_back(kind + std::to_string(at));
        }
    }
    write_file(directory.path() / "metadata",
               metadata("le", large_header,
                        "typealias integer { size = 8; align = 8; encoding = UTF8; } := char8;\n"
                        "event { name = e; id = 0; fields := struct { " +
                            fields + "}; };\n"));
    PacketBytes events;
    Lines expected;
    Lines expected_last;
    std::uint64_t time = 10;
    for (const std::size_t length : lengths) {
        for (std::size_t which = 0; which <= count; ++which) { // it alone, or all of them
            Example example{{}, 100 + time};
            for (std::size_t at = 0; at < count; ++at) {
                const bool has_length = at == which || which == count;
                example.texts.push_back(text_of(has_length ? length : at + 3, 'a' + char(at)));
            }
            example.put(events, time);
            expected.push_back(example.line(time));
            expected_last.push_back(
                fmt::format("{} {} {}", 1000 + time, example.texts.back(), example.number + count));
            ++time;
        }
    }
    write_file(directory.path() / "stream", packet({10, 10000}, events));
    CHECK(read(directory.path(), {{"e", names}}).lines() == expected);
    const std::string last = std::to_string(count - 1);
    CHECK(read(directory.path(), {{"e", {"text" + last, "number" + last}}}).lines() ==
          expected_last);
}

} // namespace

TEST_CASE("ctf_when_texts_are_short_or_long_then_all_behind_them_is_found")
{
    for (const std::size_t count : {1, 2, 3, 4, 5}) { // the last one has more than have a place
        CAPTURE(count);
        check_texts(count);
    }
}
