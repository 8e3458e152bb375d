// SPDX-License-Identifier: MIT
//
// Counters of devices: found in sysfs, sampled into a trace, read back and summed up.
#include "job_feeder.hpp"
#include "record/counter_sampler.hpp"
#include "report/text_counters.hpp"
#include "run/reading.hpp"
#include "system/counters.hpp"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>

using namespace lttng_gpu;
namespace fs = std::filesystem;

namespace {

class TemporaryFolder {
public:
    TemporaryFolder()
    {
        std::string name = fs::temp_directory_path() / "lttng-gpu-counters-XXXXXX";
        REQUIRE(mkdtemp(name.data()) != nullptr);
        m_path = name;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() { fs::remove_all(m_path); }

    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

void put(const fs::path& file, const std::string& text)
{
    fs::create_directories(file.parent_path());
    std::ofstream{file} << text << '\n';
}

/// An amdgpu card, an i915 one, and a connector, which is no card.
void make_sysfs(const fs::path& root)
{
    const fs::path amd = root / "devices/pci0000:00/0000:03:00.0";
    put(amd / "gpu_busy_percent", "37");
    put(amd / "hwmon/hwmon4/freq1_input", "1500000000");
    put(amd / "hwmon/hwmon4/freq1_label", "sclk");
    put(amd / "hwmon/hwmon4/temp1_input", "-2500");
    put(amd / "hwmon/hwmon4/power1_average", "no number");
    const fs::path intel = root / "devices/pci0000:00/0000:00:02.0";
    put(intel / "drm/card1/gt/gt0/rps_act_freq_mhz", "350");
    fs::create_directories(root / "class/drm/card0");
    fs::create_directories(root / "class/drm/card0-DP-1");
    fs::create_symlink(amd, root / "class/drm/card0/device");
    fs::create_symlink(amd, root / "class/drm/card0-DP-1/device");
    fs::create_symlink(intel, intel / "drm/card1/device");
    fs::create_symlink(intel / "drm/card1", root / "class/drm/card1");
}

std::vector<model::CounterAccount> counters_of(const fs::path& trace)
{
    auto reading = run::open_reading({trace}, {});
    REQUIRE(reading);
    report::Window window{{}};
    model::NullSink sink;
    return reading->pipeline->run(*reading->source, window, sink, nullptr, [] { return false; })
        .account.counters;
}

} // namespace

TEST_CASE("counters_when_values_change_then_the_mean_is_over_time")
{
    StringPool strings;
    model::Counters counters;
    const model::Counters::Name name{TraceId{0}, strings.intern("gpu"), strings.intern("clock"),
                                     strings.intern("MHz"), false};
    counters.add(name, Timestamp{100}, 1000);
    counters.add(name, Timestamp{400}, 300); // 1000 for 300 ns
    counters.add(name, Timestamp{500}, 700); // 300 for 100 ns
    const auto accounts = counters.accounts(strings);
    REQUIRE(accounts.size() == 1);
    CHECK(accounts[0].mean == doctest::Approx(825));
    CHECK((accounts[0].least == 300 && accounts[0].most == 1000 && accounts[0].last == 700));
    CHECK((accounts[0].count == 3 && !accounts[0].is_sampled));
}

TEST_CASE("counters_when_sysfs_has_some_then_are_found_by_device")
{
    const TemporaryFolder place;
    make_sysfs(place.path());
    std::vector<std::string> found;
    for (const record::GpuCounter& counter : record::find_gpu_counters(place.path())) {
        const auto value = counter.read();
        found.push_back(counter.device() + "|" + counter.name() + "|" + counter.unit() + "|" +
                        (value ? std::to_string(*value) : "unknown"));
    }
    CHECK(found == std::vector<std::string>{"0000:00:02.0|gt0 rps_act_freq_mhz|MHz|350",
                                            "0000:03:00.0|freq1_input sclk|Hz|1500000000",
                                            "0000:03:00.0|gpu_busy_percent|%|37",
                                            "0000:03:00.0|power1_average|uW|unknown",
                                            "0000:03:00.0|temp1_input|m°C|-2500"});
}

TEST_CASE("counters_when_sampled_then_the_trace_has_what_the_files_said")
{
    const TemporaryFolder place;
    make_sysfs(place.path());
    auto stream = record::CounterStream::create(place.path() / "counters");
    REQUIRE(stream);
    record::CounterSampler sampler{record::find_gpu_counters(place.path()), std::move(*stream),
                                   std::chrono::hours{1}};
    const auto cost = sampler.stop();
    CHECK(cost.rounds == 2); // at the beginning and at the end
    CHECK((cost.counters == 5 && !cost.has_failed));
    const auto accounts = counters_of(place.path() / "counters");
    REQUIRE(accounts.size() == 4); // one could not be read
    CHECK(accounts[0].device == "0000:00:02.0");
    CHECK((accounts[0].name == "gt0 rps_act_freq_mhz" && accounts[0].unit == "MHz"));
    CHECK((accounts[0].count == 2 && accounts[0].is_sampled && accounts[0].mean == 350));
    CHECK((accounts[3].unit == "m°C" && accounts[3].least == -2500 && accounts[3].last == -2500));
    CHECK(accounts[0].begin < accounts[0].end);
}

TEST_CASE("counters_when_there_are_many_samples_then_packets_follow_each_other")
{
    const TemporaryFolder place;
    {
        auto stream = record::CounterStream::create(place.path() / "counters");
        REQUIRE(stream);
        for (std::int64_t number = 0; number < 5000; ++number) {
            stream->write({1'000'000 + static_cast<std::uint64_t>(number) * 1000, "0000:03:00.0",
                           "gpu_busy_percent", "%", number % 101});
        }
    }
    CHECK(fs::file_size(place.path() / "counters/samples") > 3 * 65536);
    const auto accounts = counters_of(place.path() / "counters");
    REQUIRE(accounts.size() == 1);
    CHECK((accounts[0].count == 5000 && accounts[0].least == 0 && accounts[0].most == 100));
    CHECK(accounts[0].last == 4999 % 101);
}

TEST_CASE("counters_when_i915_asks_for_frequencies_then_are_a_row_of_the_report")
{
    const TemporaryFolder place;
    put(place.path() / "trace",
        "# tracer: nop\n#\n"
        "     kworker/0:1-77    [000] ..... 10.000000: intel_gpu_freq_change: new_freq=350\n"
        "     kworker/0:1-77    [000] ..... 10.000100: intel_gpu_freq_change: new_freq=1150");
    report::Report report;
    report.trace.counters = counters_of(place.path() / "trace");
    REQUIRE(report.trace.counters.size() == 1);
    const auto& frequency = report.trace.counters[0];
    CHECK((frequency.count == 2 && frequency.least == 350 && frequency.most == 1150));
    CHECK((frequency.mean == 350 && frequency.last == 1150 && frequency.unit == "MHz"));
    CHECK(report::counter_lines(report.trace.counters)
              .find("unknown device: intel_gpu_freq_change in MHz: "
                    "350–1150, mean 350.0, last 1150 · 2 changes") != std::string::npos);
    CHECK(report::counters_json(report)[0]["source"] == "events");
}
