// SPDX-License-Identifier: MIT
//
// See dat_file.hpp. The options are read in dat_options.cpp.
#include "dat_reader.hpp"
#include "dat_tables.hpp"

#include <algorithm>
#include <utility>

namespace lttng_gpu::trace::ftrace {
namespace {

constexpr std::string_view magic{"\x17\x08\x44tracing", 10};
constexpr std::uint64_t fly_record_entry = 16; // bytes: offset and size of a CPU's events

} // namespace

DatBytes DatReader::from(std::uint64_t offset) const
{
    DatBytes bytes{m_file, offset, m_file.size()};
    bytes.set_big_endian(m_dat.is_big_endian);
    return bytes;
}

DatBytes DatReader::from(std::string_view memory) const
{
    DatBytes bytes{memory};
    bytes.set_big_endian(m_dat.is_big_endian);
    return bytes;
}

Failure DatReader::unreadable(std::string_view what) const
{
    return Failure{{ErrorKind::UnreadableTrace, m_file.path().string() + ": " + std::string{what}}};
}

Expected<void> DatReader::checked(bool is_good, std::string_view what) const
{
    return is_good ? Expected<void>{} : unreadable(what);
}

Expected<DatFile> DatReader::read()
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

Expected<void> DatReader::read_v6(DatBytes& bytes)
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

Expected<void> DatReader::read_fly_record(DatBytes& bytes, std::string name)
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

Expected<void> DatReader::take_part(std::uint64_t begin, std::uint64_t end)
{
    return checked(m_parts.take(begin, end),
                   "the trace.dat file is damaged: it names one part of it twice");
}

/// Parts that the file does not have are cut, and the reader says so later.
Expected<void> DatReader::add_cpu(DatBuffer& buffer, DatCpu cpu)
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

Expected<DatFile> read_dat_file(const File& file, const OnFormat& on_format)
{
    return DatReader{file, on_format}.read();
}

} // namespace lttng_gpu::trace::ftrace
