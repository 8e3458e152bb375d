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
    if (now < m_next) {
        return false;
    }
    m_page.set_progress(source.progress());
    PageData data;
    {
        const std::lock_guard lock{m_guarded.mutex()};
        PageSink& sink = m_guarded.sink();
        if (sink.jobs() == 0) {
            m_next = now + least_pause / 10;
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
    m_page.publish(std::move(data.index), m_blobs);
    const Clock::time_point end = Clock::now();
    m_next = end + std::max<Clock::duration>(least_pause, (end - now) * share);
    return true;
}

/// A page that asks for tiles has the latest version, or is about to get it.
void Snapshots::forget_tiles()
{
    for (const std::uint32_t tile : m_old_tiles) {
        m_blobs->forget(tile);
    }
    m_old_tiles = std::move(m_tiles);
    m_tiles.clear();
    for (const auto& ring : m_guarded.sink().rings()) {
        for (const DepthLevel& level : ring->levels) {
            for (const std::int64_t tile : level.tiles) {
                if (tile >= 0) {
                    m_tiles.push_back(static_cast<std::uint32_t>(tile));
                }
            }
        }
    }
}

} // namespace lttng_gpu::view
