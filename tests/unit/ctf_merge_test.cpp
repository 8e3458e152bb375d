// SPDX-License-Identifier: MIT
//
// The order in which streams are merged: by time, equal times in the order of the streams. Streams
// are decoded in batches, and a batch may end between events of one time.
#include "ctf_writer.hpp"
#include "small_ctf.hpp"

#include <tuple>

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using namespace lttng_gpu::trace;

namespace {

/// Time, stream, number.
using Place = std::tuple<std::int64_t, std::uint32_t, std::uint64_t>;

/// Writes so many events of each time into each stream; gives the order in which they are to come.
std::vector<Place> write_equal_times(const std::filesystem::path& directory,
                                     const std::vector<std::vector<std::size_t>>& streams)
{
    CtfWriter writer{directory, streams.size()};
    std::vector<Place> places;
    for (std::uint32_t stream = 0; stream < streams.size(); ++stream) {
        std::uint64_t number = 0;
        for (std::size_t time = 0; time < streams[stream].size(); ++time) {
            for (std::size_t n = 0; n < streams[stream][time]; ++n) {
                writer.add(stream, {time + 1, "numbered", {{"number", number}}});
                places.emplace_back(static_cast<std::int64_t>(time + 1), stream, number++);
            }
        }
    }
    std::sort(places.begin(), places.end());
    return places;
}

std::vector<Place> places_of(const Reading& reading)
{
    std::vector<Place> places;
    for (const Collector::Item& item : reading.collector.items) {
        const RawEvent& event = std::get<Collector::Event>(item).raw;
        places.emplace_back(event.time.value(), event.cpu.value(), *event.fields[0].as_unsigned());
    }
    return places;
}

const std::vector<WantedEvent> numbered{{"numbered", {"number"}}};

} // namespace

TEST_CASE("merge_when_batches_end_between_equal_times_then_streams_come_in_their_order")
{
    // A batch has 512 to 2048 events. The first streams end theirs in the middle of a time, the
    // last ones have much of it still, or nothing.
    const std::vector<std::vector<std::vector<std::size_t>>> cases{
        {{5'000}, {5'000}, {5'000}},
        {{1, 3'000, 1}, {700, 1, 2'500}, {2'100, 1'000, 1}},
        {{1, 1, 1}, {4'000, 4'000, 1}, {0, 1, 4'000}},
        {{1'023, 2, 1'023}, {1'024, 1, 1'024}, {1'025, 0, 1'025}},
        {{511, 3'000}, {512, 1'025}, {513, 2'047}, {0, 0, 1}}};
    for (const auto& streams : cases) {
        const TemporaryDirectory directory;
        const auto expected = write_equal_times(directory.path(), streams);
        CHECK(places_of(read(directory.path(), numbered)) == expected);
        for (const unsigned threads : {2U, 4U}) {
            Workers workers{threads};
            const Reading ahead = read(directory.path(), numbered, {&workers, 1, {}, {}});
            CHECK(places_of(ahead) == expected);
        }
    }
}

TEST_CASE("merge_when_many_streams_have_groups_of_equal_times_then_none_comes_too_early")
{
    const TemporaryDirectory directory;
    std::vector<std::vector<std::size_t>> streams(9);
    for (std::size_t stream = 0; stream < streams.size(); ++stream) {
        for (std::size_t time = 0; time < 40; ++time) {
            streams[stream].push_back((time * 37 + stream * 101) % 257);
        }
    }
    const auto expected = write_equal_times(directory.path(), streams);
    CHECK(places_of(read(directory.path(), numbered)) == expected);
    Workers workers{3};
    CHECK(places_of(read(directory.path(), numbered, {&workers, 1, {}, {}})) == expected);
}
