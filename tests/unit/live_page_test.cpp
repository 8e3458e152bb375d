// SPDX-License-Identifier: MIT
//
// What a page that is still being read says of itself, and what its spans are packed to.
#include "view/live_page.hpp"
#include "view/spans.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace lttng_gpu;
using namespace lttng_gpu::view;

namespace {

std::shared_ptr<Blobs> plain_blobs(std::uint32_t first = 0)
{
    return std::make_shared<Blobs>(Blobs::Form::Plain, first);
}

} // namespace

TEST_CASE("live_page_when_published_again_then_a_new_version_of_the_same_reading")
{
    LivePage page;
    CHECK_FALSE(page.piece(0));
    const auto blobs = plain_blobs();
    page.publish("one", blobs);
    page.set_progress(0.25);
    const auto before = nlohmann::json::parse(page.state());
    CHECK(before["ratio"] == 0.25);
    page.publish("two", blobs);
    page.set_progress({});
    const auto after = nlohmann::json::parse(page.state());
    CHECK(after["version"] != before["version"]);
    CHECK(after["reading"] == before["reading"]);
    CHECK(after["ratio"].is_null());
    CHECK(page.index() == "two");
    blobs->add("a piece");
    CHECK(page.piece(0) == "a piece");
}

TEST_CASE("live_page_when_read_anew_then_another_reading_and_old_pieces_are_gone")
{
    LivePage page;
    const auto first = plain_blobs();
    first->add("old");
    page.publish("one", first);
    const auto before = nlohmann::json::parse(page.state());
    const auto second = plain_blobs(first->end());
    second->add("new");
    page.publish("two", second);
    CHECK(nlohmann::json::parse(page.state())["reading"] != before["reading"]);
    CHECK_FALSE(page.piece(0));
    CHECK(page.piece(1) == "new");
}

TEST_CASE("span_chunks_when_full_then_packed_and_dropped_ones_are_gone")
{
    Blobs blobs{Blobs::Form::Plain};
    SpanChunks chunks{blobs, Timestamp{1000}};
    const std::int64_t count = static_cast<std::int64_t>(jobs_of_chunk) + 5;
    for (std::int64_t number = 0; number < count; ++number) {
        // As threads leave their CPUs: in order of the ends.
        const Timestamp begin{1000 + 10 * (number - number % 3)};
        chunks.add({begin, Timestamp{1000 + 10 * number + 5}, 1, 2, 3});
    }
    REQUIRE(chunks.all().size() == 1);
    CHECK(chunks.all().front().count == jobs_of_chunk);
    chunks.finish();
    REQUIRE(chunks.all().size() == 2);
    CHECK(chunks.all().back().count == 5);
    CHECK(chunks.all().front().first == 0);
    CHECK(chunks.all().back().end == 10 * (count - 1) + 5);
    REQUIRE(blobs.find(chunks.all().front().blob));
    const std::uint32_t piece = chunks.all().front().blob;
    chunks.drop();
    CHECK(chunks.all().empty());
    CHECK_FALSE(blobs.find(piece));
    chunks.add({Timestamp{1}, Timestamp{2}, 0, 0, 0});
    chunks.finish();
    CHECK(chunks.all().empty());
}
