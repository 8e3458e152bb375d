// SPDX-License-Identifier: MIT
//
// See gpu_counters.hpp. Names and units of hwmon's files: Documentation/hwmon/sysfs-interface.rst;
// amdgpu's gpu_busy_percent and mem_busy_percent: Documentation/gpu/amdgpu/thermal.rst; i915's and
// xe's frequencies are megahertz.
#include "gpu_counters.hpp"

#include "descriptor.hpp"
#include "gpu_metrics.hpp"
#include "gpu_pmu.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fnmatch.h>
#include <fstream>
#include <tuple>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

struct Kind {
    const char* pattern; // of the file below its folder
    const char* unit;
};

constexpr std::array<Kind, 6> hwmon_kinds{{{"freq*_input", "Hz"},
                                           {"power*_average", "uW"},
                                           {"power*_input", "uW"},
                                           {"temp*_input", "m°C"},
                                           {"in*_input", "mV"},
                                           {"fan*_input", "rpm"}}};
constexpr std::array<Kind, 2> device_kinds{{{"gpu_busy_percent", "%"}, {"mem_busy_percent", "%"}}};
/// i915 has these below the card, xe below the device.
constexpr std::array<Kind, 1> card_kinds{{{"gt_act_freq_mhz", "MHz"}}};
constexpr std::array<Kind, 1> i915_gt_kinds{{{"rps_act_freq_mhz", "MHz"}}};
constexpr std::array<Kind, 1> xe_gt_kinds{{{"act_freq", "MHz"}}};

/// A file that has a number as text.
class NumberFile final : public CounterReader {
public:
    explicit NumberFile(Descriptor file) : m_file{std::move(file)} {}

    std::optional<std::int64_t> read(std::uint64_t) override
    {
        std::array<char, 64> text{};
        const ssize_t size = ::pread(m_file.get(), text.data(), text.size(), 0);
        std::int64_t value = 0;
        if (size <= 0 ||
            std::from_chars(text.data(), text.data() + size, value).ec != std::errc{}) {
            return {};
        }
        return value;
    }

private:
    Descriptor m_file;
};

std::vector<fs::path> children(const fs::path& folder, const char* pattern)
{
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator place{folder, error}, end; !error && place != end;
         place.increment(error)) {
        if (fnmatch(pattern, place->path().filename().c_str(), 0) == 0) {
            found.push_back(place->path());
        }
    }
    std::ranges::sort(found);
    return found;
}

/// hwmon's labels say which of several it is: freq1_label "sclk".
std::string label_of(const fs::path& file)
{
    const std::string name = file.filename();
    std::string label;
    std::ifstream text{file.parent_path() / (name.substr(0, name.find('_')) + "_label")};
    std::getline(text, label);
    return label.empty() ? std::string{} : " " + label;
}

template <std::size_t count>
void add(std::vector<GpuCounter>& counters, const std::string& device, const fs::path& folder,
         const std::array<Kind, count>& kinds, const std::string& prefix = {})
{
    for (const Kind& kind : kinds) {
        for (const fs::path& file : children(folder, kind.pattern)) {
            Descriptor open_file{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
            if (open_file) {
                counters.emplace_back(device, prefix + file.filename().string() + label_of(file),
                                      kind.unit,
                                      std::make_unique<NumberFile>(std::move(open_file)));
            }
        }
    }
}

void add_device(std::vector<GpuCounter>& counters, const fs::path& card)
{
    std::error_code error;
    const fs::path device = fs::canonical(card / "device", error);
    if (error) {
        return;
    }
    const std::string name = device.filename();
    add(counters, name, device, device_kinds);
    add_gpu_metrics(counters, name, device / "gpu_metrics");
    for (const fs::path& hwmon : children(device / "hwmon", "hwmon*")) {
        add(counters, name, hwmon, hwmon_kinds);
    }
    add(counters, name, card, card_kinds);
    for (const fs::path& gt : children(card / "gt", "gt*")) {
        add(counters, name, gt, i915_gt_kinds, gt.filename().string() + " ");
    }
    for (const fs::path& tile : children(device, "tile*")) {
        for (const fs::path& gt : children(tile, "gt*")) {
            const std::string prefix =
                tile.filename().string() + " " + gt.filename().string() + " ";
            add(counters, name, gt / "freq0", xe_gt_kinds, prefix);
        }
    }
}

} // namespace

std::vector<GpuCounter> find_gpu_counters(const fs::path& sysfs)
{
    std::vector<GpuCounter> counters;
    for (const fs::path& card : children(sysfs / "class/drm", "card*")) {
        if (card.filename().string().find('-') == std::string::npos) { // those are connectors
            add_device(counters, card);
        }
    }
    add_pmu_counters(counters, sysfs / "bus/event_source/devices");
    std::ranges::stable_sort(counters, {}, [](const GpuCounter& counter) {
        return std::tie(counter.device(), counter.name());
    });
    return counters;
}

} // namespace lttng_gpu::record
