// SPDX-License-Identifier: MIT
#include "harvest.hpp"

#include "runtime/clock.hpp"
#include "runtime/lock.hpp"

namespace lttng_gpu::gl {

static constexpr GLenum gl_vendor = 0x1F00, gl_renderer = 0x1F01, gl_version = 0x1F02;
static constexpr GLenum gl_timestamp = 0x8E28, gl_query_buffer_binding = 0x9193;
static constexpr GLenum gl_query_result = 0x8866, gl_query_result_available = 0x8867;
static constexpr uint64_t read_every_ns = 20'000'000;

/// Programs use few displays, and each has few devices.
static constexpr unsigned devices_count = 16;
static TimedDevice devices[devices_count];
static SpinLock devices_lock;

void lock_devices()
{
    devices_lock.lock();
}

void unlock_devices()
{
    devices_lock.unlock();
}

static const char* text_of(const ContextTimes& times, GLenum name)
{
    const GLubyte* const text = times.functions.glGetString(name);
    return text ? reinterpret_cast<const char*>(text) : "";
}

static uint64_t hash(uint64_t sum, const char* text)
{
    for (; *text; ++text)
        sum = (sum ^ static_cast<unsigned char>(*text)) * 1099511628211u;
    return sum;
}

/// Greatest common divisor of some readings: timestamps of devices whose timer is coarse are its
/// multiples. OpenGL does not tell.
static uint64_t find_resolution(const TimerFunctions& functions)
{
    uint64_t common = 0;
    for (unsigned i = 0; i < 8 && common != 1; ++i) {
        GLint64 time = 0;
        functions.glGetInteger64v(gl_timestamp, &time);
        for (uint64_t rest = uint64_t(time); rest;) {
            const uint64_t next = common % rest;
            common = rest;
            rest = next;
        }
    }
    return common < 1'000'000 ? common : 0;
}

TimedDevice* find_device(const ContextTimes& times)
{
    // Not 0.
    const uint64_t name =
        hash(hash(14695981039346656037u, text_of(times, gl_vendor)), text_of(times, gl_renderer)) |
        1;
    const uint64_t resolution = find_resolution(times.functions);
    Guard guard(devices_lock);
    for (TimedDevice& device : devices) {
        if (!device.name_hash) {
            device.display = times.display;
            device.name_hash = name;
            device.resolution = resolution;
            return &device;
        }
        if (device.display == times.display && device.name_hash == name)
            return &device;
    }
    return nullptr;
}

static void describe(uint64_t device, const ContextTimes& times, const TimesRing& ring)
{
    if (EVENT_ENABLED(queue))
        write_event(events.queue, {device, ring.queue, times.context});
}

void describe(const ContextTimes& times)
{
    const uint64_t device = handle(times.device);
    if (times.is_supported && EVENT_ENABLED(device))
        write_event(events.device,
                    {device, times.display, text_of(times, gl_renderer), text_of(times, gl_version),
                     times.functions.bits, times.device->resolution});
    describe(device, times, times.frames);
    describe(device, times, times.commands);
}

/// Timestamps of few bits begin anew, some of them within minutes.
static uint64_t count_on(TimedDevice& device, uint32_t bits, uint64_t time)
{
    if (bits >= 64)
        return time;
    const uint64_t newest = __atomic_load_n(&device.newest, __ATOMIC_RELAXED);
    if (!newest) {
        // One round ahead, so that an older one is not below 0.
        time = (time & ((1ull << bits) - 1)) + (1ull << bits);
    } else {
        const unsigned unused = 64 - bits;
        time = newest + uint64_t(int64_t((time - newest) << unused) >> unused);
    }
    if (time > newest)
        __atomic_store_n(&device.newest, time, __ATOMIC_RELAXED);
    return time;
}

static void read_clock(const ContextTimes& times, uint64_t now)
{
    TimedDevice& device = *times.device;
    const uint64_t read = __atomic_load_n(&device.read_ns, __ATOMIC_RELAXED);
    if (read && int64_t(now - read) < int64_t(read_every_ns))
        return;
    __atomic_store_n(&device.read_ns, now, __ATOMIC_RELAXED);
    GLint64 time = 0;
    const uint64_t before = read_clock_ns();
    times.functions.glGetInteger64v(gl_timestamp, &time);
    const uint64_t after = read_clock_ns();
    if (time && EVENT_ENABLED(device_clock))
        write_event(events.device_clock,
                    {handle(&device), count_on(device, times.functions.bits, uint64_t(time)),
                     before, after});
}

namespace {

/// Times of commands on their way into one event.
class TimesBatch {
public:
    explicit TimesBatch(uint64_t queue)
        : m_record{queue, 0, LTTNG_GPU_GL_VALID, 0, m_command, m_start, m_start, m_start, m_end}
    {
    }
    TimesBatch(const TimesBatch&) = delete;
    TimesBatch& operator=(const TimesBatch&) = delete;
    ~TimesBatch() { write(); }

    void add(uint64_t command, uint64_t start, uint64_t end, uint64_t observed_ns)
    {
        const auto validity = !start || !end ? LTTNG_GPU_GL_UNAVAILABLE
                              : start <= end ? LTTNG_GPU_GL_VALID
                                             : LTTNG_GPU_GL_DISORDERED;
        if (validity != m_record.validity || m_record.count == most) {
            write();
            m_record.validity = uint8_t(validity);
        }
        const uint32_t place = m_record.count++;
        m_command[place] = command;
        m_start[place] = start;
        m_end[place] = end;
        m_record.observed_ns = observed_ns;
    }

private:
    static constexpr uint32_t most = 16;

    void write()
    {
        if (m_record.count)
            write_event(events.command_times, m_record);
        m_record.count = 0;
    }

    lttng_gpu_gl_command_times m_record;
    uint64_t m_command[most], m_start[most], m_end[most];
};

} // namespace

/// Only what was flushed is asked for: else the question would make the driver flush.
static void report(ContextTimes& times, TimesRing& ring)
{
    const TimerFunctions& functions = times.functions;
    TimesBatch batch(ring.queue);
    uint32_t number = __atomic_load_n(&ring.reported, __ATOMIC_RELAXED);
    for (; int32_t(ring.flushed - number) > 0; ++number) {
        const uint32_t place = number % TimesRing::slots_count;
        GLuint is_there = 0;
        functions.glGetQueryObjectuiv(ring.queries[2 * place + 1], gl_query_result_available,
                                      &is_there);
        if (!is_there)
            break;
        GLuint64 start = 0, end = 0;
        functions.glGetQueryObjectui64v(ring.queries[2 * place], gl_query_result, &start);
        functions.glGetQueryObjectui64v(ring.queries[2 * place + 1], gl_query_result, &end);
        const uint64_t observed = read_clock_ns();
        if (start && end) {
            start = count_on(*times.device, functions.bits, start);
            end = count_on(*times.device, functions.bits, end);
        }
        batch.add(ring.slots[place].command, start, end, observed);
        __atomic_store_n(&ring.reported, number + 1, __ATOMIC_RELEASE);
    }
}

void harvest(ContextTimes& times)
{
    if (!times.is_supported || is_in_section() || is_in_other_call(1))
        return;
    GLint buffer = 0;
    if (times.functions.has_query_buffers)
        times.functions.glGetIntegerv(gl_query_buffer_binding, &buffer);
    if (!buffer) { // else results would go there
        report(times, times.frames);
        report(times, times.commands);
    }
    read_clock(times, read_clock_ns());
}

static void count_left(TimesRing& ring)
{
    const uint32_t ended = __atomic_load_n(&ring.ended, __ATOMIC_ACQUIRE);
    const uint32_t left = ended - __atomic_exchange_n(&ring.reported, ended, __ATOMIC_ACQ_REL);
    if (left && EVENT_ENABLED(commands_untimed))
        write_event(events.commands_untimed, {ring.queue, left, LTTNG_GPU_GL_EXIT});
}

void count_left(ContextTimes& times)
{
    count_left(times.frames);
    count_left(times.commands);
}

} // namespace lttng_gpu::gl
