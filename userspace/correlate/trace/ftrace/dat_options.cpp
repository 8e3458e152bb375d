// SPDX-License-Identifier: MIT
//
// The options of a trace.dat file and, in version 7, the sections that they name.
#include "dat_reader.hpp"
#include "dat_tables.hpp"

#include <algorithm>
#include <utility>

namespace lttng_gpu::trace::ftrace {
namespace {

constexpr std::string_view cut_section = "a section of the trace.dat file is damaged or cut off";
constexpr unsigned longest_chain = 64; // parts of the options

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

} // namespace

Expected<void> DatReader::read_v7(DatBytes& bytes)
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
Expected<void> DatReader::read_options(DatBytes& options, bool has_offsets)
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

Expected<void> DatReader::read_option(std::uint64_t option, std::string_view text)
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
Expected<void> DatReader::check_rest() const
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
Expected<void> DatReader::read_section(std::uint64_t option, std::uint64_t offset)
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
Expected<void> DatReader::read_buffer_option(DatBytes& data)
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

} // namespace lttng_gpu::trace::ftrace
