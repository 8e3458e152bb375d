// SPDX-License-Identifier: MIT
//
// See gpu_pmu.hpp. Names and units of the events: the kernel's drivers/gpu/drm/i915/i915_pmu.c and
// drivers/gpu/drm/xe/xe_pmu.c; how sysfs tells them:
// Documentation/ABI/testing/sysfs-bus-event_source-devices-events. xe's events of engines need the
// engine in their configuration, which sysfs does not list: they are left out.
#include "gpu_pmu.hpp"

#include "descriptor.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

struct Unit {
    const char* told;  // by sysfs
    const char* shown; // of the growth in a nanosecond, times `scale`
    double scale;
};

constexpr double per_second = 1e9;
/// i915's frequencies grow by a megahertz each second.
constexpr std::array<Unit, 4> units{
    {{"ns", "%", 100}, {"ms", "%", 100e6}, {"M", "MHz", per_second}, {"", "1/s", per_second}}};

std::string text_of(const fs::path& file)
{
    std::ifstream stream{file};
    std::string text;
    std::getline(stream, text);
    return text;
}

std::optional<std::uint64_t> number_of(std::string_view text)
{
    const bool is_hex = text.starts_with("0x");
    text.remove_prefix(is_hex ? 2 : 0);
    std::uint64_t number = 0;
    const auto end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, number, is_hex ? 16 : 10);
    return parsed.ec == std::errc{} && parsed.ptr == end ? std::optional{number} : std::nullopt;
}

/// "config=0x10", or xe's "event=0x01", which its format/event has in the lowest bits of config.
std::optional<std::uint64_t> config_of(const fs::path& file)
{
    const std::string text = text_of(file);
    for (const std::string_view name : {"config=", "event="}) {
        if (text.starts_with(name)) {
            return number_of(std::string_view{text}.substr(name.size()));
        }
    }
    return {};
}

class PmuCounter final : public CounterReader {
public:
    PmuCounter(Descriptor event, double scale) : m_event{std::move(event)}, m_scale{scale} {}

    /// The first one has nothing to be compared with.
    std::optional<std::int64_t> read(std::uint64_t) override
    {
        struct {
            std::uint64_t value = 0;
            std::uint64_t enabled_ns = 0;
        } now;
        if (::read(m_event.get(), &now, sizeof now) != sizeof now) {
            return {};
        }
        const std::uint64_t grown = now.value - m_value;
        const std::uint64_t passed = now.enabled_ns - m_enabled_ns;
        const bool is_first = !std::exchange(m_has_value, true);
        m_value = now.value;
        m_enabled_ns = now.enabled_ns;
        if (is_first || passed == 0) {
            return {};
        }
        return std::llround(static_cast<double>(grown) / static_cast<double>(passed) * m_scale);
    }

private:
    Descriptor m_event;
    double m_scale;
    std::uint64_t m_value = 0;
    std::uint64_t m_enabled_ns = 0;
    bool m_has_value = false;
};

Descriptor open_event(std::uint32_t type, std::uint64_t config, int cpu)
{
    perf_event_attr wanted = {};
    wanted.size = sizeof wanted;
    wanted.type = type;
    wanted.config = config;
    wanted.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED;
    return Descriptor{
        static_cast<int>(syscall(SYS_perf_event_open, &wanted, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC))};
}

/// As rings call it: "i915" is the integrated GPU, others have their address in their names.
std::string device_of(const std::string& pmu)
{
    const auto address = pmu.find('_');
    if (address == std::string::npos) {
        return "0000:00:02.0";
    }
    std::string device = pmu.substr(address + 1);
    std::ranges::replace(device, '_', ':');
    return device;
}

void add_events(std::vector<GpuCounter>& counters, const fs::path& pmu)
{
    const auto type = number_of(text_of(pmu / "type"));
    int cpu = 0; // without a mask: of all alike
    const std::string mask = text_of(pmu / "cpumask");
    std::from_chars(mask.data(), mask.data() + mask.size(), cpu);
    std::error_code error;
    std::vector<fs::path> files;
    for (const auto& file : fs::directory_iterator{pmu / "events", error}) {
        if (file.path().extension().empty()) { // else it is ".unit"
            files.push_back(file.path());
        }
    }
    std::ranges::sort(files);
    for (const fs::path& file : files) {
        const std::string unit_text = text_of(file.string() + ".unit");
        const auto* const unit = std::ranges::find(units, unit_text, &Unit::told);
        const auto config = config_of(file);
        const bool needs_engine = file.filename().string().starts_with("engine-");
        if (!type || !config || unit == units.end() || needs_engine) {
            continue;
        }
        if (Descriptor event = open_event(static_cast<std::uint32_t>(*type), *config, cpu)) {
            counters.emplace_back(device_of(pmu.filename()), "pmu " + file.filename().string(),
                                  unit->shown,
                                  std::make_unique<PmuCounter>(std::move(event), unit->scale));
        }
    }
}

} // namespace

void add_pmu_counters(std::vector<GpuCounter>& counters, const fs::path& devices)
{
    std::error_code error;
    std::vector<fs::path> found;
    for (const auto& place : fs::directory_iterator{devices, error}) {
        const std::string name = place.path().filename();
        if (name == "i915" || name.starts_with("i915_") || name.starts_with("xe_")) {
            found.push_back(place.path());
        }
    }
    std::ranges::sort(found);
    for (const fs::path& pmu : found) {
        add_events(counters, pmu);
    }
}

} // namespace lttng_gpu::record
