// SPDX-License-Identifier: MIT
//
// diagnose-tests [--instances N] [--seed S] [--matrix]: plants causes in simulated sessions, as
// many instances of each, alone and two at once, and of sessions without any, and compares what the
// diagnosis finds. Prints TAP: one test for each cause, pair and kind of clean session. With
// --matrix also the confusion matrix, as a table for bench/README.md.
#include "plant.hpp"

#include "run/diagnosis.hpp"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>

using namespace lttng_gpu;
using namespace lttng_gpu::planted;
using diagnose::Diagnosis;
using diagnose::Part;
using diagnose::Reason;

namespace {

struct Options {
    unsigned instances = 6;
    std::uint64_t seed = 1;
    bool shows_matrix = false;
};

Options parse(int count, char** words)
{
    Options options;
    for (int place = 1; place < count; ++place) {
        const std::string_view word = words[place];
        std::uint64_t number = 0;
        const bool has_number =
            place + 1 < count &&
            std::from_chars(words[place + 1], words[place + 1] + std::strlen(words[place + 1]),
                            number)
                    .ec == std::errc{};
        if (word == "--matrix") {
            options.shows_matrix = true;
        } else if (word == "--instances" && has_number) {
            options.instances = static_cast<unsigned>(number);
            ++place;
        } else if (word == "--seed" && has_number) {
            options.seed = number;
            ++place;
        } else {
            std::fprintf(stderr, "usage: diagnose-tests [--instances N] [--seed S] [--matrix]\n");
            std::exit(2);
        }
    }
    return options;
}

/// What one instance showed.
struct Outcome {
    std::map<Reason, Time> found; // of the victim, of what matters
    std::vector<std::string> problems;
    unsigned expected = 0;
    unsigned recalled = 0;
    unsigned falsely = 0;     // reasons of the victim that were not planted
    unsigned false_clean = 0; // jobs around it that were given a reason
    unsigned clean = 0;
};

constexpr Time least{30'000};

std::map<Reason, Time> reasons_of(const Diagnosis& diagnosis)
{
    std::map<Reason, Time> reasons;
    for (const Part& part : diagnosis.parts) {
        if (!is_usual(part.reason)) {
            reasons[part.reason] += part.length.value();
        }
    }
    std::erase_if(reasons, [](const auto& entry) { return entry.second < least; });
    return reasons;
}

std::string described(const std::map<Reason, Time>& reasons)
{
    std::string text;
    for (const auto& [reason, time] : reasons) {
        text += fmt::format("{} {} ns, ", diagnose::text_of(reason).name, time);
    }
    return text.empty() ? "nothing" : text;
}

bool is_near(Time found, Time expected)
{
    return std::abs(found - expected) <= std::max<Time>(25'000, expected / 20);
}

void check_sum(const Diagnosis& diagnosis, Outcome& outcome)
{
    Duration sum;
    for (const Part& part : diagnosis.parts) {
        sum = sum + (part.is_before ? Duration{} : part.length);
    }
    if (sum != diagnosis.latency()) {
        outcome.problems.push_back(fmt::format("parts of job {} add up to {} ns, not to {} ns",
                                               diagnosis.job.fence.seqno->value(), sum.value(),
                                               diagnosis.latency().value()));
    }
}

void check_roots(const Diagnosis& diagnosis, const Instance& instance, Outcome& outcome)
{
    std::map<std::int64_t, Time> roots;
    for (const Part& part : diagnosis.parts) {
        if (part.reason == Reason::Dependency) {
            visit_leaves(part, [&](const Part& leaf, Duration length) {
                roots[leaf.actor.pid ? leaf.actor.pid->value() : 0] += length.value();
            });
        }
    }
    for (const auto& [pid, time] : instance.roots) {
        if (!is_near(roots[pid], time)) {
            outcome.problems.push_back(
                fmt::format("{} ns come down to process {}, not {} ns", roots[pid], pid, time));
        }
    }
}

void check_victim(const Diagnosis& diagnosis, const Instance& instance, Outcome& outcome)
{
    outcome.found = reasons_of(diagnosis);
    outcome.expected = static_cast<unsigned>(instance.expected.size());
    bool is_right = true;
    for (const auto& [reason, time] : instance.expected) {
        const bool is_found = is_near(outcome.found[reason], time);
        outcome.recalled += is_found ? 1 : 0;
        is_right &= is_found;
    }
    std::erase_if(outcome.found, [](const auto& entry) { return entry.second == 0; });
    for (const auto& [reason, time] : outcome.found) {
        const bool is_planted = instance.expected.contains(reason);
        outcome.falsely += is_planted ? 0 : 1;
        is_right &= is_planted;
    }
    if (!is_right) {
        outcome.problems.push_back("expected " + described(instance.expected) + "found " +
                                   described(outcome.found));
    }
    check_roots(diagnosis, instance, outcome);
}

Outcome examine(const std::set<Cause>& causes, std::uint64_t seed)
{
    Scene scene{seed};
    const Instance instance = plant(scene, causes);
    const test::TemporaryDirectory folder;
    scene.write(folder.path() / "trace", true);
    Outcome outcome;
    bool is_seen = false;
    run::DiagnosisRequest request;
    request.on_each = [&](const Diagnosis& diagnosis, const model::RingTable&) {
        check_sum(diagnosis, outcome);
        const model::Job& job = diagnosis.job;
        if (!job.fence.context || job.fence.context->value() != instance.context ||
            job.fence.seqno->value() < instance.first_seqno) {
            return;
        }
        if (job.fence.seqno->value() == instance.seqno) {
            is_seen = true;
            check_victim(diagnosis, instance, outcome);
            return;
        }
        // Jobs after it suffer from what it suffered from.
        if (job.fence.seqno->value() < instance.seqno) {
            const auto reasons = reasons_of(diagnosis);
            ++outcome.clean;
            if (!reasons.empty()) {
                ++outcome.false_clean;
                outcome.problems.push_back(fmt::format(
                    "job {} without a hitch: {}", job.fence.seqno->value(), described(reasons)));
            }
        }
    };
    const auto made = run::diagnose_traces({folder.path() / "trace"}, {}, request);
    if (!made || !is_seen) {
        outcome.problems.push_back(made ? "the job was not diagnosed" : made.error().message);
    }
    return outcome;
}

struct Sum {
    unsigned instances = 0;
    unsigned expected = 0;
    unsigned recalled = 0;
    unsigned falsely = 0;
    unsigned clean = 0;
    unsigned false_clean = 0;
    std::map<Reason, unsigned> greatest;
    std::vector<std::string> problems;

    void add(const Outcome& outcome)
    {
        ++instances;
        expected += outcome.expected;
        recalled += outcome.recalled;
        falsely += outcome.falsely;
        clean += outcome.clean;
        false_clean += outcome.false_clean;
        Reason most = Reason::Execution;
        Time longest = 0;
        for (const auto& [reason, time] : outcome.found) {
            most = time > longest ? reason : most;
            longest = std::max(longest, time);
        }
        ++greatest[most];
        problems.insert(problems.end(), outcome.problems.begin(), outcome.problems.end());
    }
};

Sum examine_many(const std::set<Cause>& causes, const Options& options)
{
    Sum sum;
    std::uint64_t seed = options.seed * 1'000'003;
    for (const Cause cause : causes) {
        seed = seed * 31 + static_cast<std::uint64_t>(cause) + 1;
    }
    for (unsigned instance = 0; instance < options.instances; ++instance) {
        sum.add(examine(causes, seed + instance * 7919ULL));
    }
    return sum;
}

void print(unsigned number, const std::string& name, const Sum& sum)
{
    std::printf(
        "%s %u - %s: %u of %u reasons found, %u false, %u of %u jobs before with a reason\n",
        sum.problems.empty() ? "ok" : "not ok", number, name.c_str(), sum.recalled, sum.expected,
        sum.falsely, sum.false_clean, sum.clean);
    for (std::size_t place = 0; place < std::min<std::size_t>(sum.problems.size(), 4); ++place) {
        std::printf("# %s\n", sum.problems[place].c_str());
    }
}

void print_matrix(const std::map<std::string, Sum>& alone, const Sum& pairs)
{
    std::set<Reason> columns;
    for (const auto& [name, sum] : alone) {
        for (const auto& [reason, count] : sum.greatest) {
            columns.insert(reason);
        }
    }
    std::string head = "| planted |";
    std::string line = "|---|";
    for (const Reason reason : columns) {
        head += fmt::format(" {} |", diagnose::text_of(reason).name);
        line += "---|";
    }
    std::printf("%s recall | false |\n%s---|---|\n", head.c_str(), line.c_str());
    for (const auto& [name, sum] : alone) {
        std::string row = "| " + name + " |";
        for (const Reason reason : columns) {
            const auto count = sum.greatest.find(reason);
            row += count == sum.greatest.end() ? " |" : fmt::format(" {} |", count->second);
        }
        std::printf("%s %u/%u | %u |\n", row.c_str(), sum.recalled, sum.expected, sum.falsely);
    }
    std::printf("\nTwo at once: %u instances, %u of %u reasons found (%.2f %%), %u false.\n",
                pairs.instances, pairs.recalled, pairs.expected,
                100.0 * pairs.recalled / std::max(1U, pairs.expected), pairs.falsely);
    std::printf("Jobs without a hitch: %u of %u were given a reason.\n", pairs.false_clean,
                pairs.clean);
}

} // namespace

int main(int count, char** words)
{
    const Options options = parse(count, words);
    std::map<std::string, Sum> alone;
    Sum pairs;
    unsigned number = 0;
    unsigned failures = 0;
    const auto run_one = [&](const std::string& name, const std::set<Cause>& causes) {
        const Sum sum = examine_many(causes, options);
        failures += sum.problems.empty() ? 0 : 1;
        if (!options.shows_matrix || !sum.problems.empty()) {
            print(++number, name, sum);
            std::fflush(stdout);
        }
        return sum;
    };
    alone["none"] = run_one("none", {});
    for (std::size_t first = 0; first < cause_count; ++first) {
        const auto cause = static_cast<Cause>(first);
        const std::string name{name_of(cause)};
        alone[name] = run_one(name, {cause});
        for (std::size_t second = first + 1; second < cause_count; ++second) {
            const auto other = static_cast<Cause>(second);
            if (fit_together(cause, other)) {
                const Sum sum =
                    run_one(name + " and " + std::string{name_of(other)}, {cause, other});
                pairs.instances += sum.instances;
                pairs.expected += sum.expected;
                pairs.recalled += sum.recalled;
                pairs.falsely += sum.falsely;
                pairs.clean += sum.clean;
                pairs.false_clean += sum.false_clean;
            }
        }
    }
    if (options.shows_matrix) {
        for (const auto& [name, sum] : alone) {
            pairs.clean += sum.clean;
            pairs.false_clean += sum.false_clean;
        }
        print_matrix(alone, pairs);
    } else {
        std::printf("1..%u\n", number);
    }
    return failures > 0 ? 1 : 0;
}
