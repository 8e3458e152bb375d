// SPDX-License-Identifier: MIT
//
// Texts of traces: kept once, and fit to be shown.
#include "base/printable_text.hpp"
#include "base/string_pool.hpp"

#include <doctest/doctest.h>

using namespace lttng_gpu;

TEST_CASE("text_when_printable_then_stays_as_it_is")
{
    CHECK(printable_text("gfx_0.0.0, \"x\" \\") == "gfx_0.0.0, \"x\" \\");
    CHECK(printable_text("Größe €😀") == "Größe €😀");
}

TEST_CASE("text_when_bytes_are_no_utf8_or_control_characters_then_are_escaped")
{
    CHECK(printable_text("a\nb\x7f") == "a\\x0ab\\x7f");
    CHECK(printable_text("\xff\xfe") == "\\xff\\xfe");
    CHECK(printable_text("\xc3") == "\\xc3");                              // cut off
    CHECK(printable_text("\xc0\xaf") == "\\xc0\\xaf");                     // longer than needed
    CHECK(printable_text("\xed\xa0\x80") == "\\xed\\xa0\\x80");            // surrogate
    CHECK(printable_text("\xf4\x90\x80\x80z") == "\\xf4\\x90\\x80\\x80z"); // past the end
    CHECK(printable_text("\xc2\x85") == "\\xc2\\x85");                     // control character
}

TEST_CASE("pool_when_unprintable_texts_look_alike_then_keeps_them_apart")
{
    StringPool pool;
    const StringId raw = pool.intern("a\n");
    const StringId escaped = pool.intern("a\\x0a");
    CHECK(raw != escaped);
    CHECK(pool.intern("a\n") == raw);
    CHECK(pool.at(raw) == "a\\x0a");
    CHECK(pool.at(escaped) == "a\\x0a");
}
