// SPDX-License-Identifier: MIT
//
// degrade-capture --in TRACE --jobs TABLE --damage NAME --format FORMAT --seed N --out DIR
// reads a recording, damages it and writes it as a capture of that format. --stretch N makes
// everything take N times as long: simulated jobs are shorter than what a clock that tells
// microseconds can tell. Beside it, for the judge, DIR/truth.csv (the jobs as they truly were),
// DIR/told.csv (each event that tells of a job, and whether it is left) and DIR/capture.json.
// --list names all damages and formats.
#include "damage.hpp"
#include "writers.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace fs = std::filesystem;
using namespace lttng_gpu::captures;

namespace {

using Options = std::map<std::string, std::string>;

/// What happens to a text as such, or to the events behind or before its middle.
enum class Cut : std::uint8_t { None, FirstHalf, LastHalf, EndsInLine, BeginsInLine };

const std::map<std::string, Cut> cuts{{"first-half", Cut::FirstHalf},
                                      {"last-half", Cut::LastHalf},
                                      {"ends-in-line", Cut::EndsInLine},
                                      {"begins-in-line", Cut::BeginsInLine}};

/// Two captures of one machine, the second some time after the first.
const std::map<std::string, bool> pairs{{"appended", false}, {"two-inputs", true}};

std::string cell(Time time)
{
    return time == unknown ? "" : std::to_string(time);
}

void write_truth(const Capture& capture, const fs::path& path)
{
    std::ofstream file{path};
    file << "job,original,device,ring,context,seqno,tid,queued_ns,submitted_ns,started_ns,"
            "completed_ns,began_ns,began_until_ns,status\n";
    for (std::size_t index = 0; index < capture.jobs.size(); ++index) {
        const Job& job = capture.jobs[index];
        for (const Interval& life : job.intervals) {
            file << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", index, job.original,
                                job.device, job.ring, job.context, job.seqno, job.tid,
                                cell(life.queued), cell(life.submitted), cell(life.started),
                                cell(life.completed), cell(life.began), cell(life.began_until),
                                life.status);
        }
    }
}

void write_told(const Capture& capture, const fs::path& path)
{
    constexpr const char* phases[] = {"", "queued", "submitted", "preempted", "completed"};
    std::ofstream file{path};
    file << "job,phase,time,true_time,kept,event,cpu\n";
    for (const Event& event : capture.events) {
        if (event.phase != Phase::None || !event.is_kept) {
            const std::string job = event.phase == Phase::None ? "" : std::to_string(event.job);
            file << fmt::format("{},{},{},{},{},{},{}\n", job,
                                phases[static_cast<std::size_t>(event.phase)], event.time,
                                event.true_time, event.is_kept ? 1 : 0, event.name, event.cpu);
        }
    }
}

/// Leaves half of the events; of the one at the border half of its line will be left.
void leave_half(Capture& capture, Cut cut)
{
    const std::size_t middle = capture.events.size() / 2;
    const bool is_end_cut = cut == Cut::FirstHalf || cut == Cut::EndsInLine;
    for (std::size_t place = 0; place < capture.events.size(); ++place) {
        capture.events[place].is_kept = (place < middle) == is_end_cut;
    }
}

Event& border_event(Capture& capture, Cut cut)
{
    const std::size_t middle = capture.events.size() / 2;
    return capture.events[cut == Cut::EndsInLine ? middle - 1 : middle];
}

void cut_text(const fs::path& path, Cut cut)
{
    std::ifstream file{path};
    std::string text{std::istreambuf_iterator<char>{file}, {}};
    if (cut == Cut::LastHalf || cut == Cut::BeginsInLine) {
        while (text.starts_with('#') || text.starts_with("cpus=")) {
            text.erase(0, text.find('\n') + 1);
        }
    }
    if (cut == Cut::BeginsInLine) {
        text.erase(0, text.find('\n') / 2);
    } else if (cut == Cut::EndsInLine) {
        const std::size_t line = text.rfind('\n', text.size() - 2) + 1;
        text.resize(line + (text.size() - line) / 2);
    }
    std::ofstream{path} << text;
}

/// The part of a doubled recording that is the first or the second capture.
Capture part_of(const Capture& whole, bool is_second)
{
    Capture part = whole;
    part.events.clear();
    const auto half = static_cast<std::ptrdiff_t>(whole.events.size() / 2);
    part.events.assign(is_second ? whole.events.begin() + half : whole.events.begin(),
                       is_second ? whole.events.end() : whole.events.begin() + half);
    part.first = part.events.front().time;
    part.last = part.events.back().time;
    return part;
}

std::vector<fs::path> write_two(const Capture& capture, const Writer& writer, const fs::path& out,
                                bool has_two_inputs)
{
    std::vector<fs::path> paths;
    for (const bool is_second : {false, true}) {
        const fs::path folder = out / (is_second ? "second" : "first");
        fs::create_directories(folder);
        paths.push_back(folder / writer.file_name);
        writer.write(part_of(capture, is_second), paths.back());
    }
    if (!has_two_inputs) {
        std::ofstream file{paths[0], std::ios::app};
        file << std::ifstream{paths[1]}.rdbuf();
        paths.pop_back();
    }
    return paths;
}

std::vector<fs::path> make_capture(Capture& capture, const Options& options, const Writer& writer,
                                   const fs::path& out)
{
    const std::string& name = options.at("damage");
    Random random{std::stoull(options.at("seed"))};
    const auto cut = cuts.find(name);
    const auto pair = pairs.find(name);
    if (cut != cuts.end()) {
        leave_half(capture, cut->second);
    } else {
        find_damage(pair != pairs.end() ? "later-capture" : name).apply(capture, random);
        capture.sort();
    }
    if (writer.tells_microseconds) {
        round_to_microseconds(capture);
    }
    if (pair != pairs.end()) {
        return write_two(capture, writer, out, pair->second);
    }
    const fs::path path = out / writer.file_name;
    writer.write(capture, path);
    if (cut != cuts.end()) {
        if (!writer.is_text) {
            throw std::runtime_error{"only texts are cut by lines"};
        }
        cut_text(path, cut->second);
        if (cut->second == Cut::EndsInLine || cut->second == Cut::BeginsInLine) {
            border_event(capture, cut->second).is_kept = false;
        }
    }
    return {path};
}

void write_summary(const Capture& capture, const std::vector<fs::path>& paths, const fs::path& path)
{
    nlohmann::ordered_json json;
    for (const fs::path& input : paths) {
        json["inputs"].push_back(input.string());
    }
    json["skew_ns"] = capture.skew;
    json["events"] = capture.events.size();
    json["gaps"] = nlohmann::ordered_json::array();
    for (const Gap& gap : capture.gaps) {
        json["gaps"].push_back({gap.begin, gap.end, gap.is_overwritten});
    }
    std::ofstream{path} << json.dump(1) << '\n';
}

void list_all()
{
    for (const auto& list : {losses(), incidents()}) {
        for (const Damage& damage : list) {
            if (damage.name != "later-capture") { // only as a part of others
                fmt::print("damage {}\n", damage.name);
            }
        }
    }
    for (const auto& [name, cut] : cuts) {
        fmt::print("damage {}\n", name);
    }
    for (const auto& [name, pair] : pairs) {
        fmt::print("damage {}\n", name);
    }
    for (const Writer& writer : writers()) {
        fmt::print("format {} {}\n", writer.format, writer.is_text ? "text" : "binary");
    }
}

[[noreturn]] void usage()
{
    fmt::print(stderr, "usage: degrade-capture --in TRACE --jobs TABLE --out DIR [--damage NAME] "
                       "[--format FORMAT] [--seed N] [--stretch N] | --list\n");
    std::exit(2);
}

Options parse(int count, char** words)
{
    Options options{{"damage", "none"}, {"format", "ctf"}, {"seed", "1"}, {"stretch", "1"}};
    for (int place = 1; place < count; place += 2) {
        const std::string word = words[place];
        if (place + 1 == count || !word.starts_with("--")) {
            usage();
        }
        options[word.substr(2)] = words[place + 1];
    }
    for (const char* needed : {"in", "jobs", "out"}) {
        if (!options.contains(needed)) {
            usage();
        }
    }
    return options;
}

} // namespace

int main(int count, char** words)
{
    if (count == 2 && std::string_view{words[1]} == "--list") {
        list_all();
        return 0;
    }
    const Options options = parse(count, words);
    try {
        const Writer& writer = find_writer(options.at("format"));
        Capture capture = read_capture(options.at("in"));
        capture.jobs = read_jobs(options.at("jobs"));
        stretch(capture, std::stoll(options.at("stretch")));
        tell_jobs(capture);
        const fs::path out = options.at("out");
        fs::create_directories(out);
        const std::vector<fs::path> paths = make_capture(capture, options, writer, out);
        write_truth(capture, out / "truth.csv");
        write_told(capture, out / "told.csv");
        write_summary(capture, paths, out / "capture.json");
    } catch (const std::exception& error) {
        fmt::print(stderr, "degrade-capture: {}\n", error.what());
        return 1;
    }
    return 0;
}
