// SPDX-License-Identifier: MIT
//
// compare-readers [--threads N] TRACE...: reads the traces with babeltrace2 and
// with the reader that open_traces() chooses, and compares every event, value,
// time, loss and total; several times, as passes.hpp says. Exit codes: 0 the
// same, 1 different (the first difference is shown), 2 bad arguments, 3
// babeltrace2 cannot read it, or not to its end.
// compare-readers --dump babeltrace2|own TRACE...: what one of them gives, to be
// kept as the reference of a trace that an older babeltrace2 cannot read.
#include "canonical_lines.hpp"
#include "passes.hpp"
#include "trace/open/open_traces.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string_view>

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

struct Arguments {
    unsigned threads = 1;
    std::string_view dump; // empty: compare
    std::vector<std::filesystem::path> traces;
};

std::optional<Arguments> parse(int argc, char** argv)
{
    Arguments arguments;
    for (int index = 1; index < argc; ++index) {
        const std::string_view word = argv[index];
        const bool has_value = index + 1 < argc;
        if (word == "--threads" && has_value) {
            arguments.threads = static_cast<unsigned>(std::strtoul(argv[++index], nullptr, 10));
        } else if (word == "--dump" && has_value) {
            arguments.dump = argv[++index];
        } else if (word.starts_with("--")) {
            return {};
        } else {
            arguments.traces.emplace_back(word);
        }
    }
    const bool is_good =
        !arguments.traces.empty() && arguments.threads > 0 &&
        (arguments.dump.empty() || arguments.dump == "own" || arguments.dump == "babeltrace2");
    return is_good ? std::optional{arguments} : std::nullopt;
}

using Lines = std::unique_ptr<CanonicalLines>;

Expected<Lines> open(const Arguments& arguments, const Pass& pass, trace::Reader reader)
{
    trace::ReadOptions options;
    options.may_mix_boots = true; // events are compared, not joined
    options.reader = reader;
    options.threads = arguments.threads;
    options.aligns_clocks = false; // as babeltrace2 does not
    auto source = trace::open_traces(arguments.traces, pass.wanted, options);
    if (!source) {
        return Failure{source.error()};
    }
    return std::make_unique<CanonicalLines>(std::move(*source), pass.shows_contexts);
}

void print(const std::vector<std::string>& lines, const char* prefix = "")
{
    for (const std::string& line : lines) {
        std::printf("%s%s\n", prefix, line.c_str());
    }
}

void print_error(const char* reader, const CanonicalLines& lines)
{
    if (lines.error()) {
        std::fprintf(stderr, "%s stopped: %s\n", reader, lines.error()->message.c_str());
    }
}

std::vector<std::string> summary(const CanonicalLines& lines)
{
    std::vector<std::string> result;
    for (const trace::Loss& loss : lines.losses()) {
        result.push_back(loss_line(loss));
    }
    result.push_back(lines.totals());
    return result;
}

int dump(const Arguments& arguments, const Pass& pass)
{
    const bool is_own = arguments.dump == "own";
    std::printf("pass %s\n", pass.name);
    auto lines =
        open(arguments, pass, is_own ? trace::Reader::Automatic : trace::Reader::Babeltrace2);
    if (!lines) {
        std::fprintf(stderr, "compare-readers: %s\n", lines.error().message.c_str());
        return 3;
    }
    while (const auto moment = (*lines)->next()) {
        print(moment->lines);
    }
    print(summary(**lines));
    print_error(arguments.dump.data(), **lines);
    return (*lines)->error() ? 3 : 0;
}

/// The lines of one side that the other has not.
std::vector<std::string> missing(const std::vector<std::string>& lines,
                                 const std::vector<std::string>& other)
{
    std::vector<std::string> result;
    std::set_difference(lines.begin(), lines.end(), other.begin(), other.end(),
                        std::back_inserter(result));
    return result;
}

int differ(std::uint64_t events, const std::vector<std::string>& reference,
           const std::vector<std::string>& own)
{
    std::printf("different after %llu equal events:\n", static_cast<unsigned long long>(events));
    print(missing(reference, own), "only babeltrace2: ");
    print(missing(own, reference), "only ours:        ");
    return 1;
}

/// Of two different moments only the earlier one is at fault.
int differ_at(std::uint64_t events, const Moment& expected, const Moment& got)
{
    const bool is_extra =
        expected.lines.empty() || (!got.lines.empty() && got.time < expected.time);
    const bool is_missing =
        got.lines.empty() || (!expected.lines.empty() && expected.time < got.time);
    return differ(events, is_extra ? std::vector<std::string>{} : expected.lines,
                  is_missing ? std::vector<std::string>{} : got.lines);
}

/// babeltrace2 cannot know how much was lost before the first packet that there is
/// of a stream, nor, before it reads that packet, on which CPU.
bool is_same_loss(const trace::Loss& expected, const trace::Loss& got)
{
    return expected.begin == got.begin && expected.end == got.end && expected.unit == got.unit &&
           (!expected.count || (expected.count == got.count && expected.cpu == got.cpu));
}

bool are_same_losses(const std::vector<trace::Loss>& expected, std::vector<trace::Loss> got)
{
    if (expected.size() != got.size()) {
        return false;
    }
    for (const bool has_count : {true, false}) { // those that fit one loss only come first
        for (const trace::Loss& loss : expected) {
            if (loss.count.has_value() != has_count) {
                continue;
            }
            const auto found =
                std::find_if(got.begin(), got.end(), [&loss](const trace::Loss& other) {
                    return is_same_loss(loss, other);
                });
            if (found == got.end()) {
                return false;
            }
            got.erase(found);
        }
    }
    return true;
}

int compare(const char* pass, CanonicalLines& reference, CanonicalLines& own)
{
    std::uint64_t events = 0;
    for (;;) {
        const Moment expected = reference.next().value_or(Moment{});
        const Moment got = own.next().value_or(Moment{});
        if (reference.error() && expected.lines.empty()) {
            print_error("babeltrace2", reference);
            print_error("ours", own);
            std::printf("same until there: %llu events\n", static_cast<unsigned long long>(events));
            return 3;
        }
        if (expected.lines != got.lines) {
            print_error("ours", own);
            return differ_at(events, expected, got);
        }
        if (expected.lines.empty()) {
            break;
        }
        events += expected.lines.size();
    }
    print_error("ours", own);
    if (!are_same_losses(reference.losses(), own.losses()) || reference.totals() != own.totals() ||
        own.error()) {
        return differ(events, summary(reference), summary(own));
    }
    std::printf("same (%s): %llu events, %zu losses%s\n", pass,
                static_cast<unsigned long long>(events), own.losses().size(),
                own.late_begins() > 0 ? ", late begins" : "");
    return 0;
}

int compare(const Arguments& arguments, const Pass& pass)
{
    auto reference = open(arguments, pass, trace::Reader::Babeltrace2);
    auto own = open(arguments, pass, trace::Reader::Automatic);
    if (!own) {
        std::printf("ours cannot open it: %s\n", own.error().message.c_str());
    }
    if (!reference) {
        std::printf("babeltrace2 cannot open it: %s\n", reference.error().message.c_str());
        return 3;
    }
    return own ? compare(pass.name, **reference, **own) : 1;
}

} // namespace

int main(int argc, char** argv)
{
    const auto arguments = parse(argc, argv);
    if (!arguments) {
        std::fprintf(stderr, "usage: compare-readers [--threads N] "
                             "[--dump babeltrace2|own] TRACE...\n");
        return 2;
    }
    const auto passes = make_passes(arguments->traces);
    if (!passes) {
        std::printf("no passes: %s\n", passes.error().message.c_str());
        return 3;
    }
    for (const Pass& pass : *passes) {
        const int code =
            arguments->dump.empty() ? compare(*arguments, pass) : dump(*arguments, pass);
        if (code != 0) {
            std::printf("in the pass \"%s\"\n", pass.name);
            return code;
        }
    }
    return 0;
}
