// SPDX-License-Identifier: MIT
//
// Makes small trace.dat files of version 6 and 7 for tests, in either byte order, from
// records that are given byte by byte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lttng_gpu::test {

class DatBytesWriter {
public:
    explicit DatBytesWriter(bool is_big_endian) : m_is_big_endian{is_big_endian} {}

    DatBytesWriter& number(std::uint64_t value, unsigned bytes)
    {
        for (unsigned index = 0; index < bytes; ++index) {
            const unsigned shift = 8 * (m_is_big_endian ? bytes - 1 - index : index);
            text.push_back(static_cast<char>(value >> shift & 0xff));
        }
        return *this;
    }
    DatBytesWriter& raw(std::string_view bytes)
    {
        text += bytes;
        return *this;
    }
    DatBytesWriter& word(std::string_view bytes) { return raw(bytes).raw({"\0", 1}); }
    void pad_to(std::size_t size) { text.resize(size, '\0'); }

    std::string text;

private:
    bool m_is_big_endian;
};

/// The data of one page of the ring buffer.
class DatPageWriter {
public:
    explicit DatPageWriter(bool is_big_endian)
        : m_data{is_big_endian}, m_is_big_endian{is_big_endian}
    {
    }

    DatPageWriter& event(std::uint32_t delta, std::string_view record)
    {
        const std::size_t words = (record.size() + 3) / 4;
        if (words > 28) {
            header(0, delta);
            m_data.number(words * 4 + 4, 4);
        } else {
            header(static_cast<std::uint32_t>(words), delta);
        }
        m_data.raw(record);
        m_data.pad_to((m_data.text.size() + 3) / 4 * 4);
        return *this;
    }
    DatPageWriter& time_extend(std::uint64_t ticks) { return wide(30, ticks); }
    DatPageWriter& time_stamp(std::uint64_t ticks) { return wide(31, ticks); }
    /// An event that was dropped after its place had been taken.
    DatPageWriter& discarded(std::uint32_t delta, std::uint32_t size)
    {
        header(29, delta);
        m_data.number(size, 4);
        m_data.pad_to(m_data.text.size() + size - 4);
        return *this;
    }
    DatPageWriter& header(std::uint32_t type, std::uint32_t delta)
    {
        m_data.number(m_is_big_endian ? type << 27U | delta : delta << 5U | type, 4);
        return *this;
    }
    DatPageWriter& number(std::uint64_t value)
    {
        m_data.number(value, 4);
        return *this;
    }

    static constexpr std::uint64_t missed = 1ULL << 31U;
    static constexpr std::uint64_t stored = 1ULL << 30U;

    /// The whole page; `flags` and the number of lost events as the kernel writes them.
    std::string page(std::uint64_t ticks, std::uint64_t flags = 0, std::uint64_t lost = 0) const
    {
        DatBytesWriter page{m_is_big_endian};
        page.number(ticks, 8).number(m_data.text.size() | flags, 8).raw(m_data.text);
        if ((flags & stored) != 0) {
            page.number(lost, 8);
        }
        page.pad_to(256);
        return page.text;
    }

private:
    DatPageWriter& wide(std::uint32_t type, std::uint64_t ticks)
    {
        header(type, static_cast<std::uint32_t>(ticks & ((1U << 27U) - 1)));
        return number(ticks >> 27U);
    }

    DatBytesWriter m_data;
    bool m_is_big_endian;
};

struct DatOption {
    std::uint16_t id;
    std::string data;
};

struct DatContent {
    bool is_big_endian = false;
    std::vector<std::string> formats;
    std::string comms;
    std::string printk;
    std::string clock = "local [mono] counter";
    std::vector<DatOption> options;
    std::vector<std::string> cpus; // the pages of each
};

inline constexpr std::uint32_t dat_page_size = 256;

inline void write_header_info(DatBytesWriter& file)
{
    const std::string page = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
                             "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
                             "\tfield: char data;\toffset:16;\tsize:240;\tsigned:1;\n";
    file.word("header_page").number(page.size(), 8).raw(page);
    file.word("header_event").number(3, 8).raw("abc");
}

inline void write_formats(DatBytesWriter& file, const DatContent& content)
{
    file.number(1, 4).word("test").number(content.formats.size(), 4);
    for (const std::string& format : content.formats) {
        file.number(format.size(), 8).raw(format);
    }
}

inline std::string make_dat_v6(const DatContent& content)
{
    DatBytesWriter file{content.is_big_endian};
    file.raw({"\x17\x08\x44tracing", 10}).word("6").number(content.is_big_endian ? 1 : 0, 1);
    file.number(8, 1).number(dat_page_size, 4);
    write_header_info(file);
    file.number(0, 4);
    write_formats(file, content);
    file.number(4, 4).raw("syms");
    file.number(content.printk.size(), 4).raw(content.printk);
    file.number(content.comms.size(), 8).raw(content.comms);
    file.number(content.cpus.size(), 4).raw({"options  \0", 10});
    file.number(4, 2).number(content.clock.size() + 1, 4).word(content.clock);
    for (const DatOption& option : content.options) {
        file.number(option.id, 2).number(option.data.size(), 4).raw(option.data);
    }
    file.number(0, 2).raw({"flyrecord\0", 10});
    std::size_t offset = file.text.size() + 16 * content.cpus.size();
    for (const std::string& cpu : content.cpus) {
        file.number(offset, 8).number(cpu.size(), 8);
        offset += cpu.size();
    }
    for (const std::string& cpu : content.cpus) {
        file.raw(cpu);
    }
    return file.text;
}

/// Appends a section and returns where it is.
inline std::uint64_t add_section(DatBytesWriter& file, std::uint16_t id, const std::string& data)
{
    const std::uint64_t offset = file.text.size();
    file.number(id, 2).number(0, 2).number(0, 4).number(data.size(), 8).raw(data);
    return offset;
}

inline void add_option(DatBytesWriter& options, std::uint16_t id, const std::string& data)
{
    options.number(id, 2).number(data.size(), 4).raw(data);
}

inline std::string make_dat_v7(const DatContent& content)
{
    const auto bytes = [&] { return DatBytesWriter{content.is_big_endian}; };
    const auto number = [&](std::uint64_t value) { return bytes().number(value, 8).text; };
    DatBytesWriter file = bytes();
    file.raw({"\x17\x08\x44tracing", 10}).word("7").number(content.is_big_endian ? 1 : 0, 1);
    file.number(8, 1).number(dat_page_size, 4).word("none").word("");
    const std::size_t first_options = file.text.size();
    file.number(0, 8);

    DatBytesWriter section = bytes();
    write_header_info(section);
    DatBytesWriter options = bytes();
    add_option(options, 16, number(add_section(file, 16, section.text)));
    section = bytes();
    write_formats(section, content);
    add_option(options, 18, number(add_section(file, 18, section.text)));
    section = bytes().number(content.printk.size(), 4).raw(content.printk);
    add_option(options, 20, number(add_section(file, 20, section.text)));
    section = bytes().number(content.comms.size(), 8).raw(content.comms);
    add_option(options, 21, number(add_section(file, 21, section.text)));
    for (const DatOption& option : content.options) {
        add_option(options, option.id, option.data);
    }

    std::string data;
    for (const std::string& cpu : content.cpus) {
        data += cpu;
    }
    const std::uint64_t begin = add_section(file, 3, data);
    DatBytesWriter buffer = bytes();
    buffer.number(begin, 8).word("").word(content.clock).number(dat_page_size, 4);
    buffer.number(content.cpus.size(), 4);
    std::uint64_t offset = begin + 16;
    for (std::size_t cpu = 0; cpu < content.cpus.size(); ++cpu) {
        buffer.number(cpu, 4).number(offset, 8).number(content.cpus[cpu].size(), 8);
        offset += content.cpus[cpu].size();
    }
    add_option(options, 3, buffer.text);
    add_option(options, 0, number(0));
    const std::uint64_t options_at = add_section(file, 0, options.text);
    file.text.replace(first_options, 8, number(options_at));
    return file.text;
}

} // namespace lttng_gpu::test
