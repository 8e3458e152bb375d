// SPDX-License-Identifier: MIT
//
// device-launches-trace DIR: writes the trace of an OpenCL program whose kernels were recorded
// inside on a GPU that nobody has: launches of `rows` with warps on four multiprocessors and times
// of the device's timer, one of them with lost records; of `items` without warps, as on PoCL; and
// on a second GPU of `odd`, whose commands' times contradict its timer. What is in it is in every
// recording with --device-trace --device-times.
#include "ctf_writer.hpp"
#include "preload/device/pack.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <random>

using namespace lttng_gpu::test;
using lttng_gpu::device::Packer;

namespace {

using Numbers = std::vector<std::uint64_t>;

constexpr std::int64_t origin = 1'700'000'000'000'000'000; // of the trace's clock
constexpr std::uint64_t timer = 40'000'000'000'000;        // the device's timer shows that more
constexpr std::uint64_t driver_clock = 7'000'000'000;      // the clock of commands likewise
constexpr std::uint64_t us = 1'000;
constexpr std::uint64_t process = 100;
constexpr std::uint64_t rows_program = process << 32U | 1U;
constexpr std::uint64_t items_program = process << 32U | 2U;

struct Kernel {
    const char* name;
    std::uint64_t program;
    std::uint64_t handle;
    std::uint64_t queue;
    bool has_warps;
};
constexpr Kernel rows{"rows", rows_program, 0x51, 70, true};
constexpr Kernel items{"items", items_program, 0x52, 70, false};
constexpr Kernel odd{"odd", rows_program, 0x53, 80, true};

/// When a launch was where, on the trace's clock.
struct Times {
    std::uint64_t called;
    std::uint64_t start; // of its command
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t over;
};

class Story {
public:
    explicit Story(const char* folder) : m_writer{folder, 1, true, origin} {}

    void add(std::uint64_t time, const char* name, std::vector<CtfField> fields)
    {
        m_events.push_back({time, name, std::move(fields), 100, 101, "app"});
    }
    void device(std::uint64_t time, std::uint64_t handle, std::uint64_t queue, const char* name)
    {
        add(time, "lttng_gpu_opencl:device",
            {{"device", handle},
             {"parent", std::uint64_t{0}},
             {"name", name},
             {"timer_resolution", std::uint64_t{1}}});
        add(time + 1, "lttng_gpu_opencl:queue",
            {{"queue", queue},
             {"context", std::uint64_t{1}},
             {"device", handle},
             {"properties", std::uint64_t{2}},
             {"profiling", CtfEnumerator{1, "off = 0, application = 1"}}});
    }
    void location(std::uint64_t time, std::uint64_t program, std::uint64_t number,
                  std::uint64_t line, std::uint64_t column, const char* kind, const char* function)
    {
        add(time, "lttng_gpu_devicetrace:location",
            {{"program", program},
             {"location", number},
             {"line", line},
             {"column", column},
             {"kind", kind},
             {"function", function}});
    }
    /// `told`: the end that the driver tells of its command.
    void launch(const Kernel& kernel, const Times& times, std::uint64_t lost, std::uint64_t told)
    {
        const std::uint64_t number = process << 32U | (10 + ++m_command);
        add(times.called + us, "lttng_gpu_devicetrace:launch",
            {{"launch", number},
             {"program", kernel.program},
             {"kernel", kernel.handle},
             {"queue", kernel.queue},
             {"name", kernel.name},
             {"warps", std::uint64_t{kernel.has_warps}},
             {"times", std::uint64_t{kernel.has_warps}}});
        add(times.called + 2 * us, "lttng_gpu_opencl:kernel_enqueue",
            {{"command", m_command},
             {"queue", kernel.queue},
             {"begin_ns", times.called},
             {"type", std::uint64_t{0x11F0}},
             {"function", CtfEnumerator{259, "clEnqueueNDRangeKernel = 259"}},
             {"blocking", std::uint64_t{0}},
             {"waits_for", Numbers{}},
             {"kernel", kernel.handle},
             {"name", kernel.name}});
        const auto shown = [&](std::uint64_t time) { return Numbers{time + driver_clock}; };
        add(times.over + 90 * us, "lttng_gpu_opencl:command_times",
            {{"command", Numbers{m_command}},
             {"queue", kernel.queue},
             {"type", Numbers{0x11F0}},
             {"status", std::int64_t{0}},
             {"validity", CtfEnumerator{3, "valid = 3"}},
             {"queued", shown(times.called + us / 2)},
             {"submit", shown(times.called + 3 * us)},
             {"start", shown(times.start)},
             {"end", shown(told)},
             {"observed_ns", times.over + 12 * us}});
        std::vector<std::uint64_t> words(16'384);
        auto* const bytes = reinterpret_cast<std::uint8_t*>(words.data());
        Packer packer{bytes, {kernel.has_warps, kernel.has_warps}};
        if (kernel.has_warps) {
            put_warps(packer, times);
        } else {
            put_items(packer);
        }
        words.resize((packer.size() + 7) / 8);
        add(times.over + 200 * us, "lttng_gpu_devicetrace:records",
            {{"launch", number},
             {"part", std::uint64_t{0}},
             {"bytes", std::uint64_t{packer.size()}},
             {"words", words}});
        add(times.over + 201 * us, "lttng_gpu_devicetrace:launch_end",
            {{"launch", number},
             {"parts", std::uint64_t{1}},
             {"lost", lost},
             {"status", std::int64_t{0}},
             {"local_size", Numbers{64, 1, 1}},
             {"groups", Numbers{kernel.has_warps ? 48U : 2U, 1, 1}},
             {"completed", times.over + 20 * us}});
    }
    void write()
    {
        std::ranges::stable_sort(m_events, {}, &CtfEvent::time);
        for (const CtfEvent& event : m_events) {
            m_writer.add(0, event);
        }
    }

private:
    /// Warps one after another on four multiprocessors with eight places each; the last one of
    /// these has the longest warps.
    void put_warps(Packer& packer, const Times& times)
    {
        std::array<std::array<std::uint64_t, 8>, 4> free{};
        for (auto& places : free) {
            places.fill(times.begin);
        }
        const std::uint64_t length = times.end - times.begin;
        for (std::uint32_t warp = 0; warp < 96; ++warp) {
            const std::uint32_t processor = warp % 4;
            std::uint64_t& from = *std::ranges::min_element(free[processor]);
            const bool is_last = warp == 95;
            const std::uint64_t room = times.end - from;
            const std::uint64_t ran = is_last
                                          ? room
                                          : std::min(room, length / 6 + processor * length / 24 +
                                                               m_random() % (length / 12));
            const std::uint64_t began = from + timer;
            const auto at = [&](std::uint64_t part) {
                return static_cast<std::uint32_t>(began + ran * part / 10);
            };
            const std::uint32_t lanes = warp % 3 == 0 ? 64U : 32U + 1 + warp % 20;
            const std::array<std::uint32_t, 6> words{1U << 31U | 64U << 13U | 1U,
                                                     at(1),
                                                     1U << 31U | 1U << 20U | lanes << 13U |
                                                         (40 + warp),
                                                     at(2),
                                                     1U << 31U | 2U << 20U | 33U << 13U | 1U,
                                                     at(9)};
            packer.put({warp / 2, (warp % 2) | 1U << 8U | processor << 16U, began, words.data(),
                        words.size(), true, static_cast<std::uint32_t>(ran)});
            from += ran;
        }
    }
    static void put_items(Packer& packer)
    {
        for (std::uint32_t group = 0; group < 2; ++group) {
            const std::array<std::uint32_t, 4> words{
                1U << 31U | 3U << 13U | 1U, 1U << 31U | 1U << 20U | 3U << 13U | 17U,
                1U << 31U | 5U << 13U | 1U, 1U << 31U | 1U << 20U | 5U << 13U | 4U};
            packer.put({group, 1U << 8U, 0, words.data(), words.size(), false, 0});
        }
    }

    CtfWriter m_writer;
    std::vector<CtfEvent> m_events;
    std::uint64_t m_command = 0;
    std::mt19937 m_random{7};
};

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fputs("usage: device-launches-trace DIR\n", stderr);
        return 2;
    }
    Story story{argv[1]};
    story.device(1 * us, 7, 70, "GPU of the tests");
    story.device(4 * us, 8, 80, "GPU with a wrong clock");
    story.location(10 * us, rows_program, 0, 5, 15, "entry", "rows");
    story.location(11 * us, rows_program, 1, 10, 5, "loop", "rows");
    story.location(12 * us, rows_program, 2, 13, 9, "branch", "rows");
    story.location(13 * us, items_program, 0, 2, 1, "entry", "items");
    story.location(14 * us, items_program, 1, 4, 5, "loop", "items");
    for (std::uint64_t number = 0; number < 6; ++number) {
        const std::uint64_t called = (100 + number * 1'000) * us;
        const std::uint64_t start = called + (40 + number * 7) * us;
        const std::uint64_t end = start + (160 + number * 20) * us;
        story.launch(rows, {called, start, start + 2 * us, end, end + 3 * us}, number == 4 ? 17 : 0,
                     end + 3 * us);
    }
    story.launch(items, {6'200 * us, 6'240 * us, 0, 0, 6'300 * us}, 0, 6'300 * us);
    for (std::uint64_t number = 0; number < 3; ++number) {
        const std::uint64_t called = (7'000 + number * 500) * us;
        const std::uint64_t start = called + 30 * us;
        // The second one's command is told to be shorter than the launch itself.
        story.launch(odd, {called, start, start + us, start + 150 * us, start + 152 * us}, 0,
                     start + (number == 1 ? 60 : 152) * us);
    }
    story.write();
    return 0;
}
