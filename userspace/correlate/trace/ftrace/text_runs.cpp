// SPDX-License-Identifier: MIT
//
// See text_runs.hpp. A buffer's times never go back: where those of a CPU do, another begins.
#include "text_runs.hpp"

#include "reorder_window.hpp"
#include "text_line.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace lttng_gpu::trace::ftrace {
namespace {

constexpr std::uint64_t small_file = std::uint64_t{1} << 20;
constexpr std::uint64_t places = 64;
constexpr std::uint64_t place_size = std::uint64_t{16} << 10;
/// Each is read with a buffer of its own. With more, events are left out and counted.
constexpr std::size_t most_runs = 1024;

/// The time of the first event behind a place.
Expected<std::optional<std::int64_t>> time_behind(const std::shared_ptr<File>& file,
                                                  std::uint64_t place)
{
    LineReader lines{file, {place, std::min(place + place_size, file->size())}};
    for (bool is_first = true;; is_first = false) {
        const auto line = lines.next();
        if (!line) {
            return Failure{line.error()};
        }
        if (!*line) {
            return std::nullopt;
        }
        const bool is_cut = (is_first && place > 0) || (*line)->end != LineEnd::Feed;
        const TextLine read = is_cut ? TextLine{} : parse_line((*line)->text);
        if (read.kind == LineKind::Event && read.time) {
            return read.time;
        }
    }
}

/// As far as that can be told from some places.
Expected<bool> is_in_order(const std::shared_ptr<File>& file)
{
    const std::uint64_t last = file->size() - place_size;
    std::optional<std::int64_t> before;
    for (std::uint64_t place = 0; place <= places; ++place) {
        const auto time = time_behind(file, last / places * place);
        if (!time) {
            return Failure{time.error()};
        }
        if (before && *time && **time < *before) {
            return false;
        }
        before = *time ? *time : before;
    }
    return true;
}

/// Follows the times of a run.
class RunTimes {
public:
    /// False: the event is of another run.
    bool add(const TextLine& line)
    {
        x_cpus.resize(std::max<std::size_t>(x_cpus.size(), line.cpu + 1U), INT64_MIN);
        // What ReorderWindow hands out when it is full.
        std::int64_t& long_ago = x_latest[x_count % x_latest.size()];
        if (*line.time < x_cpus[line.cpu] ||
            (x_count >= x_latest.size() && *line.time < long_ago)) {
            return false;
        }
        x_cpus[line.cpu] = *line.time;
        x_last = std::max(x_last, *line.time);
        long_ago = x_last;
        ++x_count;
        return true;
    }

private:
    std::vector<std::int64_t> x_cpus; // the latest time of each
    std::array<std::int64_t, reorder_window_size> x_latest{};
    std::size_t x_count = 0;
    std::int64_t x_last = INT64_MIN;
};

Expected<TextRuns> index_runs(const std::shared_ptr<File>& file)
{
    TextRuns runs;
    RunTimes times;
    LineReader lines{file, {0, file->size()}};
    std::uint64_t begin = 0;
    std::uint64_t behind_event = 0;
    for (;;) {
        const auto line = lines.next();
        if (!line) {
            return Failure{line.error()};
        }
        if (!*line || runs.parts.size() >= most_runs) {
            break;
        }
        const TextLine read = parse_line(runs.decoder.decode((*line)->text));
        if (read.kind != LineKind::Event || !read.time || (*line)->end != LineEnd::Feed) {
            continue;
        }
        if (!times.add(read)) {
            runs.parts.push_back({begin, behind_event});
            begin = behind_event;
            times = {};
            times.add(read);
        }
        behind_event = lines.offset();
    }
    runs.parts.push_back({begin, file->size()});
    return runs;
}

} // namespace

Expected<TextRuns> find_runs(const std::shared_ptr<File>& file)
{
    const TextRuns one{{FilePart{}}, {}};
    if (file->size() == 0) {
        return one;
    }
    if (file->size() > small_file) {
        const auto order = is_in_order(file);
        if (!order || *order) {
            return order ? Expected<TextRuns>{one} : Failure{order.error()};
        }
    }
    auto runs = index_runs(file);
    const bool is_one = runs && (runs->parts.size() == 1 || runs->parts.size() > most_runs ||
                                 runs->decoder.is_page());
    return is_one ? Expected<TextRuns>{one} : runs;
}

} // namespace lttng_gpu::trace::ftrace
