// SPDX-License-Identifier: MIT
//
// Counters of devices that are no text in a file: amdgpu's table gpu_metrics, and PMUs. The tables
// are made here, byte by byte; the PMU is the kernel's own clock of CPU time, under the name that
// i915's would have.
#include "record/gpu_counters.hpp"

#include <chrono>
#include <cstring>
#include <doctest/doctest.h>
#include <fstream>
#include <linux/perf_event.h>
#include <map>
#include <thread>
#include <unistd.h>

using namespace lttng_gpu;
namespace fs = std::filesystem;

namespace {

/// A /sys of its own.
class MadeTree {
public:
    MadeTree()
    {
        std::string name = fs::temp_directory_path() / "lttng-gpu-sources-XXXXXX";
        REQUIRE(mkdtemp(name.data()) != nullptr);
        m_path = name;
    }
    MadeTree(const MadeTree&) = delete;
    MadeTree& operator=(const MadeTree&) = delete;
    ~MadeTree() { fs::remove_all(m_path); }

    const fs::path& path() const { return m_path; }

    void put(const fs::path& file, const std::string& content) const
    {
        fs::create_directories((m_path / file).parent_path());
        std::ofstream{m_path / file, std::ios::binary} << content;
    }
    void put_card(const std::string& metrics) const
    {
        put("devices/0000:03:00.0/gpu_metrics", metrics);
        fs::create_directories(m_path / "class/drm/card0");
        const fs::path link = m_path / "class/drm/card0/device";
        fs::remove(link);
        fs::create_symlink(m_path / "devices/0000:03:00.0", link);
    }

    using Shown = std::map<std::string, std::string>;

    Shown read() const
    {
        Shown shown;
        for (const record::GpuCounter& counter : record::find_gpu_counters(m_path)) {
            const auto value = counter.read();
            shown[counter.name()] = (value ? std::to_string(*value) : "unknown") + counter.unit();
        }
        return shown;
    }

private:
    fs::path m_path;
};

/// A table of firmware: what is not set, the device does not have.
class Table {
public:
    Table(std::uint16_t size, std::uint8_t format, std::uint8_t content)
        : m_bytes(size, static_cast<char>(0xFF))
    {
        set(0, size);
        m_bytes[2] = static_cast<char>(format);
        m_bytes[3] = static_cast<char>(content);
    }
    template <typename Number> Table& set(std::size_t place, Number number)
    {
        std::memcpy(m_bytes.data() + place, &number, sizeof number);
        return *this;
    }
    const std::string& bytes() const { return m_bytes; }

private:
    std::string m_bytes;
};

using U16 = std::uint16_t;
using U32 = std::uint32_t;

} // namespace

TEST_CASE("gpu_metrics_when_of_a_card_then_its_values_have_units")
{
    const MadeTree tree;
    tree.put_card(Table{120, 1, 3}
                      .set(4, U16{61})
                      .set(16, U16{97})
                      .set(22, U16{203})
                      .set(54, U16{2410})
                      .set(72, U16{1500})
                      .bytes());
    CHECK(tree.read() == MadeTree::Shown{{"gpu_metrics temperature_edge", "61000m°C"},
                                         {"gpu_metrics average_gfx_activity", "97%"},
                                         {"gpu_metrics average_socket_power", "203000000uW"},
                                         {"gpu_metrics current_gfxclk", "2410MHz"},
                                         {"gpu_metrics current_fan_speed", "1500rpm"}});
}

TEST_CASE("gpu_metrics_when_of_an_older_version_then_its_values_are_at_its_places")
{
    const MadeTree tree;
    tree.put_card(Table{80, 1, 0}.set(16, U16{61}).set(28, U16{97}).bytes());
    CHECK(tree.read() == MadeTree::Shown{{"gpu_metrics temperature_edge", "61000m°C"},
                                         {"gpu_metrics average_gfx_activity", "97%"}});
    tree.put_card(Table{360, 1, 5}.set(12, U16{42}).set(312, U16{2100}).set(352, U16{900}).bytes());
    CHECK(tree.read() == MadeTree::Shown{{"gpu_metrics average_gfx_activity", "42%"},
                                         {"gpu_metrics current_gfxclk", "2100MHz"},
                                         {"gpu_metrics current_uclk", "900MHz"}});
}

TEST_CASE("gpu_metrics_when_of_an_apu_then_its_values_are_of_its_units")
{
    const MadeTree tree;
    tree.put_card(Table{168, 2, 4}
                      .set(4, U16{5525})
                      .set(28, U16{7300})
                      .set(40, U16{15250})
                      .set(76, U16{1900})
                      .bytes());
    CHECK(tree.read() == MadeTree::Shown{{"gpu_metrics temperature_gfx", "55250m°C"},
                                         {"gpu_metrics average_gfx_activity", "73%"},
                                         {"gpu_metrics average_socket_power", "15250000uW"},
                                         {"gpu_metrics current_gfxclk", "1900MHz"}});
    // What its drivers fill in different units is left out.
    tree.put_card(Table{128, 2, 2}.set(4, U16{5525}).set(28, U16{73}).set(40, U16{15}).bytes());
    CHECK(tree.read() == MadeTree::Shown{{"gpu_metrics temperature_gfx", "55250m°C"}});
    tree.put_card(
        Table{264, 3, 0}.set(42, U16{31}).set(112, U32{70'000}).set(174, U16{800}).bytes());
    CHECK(tree.read() == MadeTree::Shown{{"gpu_metrics average_gfx_activity", "31%"},
                                         {"gpu_metrics average_socket_power", "70000000uW"},
                                         {"gpu_metrics average_gfxclk_frequency", "800MHz"}});
}

TEST_CASE("gpu_metrics_when_cut_or_of_an_unknown_version_then_has_no_counters")
{
    const MadeTree tree;
    const std::string table = Table{120, 1, 3}.set(4, U16{61}).set(54, U16{2410}).bytes();
    tree.put_card(table.substr(0, 3));
    CHECK(tree.read().empty());
    tree.put_card(table.substr(0, 55));
    CHECK(tree.read() == MadeTree::Shown{{"gpu_metrics temperature_edge", "61000m°C"}});
    tree.put_card(Table{120, 1, 9}.set(4, U16{61}).bytes());
    CHECK(tree.read().empty());
    tree.put_card("");
    CHECK(tree.read().empty());
}

TEST_CASE("gpu_metrics_when_it_changes_then_is_read_once_in_a_round")
{
    const MadeTree tree;
    tree.put_card(Table{120, 1, 3}.set(4, U16{61}).set(16, U16{97}).bytes());
    const auto counters = record::find_gpu_counters(tree.path());
    REQUIRE(counters.size() == 2);
    CHECK(counters[0].read(1) == 97);
    // Written over, not made anew: the file stays the one that is open.
    tree.put_card(Table{120, 1, 3}.set(4, U16{70}).set(16, U16{3}).bytes());
    CHECK(counters[1].read(1) == 61000);
    CHECK(counters[0].read(2) == 3);
    CHECK(counters[1].read(2) == 70000);
}

TEST_CASE("pmu_when_events_grow_then_values_are_their_growth_over_time")
{
    if (geteuid() != 0) {
        return; // events of whole CPUs are root's
    }
    const MadeTree tree;
    const fs::path pmu = "bus/event_source/devices/i915_0000_03_00.0";
    tree.put(pmu / "type", std::to_string(PERF_TYPE_SOFTWARE) + "\n");
    tree.put(pmu / "cpumask", "0\n");
    tree.put(pmu / "events/rcs0-busy",
             "config=0x" + std::to_string(PERF_COUNT_SW_CPU_CLOCK) + "\n");
    tree.put(pmu / "events/rcs0-busy.unit", "ns\n");
    tree.put(pmu / "events/vcs0-busy", "config=0x" + std::to_string(PERF_COUNT_SW_DUMMY) + "\n");
    tree.put(pmu / "events/vcs0-busy.unit", "ns\n");
    tree.put(pmu / "events/interrupts", "config=0x" + std::to_string(PERF_COUNT_SW_DUMMY) + "\n");
    tree.put(pmu / "events/no-number", "config=what\n");
    tree.put(pmu / "events/other-unit", "config=0x0\n");
    tree.put(pmu / "events/other-unit.unit", "Joules\n");
    tree.put("bus/event_source/devices/cpu/type", "4\n");
    tree.put("bus/event_source/devices/cpu/events/cpu-cycles", "config=0x3c\n");
    const auto counters = record::find_gpu_counters(tree.path());
    REQUIRE(counters.size() == 3);
    std::map<std::string, std::int64_t> values;
    for (const record::GpuCounter& counter : counters) {
        CHECK(counter.device() == "0000:03:00.0");
        CHECK(!counter.read(1)); // nothing to compare with
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    for (const record::GpuCounter& counter : counters) {
        const auto value = counter.read(2);
        REQUIRE(value);
        values[counter.name() + " " + counter.unit()] = *value;
    }
    // A CPU's clock grows as fast as time does.
    CHECK(values.at("pmu rcs0-busy %") == doctest::Approx(100).epsilon(0.3));
    CHECK(values.at("pmu vcs0-busy %") == 0);
    CHECK(values.at("pmu interrupts 1/s") == 0);
}
