// SPDX-License-Identifier: MIT
//
// See snapshots.hpp.
#include "snapshots.hpp"

namespace lttng_gpu::view {
namespace {

constexpr std::chrono::milliseconds least_pause{500};
constexpr int share = 20; // a version takes at most this part of the time

} // namespace

bool Snapshots::update(const std::vector<std::filesystem::path>& traces,
                       const model::RingTable& rings, const trace::EventSource& source,
                       Clock::time_point now)
{
    if (now < x_next) {
        return false;
    }
    x_page.set_progress(source.progress());
    PageData data;
    {
        const std::lock_guard lock{x_guarded.mutex()};
        PageSink& sink = x_guarded.sink();
        if (sink.jobs() == 0) {
            x_next = now + least_pause / 10;
            return false;
        }
        sink.settle();
        PageContents contents{traces, rings};
        contents.stage = Stage::Jobs;
        contents.ratio = source.progress();
        contents.read_until = source.totals().last;
        data = make_page_data(sink, contents);
        forget_tiles();
    }
    x_page.publish(std::move(data.index), x_blobs);
    const Clock::time_point end = Clock::now();
    x_next = end + std::max<Clock::duration>(least_pause, (end - now) * share);
    return true;
}

/// A page that asks for tiles has the latest version, or is about to get it.
void Snapshots::forget_tiles()
{
    for (const std::uint32_t tile : x_old_tiles) {
        x_blobs->forget(tile);
    }
    x_old_tiles = std::move(x_tiles);
    x_tiles.clear();
    for (const auto& ring : x_guarded.sink().rings()) {
        for (const DepthLevel& level : ring->levels) {
            for (const std::int64_t tile : level.tiles) {
                if (tile >= 0) {
                    x_tiles.push_back(static_cast<std::uint32_t>(tile));
                }
            }
        }
    }
}

} // namespace lttng_gpu::view
