// SPDX-License-Identifier: MIT
//
// See named_cases.hpp.
#include "named_cases.hpp"

#include "run/pipeline.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace lttng_gpu::simulator {
namespace {

class Case {
public:
    explicit Case(const std::filesystem::path& path)
    {
        std::ifstream file{path};
        std::string line;
        while (std::getline(file, line)) {
            std::istringstream words{line};
            std::string kind;
            if (!(words >> kind) || kind.starts_with('#')) {
                continue;
            }
            if (kind == "event") {
                read_event(words);
            } else if (kind == "loss") {
                Stream::Loss& loss = m_stream.losses.emplace_back();
                words >> loss.begin >> loss.end >> loss.cpu;
            } else if (kind == "row" || kind == "wait") {
                std::string expected = kind;
                for (std::string word; words >> word;) {
                    expected += " " + word;
                }
                m_expected.push_back(expected);
            } else {
                throw std::runtime_error{"cannot read: " + line};
            }
        }
        std::sort(m_stream.events.begin(), m_stream.events.end(),
                  [](const Event& left, const Event& right) { return left.time < right.time; });
    }

    const World& world() const { return m_world; }
    const Stream& stream() const { return m_stream; }
    const std::vector<std::string>& expected() const { return m_expected; }

private:
    void read_event(std::istringstream& words)
    {
        Event& event = m_stream.events.emplace_back();
        std::int64_t tid = 0;
        std::string name;
        words >> event.time >> event.cpu >> tid >> name;
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end()) {
            throw std::runtime_error{"no such event: " + name};
        }
        event.name = static_cast<Name>(found - names.begin());
        if (tid != 0) {
            const auto [thread, is_new] =
                m_threads.emplace(tid, static_cast<std::uint32_t>(m_world.clients.size()));
            if (is_new) {
                m_world.clients.push_back({tid, tid, "app"});
            }
            event.thread = thread->second;
        }
        for (std::string pair; words >> pair;) {
            read_field(event, pair);
        }
    }

    void read_field(Event& event, const std::string& pair)
    {
        const std::size_t equals = pair.find('=');
        const auto field =
            std::find(field_names.begin(), field_names.end(), pair.substr(0, equals));
        if (equals == std::string::npos || field == field_names.end()) {
            throw std::runtime_error{"no such field: " + pair};
        }
        const std::string& text = m_stream.texts.emplace_back(pair.substr(equals + 1));
        const bool is_hex = text.starts_with("0x");
        std::uint64_t number = 0;
        const char* end = text.data() + text.size();
        const auto read =
            std::from_chars(text.data() + (is_hex ? 2 : 0), end, number, is_hex ? 16 : 10);
        const auto where = static_cast<Field>(field - field_names.begin());
        if (read.ec == std::errc{} && read.ptr == end) {
            event.with(where, number);
        } else {
            event.with(where, std::string_view{text});
        }
    }

    World m_world;
    Stream m_stream;
    std::map<std::int64_t, std::uint32_t> m_threads;
    std::vector<std::string> m_expected;
};

template <typename Number> std::string cell(const Known<Number>& value)
{
    return value ? std::to_string(value->value()) : "-";
}

std::string cell(std::string_view text)
{
    return text.empty() ? "-" : std::string{text};
}

class Lines final : public model::JobSink {
public:
    explicit Lines(const model::RingTable& rings) : m_rings{rings} {}

    void on_job(const model::Job& job) override
    {
        constexpr std::array<const char*, 3> endings{"normal", "preempted", "lost"};
        const bool has_ring = job.ring.has_value();
        rows.push_back(fmt::format("row {} {} {}:{} {} {} {} {} {}",
                                   cell(has_ring ? m_rings.text(m_rings.at(*job.ring).device) : ""),
                                   cell(has_ring ? m_rings.text(m_rings.at(*job.ring).shown) : ""),
                                   cell(job.fence.context), cell(job.fence.seqno), cell(job.queued),
                                   cell(job.submitted), cell(job.started), cell(job.completed),
                                   endings[static_cast<std::size_t>(job.ending)]));
    }
    void on_wait(const model::Wait& wait) override
    {
        waits.push_back(fmt::format("wait {} {}", wait.begin.value(), wait.end.value()));
    }

    std::vector<std::string> rows;
    std::vector<std::string> waits;

private:
    const model::RingTable& m_rings;
};

std::vector<std::string> correlate(const Case& story, const Feed& feed)
{
    run::Pipeline pipeline;
    Lines lines{pipeline.rings()};
    pipeline.start(lines);
    feed.play(story.world(), story.stream(), pipeline);
    pipeline.finish();
    lines.rows.insert(lines.rows.end(), lines.waits.begin(), lines.waits.end());
    return lines.rows;
}

} // namespace

void run_named_cases(const std::filesystem::path& folder, const Feed& feed, std::size_t& tests,
                     std::size_t& failures)
{
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator{folder}) {
        paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    for (const auto& path : paths) {
        std::vector<std::string> expected;
        std::vector<std::string> shown;
        try {
            const Case story{path};
            expected = story.expected();
            shown = correlate(story, feed);
        } catch (const std::exception& error) {
            shown = {error.what()};
        }
        const bool is_right = shown == expected && !expected.empty();
        failures += is_right ? 0U : 1U;
        std::printf("%s %zu - case %s\n", is_right ? "ok" : "not ok", ++tests, path.stem().c_str());
        for (std::size_t place = 0; !is_right && place < std::max(shown.size(), expected.size());
             ++place) {
            std::printf("# expected %s\n#      got %s\n",
                        place < expected.size() ? expected[place].c_str() : "nothing",
                        place < shown.size() ? shown[place].c_str() : "nothing");
        }
    }
}

} // namespace lttng_gpu::simulator
