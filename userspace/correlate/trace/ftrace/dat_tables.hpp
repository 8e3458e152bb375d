// SPDX-License-Identifier: MIT
//
// The parts of a trace.dat file that both versions share: descriptions of pages and
// events, thread names, processes, constant texts of the kernel, buffer statistics, the
// clock. A line of a table that does not read is passed over.
#pragma once

#include "dat_file.hpp"

namespace lttng_gpu::trace::ftrace {

/// header_page and header_event; false when they are not there.
bool read_header_info(DatBytes& bytes, DatFile& dat);
/// A number of formats; false when they do not fit.
bool read_formats(DatBytes& bytes, const OnFormat& on_format);
/// The formats of a number of systems.
bool read_event_formats(DatBytes& bytes, const OnFormat& on_format);
/// `1234 name`
void read_comms(std::string_view text, DatFile& dat);
/// `1234 1200`: a thread and its process
void read_processes(std::string_view text, DatFile& dat);
/// `0xffffffff81234567 : "text"`
void read_printk(std::string_view text, DatFile& dat);
/// The file per_cpu/cpuN/stats below the line `CPU: N`.
void read_cpu_stat(std::string_view text, DatFile& dat);
/// The clock in brackets of `local [mono] counter`; the text itself when it is only one.
std::string chosen_clock(std::string_view text);
/// Decimal or hexadecimal nanoseconds, with a sign.
std::int64_t parse_offset(std::string_view text);

} // namespace lttng_gpu::trace::ftrace
