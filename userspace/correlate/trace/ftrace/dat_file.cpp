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
    Reader(const File& file, const OnFormat& on_format) : x_file{file}, x_on_format{on_format} {}

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

    const File& x_file;
    const OnFormat& x_on_format;
    DatFile x_dat;
    DatParts x_parts;
    Packing x_packing = Packing::None;
    std::uint64_t x_cpu_count = 0;
    std::uint64_t x_next_options = 0; // version 7
    std::uint64_t x_options_end = 0;  // of the last part of the options
    std::string x_clock;
    std::vector<std::pair<std::uint64_t, std::string>> x_instances; // version 6
};

DatBytes Reader::from(std::uint64_t offset) const
{
    DatBytes bytes{x_file, offset, x_file.size()};
    bytes.set_big_endian(x_dat.is_big_endian);
    return bytes;
}

DatBytes Reader::from(std::string_view memory) const
{
    DatBytes bytes{memory};
    bytes.set_big_endian(x_dat.is_big_endian);
    return bytes;
}

Failure Reader::unreadable(std::string_view what) const
{
    return Failure{{ErrorKind::UnreadableTrace, x_file.path().string() + ": " + std::string{what}}};
}

Expected<void> Reader::checked(bool is_good, std::string_view what) const
{
    return is_good ? Expected<void>{} : unreadable(what);
}

Expected<DatFile> Reader::read()
{
    DatBytes bytes{x_file, 0, x_file.size()};
    if (bytes.block(magic.size()) != magic) {
        return unreadable("not a trace.dat file");
    }
    const std::string version = bytes.word();
    x_dat.is_big_endian = bytes.number(1) == 1;
    bytes.set_big_endian(x_dat.is_big_endian);
    x_dat.long_size = static_cast<std::uint32_t>(bytes.number(1));
    x_dat.page_size = static_cast<std::uint32_t>(bytes.number(4));
    if (!bytes.is_good()) {
        return unreadable("the trace.dat file ends in its header");
    }
    if (version != "6" && version != "7") {
        return unreadable("trace.dat version '" + version + "' is not known (6 and 7 are)");
    }
    if ((x_dat.long_size != 4 && x_dat.long_size != 8) || x_dat.page_size < 64 ||
        x_dat.page_size > largest_page) {
        return unreadable("the header of the trace.dat file is damaged");
    }
    x_dat.version = version == "6" ? 6 : 7;
    const auto read = x_dat.version == 6 ? read_v6(bytes) : read_v7(bytes);
    if (!read) {
        return Failure{read.error()};
    }
    if (x_dat.page_header.empty()) {
        return unreadable(no_header_page);
    }
    if (x_dat.buffers.empty()) {
        return unreadable("the trace.dat file has no events (was the recording ended?)");
    }
    return std::move(x_dat);
}

Expected<void> Reader::read_v6(DatBytes& bytes)
{
    if (!read_header_info(bytes, x_dat)) {
        return unreadable(no_header_page);
    }
    if (!read_formats(bytes, x_on_format) || !read_event_formats(bytes, x_on_format)) {
        return unreadable(damaged_formats);
    }
    bytes.skip(bytes.number(4)); // kallsyms
    read_printk(bytes.block(bytes.number(4)), x_dat);
    read_comms(bytes.block(bytes.number(8)), x_dat);
    x_cpu_count = bytes.number(4);
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
    for (std::size_t index = 0; read && index < x_instances.size(); ++index) {
        DatBytes instance = from(x_instances[index].first);
        if (instance.block(10) != std::string_view{"flyrecord\0", 10}) {
            return unreadable("the trace.dat file is damaged before an instance's events");
        }
        read = read_fly_record(instance, x_instances[index].second);
    }
    return read;
}

Expected<void> Reader::read_fly_record(DatBytes& bytes, std::string name)
{
    if (x_cpu_count == 0 || x_cpu_count > most_cpus_in_file) {
        return unreadable("the number of CPUs in the trace.dat file is damaged");
    }
    const std::uint64_t table = bytes.position();
    if (auto taken = take_part(table, table + x_cpu_count * fly_record_entry); !taken) {
        return taken;
    }
    DatBuffer buffer{std::move(name), x_clock, x_dat.page_size, Packing::None, {}};
    for (std::uint64_t cpu = 0; cpu < x_cpu_count; ++cpu) {
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
    x_dat.buffers.push_back(std::move(buffer));
    return {};
}

Expected<void> Reader::take_part(std::uint64_t begin, std::uint64_t end)
{
    return checked(x_parts.take(begin, end),
                   "the trace.dat file is damaged: it names one part of it twice");
}

/// Parts that the file does not have are cut, and the reader says so later.
Expected<void> Reader::add_cpu(DatBuffer& buffer, DatCpu cpu)
{
    const std::uint64_t begin = std::min(cpu.offset, x_file.size());
    cpu.is_cut = cpu.size > x_file.size() - begin;
    cpu.size = std::min(cpu.size, x_file.size() - begin);
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
    x_packing = *packing;
    x_next_options = bytes.number(8);
    for (unsigned links = 0; bytes.is_good() && links < longest_chain; ++links) {
        const std::uint64_t offset = std::exchange(x_next_options, 0);
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
            x_next_options = data.size() >= 8 ? from(data).number(8) : 0;
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
        read_cpu_stat(text, x_dat);
        break;
    case OptionBuffer:
        return read_buffer_option(data);
    case OptionTraceClock:
        x_clock = chosen_clock(text);
        break;
    case OptionOffset:
        x_dat.time_offset = parse_offset(text);
        break;
    case OptionSavedTgids:
        read_processes(text, x_dat);
        break;
    case OptionCpuCount:
        if (text.size() > 8) {
            read_processes(text, x_dat);
            break;
        }
        x_cpu_count = std::max(x_cpu_count, data.number(4));
        break;
    case OptionTscToNs: {
        TickScale ticks;
        ticks.mult = static_cast<std::uint32_t>(data.number(4));
        ticks.shift = static_cast<std::uint32_t>(data.number(4));
        data.skip(8); // an offset to perf's clock, which trace-cmd does not apply either
        if (data.is_good() && ticks.shift < 64) {
            x_dat.ticks = ticks;
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
    for (std::uint64_t at = x_options_end; at < x_file.size();) {
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
        auto full = unpack(x_packing, packed, full_size, largest_block);
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
        x_options_end = bytes.position();
    }
    DatBytes section = from(content);
    switch (option) {
    case OptionHeaderInfo:
        return checked(read_header_info(section, x_dat), no_header_page);
    case OptionFtraceEvents:
        return checked(read_formats(section, x_on_format), damaged_formats);
    case OptionEventFormats:
        return checked(read_event_formats(section, x_on_format), damaged_formats);
    case OptionPrintk:
        read_printk(section.block(section.number(4)), x_dat);
        break;
    case OptionCmdLines:
        read_comms(section.block(section.number(8)), x_dat);
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
    if (x_dat.version == 6) {
        if (data.is_good()) {
            x_instances.emplace_back(offset, buffer.name);
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
    buffer.packing = (section.number(2) & 1U) != 0 ? x_packing : Packing::None;
    if (!data.is_good() || !section.is_good() || buffer.page_size < 64 ||
        buffer.page_size > largest_page) {
        return unreadable("a buffer of the trace.dat file is damaged");
    }
    x_dat.buffers.push_back(std::move(buffer));
    return {};
}

} // namespace

Expected<DatFile> read_dat_file(const File& file, const OnFormat& on_format)
{
    return Reader{file, on_format}.read();
}

} // namespace lttng_gpu::trace::ftrace
