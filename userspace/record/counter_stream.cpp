// SPDX-License-Identifier: MIT
//
// See counter_stream.hpp. All fields are whole bytes in the machine's order (x86: little endian).
#include "counter_stream.hpp"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t packet_is_full = 1U << 16U;
constexpr std::uint32_t magic = 0xc1fc1fc1;

constexpr const char* metadata_text = R"(/* CTF 1.8 */
typealias integer {{ size = 32; align = 8; signed = false; }} := uint32_t;
typealias integer {{ size = 64; align = 8; signed = false; }} := uint64_t;
typealias integer {{ size = 64; align = 8; signed = true; }} := int64_t;

trace {{
	major = 1;
	minor = 8;
	byte_order = le;
	packet.header := struct {{
		uint32_t magic;
		uint32_t stream_id;
	}};
}};

env {{
	domain = "ust";
	tracer_name = "lttng-gpu";
	hostname = "{hostname}";
}};

clock {{
	name = "monotonic";
	uuid = "{boot}";
	description = "Monotonic Clock";
	freq = 1000000000;
	offset = {offset};
}};

typealias integer {{ size = 64; align = 8; signed = false; map = clock.monotonic.value; }} := time_t;

stream {{
	id = 0;
	event.header := struct {{
		uint32_t id;
		time_t timestamp;
	}};
	packet.context := struct {{
		time_t timestamp_begin;
		time_t timestamp_end;
		uint64_t content_size;
		uint64_t packet_size;
		uint64_t events_discarded;
	}};
}};

event {{
	name = "lttng_gpu_counters:sample";
	id = 0;
	stream_id = 0;
	fields := struct {{
		string {{ encoding = UTF8; }} device;
		string {{ encoding = UTF8; }} counter;
		string {{ encoding = UTF8; }} unit;
		int64_t value;
	}};
}};
)";

std::int64_t now_of(clockid_t clock)
{
    timespec now = {};
    clock_gettime(clock, &now);
    return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

/// Real time was read between two readings of the other clock; of several tries the closest.
std::int64_t clock_offset()
{
    std::int64_t offset = 0;
    std::int64_t closest = INT64_MAX;
    for (int attempt = 0; attempt < 10; ++attempt) {
        const std::int64_t before = now_of(CLOCK_MONOTONIC);
        const std::int64_t real = now_of(CLOCK_REALTIME);
        const std::int64_t after = now_of(CLOCK_MONOTONIC);
        if (after - before < closest) {
            closest = after - before;
            offset = real - (before + (after - before) / 2);
        }
    }
    return offset;
}

std::string metadata()
{
    std::string boot;
    std::ifstream{"/proc/sys/kernel/random/boot_id"} >> boot;
    std::string hostname;
    std::ifstream{"/proc/sys/kernel/hostname"} >> hostname;
    return fmt::format(metadata_text, fmt::arg("hostname", hostname), fmt::arg("boot", boot),
                       fmt::arg("offset", clock_offset()));
}

template <typename Number> void append(std::string& bytes, Number number)
{
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void append_text(std::string& bytes, std::string_view text)
{
    bytes += text;
    bytes += '\0';
}

} // namespace

Expected<CounterStream> CounterStream::create(const fs::path& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    std::ofstream text{folder / "metadata"};
    text << metadata();
    text.close();
    Descriptor file{
        ::open((folder / "samples").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (!text || !file) {
        return Failure{{ErrorKind::Output, fmt::format("{} cannot be written: {}", folder.string(),
                                                       std::strerror(errno))}};
    }
    return CounterStream{std::move(file)};
}

void CounterStream::write(const CounterSample& sample)
{
    if (m_events.empty()) {
        m_first = sample.time;
    }
    m_last = sample.time;
    append(m_events, std::uint32_t{0});
    append(m_events, sample.time);
    append_text(m_events, sample.device);
    append_text(m_events, sample.counter);
    append_text(m_events, sample.unit);
    append(m_events, sample.value);
    if (m_events.size() >= packet_is_full) {
        flush();
    }
}

void CounterStream::flush()
{
    if (m_events.empty() || m_has_failed) {
        return;
    }
    std::string packet;
    constexpr std::size_t header_size = 2 * sizeof(std::uint32_t) + 5 * sizeof(std::uint64_t);
    const std::uint64_t bits = 8 * (header_size + m_events.size());
    append(packet, magic);
    append(packet, std::uint32_t{0});
    append(packet, m_first);
    append(packet, m_last);
    append(packet, bits);
    append(packet, bits);
    append(packet, std::uint64_t{0});
    packet += m_events;
    m_events.clear();
    for (std::string_view rest = packet; !rest.empty() && !m_has_failed;) {
        const ssize_t written = ::write(m_file.get(), rest.data(), rest.size());
        if (written > 0) {
            rest.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno != EINTR) {
            m_has_failed = true;
        }
    }
}

} // namespace lttng_gpu::record
