// SPDX-License-Identifier: MIT
//
// Reads what stands before the events of a trace.dat file, see dat_file.hpp. Version 6 has its
// parts one after the other; version 7 has a chain of options that say where each part is.
#pragma once

#include "dat_file.hpp"
#include "dat_parts.hpp"

namespace lttng_gpu::trace::ftrace {

inline constexpr std::string_view no_header_page = "the trace.dat file has no header_page";
inline constexpr std::string_view damaged_formats =
    "the event formats in the trace.dat file are damaged";
inline constexpr std::uint32_t largest_page = 1024 * 1024;
inline constexpr std::uint64_t most_cpus_in_file = 8192;

class DatReader {
public:
    DatReader(const File& file, const OnFormat& on_format) : m_file{file}, m_on_format{on_format} {}

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

} // namespace lttng_gpu::trace::ftrace
