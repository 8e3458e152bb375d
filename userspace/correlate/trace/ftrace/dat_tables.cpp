// SPDX-License-Identifier: MIT
//
// See dat_tables.hpp.
#include "dat_tables.hpp"

#include "text_value.hpp"

namespace lttng_gpu::trace::ftrace {
namespace {

template <typename TakeLine> void for_each_line(std::string_view text, TakeLine take_line)
{
    while (!text.empty()) {
        const std::size_t end =
            std::min(text.find_first_of(std::string_view{"\n\0", 2}), text.size());
        std::string_view line = text.substr(0, end);
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        take_line(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

} // namespace

bool read_header_info(DatBytes& bytes, DatFile& dat)
{
    if (bytes.word() != "header_page") {
        return false;
    }
    dat.page_header = parse_record_fields(bytes.block(bytes.number(8)));
    const bool has_event = bytes.word() == "header_event";
    bytes.skip(bytes.number(8)); // the same in all kernels
    return has_event && bytes.is_good();
}

bool read_formats(DatBytes& bytes, const OnFormat& on_format)
{
    const std::uint64_t count = bytes.number(4);
    for (std::uint64_t index = 0; index < count && bytes.is_good(); ++index) {
        const std::string format = bytes.block(bytes.number(8));
        if (bytes.is_good()) {
            on_format(format);
        }
    }
    return bytes.is_good();
}

bool read_event_formats(DatBytes& bytes, const OnFormat& on_format)
{
    const std::uint64_t systems = bytes.number(4);
    for (std::uint64_t system = 0; system < systems && bytes.is_good(); ++system) {
        bytes.word(); // its name
        read_formats(bytes, on_format);
    }
    return bytes.is_good();
}

void read_comms(std::string_view text, DatFile& dat)
{
    for_each_line(text, [&](std::string_view line) {
        const auto tid = take_digits(line);
        if (tid && *tid <= INT32_MAX && line.size() > 1 && line != " <...>") {
            dat.comms.insert_or_assign(static_cast<std::int64_t>(*tid), line.substr(1));
        }
    });
}

void read_processes(std::string_view text, DatFile& dat)
{
    for_each_line(text, [&](std::string_view line) {
        const auto tid = take_digits(line);
        line.remove_prefix(line.empty() ? 0 : 1);
        const auto pid = take_digits(line);
        if (tid && pid && *tid <= INT32_MAX && *pid <= INT32_MAX) {
            dat.pids.insert_or_assign(static_cast<std::int64_t>(*tid),
                                      static_cast<std::int64_t>(*pid));
        }
    });
}

void read_printk(std::string_view text, DatFile& dat)
{
    for_each_line(text, [&](std::string_view line) {
        const auto address = take_hex(line);
        const std::size_t begin = line.find('"');
        const std::size_t end = line.rfind('"');
        if (address && address->as_unsigned() && begin != end) {
            dat.printk.insert_or_assign(*address->as_unsigned(),
                                        line.substr(begin + 1, end - begin - 1));
        }
    });
}

void read_cpu_stat(std::string_view text, DatFile& dat)
{
    std::optional<std::uint32_t> cpu;
    const auto number_behind = [](std::string_view line, std::string_view key) {
        line.remove_prefix(std::min(key.size(), line.size()));
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        return take_digits(line).value_or(0);
    };
    for_each_line(text, [&](std::string_view line) {
        if (line.starts_with("CPU:")) {
            cpu = static_cast<std::uint32_t>(number_behind(line, "CPU:"));
            dat.losses.try_emplace(*cpu, 0);
        }
        for (const std::string_view key : {"overrun:", "commit overrun:", "dropped events:"}) {
            if (cpu && line.starts_with(key) && number_behind(line, key) > 0) {
                dat.losses[*cpu] += number_behind(line, key);
            }
        }
    });
}

std::string chosen_clock(std::string_view text)
{
    const std::size_t open = text.find('[');
    const std::size_t close = text.find(']', open == std::string_view::npos ? 0 : open);
    if (open != std::string_view::npos && close != std::string_view::npos) {
        text = text.substr(open + 1, close - open - 1);
    }
    return std::string{text.substr(0, text.find_first_of(std::string_view{" \n\0", 3}))};
}

std::int64_t parse_offset(std::string_view text)
{
    const bool is_negative = text.starts_with('-');
    text.remove_prefix(is_negative ? 1 : 0);
    const auto value = take_number(text);
    const std::int64_t offset = value ? value->as_signed().value_or(0) : 0;
    return is_negative && offset > 0 ? -offset : offset;
}

} // namespace lttng_gpu::trace::ftrace
