// SPDX-License-Identifier: MIT
//
// See dat_file.hpp. Version 6 has its parts one after the other; version 7 has a chain
// of options that say where each part is.
#include "dat_file.hpp"

#include "dat_parts.hpp"
#include "dat_tables.hpp"

#include <algorithm>
#include <utility>

namespace lttng_gpu::trace::ftrace {
namespace {

constexpr std::string_view magic{"\x17\x08\x44tracing", 10};
constexpr std::string_view no_header_page = "the trace.dat file has no header_page";
constexpr std::string_view damaged_formats = "the event formats in the trace.dat file are damaged";
constexpr std::uint32_t largest_page = 1024 * 1024;
constexpr std::uint64_t most_cpus_in_file = 8192;
constexpr std::string_view cut_section = "a section of the trace.dat file is damaged or cut off";
constexpr std::uint64_t fly_record_entry = 16; // bytes: offset and size of a CPU's events
constexpr unsigned longest_chain = 64;         // parts of the options

/// lib/trace-cmd/include/private/trace-cmd-private.h, enum of TRACECMD_OPTION_*
enum Option : std::uint64_t {
    OptionDone = 0,
    OptionCpuStat = 2,
    OptionBuffer = 3,
    OptionTraceClock = 4,
    OptionOffset = 7,
    OptionCpuCount = 8,
    OptionTscToNs = 14,
    OptionHeaderInfo = 16,
    OptionFtraceEvents = 17,
    OptionEventFormats = 18,
    OptionPrintk = 20,
    OptionCmdLines = 21,
    OptionBufferText = 22,
    OptionSavedTgids = 32, // of trace-cmd as gpuvis changes it; 8 before that
};

class Reader {
public:
    Reader(const File& file, const OnFormat& on_format) : m_file{file}, m_on_format{on_format} {}

    Expected<DatFile> read();

private:
    Failure unreadable(std::string_view what) const;
    Expected<void> read_v6(DatBytes& bytes);
    Expected<void> read_v7(DatBytes& bytes);
    Expected<void> read_options(DatBytes& options, bool has_offsets);
    Expected<void> read_option(std::uint64_t option, std::string_view data);
    Expected<void> read_section(std::uint64_t option, std::uint64_t offset);
    Expected<void> check_rest() const;
    Expected<void> checked(bool is_good, std::string_view what) const;
    Expected<void> read_buffer_option(DatBytes& data);
    Expected<void> read_fly_record(DatBytes& bytes, std::string name);
    Expected<void> take_part(std::uint64_t begin, std::uint64_t end);
    Expected<void> add_cpu(DatBuffer& buffer, DatCpu cpu);
    DatBytes from(std::uint64_t offset) const;
    DatBytes from(std::string_view memory) const;

    const File& m_file;
    const OnFormat& m_on_format;
    DatFile m_dat;
    DatParts m_parts;
    Packing m_packing = Packing::None;
    std::uint64_t m_cpu_count = 0;
    std::uint64_t m_next_options = 0; // version 7
    std::uint64_t m_options_end = 0;  // of the last part of the options
    std::string m_clock;
    std::vector<std::pair<std::uint64_t, std::string>> m_instances; // version 6
};

DatBytes Reader::from(std::uint64_t offset) const
{
    DatBytes bytes{m_file, offset, m_file.size()};
    bytes.set_big_endian(m_dat.is_big_endian);
    return bytes;
}

DatBytes Reader::from(std::string_view memory) const
{
    DatBytes bytes{memory};
    bytes.set_big_endian(m_dat.is_big_endian);
    return bytes;
}

Failure Reader::unreadable(std::string_view what) const
{
    return Failure{{ErrorKind::UnreadableTrace, m_file.path().string() + ": " + std::string{what}}};
}

Expected<void> Reader::checked(bool is_good, std::string_view what) const
{
    return is_good ? Expected<void>{} : unreadable(what);
}

Expected<DatFile> Reader::read()
{
    DatBytes bytes{m_file, 0, m_file.size()};
    if (bytes.block(magic.size()) != magic) {
        return unreadable("not a trace.dat file");
    }
    const std::string version = bytes.word();
    m_dat.is_big_endian = bytes.number(1) == 1;
    bytes.set_big_endian(m_dat.is_big_endian);
    m_dat.long_size = static_cast<std::uint32_t>(bytes.number(1));
    m_dat.page_size = static_cast<std::uint32_t>(bytes.number(4));
    if (!bytes.is_good()) {
        return unreadable("the trace.dat file ends in its header");
    }
    if (version != "6" && version != "7") {
        return unreadable("trace.dat version '" + version + "' is not known (6 and 7 are)");
    }
    if ((m_dat.long_size != 4 && m_dat.long_size != 8) || m_dat.page_size < 64 ||
        m_dat.page_size > largest_page) {
        return unreadable("the header of the trace.dat file is damaged");
    }
    m_dat.version = version == "6" ? 6 : 7;
    const auto read = m_dat.version == 6 ? read_v6(bytes) : read_v7(bytes);
    if (!read) {
        return Failure{read.error()};
    }
    if (m_dat.page_header.empty()) {
        return unreadable(no_header_page);
    }
    if (m_dat.buffers.empty()) {
        return unreadable("the trace.dat file has no events (was the recording ended?)");
    }
    return std::move(m_dat);
}

Expected<void> Reader::read_v6(DatBytes& bytes)
{
    if (!read_header_info(bytes, m_dat)) {
        return unreadable(no_header_page);
    }
    if (!read_formats(bytes, m_on_format) || !read_event_formats(bytes, m_on_format)) {
        return unreadable(damaged_formats);
    }
    bytes.skip(bytes.number(4)); // kallsyms
    read_printk(bytes.block(bytes.number(4)), m_dat);
    read_comms(bytes.block(bytes.number(8)), m_dat);
    m_cpu_count = bytes.number(4);
    std::string part = bytes.block(10);
    if (part == std::string_view{"options  \0", 10}) {
        if (auto read = read_options(bytes, false); !read) {
            return read;
        }
        part = bytes.block(10);
    }
    if (part == std::string_view{"latency  \0", 10}) {
        return unreadable("holds a latency trace as text; give that text instead");
    }
    if (!bytes.is_good() || part != std::string_view{"flyrecord\0", 10}) {
        return unreadable("the trace.dat file is damaged before its events");
    }
    auto read = read_fly_record(bytes, {});
    for (std::size_t index = 0; read && index < m_instances.size(); ++index) {
        DatBytes instance = from(m_instances[index].first);
        if (instance.block(10) != std::string_view{"flyrecord\0", 10}) {
            return unreadable("the trace.dat file is damaged before an instance's events");
        }
        read = read_fly_record(instance, m_instances[index].second);
    }
    return read;
}

Expected<void> Reader::read_fly_record(DatBytes& bytes, std::string name)
{
    if (m_cpu_count == 0 || m_cpu_count > most_cpus_in_file) {
        return unreadable("the number of CPUs in the trace.dat file is damaged");
    }
    const std::uint64_t table = bytes.position();
    if (auto taken = take_part(table, table + m_cpu_count * fly_record_entry); !taken) {
        return taken;
    }
    DatBuffer buffer{std::move(name), m_clock, m_dat.page_size, Packing::None, {}};
    for (std::uint64_t cpu = 0; cpu < m_cpu_count; ++cpu) {
        const std::uint64_t offset = bytes.number(8);
        const std::uint64_t size = bytes.number(8);
        auto added = add_cpu(buffer, {static_cast<std::uint32_t>(cpu), offset, size, false});
        if (!added) {
            return added;
        }
    }
    if (!bytes.is_good()) {
        return unreadable("the trace.dat file ends before its events");
    }
    m_dat.buffers.push_back(std::move(buffer));
    return {};
}

Expected<void> Reader::take_part(std::uint64_t begin, std::uint64_t end)
{
    return checked(m_parts.take(begin, end),
                   "the trace.dat file is damaged: it names one part of it twice");
}

/// Parts that the file does not have are cut, and the reader says so later.
Expected<void> Reader::add_cpu(DatBuffer& buffer, DatCpu cpu)
{
    const std::uint64_t begin = std::min(cpu.offset, m_file.size());
    cpu.is_cut = cpu.size > m_file.size() - begin;
    cpu.size = std::min(cpu.size, m_file.size() - begin);
    cpu.offset = begin;
    if (cpu.size > 0 || cpu.is_cut) {
        buffer.cpus.push_back(cpu);
    }
    return take_part(begin, begin + cpu.size);
}

Expected<void> Reader::read_v7(DatBytes& bytes)
{
    const std::string name = bytes.word();
    bytes.word(); // the compressor's version
    const auto packing = find_packing(name);
    if (!packing) {
        return unreadable("is compressed with '" + name + "', which is not known");
    }
    m_packing = *packing;
    m_next_options = bytes.number(8);
    for (unsigned links = 0; bytes.is_good() && links < longest_chain; ++links) {
        const std::uint64_t offset = std::exchange(m_next_options, 0);
        if (offset == 0) {
            return check_rest();
        }
        if (auto read = read_section(OptionDone, offset); !read) {
            return read;
        }
    }
    return unreadable("the options of the trace.dat file are damaged");
}

/// One option after the other; version 7 tells with the last where more are.
Expected<void> Reader::read_options(DatBytes& options, bool has_offsets)
{
    for (;;) {
        const std::uint64_t option = options.number(2);
        if (option == OptionDone && !has_offsets) {
            return options.is_good() ? Expected<void>{}
                                     : unreadable("the options of the trace.dat file are cut off");
        }
        const std::string data = options.block(options.number(4));
        if (!options.is_good()) {
            return unreadable("the options of the trace.dat file are damaged");
        }
        if (option == OptionDone) {
            m_next_options = data.size() >= 8 ? from(data).number(8) : 0;
            return {};
        }
        if (auto read = read_option(option, data); !read) {
            return read;
        }
    }
}

Expected<void> Reader::read_option(std::uint64_t option, std::string_view text)
{
    DatBytes data = from(text);
    switch (option) {
    case OptionCpuStat:
        read_cpu_stat(text, m_dat);
        break;
    case OptionBuffer:
        return read_buffer_option(data);
    case OptionTraceClock:
        m_clock = chosen_clock(text);
        break;
    case OptionOffset:
        m_dat.time_offset = parse_offset(text);
        break;
    case OptionSavedTgids:
        read_processes(text, m_dat);
        break;
    case OptionCpuCount:
        if (text.size() > 8) {
            read_processes(text, m_dat);
            break;
        }
        m_cpu_count = std::max(m_cpu_count, data.number(4));
        break;
    case OptionTscToNs: {
        TickScale ticks;
        ticks.mult = static_cast<std::uint32_t>(data.number(4));
        ticks.shift = static_cast<std::uint32_t>(data.number(4));
        data.skip(8); // an offset to perf's clock, which trace-cmd does not apply either
        if (data.is_good() && ticks.shift < 64) {
            m_dat.ticks = ticks;
        }
        break;
    }
    case OptionHeaderInfo:
    case OptionFtraceEvents:
    case OptionEventFormats:
    case OptionPrintk:
    case OptionCmdLines:
        return read_section(option, data.number(8));
    case OptionBufferText:
        return unreadable("holds a latency trace as text; give that text instead");
    default: // among them GUEST: the events of guests are in files of their own
        break;
    }
    return {};
}

/// Sections that are not needed (names of sections) come last: only their ends are looked
/// for, so that a file that is cut says so.
Expected<void> Reader::check_rest() const
{
    constexpr std::uint64_t most_sections = 32; // trace.dat.v7.txt knows 20 of them
    for (std::uint64_t at = m_options_end; at < m_file.size();) {
        DatBytes bytes = from(at);
        const std::uint64_t section = bytes.number(2);
        if (bytes.is_good() && section >= most_sections) {
            return {}; // something else that follows
        }
        bytes.skip(6);
        bytes.skip(bytes.number(8));
        if (!bytes.is_good()) {
            return unreadable(cut_section);
        }
        at = bytes.position();
    }
    return {};
}

/// A section of version 7: id, flags, description, size; packed when the flag says so.
Expected<void> Reader::read_section(std::uint64_t option, std::uint64_t offset)
{
    DatBytes bytes = from(offset);
    bytes.skip(2);
    const bool is_packed = (bytes.number(2) & 1U) != 0;
    bytes.skip(4);
    const std::uint64_t size = bytes.number(8);
    std::string content;
    if (is_packed) {
        const std::uint64_t packed_size = bytes.number(4);
        const std::uint64_t full_size = bytes.number(4);
        const std::string packed = bytes.block(packed_size);
        if (auto taken = take_part(offset, bytes.position()); !taken) {
            return taken;
        }
        auto full = unpack(m_packing, packed, full_size, largest_block);
        if (!bytes.is_good() || !full) {
            return unreadable("a compressed section of the trace.dat file is damaged");
        }
        content = std::move(*full);
    } else {
        content = bytes.block(size);
        if (auto taken = take_part(offset, bytes.position()); !taken) {
            return taken;
        }
    }
    if (!bytes.is_good()) {
        return unreadable(cut_section);
    }
    if (option == OptionDone) {
        m_options_end = bytes.position();
    }
    DatBytes section = from(content);
    switch (option) {
    case OptionHeaderInfo:
        return checked(read_header_info(section, m_dat), no_header_page);
    case OptionFtraceEvents:
        return checked(read_formats(section, m_on_format), damaged_formats);
    case OptionEventFormats:
        return checked(read_event_formats(section, m_on_format), damaged_formats);
    case OptionPrintk:
        read_printk(section.block(section.number(4)), m_dat);
        break;
    case OptionCmdLines:
        read_comms(section.block(section.number(8)), m_dat);
        break;
    default:
        return read_options(section, true);
    }
    return {};
}

/// Version 6: where the instance's part is and its name. Version 7: all of it.
Expected<void> Reader::read_buffer_option(DatBytes& data)
{
    const std::uint64_t offset = data.number(8);
    DatBuffer buffer;
    buffer.name = data.word();
    if (m_dat.version == 6) {
        if (data.is_good()) {
            m_instances.emplace_back(offset, buffer.name);
        }
        return {};
    }
    buffer.clock = data.word();
    buffer.page_size = static_cast<std::uint32_t>(data.number(4));
    const std::uint64_t cpus = data.number(4);
    for (std::uint64_t index = 0; index < cpus && data.is_good(); ++index) {
        const auto cpu = static_cast<std::uint32_t>(data.number(4));
        const std::uint64_t begin = data.number(8);
        const std::uint64_t size = data.number(8);
        if (cpu >= most_cpus_in_file) {
            data.fail();
        }
        if (auto added = add_cpu(buffer, {cpu, begin, size, false}); !added) {
            return added;
        }
    }
    DatBytes section = from(offset);
    section.skip(2);
    buffer.packing = (section.number(2) & 1U) != 0 ? m_packing : Packing::None;
    if (!data.is_good() || !section.is_good() || buffer.page_size < 64 ||
        buffer.page_size > largest_page) {
        return unreadable("a buffer of the trace.dat file is damaged");
    }
    m_dat.buffers.push_back(std::move(buffer));
    return {};
}

} // namespace

Expected<DatFile> read_dat_file(const File& file, const OnFormat& on_format)
{
    return Reader{file, on_format}.read();
}

} // namespace lttng_gpu::trace::ftrace
