// SPDX-License-Identifier: MIT
//
// Small texts: CSV cells, durations and interned strings.
#include "base/anomaly.hpp"
#include "base/string_pool.hpp"
#include "report/text_format.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace lttng_gpu;
using namespace lttng_gpu::report;

TEST_CASE("csv_cell_when_text_has_special_characters_then_is_quoted")
{
    CHECK(csv_cell("plain text") == "plain text");
    CHECK(csv_cell("a,b") == "\"a,b\"");
    CHECK(csv_cell("say \"x\"") == "\"say \"\"x\"\"\"");
    CHECK(csv_cell("two\nlines") == "\"two\nlines\"");
    CHECK(csv_cell("") == "");
}

TEST_CASE("csv_cell_when_a_spreadsheet_would_run_it_then_begins_with_an_apostrophe")
{
    for (const char* text : {"=1+1", "+1", "-bash", "@SUM(A1)", "\tx"}) {
        CHECK(csv_cell(text) == "'" + std::string{text});
    }
    CHECK(csv_cell("=HYPERLINK(\"x\",1)") == "\"'=HYPERLINK(\"\"x\"\",1)\"");
    CHECK(csv_cell("\rx") == "\"'\rx\"");
    CHECK(csv_cell("a=b-c") == "a=b-c");
}

TEST_CASE("json_text_when_not_plain_then_reads_back")
{
    for (const std::string text :
         {"plain ~ text", "say \"x\"", "a\\b", "two\nlines", "\x7f", "µs"}) {
        std::string json = "[";
        append_json_text(json, text);
        CHECK(nlohmann::json::parse(json + "]").at(0) == text);
    }
    std::string damaged;
    append_json_text(damaged, "a\xff");
    CHECK(damaged == "\"a\ufffd\"");
}

TEST_CASE("json_plain_when_one_character_is_not_then_is_seen_at_each_place")
{
    for (int character = 0; character < 256; ++character) {
        const char one = static_cast<char>(character);
        const bool is_plain = one >= ' ' && one <= '~' && one != '"' && one != '\\';
        for (const char neighbour : {' ', '~', 'a', '#', '['}) {
            for (std::size_t place = 0; place < 19; ++place) {
                std::string text(19, neighbour);
                text[place] = one;
                REQUIRE(is_plain_json(text) == is_plain);
            }
        }
        CHECK(is_plain_json(std::string(1, one)) == is_plain);
    }
    CHECK(is_plain_json(""));
}

TEST_CASE("duration_when_printed_then_has_three_digits_and_a_unit")
{
    CHECK(human_duration(Duration{0}) == "0 ns");
    CHECK(human_duration(Duration{999}) == "999 ns");
    CHECK(human_duration(Duration{1000}) == "1.00 µs");
    CHECK(human_duration(Duration{12'345}) == "12.3 µs");
    CHECK(human_duration(Duration{999'500}) == "1000 µs");
    CHECK(human_duration(Duration{4'560'000}) == "4.56 ms");
    CHECK(human_duration(Duration{61'000'000'000}) == "61.0 s");
}

TEST_CASE("shortened_when_text_is_too_long_then_is_marked")
{
    CHECK(shortened("abc", 3) == "abc");
    CHECK(shortened("abcd", 3) == "ab~");
}

TEST_CASE("string_pool_when_text_repeats_then_gives_the_same_id")
{
    StringPool pool;
    const StringId first = pool.intern("gfx");
    for (int index = 0; index < 1000; ++index) {
        pool.intern("other " + std::to_string(index));
    }
    CHECK(pool.intern("gfx") == first);
    CHECK(pool.at(first) == "gfx");
    CHECK(pool.at(StringId{}).empty());
}

TEST_CASE("percent_when_tiny_then_is_not_shown_as_zero")
{
    CHECK(human_percent(0) == "0.0 %");
    CHECK(human_percent(0.0001) == "<0.1 %");
    CHECK(human_percent(0.375) == "37.5 %");
}

TEST_CASE("anomaly_when_printed_then_fits_in_a_line_of_the_report")
{
    for (const AnomalyText& anomaly : anomaly_texts) {
        INFO(anomaly.name);
        CHECK(anomaly.name.size() + anomaly.meaning.size() <= 100 - 13 - 2);
    }
}
