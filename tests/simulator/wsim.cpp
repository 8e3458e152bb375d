// SPDX-License-Identifier: MIT
//
// See wsim.hpp. The format is described in benchmarks/wsim/README of igt-gpu-tools.
#include "wsim.hpp"

#include <algorithm>
#include <charconv>
#include <map>

namespace lttng_gpu::simulator {
namespace {

constexpr Time microsecond = 1000;
constexpr Time until_terminated = 5000 * microsecond;

std::vector<std::string_view> split(std::string_view text, std::string_view separators)
{
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find_first_of(separators);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(end + 1);
    }
}

std::optional<std::int64_t> number(std::string_view text)
{
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_whole = read.ec == std::errc{} && read.ptr == text.data() + text.size();
    return is_whole && value > -1'000'000'000 && value < 1'000'000'000 ? std::optional{value}
                                                                       : std::nullopt;
}

class Parser {
public:
    explicit Parser(const std::vector<RingConfig>& rings) : m_rings{rings} {}

    bool line(std::string_view text)
    {
        const auto words = split(text, ".");
        m_steps.emplace_back();
        const char kind = words[0].empty() ? '\0' : words[0][0];
        if (kind >= '0' && kind <= '9') {
            return words.size() == 5 && batch(words);
        }
        const auto found = words.size() > 1 ? number(words[1]) : std::nullopt;
        const std::int64_t value = found.value_or(0);
        Step& step = m_steps.back();
        switch (kind) {
        case 'd':
        case 'p':
            step.kind = kind == 'd' ? Step::Kind::Delay : Step::Kind::Period;
            step.low = value * microsecond;
            return found && value >= 0;
        case 's':
            step.kind = Step::Kind::Sync;
            step.offset = static_cast<std::int32_t>(value);
            return value < 0;
        case 'P':
            step.kind = Step::Kind::Priority;
            if (const auto priority = words.size() > 2 ? number(words[2]) : std::nullopt) {
                step.priority = *priority > 0 ? 1 : 0;
                return true;
            }
            return false;
        case 'M':
            return words.size() == 3 && found && map(value, words[2]);
        default:
            return std::string_view{"tqaTfBbSXwW"}.find(kind) != std::string_view::npos &&
                   kind != '\0';
        }
    }

    std::vector<Step> take() { return std::move(m_steps); }

private:
    std::uint32_t find_ring(std::string_view name) const
    {
        const auto found = std::find_if(m_rings.begin(), m_rings.end(),
                                        [&](const RingConfig& ring) { return ring.name == name; });
        return found == m_rings.end() ? 0 : static_cast<std::uint32_t>(found - m_rings.begin());
    }

    std::uint32_t engine(std::string_view name) const
    {
        static const std::map<std::string_view, std::string_view> engines{
            {"RCS", "rcs0"},  {"BCS", "bcs0"},  {"VCS", "vcs0"},
            {"VCS1", "vcs0"}, {"VCS2", "vcs1"}, {"VECS", "vecs0"}};
        const auto found = engines.find(name);
        return find_ring(found == engines.end() ? "rcs0" : found->second);
    }

    bool map(std::int64_t context, std::string_view list)
    {
        auto& balanced = m_maps[context];
        for (const std::string_view name : split(list, "|")) {
            if (name == "VCS") {
                balanced.push_back(engine("VCS1"));
                balanced.push_back(engine("VCS2"));
            } else {
                balanced.push_back(engine(name));
            }
        }
        return !balanced.empty();
    }

    bool batch(const std::vector<std::string_view>& words)
    {
        Step& step = m_steps.back();
        const auto context = number(words[0]);
        const auto range = split(words[2], "-");
        if (!context || *context > 63) {
            return false;
        }
        step.kind = Step::Kind::Batch;
        step.context = static_cast<std::uint32_t>(*context);
        step.ring = engine(words[1]);
        if (const auto found = m_maps.find(*context); found != m_maps.end()) {
            step.ring = found->second[m_steps.size() % found->second.size()];
        }
        if (words[2] == "*") {
            step.low = step.high = until_terminated;
        } else {
            const auto low = number(range[0]);
            const auto high = number(range.back());
            if (!low || !high || *low < 0 || *high < *low || range.size() > 2) {
                return false;
            }
            step.low = std::max<Time>(1, *low) * microsecond;
            step.high = std::max<Time>(1, *high) * microsecond;
        }
        step.is_waited_for = words[4] == "1";
        return depend(words[3]);
    }

    bool depend(std::string_view list)
    {
        for (std::string_view word : split(list, "/")) {
            if (word == "0" || word.starts_with("s-")) {
                continue; // a submit fence only orders the start
            }
            if (word.starts_with('r') || word.starts_with('w')) {
                if (!working_set(word)) {
                    return false;
                }
                continue;
            }
            word.remove_prefix(word.starts_with('f') ? 1 : 0);
            const auto offset = number(word);
            if (!offset || *offset >= 0) {
                return false;
            }
            m_steps.back().depends_on.push_back(static_cast<std::int32_t>(*offset));
        }
        return true;
    }

    /// Whoever uses a buffer waits for the step that wrote it last.
    bool working_set(std::string_view word)
    {
        const auto parts = split(word.substr(1), "-");
        const auto set = number(parts[0]);
        const auto first = parts.size() > 1 ? number(parts[1]) : std::nullopt;
        const auto last = parts.size() > 2 ? number(parts[2]) : first;
        if (!set || !first || !last || *last - *first > 1000) {
            return false;
        }
        const auto here = static_cast<std::int32_t>(m_steps.size()) - 1;
        for (std::int64_t buffer = *first; buffer <= *last; ++buffer) {
            const std::pair place{*set, buffer};
            const auto writer = m_writers.find(place);
            auto& depends_on = m_steps.back().depends_on;
            if (writer != m_writers.end() && writer->second != here &&
                std::find(depends_on.begin(), depends_on.end(), writer->second - here) ==
                    depends_on.end()) {
                depends_on.push_back(writer->second - here);
            }
            if (word.front() == 'w') {
                m_writers[place] = here;
            }
        }
        return true;
    }

    const std::vector<RingConfig>& m_rings;
    std::vector<Step> m_steps;
    std::map<std::int64_t, std::vector<std::uint32_t>> m_maps; // engines of a context
    std::map<std::pair<std::int64_t, std::int64_t>, std::int32_t> m_writers;
};

} // namespace

std::optional<std::vector<Step>> parse_wsim(std::string_view text,
                                            const std::vector<RingConfig>& rings)
{
    Parser parser{rings};
    for (std::string_view line : split(text, "\n,")) {
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) {
            line.remove_suffix(1);
        }
        if (!line.empty() && !line.starts_with('#') && !parser.line(line)) {
            return {};
        }
    }
    auto steps = parser.take();
    const bool has_work = std::any_of(steps.begin(), steps.end(), [](const Step& step) {
        return step.kind == Step::Kind::Batch;
    });
    return has_work ? std::optional{std::move(steps)} : std::nullopt;
}

} // namespace lttng_gpu::simulator
