// SPDX-License-Identifier: MIT
//
// See gpu_metrics.hpp. Places and units of the values: the structs gpu_metrics_v1_0 to v3_0 of the
// kernel's drivers/gpu/drm/amd/include/kgd_pp_interface.h; the units of v1.0 to v1.3 and of the
// temperatures of v2 are those that the drivers' hwmon files make of them. What two drivers fill in
// different units (load and power of v2.0 to v2.3) is left out.
#include "gpu_metrics.hpp"

#include "descriptor.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace lttng_gpu::record {
namespace {

struct Value {
    std::uint8_t format; // the first number of a version
    std::uint8_t from;   // of these second numbers
    std::uint8_t until;
    std::uint16_t place; // in bytes
    std::uint8_t bytes;
    const char* name; // as the struct's member
    const char* unit;
    std::int64_t times = 1;
    std::int64_t by = 1;
};

constexpr std::array<Value, 66> values{{
    {1, 0, 0, 16, 2, "temperature_edge", "m°C", 1000, 1},
    {1, 0, 0, 18, 2, "temperature_hotspot", "m°C", 1000, 1},
    {1, 0, 0, 20, 2, "temperature_mem", "m°C", 1000, 1},
    {1, 0, 0, 28, 2, "average_gfx_activity", "%", 1, 1},
    {1, 0, 0, 30, 2, "average_umc_activity", "%", 1, 1},
    {1, 0, 0, 32, 2, "average_mm_activity", "%", 1, 1},
    {1, 0, 0, 34, 2, "average_socket_power", "uW", 1000000, 1},
    {1, 1, 3, 4, 2, "temperature_edge", "m°C", 1000, 1},
    {1, 1, 3, 6, 2, "temperature_hotspot", "m°C", 1000, 1},
    {1, 1, 3, 8, 2, "temperature_mem", "m°C", 1000, 1},
    {1, 1, 3, 16, 2, "average_gfx_activity", "%", 1, 1},
    {1, 1, 3, 18, 2, "average_umc_activity", "%", 1, 1},
    {1, 1, 3, 20, 2, "average_mm_activity", "%", 1, 1},
    {1, 1, 3, 22, 2, "average_socket_power", "uW", 1000000, 1},
    {1, 0, 3, 54, 2, "current_gfxclk", "MHz", 1, 1},
    {1, 0, 3, 56, 2, "current_socclk", "MHz", 1, 1},
    {1, 0, 3, 58, 2, "current_uclk", "MHz", 1, 1},
    {1, 0, 3, 60, 2, "current_vclk0", "MHz", 1, 1},
    {1, 0, 3, 62, 2, "current_dclk0", "MHz", 1, 1},
    {1, 0, 3, 72, 2, "current_fan_speed", "rpm", 1, 1},
    {1, 4, 5, 4, 2, "temperature_hotspot", "m°C", 1000, 1},
    {1, 4, 5, 6, 2, "temperature_mem", "m°C", 1000, 1},
    {1, 4, 5, 10, 2, "curr_socket_power", "uW", 1000000, 1},
    {1, 4, 5, 12, 2, "average_gfx_activity", "%", 1, 1},
    {1, 4, 5, 14, 2, "average_umc_activity", "%", 1, 1},
    {1, 4, 4, 240, 2, "current_gfxclk", "MHz", 1, 1},
    {1, 4, 4, 256, 2, "current_socclk", "MHz", 1, 1},
    {1, 4, 4, 264, 2, "current_vclk0", "MHz", 1, 1},
    {1, 4, 4, 272, 2, "current_dclk0", "MHz", 1, 1},
    {1, 4, 4, 280, 2, "current_uclk", "MHz", 1, 1},
    {1, 5, 5, 312, 2, "current_gfxclk", "MHz", 1, 1},
    {1, 5, 5, 328, 2, "current_socclk", "MHz", 1, 1},
    {1, 5, 5, 336, 2, "current_vclk0", "MHz", 1, 1},
    {1, 5, 5, 344, 2, "current_dclk0", "MHz", 1, 1},
    {1, 5, 5, 352, 2, "current_uclk", "MHz", 1, 1},
    {2, 0, 0, 16, 2, "temperature_gfx", "m°C", 10, 1},
    {2, 0, 0, 18, 2, "temperature_soc", "m°C", 10, 1},
    {2, 1, 4, 4, 2, "temperature_gfx", "m°C", 10, 1},
    {2, 1, 4, 6, 2, "temperature_soc", "m°C", 10, 1},
    {2, 4, 4, 28, 2, "average_gfx_activity", "%", 1, 100},
    {2, 4, 4, 30, 2, "average_mm_activity", "%", 1, 100},
    {2, 4, 4, 40, 2, "average_socket_power", "uW", 1000, 1},
    {2, 4, 4, 42, 2, "average_cpu_power", "uW", 1000, 1},
    {2, 4, 4, 46, 2, "average_gfx_power", "uW", 1000, 1},
    {2, 0, 0, 80, 2, "current_gfxclk", "MHz", 1, 1},
    {2, 0, 0, 82, 2, "current_socclk", "MHz", 1, 1},
    {2, 0, 0, 84, 2, "current_uclk", "MHz", 1, 1},
    {2, 0, 0, 86, 2, "current_fclk", "MHz", 1, 1},
    {2, 0, 0, 88, 2, "current_vclk", "MHz", 1, 1},
    {2, 0, 0, 90, 2, "current_dclk", "MHz", 1, 1},
    {2, 1, 4, 76, 2, "current_gfxclk", "MHz", 1, 1},
    {2, 1, 4, 78, 2, "current_socclk", "MHz", 1, 1},
    {2, 1, 4, 80, 2, "current_uclk", "MHz", 1, 1},
    {2, 1, 4, 82, 2, "current_fclk", "MHz", 1, 1},
    {2, 1, 4, 84, 2, "current_vclk", "MHz", 1, 1},
    {2, 1, 4, 86, 2, "current_dclk", "MHz", 1, 1},
    {3, 0, 0, 42, 2, "average_gfx_activity", "%", 1, 1},
    {3, 0, 0, 44, 2, "average_vcn_activity", "%", 1, 1},
    {3, 0, 0, 94, 2, "average_dram_reads", "MB/s", 1, 1},
    {3, 0, 0, 96, 2, "average_dram_writes", "MB/s", 1, 1},
    {3, 0, 0, 112, 4, "average_socket_power", "uW", 1000, 1},
    {3, 0, 0, 124, 4, "average_gfx_power", "uW", 1000, 1},
    {3, 0, 0, 174, 2, "average_gfxclk_frequency", "MHz", 1, 1},
    {3, 0, 0, 182, 2, "average_fclk_frequency", "MHz", 1, 1},
    {3, 0, 0, 184, 2, "average_vclk_frequency", "MHz", 1, 1},
    {3, 0, 0, 186, 2, "average_uclk_frequency", "MHz", 1, 1},
}};

/// struct metrics_table_header
struct Header {
    std::uint16_t size = 0;
    std::uint8_t format = 0;
    std::uint8_t content = 0;
};

class Table {
public:
    explicit Table(Descriptor file) : m_file{std::move(file)} {}

    /// The driver asks the firmware for the table.
    void read(std::uint64_t round)
    {
        if (round == m_round) {
            return;
        }
        m_round = round;
        const ssize_t size = ::pread(m_file.get(), m_bytes.data(), m_bytes.size(), 0);
        m_size = size < 0 ? 0 : static_cast<std::size_t>(size);
    }

    std::optional<Header> header() const
    {
        Header found;
        if (m_size < sizeof found) {
            return {};
        }
        std::memcpy(&found, m_bytes.data(), sizeof found);
        return found;
    }

    /// Nothing where the device does not have it: all bits are set then.
    std::optional<std::int64_t> at(const Value& value) const
    {
        if (value.place + std::size_t{value.bytes} >
            std::min<std::size_t>(m_size, header()->size)) {
            return {};
        }
        std::uint32_t number = 0;
        std::memcpy(&number, m_bytes.data() + value.place,
                    value.bytes); // little-endian, as the device
        const std::uint32_t absent = value.bytes == 2 ? UINT16_MAX : UINT32_MAX;
        if (number == absent) {
            return {};
        }
        return std::int64_t{number} * value.times / value.by;
    }

private:
    Descriptor m_file;
    std::array<char, 4096> m_bytes{};
    std::size_t m_size = 0;
    std::uint64_t m_round = 0;
};

bool is_in(const Value& value, const Header& header)
{
    return value.format == header.format && value.from <= header.content &&
           header.content <= value.until;
}

class TableValue final : public CounterReader {
public:
    TableValue(std::shared_ptr<Table> table, const Value& value)
        : m_table{std::move(table)}, m_value{value}
    {
    }

    std::optional<std::int64_t> read(std::uint64_t round) override
    {
        m_table->read(round);
        const auto header = m_table->header();
        return header && is_in(m_value, *header) ? m_table->at(m_value) : std::nullopt;
    }

private:
    std::shared_ptr<Table> m_table;
    Value m_value;
};

} // namespace

void add_gpu_metrics(std::vector<GpuCounter>& counters, const std::string& device,
                     const std::filesystem::path& file)
{
    Descriptor opened{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
    if (!opened) {
        return;
    }
    const auto table = std::make_shared<Table>(std::move(opened));
    table->read(UINT64_MAX); // no round
    const auto header = table->header();
    for (const Value& value : values) {
        if (header && is_in(value, *header) && table->at(value)) {
            counters.emplace_back(device, std::string{"gpu_metrics "} + value.name, value.unit,
                                  std::make_unique<TableValue>(table, value));
        }
    }
}

} // namespace lttng_gpu::record
