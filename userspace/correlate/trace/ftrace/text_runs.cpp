// SPDX-License-Identifier: MIT
//
// See text_runs.hpp. A buffer's times never go back: where those of a CPU do, another begins.
#include "text_runs.hpp"

#include "reorder_window.hpp"
#include "text_line.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <unordered_map>

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

/// The events of a CPU in a run.
struct CpuTimes {
    std::int64_t first = INT64_MAX;
    std::int64_t last = INT64_MIN;
    std::size_t line = 0; // hash of the first

    bool has_any() const { return first <= last; }
};

/// Follows the times of a run.
class RunTimes {
public:
    const std::vector<CpuTimes>& cpus() const { return m_cpus; }

    /// False: the event is of another run.
    bool add(const TextLine& line, std::string_view text)
    {
        m_cpus.resize(std::max<std::size_t>(m_cpus.size(), line.cpu + 1U));
        CpuTimes& cpu = m_cpus[line.cpu];
        // What ReorderWindow hands out when it is full.
        std::int64_t& long_ago = m_latest[m_count % m_latest.size()];
        if (*line.time < cpu.last || (m_count >= m_latest.size() && *line.time < long_ago)) {
            return false;
        }
        if (!cpu.has_any()) {
            cpu.first = *line.time;
            cpu.line = std::hash<std::string_view>{}(text);
        }
        cpu.last = *line.time;
        m_last = std::max(m_last, *line.time);
        long_ago = m_last;
        ++m_count;
        return true;
    }

private:
    std::vector<CpuTimes> m_cpus;
    std::array<std::int64_t, reorder_window_size> m_latest{};
    std::size_t m_count = 0;
    std::int64_t m_last = INT64_MIN;
};

/// What the runs have of each CPU, to find one that passes the same time twice.
class CpuStretches {
public:
    struct Repeated {
        std::size_t cpu = 0;
        std::size_t line = 0; // hash of the one with which it begins again
    };

    void add(const RunTimes& run)
    {
        m_cpus.resize(std::max(m_cpus.size(), run.cpus().size()));
        for (std::size_t cpu = 0; cpu < run.cpus().size(); ++cpu) {
            if (run.cpus()[cpu].has_any()) {
                m_cpus[cpu].push_back(run.cpus()[cpu]);
            }
        }
    }

    std::vector<Repeated> find_repeated()
    {
        std::vector<Repeated> repeated;
        for (std::size_t cpu = 0; cpu < m_cpus.size(); ++cpu) {
            std::vector<CpuTimes>& times = m_cpus[cpu];
            std::stable_sort(times.begin(), times.end(),
                             [](const CpuTimes& left, const CpuTimes& right) {
                                 return left.first < right.first;
                             });
            for (std::size_t at = 1; at < times.size(); ++at) {
                if (times[at].first < times[at - 1].last) {
                    repeated.push_back({cpu, times[at].line});
                }
            }
        }
        return repeated;
    }

private:
    std::vector<std::vector<CpuTimes>> m_cpus;
};

std::string contradiction_text(std::size_t cpu)
{
    return "on CPU " + std::to_string(cpu) +
           " times go back to where other events of it are: they are counted from the event before "
           "(perf script --deltatime), or captures of different boots were put together. Print the "
           "time of each event, and give captures as files of their own";
}

/// Calls `take` with each whole event that has a time, its text, and the offset behind it.
template <typename Take>
Expected<LineDecoder> for_each_event(const std::shared_ptr<File>& file, const Take& take)
{
    LineDecoder decoder;
    LineReader lines{file, {0, file->size()}};
    for (;;) {
        const auto line = lines.next();
        if (!line) {
            return Failure{line.error()};
        }
        if (!*line) {
            return decoder;
        }
        const std::string_view text = decoder.decode((*line)->text);
        const TextLine read = parse_line(text);
        if (read.kind == LineKind::Event && read.time && (*line)->end == LineEnd::Feed &&
            !take(read, text, lines.offset())) {
            return decoder;
        }
    }
}

/// Lines may be there twice, as where captures overlap. A CPU that did different things at one time
/// has no times that can be compared.
Expected<void> check_repeated(const std::shared_ptr<File>& file,
                              const std::vector<CpuStretches::Repeated>& repeated)
{
    if (repeated.empty()) {
        return {};
    }
    std::unordered_map<std::size_t, std::size_t> found;
    for (const CpuStretches::Repeated& one : repeated) {
        found[one.line] = 0;
    }
    const auto read =
        for_each_event(file, [&](const TextLine&, std::string_view text, std::uint64_t) {
            const auto counted = found.find(std::hash<std::string_view>{}(text));
            if (counted != found.end()) {
                ++counted->second;
            }
            return true;
        });
    if (!read) {
        return Failure{read.error()};
    }
    for (const CpuStretches::Repeated& one : repeated) {
        if (found[one.line] < 2) {
            return Failure{{ErrorKind::UnreadableTrace,
                            file->path().string() + ": " + contradiction_text(one.cpu)}};
        }
    }
    return {};
}

Expected<TextRuns> index_runs(const std::shared_ptr<File>& file)
{
    TextRuns runs;
    RunTimes times;
    CpuStretches stretches;
    std::uint64_t begin = 0;
    std::uint64_t behind_event = 0;
    const auto decoder = for_each_event(
        file, [&](const TextLine& line, std::string_view text, std::uint64_t offset) {
            if (!times.add(line, text)) {
                runs.parts.push_back({begin, behind_event});
                begin = behind_event;
                stretches.add(times);
                times = {};
                times.add(line, text);
            }
            behind_event = offset;
            return runs.parts.size() < most_runs;
        });
    if (!decoder) {
        return Failure{decoder.error()};
    }
    runs.decoder = *decoder;
    runs.parts.push_back({begin, file->size()});
    stretches.add(times);
    if (const auto checked = check_repeated(file, stretches.find_repeated()); !checked) {
        return Failure{checked.error()};
    }
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
