// SPDX-License-Identifier: MIT
//
// See writers.hpp: trace.dat of version 6, as `trace-cmd record` writes it. A page tells
// how many events were lost before it; the statistics of a CPU tell of those behind its
// last page.
#include "writers.hpp"

#include "kernel_form.hpp"
#include "trace_dat_writer.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <set>

namespace lttng_gpu::captures {
namespace {

using test::DatBytesWriter;
using test::DatPageWriter;

constexpr std::uint32_t most_delta = (1U << 27U) - 1;
constexpr std::size_t common_size = 8;
constexpr std::size_t page_room = test::dat_page_size - 16 - 8; // the loss has a place behind
constexpr std::uint16_t option_cpu_stat = 2;

/// The kernel's record has pids where LTTng has tids.
std::string recorded_name(std::string_view event, const std::string& field)
{
    const std::size_t tid = event.starts_with("sched_") ? field.find("tid") : std::string::npos;
    return tid == std::string::npos ? field : std::string{field}.replace(tid, 3, "pid");
}

/// Every event form is described once.
class Formats {
public:
    std::uint16_t id_of(const KernelEvent& event)
    {
        std::string key = event.name;
        for (const Field& field : event.fields) {
            key += ' ' + field.name + std::to_string(field.value.index());
        }
        const auto next = static_cast<std::uint16_t>(300 + m_ids.size());
        const auto [found, is_new] = m_ids.try_emplace(key, next);
        if (is_new) {
            texts.push_back(describe(event, found->second));
        }
        return found->second;
    }

    std::vector<std::string> texts;

private:
    static std::string describe(const KernelEvent& event, std::uint16_t id)
    {
        std::string text =
            fmt::format("name: {}\nID: {}\nformat:\n"
                        "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
                        "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n",
                        event.name, id);
        std::size_t offset = common_size;
        for (const Field& field : event.fields) {
            const bool is_text = field.value.index() == 2;
            const std::size_t size = is_text ? 4 : 8;
            text += fmt::format("\tfield:{} {};\toffset:{};\tsize:{};\tsigned:{};\n",
                                is_text                    ? "__data_loc char[]"
                                : field.value.index() == 1 ? "s64"
                                                           : "u64",
                                recorded_name(event.name, field.name), offset, size,
                                field.value.index() == 1 ? 1 : 0);
            offset += size;
        }
        return text + "\nprint fmt: \"\"\n";
    }

    std::map<std::string, std::uint16_t> m_ids;
};

std::string record_of(const KernelEvent& event, std::uint16_t id, Time tid)
{
    std::size_t offset = common_size;
    for (const Field& field : event.fields) {
        offset += field.value.index() == 2 ? 4 : 8;
    }
    DatBytesWriter record{false};
    record.number(id, 2).number(0, 2).number(static_cast<std::uint64_t>(tid), 4);
    std::string texts;
    for (const Field& field : event.fields) {
        if (const auto* text = std::get_if<std::string>(&field.value)) {
            record.number((text->size() + 1) << 16U | (offset + texts.size()), 4);
            texts += *text + '\0';
        } else if (const auto* number = std::get_if<std::int64_t>(&field.value)) {
            record.number(static_cast<std::uint64_t>(*number), 8);
        } else {
            record.number(std::get<std::uint64_t>(field.value), 8);
        }
    }
    return record.raw(texts).text;
}

/// The pages of one CPU.
class CpuPages {
public:
    void add(Time time, const std::string& record, std::uint64_t lost)
    {
        const std::size_t size = (record.size() + 3) / 4 * 4 + 8;
        const bool is_far = m_has_page && time - m_last > most_delta;
        if (!m_has_page || lost > 0 || is_far || m_used + size > page_room) {
            close();
            m_has_page = true;
            m_begin = m_last = time;
            m_lost = lost;
        }
        m_page.event(static_cast<std::uint32_t>(time - m_last), record);
        m_used += size;
        m_last = time;
    }

    std::string finish()
    {
        close();
        return m_pages;
    }

private:
    void close()
    {
        if (m_has_page) {
            const std::uint64_t flags =
                m_lost > 0 ? DatPageWriter::missed | DatPageWriter::stored : 0;
            m_pages += m_page.page(static_cast<std::uint64_t>(m_begin), flags, m_lost);
        }
        m_page = DatPageWriter{false};
        m_used = 0;
        m_has_page = false;
    }

    DatPageWriter m_page{false};
    std::string m_pages;
    std::size_t m_used = 0;
    Time m_begin = 0;
    Time m_last = 0;
    std::uint64_t m_lost = 0;
    bool m_has_page = false;
};

/// The last event of a CPU is not followed by a page that could tell of a loss.
void add_statistics(const Capture& capture, const std::vector<Time>& ends,
                    test::DatContent& content)
{
    for (const Gap& gap : capture.gaps) {
        if (gap.begin > ends[gap.cpu]) {
            content.options.push_back(
                {option_cpu_stat, fmt::format("CPU: {}\nentries: 0\noverrun: 0\ncommit overrun: "
                                              "0\ndropped events: {}\n",
                                              gap.cpu, gap.count)});
        }
    }
}

} // namespace

void write_trace_dat(const Capture& capture, const std::filesystem::path& path)
{
    Formats formats;
    std::vector<CpuPages> pages(capture.cpus);
    std::vector<Time> ends(capture.cpus, unknown);
    std::vector<std::vector<Gap>> gaps(capture.cpus);
    for (const Gap& gap : capture.gaps) {
        gaps[gap.cpu].push_back(gap);
    }
    std::map<Time, std::string> comms;
    for (const Event* event : capture.kept()) {
        const auto form = kernel_form(*event, Pointers::Plain);
        if (!form) {
            continue;
        }
        std::uint64_t lost = 0;
        auto& waiting = gaps[event->cpu];
        while (!waiting.empty() && waiting.front().begin <= event->time) {
            lost += waiting.front().count;
            waiting.erase(waiting.begin());
        }
        const Time tid = std::max<Time>(event->tid, 0);
        pages[event->cpu].add(event->time, record_of(*form, formats.id_of(*form), tid), lost);
        ends[event->cpu] = event->time;
        if (capture.has_contexts && tid > 0) {
            comms[tid] = event->comm;
        }
    }
    test::DatContent content;
    content.formats = formats.texts;
    for (const auto& [tid, comm] : comms) {
        content.comms += fmt::format("{} {}\n", tid, comm);
    }
    for (CpuPages& cpu : pages) {
        content.cpus.push_back(cpu.finish());
    }
    add_statistics(capture, ends, content);
    std::ofstream{path, std::ios::binary} << test::make_dat_v6(content);
}

} // namespace lttng_gpu::captures
