// SPDX-License-Identifier: MIT
//
// simulator-tests [--list] [--scenario NAME] [--jobs N] [--seed S] [--threads T]
// prints TAP: one test per scenario, which names start with the text given. Each
// failure says the seed and number of jobs that show it again.
#include "episode.hpp"
#include "named_cases.hpp"

#include "run/pipeline.hpp"

#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

using namespace lttng_gpu;
using namespace lttng_gpu::simulator;

namespace {

struct Options {
    std::string scenario;
    std::uint64_t jobs = 1'050'000; // over all scenarios
    std::uint64_t seed = 1;
    std::uint32_t episode = 0; // jobs of one episode; 0: the scenario's own
    unsigned threads = 2;
    bool lists = false;
    bool is_replay = false;
};

std::uint64_t number(const char* text)
{
    std::uint64_t value = 0;
    const auto result = std::from_chars(text, text + std::strlen(text), value);
    if (result.ec != std::errc{} || *result.ptr != '\0') {
        std::fprintf(stderr, "simulator-tests: '%s' is no number\n", text);
        std::exit(2);
    }
    return value;
}

Options parse(int count, char** words)
{
    Options options;
    for (int place = 1; place < count; ++place) {
        const std::string_view word = words[place];
        if (word == "--list") {
            options.lists = true;
        } else if (place + 1 < count && word == "--scenario") {
            options.scenario = words[++place];
        } else if (place + 1 < count && word == "--jobs") {
            options.jobs = number(words[++place]);
        } else if (place + 1 < count && word == "--seed") {
            options.seed = number(words[++place]);
        } else if (place + 1 < count && word == "--threads") {
            options.threads = static_cast<unsigned>(number(words[++place]));
        } else if (place + 1 < count && word == "--replay") {
            options.is_replay = true;
            options.episode = static_cast<std::uint32_t>(number(words[++place]));
        } else {
            std::fprintf(stderr, "usage: simulator-tests [--list] [--scenario NAME] [--jobs N] "
                                 "[--seed S] [--threads T] [--replay JOBS_OF_EPISODE]\n");
            std::exit(2);
        }
    }
    return options;
}

struct Result {
    Tally tally;
    std::map<std::string, std::uint64_t> kinds;
    std::vector<std::string> words;
};

constexpr std::size_t most_words = 4;

Result run_scenario(const Scenario& scenario, const Feed& feed, const Options& options,
                    std::uint64_t jobs)
{
    Result result;
    if (scenario.is_broken) {
        result.kinds["unreadable workload"] = 1;
        return result;
    }
    Random seeds{options.seed ^ std::hash<std::string_view>{}(scenario.name)};
    while (result.tally.jobs < jobs) {
        const std::uint64_t seed = options.is_replay ? options.seed : seeds.next();
        const auto size =
            options.is_replay
                ? options.episode
                : static_cast<std::uint32_t>(1 + seeds.index(2 * scenario.jobs_per_episode));
        for (const Complaint& complaint : run_episode(scenario, feed, seed, size, result.tally)) {
            if (result.kinds[complaint.kind]++ == 0 && result.words.size() < most_words) {
                result.words.push_back("--scenario " + scenario.name + " --seed " +
                                       std::to_string(seed) + " --replay " + std::to_string(size) +
                                       "\n" + complaint.kind + ": " + complaint.words);
            }
        }
        if (options.is_replay) {
            break;
        }
    }
    if (!options.is_replay && result.tally.withheld * 20 > result.tally.starts + 50) {
        result.kinds["too many starts withheld"] = result.tally.withheld;
    }
    // Of requests that are preempted all the time a little more than of others; and where a
    // CPU's buffer begins late, all of a third of one long episode may be in doubt.
    if (!options.is_replay && result.tally.submissions_withheld * 8 > result.tally.jobs + 800) {
        result.kinds["too many submissions withheld"] = result.tally.submissions_withheld;
    }
    return result;
}

void print_comment(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::printf("# %.*s\n", static_cast<int>(std::min(end, text.size())), text.data());
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
}

void print(std::size_t number, const Scenario& scenario, const Result& result)
{
    std::printf("%s %zu - %s: %llu jobs, %llu events, %llu times shown, "
                "%llu starts among them, %llu more withheld near losses\n",
                result.kinds.empty() ? "ok" : "not ok", number, scenario.name.c_str(),
                static_cast<unsigned long long>(result.tally.jobs),
                static_cast<unsigned long long>(result.tally.events),
                static_cast<unsigned long long>(result.tally.times),
                static_cast<unsigned long long>(result.tally.starts),
                static_cast<unsigned long long>(result.tally.withheld));
    for (const auto& [kind, count] : result.kinds) {
        std::printf("# %s: %llu\n", kind.c_str(), static_cast<unsigned long long>(count));
    }
    for (const std::string& words : result.words) {
        print_comment(words);
    }
}

} // namespace

int main(int count, char** words)
{
    const Options options = parse(count, words);
    std::vector<const Scenario*> chosen;
    for (const Scenario& scenario : scenarios()) {
        if (scenario.name.starts_with(options.scenario)) {
            chosen.push_back(&scenario);
        }
    }
    if (options.lists || chosen.empty()) {
        for (const Scenario* scenario : chosen) {
            std::printf("%s\n", scenario->name.c_str());
        }
        return chosen.empty() ? 2 : 0;
    }
    const Feed feed{run::Pipeline::wanted()};
    std::size_t tests = 0;
    std::size_t failures = 0;
    if (options.scenario.empty()) {
        run_named_cases("tests/simulator/cases", feed, tests, failures);
    }
    std::vector<Result> results(chosen.size());
    std::atomic<std::size_t> next{0};
    std::mutex printing;
    const std::uint64_t jobs = options.jobs / chosen.size() + 1;
    const auto work = [&] {
        for (std::size_t place = next++; place < chosen.size(); place = next++) {
            const Result result = run_scenario(*chosen[place], feed, options, jobs);
            const std::lock_guard lock{printing};
            failures += result.kinds.empty() ? 0U : 1U;
            print(++tests, *chosen[place], result);
            std::fflush(stdout);
        }
    };
    std::vector<std::jthread> threads;
    for (unsigned thread = 1; thread < options.threads; ++thread) {
        threads.emplace_back(work);
    }
    work();
    threads.clear();
    std::printf("1..%zu\n", tests);
    return failures > 0 ? 1 : 0;
}
