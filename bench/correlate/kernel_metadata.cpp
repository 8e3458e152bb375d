// SPDX-License-Identifier: MIT
//
// See kernel_metadata.hpp. Types, scopes and their order are those of
// lttng-modules' _lttng_session_metadata_statedump() (src/lttng-events.c).
#include "kernel_metadata.hpp"

#include "kernel_events.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <string>

namespace lttng_gpu::bench {
namespace {

constexpr std::string_view trace_part = R"(/* CTF 1.8 */

typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 64; align = 8; signed = false; } := unsigned long;
typealias integer { size = 5; align = 1; signed = false; } := uint5_t;
typealias integer { size = 27; align = 1; signed = false; } := uint27_t;

trace {
	major = 1;
	minor = 8;
	uuid = "2a6422d0-6cee-41e0-8c08-cb07d7b3a564";
	byte_order = le;
	packet.header := struct {
		uint32_t magic;
		uint8_t  uuid[16];
		uint32_t stream_id;
		uint64_t stream_instance_id;
	};
};

env {
	hostname = "bench";
	domain = "kernel";
	sysname = "Linux";
	kernel_release = "7.2.0";
	kernel_version = "#1 SMP PREEMPT_DYNAMIC";
	tracer_name = "lttng-modules";
	tracer_major = 2;
	tracer_minor = 13;
	tracer_patchlevel = 0;
	trace_buffering_scheme = "global";
	trace_name = "gpu";
	trace_creation_datetime = "20260101T000000+0000";
};

clock {
	name = "monotonic";
	uuid = "ac9aa300-40a4-4f4b-9898-6c319e3bd5eb";
	description = "Monotonic Clock";
	freq = 1000000000; /* Frequency, in Hz */
	/* clock value offset from Epoch is: offset * (1/freq) */
	offset = 1767225600000000000;
};

typealias integer {
	size = 27; align = 1; signed = false;
	map = clock.monotonic.value;
} := uint27_clock_monotonic_t;

typealias integer {
	size = 32; align = 8; signed = false;
	map = clock.monotonic.value;
} := uint32_clock_monotonic_t;

typealias integer {
	size = 64; align = 8; signed = false;
	map = clock.monotonic.value;
} := uint64_clock_monotonic_t;

struct packet_context {
	uint64_clock_monotonic_t timestamp_begin;
	uint64_clock_monotonic_t timestamp_end;
	uint64_t content_size;
	uint64_t packet_size;
	uint64_t packet_seq_num;
	unsigned long events_discarded;
	uint32_t cpu_id;
};

struct event_header_compact {
	enum : uint5_t { compact = 0 ... 30, extended = 31 } id;
	variant <id> {
		struct {
			uint27_clock_monotonic_t timestamp;
		} compact;
		struct {
			uint32_t id;
			uint64_clock_monotonic_t timestamp;
		} extended;
	} v;
} align(8);

struct event_header_large {
	enum : uint16_t { compact = 0 ... 65534, extended = 65535 } id;
	variant <id> {
		struct {
			uint32_clock_monotonic_t timestamp;
		} compact;
		struct {
			uint32_t id;
			uint64_clock_monotonic_t timestamp;
		} extended;
	} v;
} align(8);

)";

constexpr std::string_view context_part = R"(	packet.context := struct packet_context;
	event.context := struct {
		integer { size = 32; align = 8; signed = 1; encoding = none; base = 10; } _pid;
		integer { size = 32; align = 8; signed = 1; encoding = none; base = 10; } _tid;
		integer { size = 8; align = 8; signed = 0; encoding = UTF8; base = 10; } _procname[16];
	};
};

)";

std::string declare(const FieldDeclaration& field)
{
    const std::string name{field.name};
    const auto integer = [&](const char* size, const char* is_signed) {
        return std::string{"\t\tinteger { size = "} + size + "; align = 8; signed = " + is_signed +
               "; encoding = none; base = 10; } _" + name + ";\n";
    };
    switch (field.type) {
    case FieldType::String:
        return "\t\tstring _" + name + ";\n";
    case FieldType::Signed32:
        return integer("32", "1");
    case FieldType::Unsigned32:
        return integer("32", "0");
    case FieldType::Signed64:
        return integer("64", "1");
    case FieldType::Unsigned64:
        return integer("64", "0");
    case FieldType::Comm:
        break;
    }
    return "\t\tinteger { size = 8; align = 8; signed = 0; encoding = UTF8; base = 10; } _" + name +
           "[16];\n";
}

std::string make_text(HeaderForm form)
{
    std::string text{trace_part};
    text += "stream {\n\tid = 0;\n\tevent.header := struct event_header_";
    text += form == HeaderForm::Compact ? "compact;\n" : "large;\n";
    text += context_part;
    for (std::size_t id = 0; id < event_declarations.size(); ++id) {
        const EventDeclaration& event = event_declarations[id];
        text += "event {\n\tname = \"" + std::string{event.name} +
                "\";\n\tid = " + std::to_string(id) + ";\n\tstream_id = 0;\n\tfields := struct {\n";
        for (const FieldDeclaration& field : event.fields) {
            text += declare(field);
        }
        text += "\t};\n};\n\n";
    }
    return text;
}

} // namespace

/// CTF 1.8.3, section 7.1.
void write_kernel_metadata(const std::filesystem::path& directory, HeaderForm form)
{
    constexpr std::size_t header_bytes = 37;
    constexpr std::size_t page_bytes = 4096;
    const std::string text = make_text(form);
    std::ofstream file{directory / "metadata", std::ios::binary};
    for (std::size_t done = 0; done < text.size();) {
        const std::size_t count = std::min(text.size() - done, page_bytes - header_bytes);
        std::array<char, page_bytes> packet{};
        Cursor cursor{packet.data()};
        cursor.put(std::uint32_t{0x75d11d57});
        cursor.put_bytes(trace_uuid.data(), trace_uuid.size());
        cursor.put(std::uint32_t{0}); // no checksum
        cursor.put(static_cast<std::uint32_t>((header_bytes + count) * 8));
        cursor.put(static_cast<std::uint32_t>(page_bytes * 8));
        // neither compression, encryption nor a kind of checksum; version 1.8
        cursor.put_bytes("\0\0\0\1\10", 5);
        cursor.put_bytes(text.data() + done, count);
        file.write(packet.data(), packet.size());
        done += count;
    }
    if (!file.flush()) {
        throw std::runtime_error{"cannot write the metadata"};
    }
}

} // namespace lttng_gpu::bench
