// SPDX-License-Identifier: MIT
//
// damage-trace TRACE WORK [EVERY]: reads a trace again and again, in this process, with one
// of its files cut or changed; TAP, one line for each file and kind of damage. TRACE
// is a file, or a CTF trace's directory whose streams are shortened to a few packets
// first. Of its metadata every EVERY-th byte is a place to damage (default: each), and each at
// which one of its parts ends. The damaged trace is in WORK, and stays there when something is
// wrong.
//
// A cut must be told (3 or 4), but for a stream cut between two packets, a text
// between two lines, metadata between two of its parts, and a trace.dat before the
// section that only has the names of the others: those are whole, shorter traces. So
// must a byte of the metadata that is no character, but for one inside a comment or a
// text, which may hold any. Any other byte may turn a name into another name or a number
// into another number; so 0 and 1 are right, too.
#include "cli/commands.hpp"
#include "trace/ctf/metadata/read_metadata.hpp"
#include "trace/ctf/packet_head.hpp"
#include "trace/metadata_packets.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

namespace {

using namespace lttng_gpu;
namespace fs = std::filesystem;

constexpr std::size_t packets_kept = 3;
constexpr std::size_t cuts_of_large_files = 240;
constexpr rlim_t more_memory = 64U << 20U;

/// What a handler of signals can print.
char current_damage[512] = "nothing";

[[noreturn]] void on_crash(int signal)
{
    const auto say = [](const char* text) {
        [[maybe_unused]] const auto count = ::write(STDOUT_FILENO, text, std::strlen(text));
    };
    say("Bail out! a signal during ");
    say(current_damage);
    say("\n");
    ::_exit(128 + signal);
}

std::string content_of(const fs::path& path)
{
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

void write(const fs::path& path, std::string_view content)
{
    std::ofstream{path, std::ios::binary}.write(content.data(),
                                                static_cast<std::streamsize>(content.size()));
}

struct Answer {
    int code = 0;
    std::string errors;
    double seconds = 0;
};

Answer report(const fs::path& trace)
{
    const std::string path = trace.string();
    const char* const argv[] = {"lttng-gpu",  "report", "--threads", "1",
                                path.c_str(), "-o",     "/dev/null"};
    std::ostringstream help;
    std::ostringstream errors;
    const auto begin = std::chrono::steady_clock::now();
    Answer answer;
    try {
        answer.code = cli::run_command_line(std::size(argv), argv, help, errors);
    } catch (const std::exception& error) {
        answer.code = -1; // more memory than is allowed
        errors << error.what() << '\n';
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    answer.seconds = time.count();
    answer.errors = errors.str();
    return answer;
}

bool is_told(int code)
{
    return code == cli::exit_unreadable_trace || code == cli::exit_damaged_trace;
}

/// One line for each thing that is said: damage, losses that the tracer told, nothing found.
bool is_clear(const Answer& answer)
{
    std::istringstream lines{answer.errors};
    std::set<std::string> kinds;
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        if (!line.starts_with("lttng-gpu: ") || line.size() > 1000) {
            return false;
        }
        kinds.insert(line.substr(0, std::strlen("lttng-gpu: the trace has")));
    }
    const std::size_t at_most = answer.code == cli::exit_damaged_trace ? 3 : 1;
    return count == kinds.size() && count <= at_most &&
           (count > 0) == (answer.code != cli::exit_fine);
}

/// One kind of damage to one file: what goes wrong, and how often which code comes.
class Series {
public:
    Series(fs::path trace, std::string words) : m_trace{std::move(trace)}, m_words{std::move(words)}
    {
    }

    void run(const std::string& damage, bool must_be_told)
    {
        fmt::format_to_n(current_damage, sizeof current_damage - 1, "{}: {}", m_words, damage);
        const Answer answer = report(m_trace);
        ++m_runs;
        if (answer.code >= 0 && answer.code < 5) {
            ++m_codes[static_cast<std::size_t>(answer.code)];
        }
        const bool is_known = answer.code == cli::exit_fine ||
                              answer.code == cli::exit_nothing_to_report || is_told(answer.code);
        if (!is_known || !is_clear(answer) || answer.seconds > 5 ||
            (must_be_told && !is_told(answer.code))) {
            m_problems.push_back(fmt::format("{}: exit code {}, {:.1f} s: {}", damage, answer.code,
                                             answer.seconds, answer.errors));
        }
    }

    bool finish(int number) const
    {
        fmt::print("{} {} - {}: {} runs, exit codes 0: {}, 1: {}, 3: {}, 4: {}\n",
                   m_problems.empty() ? "ok" : "not ok", number, m_words, m_runs, m_codes[0],
                   m_codes[1], m_codes[3], m_codes[4]);
        for (std::size_t index = 0; index < std::min<std::size_t>(m_problems.size(), 8); ++index) {
            std::string problem = m_problems[index];
            std::replace(problem.begin(), problem.end(), '\n', ' ');
            fmt::print("# {}\n", problem);
        }
        std::fflush(stdout);
        return m_problems.empty();
    }

private:
    fs::path m_trace;
    std::string m_words;
    std::size_t m_runs = 0;
    std::array<std::size_t, 5> m_codes{};
    std::vector<std::string> m_problems;
};

/// Where the packets of a stream begin, and its end.
std::vector<std::size_t> packet_bounds(const trace::ctf::TracePlan& plan, const std::string& stream)
{
    const std::span bytes{reinterpret_cast<const std::uint8_t*>(stream.data()), stream.size()};
    std::vector<std::size_t> bounds{0};
    while (bounds.back() < stream.size()) {
        const auto packet = trace::ctf::read_packet(plan, bytes, bounds.back());
        if (!packet) {
            break;
        }
        bounds.push_back(bounds.back() + packet->total_bytes);
    }
    return bounds;
}

/// For each byte of metadata: whether any value is allowed there (in a comment or a
/// text), and whether the metadata may end before it.
struct MetadataPlaces {
    std::vector<bool> takes_anything;
    std::set<std::size_t> may_end;
};

MetadataPlaces find_places(const std::string& text)
{
    MetadataPlaces places{std::vector<bool>(text.size()), {}};
    if (text.front() != '/') { // JSON texts, each behind a record separator
        for (std::size_t at = 1; at <= text.size(); ++at) {
            if (at == text.size() || text[at] == '\x1e' || text[at - 1] == '\x1e' ||
                text.find_first_not_of("\n", at) == text.find('\x1e', at)) {
                places.may_end.insert(at);
            }
        }
        return places;
    }
    int depth = 0;
    std::string_view end_of_part; // what ends the comment or text
    bool is_whole = true;         // no declaration is begun
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (is_whole && end_of_part.empty()) {
            places.may_end.insert(at);
        }
        const std::string_view rest = std::string_view{text}.substr(at);
        if (!end_of_part.empty()) {
            places.takes_anything[at] = true;
            if (rest.starts_with(end_of_part)) {
                at += end_of_part.size() - 1;
                places.takes_anything[at] = true; // then another end comes later
                end_of_part = {};
            }
        } else if (rest.starts_with("/*") || rest.starts_with("//")) {
            end_of_part = rest.starts_with("/*") ? "*/" : "\n";
            ++at;
        } else if (rest.front() == '"') {
            end_of_part = "\"";
        } else if (std::strchr(" \t\n", rest.front()) == nullptr) {
            depth += rest.front() == '{' ? 1 : rest.front() == '}' ? -1 : 0;
            is_whole = depth == 0 && rest.front() == ';';
        }
    }
    places.may_end.insert(text.size());
    return places;
}

class Test {
public:
    Test(fs::path trace, fs::path work, std::size_t every)
        : m_source{std::move(trace)}, m_trace{work / "trace"}, m_every{every}
    {
        fs::remove_all(m_trace);
        fs::create_directories(work);
        fs::copy(m_source, m_trace, fs::copy_options::recursive);
    }

    int run()
    {
        if (fs::is_directory(m_trace)) {
            run_ctf();
        } else {
            run_file();
        }
        fmt::print("1..{}\n", m_number);
        return m_is_good ? 0 : 1;
    }

private:
    void finish(const Series& series) { m_is_good &= series.finish(++m_number); }

    /// What reading takes when nothing is wrong, and a limit above it.
    void start()
    {
        const Answer answer = report(m_trace);
        m_is_good &= answer.code == cli::exit_fine;
        fmt::print("{} {} - {}: exit code {} {}\n", m_is_good ? "ok" : "not ok", ++m_number, name(),
                   answer.code, answer.errors);
        std::ifstream status{"/proc/self/statm"};
        rlim_t pages = 0;
        status >> pages;
        const rlim_t size = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + more_memory;
        const rlimit limit{size, size};
        ::setrlimit(RLIMIT_AS, &limit);
    }

    std::string name() const
    {
        return (m_source.parent_path().filename() / m_source.filename()).string();
    }

    void run_ctf()
    {
        unpack();
        const std::string metadata = content_of(m_trace / "metadata");
        const auto schema = trace::ctf::read_metadata(metadata);
        const auto plan = trace::ctf::make_trace_plan(*schema, {});
        std::vector<std::pair<fs::path, std::vector<std::size_t>>> streams;
        for (const fs::directory_entry& entry : fs::directory_iterator{m_trace}) {
            if (!entry.is_regular_file() || entry.path().filename() == "metadata") {
                continue;
            }
            const std::string whole = content_of(entry.path());
            std::vector<std::size_t> bounds = packet_bounds(*plan, whole);
            bounds.resize(std::min(bounds.size(), packets_kept + 1));
            write(entry.path(), std::string_view{whole}.substr(0, bounds.back()));
            streams.emplace_back(entry.path(), bounds);
        }
        start();
        for (const auto& [path, bounds] : streams) {
            cut(path, {bounds.begin(), bounds.end()});
        }
        const MetadataPlaces places = find_places(metadata);
        cut_metadata(metadata, places);
        change_metadata(metadata, places);
    }

    /// Packets of metadata become its text; the index, which is of the whole trace, goes.
    void unpack()
    {
        fs::remove_all(m_trace / "index");
        const auto text = trace::unpack_metadata(content_of(m_trace / "metadata"));
        if (text && *text) {
            write(m_trace / "metadata", "/* CTF 1.8 */\n" + **text);
        }
    }

    void run_file()
    {
        start();
        const std::string whole = content_of(m_trace);
        std::set<std::size_t> good;
        if (m_source.extension() == ".txt") {
            for (std::size_t at = 0; at < whole.size(); ++at) {
                if (whole[at] == '\n') { // with its end or without is one line
                    good.insert({at, at + 1});
                }
            }
        }
        if (m_source.extension() == ".dat") {
            good.insert(whole.rfind(std::string_view{"\x0f\0", 2})); // section 15: names
        }
        cut(m_trace, good);
    }

    void cut(const fs::path& path, const std::set<std::size_t>& good)
    {
        const std::string whole = content_of(path);
        std::set<std::size_t> sizes{good};
        const std::size_t stride = whole.size() / cuts_of_large_files + 1;
        for (std::size_t size = 0; size < whole.size(); size += size < 256 ? 1 : stride) {
            sizes.insert(size);
        }
        for (const std::size_t bound : good) { // and all around the headers of packets
            for (std::size_t size = bound; good.size() < 16 && size < bound + 128; ++size) {
                sizes.insert(size);
            }
        }
        Series series{m_trace, fmt::format("{}: {} cut", name(), path.filename().string())};
        for (const std::size_t size : sizes) {
            if (size < whole.size()) {
                write(path, std::string_view{whole}.substr(0, size));
                series.run(fmt::format("{} bytes of {}", size, whole.size()), !good.contains(size));
            }
        }
        write(path, whole);
        finish(series);
    }

    void cut_metadata(const std::string& metadata, const MetadataPlaces& places)
    {
        Series series{m_trace, name() + ": metadata cut"};
        for (std::size_t size = 0; size < metadata.size(); ++size) {
            if (size % m_every != 0 && !places.may_end.contains(size)) {
                continue;
            }
            write(m_trace / "metadata", std::string_view{metadata}.substr(0, size));
            series.run(fmt::format("{} bytes of {}", size, metadata.size()),
                       !places.may_end.contains(size));
        }
        write(m_trace / "metadata", metadata);
        finish(series);
    }

    void change_metadata(const std::string& metadata, const MetadataPlaces& places)
    {
        Series series{m_trace, name() + ": metadata with a changed byte"};
        std::string changed = metadata;
        for (std::size_t at = 0; at < metadata.size(); at += m_every) {
            const auto other = static_cast<char>(metadata[at] ^ 1);
            for (const char value : {other, '\0', '\xff'}) {
                changed[at] = value;
                write(m_trace / "metadata", changed);
                series.run(fmt::format("byte {} is {:#x}", at, static_cast<unsigned char>(value)),
                           value != other && !places.takes_anything[at]);
            }
            changed[at] = metadata[at];
        }
        write(m_trace / "metadata", metadata);
        finish(series);
    }

    fs::path m_source;
    fs::path m_trace;
    std::size_t m_every = 1;
    int m_number = 0;
    bool m_is_good = true;
};

} // namespace

int main(int argc, char** argv)
{
    const long every = argc == 4 ? std::atol(argv[3]) : 1;
    if (argc < 3 || argc > 4 || every < 1) {
        std::fputs("usage: damage-trace TRACE WORK [EVERY]\n", stderr);
        return 2;
    }
    for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) {
        std::signal(signal, on_crash);
    }
    return Test{argv[1], argv[2], static_cast<std::size_t>(every)}.run();
}
