// SPDX-License-Identifier: MIT
//
// See kernel_form.hpp. The print formats are those that the readers know; here they are
// walked in the other direction.
#include "kernel_form.hpp"

#include "trace/ftrace/print_formats.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace lttng_gpu::captures {
namespace {

namespace ftrace = trace::ftrace;

std::string kernel_name(std::string_view name)
{
    constexpr std::string_view ours = "gpu_fence_";
    return name.starts_with(ours) ? "dma_fence_" + std::string{name.substr(ours.size())}
                                  : std::string{name};
}

std::string system_of(std::string_view name)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> systems{{
        {"drm_", "gpu_scheduler"},
        {"dma_fence_", "dma_fence"},
        {"fence_", "fence"},
        {"amdgpu_", "amdgpu"},
        {"i915_", "i915"},
        {"xe_", "xe"},
        {"virtio_gpu_", "virtio_gpu"},
        {"sched_", "sched"},
    }};
    for (const auto& [prefix, system] : systems) {
        if (name.starts_with(prefix)) {
            return std::string{system};
        }
    }
    return {};
}

/// Fields that only our probes have.
bool is_of_probes(std::string_view event, std::string_view field)
{
    const bool is_stable = event.starts_with("drm_sched_job_") && event != "drm_sched_job_wait_dep";
    if (event.starts_with("drm_") && !is_stable) {
        return field == "dev" || field == "driver" || field.starts_with("fence_");
    }
    return (is_stable && field == "driver") || (event.starts_with("amdgpu_") && field == "dev") ||
           (event.starts_with("i915_") && (field == "dev_name" || field == "recreated"));
}

/// A place of a pattern: `{name|other:x}`.
struct Place {
    std::vector<std::string> names;
    char form = 'd';
};

Place parse_place(std::string_view text)
{
    Place place;
    if (text.ends_with(":x") || text.ends_with(":s")) {
        place.form = text.back();
        text.remove_suffix(2);
    } else if (text == "*" || text.find('=') != std::string_view::npos) {
        place.form = '*';
    }
    while (!text.empty()) {
        const std::size_t bar = std::min(text.find('|'), text.size());
        place.names.emplace_back(text.substr(0, bar));
        text.remove_prefix(std::min(bar + 1, text.size()));
    }
    return place;
}

template <typename Take> void for_each_place(std::string_view pattern, Take take)
{
    for (std::size_t open = pattern.find('{'); open != std::string_view::npos;
         open = pattern.find('{', open + 1)) {
        if (pattern.substr(open + 1, 1) != "?") {
            take(parse_place(pattern.substr(open + 1, pattern.find('}', open) - open - 1)));
        }
    }
}

class Printer {
public:
    Printer(const std::vector<Field>& fields, Pointers pointers, bool fills)
        : m_fields{fields}, m_pointers{pointers}, m_fills{fills}
    {
    }

    /// False when a field is missing that the format always prints.
    bool print(std::string_view pattern)
    {
        while (!pattern.empty()) {
            if (pattern.starts_with("{?")) {
                const std::size_t end = pattern.find("?}");
                if (!print_optional(pattern.substr(2, end - 2))) {
                    return false;
                }
                pattern.remove_prefix(end + 2);
            } else if (pattern.starts_with('{')) {
                const std::size_t end = pattern.find('}');
                if (!put(parse_place(pattern.substr(1, end - 1)))) {
                    return false;
                }
                pattern.remove_prefix(end + 1);
            } else {
                const std::size_t end = std::min(pattern.find('{'), pattern.size());
                text += pattern.substr(0, end);
                pattern.remove_prefix(end);
            }
        }
        return true;
    }

    std::string text;
    std::vector<Field> printed;

private:
    const Field* find(const Place& place) const
    {
        for (const std::string& name : place.names) {
            for (const Field& field : m_fields) {
                if (field.name == name) {
                    return &field;
                }
            }
        }
        return nullptr;
    }

    /// Is there where the record has its fields and they were not printed yet.
    bool print_optional(std::string_view part)
    {
        bool is_there = true;
        for_each_place(part, [&](const Place& place) {
            const Field* field = find(place);
            is_there = is_there && field != nullptr &&
                       std::none_of(printed.begin(), printed.end(),
                                    [&](const Field& other) { return other.name == field->name; });
        });
        return !is_there || print(part);
    }

    bool put(const Place& place)
    {
        if (place.form == '*') {
            return false;
        }
        const Field* found = find(place);
        if (found == nullptr && !m_fills) {
            return false;
        }
        const Field missing{place.names.front(),
                            place.form == 's' ? Value{std::string{"-"}} : Value{std::uint64_t{0}}};
        const Field& field = found == nullptr ? missing : *found;
        printed.push_back(field);
        if (const auto* words = std::get_if<std::string>(&field.value)) {
            text += *words;
        } else if (const auto* number = std::get_if<std::int64_t>(&field.value)) {
            text += place.form == 'x' ? fmt::format("0x{:x}", static_cast<std::uint64_t>(*number))
                                      : std::to_string(*number);
        } else if (place.form == 'x') {
            text += hex(field.name, std::get<std::uint64_t>(field.value));
        } else {
            text += std::to_string(std::get<std::uint64_t>(field.value));
        }
        return true;
    }

    std::string hex(const std::string& name, std::uint64_t value) const
    {
        const bool is_pointer = name == "fence" || name == "entity";
        if (!is_pointer || m_pointers == Pointers::Plain) {
            return fmt::format("0x{:x}", value);
        }
        // lib/vsprintf.c, ptr_to_id(): 32 bits of a hash
        return fmt::format("{:016x}", (value * 0x9e3779b97f4a7c15ULL) >> 32U);
    }

    const std::vector<Field>& m_fields;
    Pointers m_pointers;
    bool m_fills;
};

/// The record's own fields, fences cut as TP_STRUCT__entry of dma_fence.h does.
std::vector<Field> recorded_fields(const Event& event, std::string_view name)
{
    std::vector<Field> fields;
    for (const Field& field : event.fields) {
        if (is_of_probes(name, field.name)) {
            continue;
        }
        fields.push_back(field);
        if (name.starts_with("dma_fence_") && field.value.index() == 0) {
            fields.back().value = std::get<0>(field.value) & UINT32_MAX;
        }
    }
    return fields;
}

} // namespace

std::vector<std::string> printed_fields(std::string_view name)
{
    std::set<std::string> all;
    for (const ftrace::PrintFormat& format : ftrace::print_formats()) {
        if (ftrace::is_format_of(format, kernel_name(name))) {
            for_each_place(format.pattern, [&](const Place& place) {
                if (place.form != '*') {
                    all.insert(place.names.begin(), place.names.end());
                }
            });
        }
    }
    return {all.begin(), all.end()};
}

std::optional<KernelEvent> kernel_form(const Event& event, Pointers pointers)
{
    KernelEvent made;
    made.name = kernel_name(event.name);
    made.system = system_of(made.name);
    if (made.system.empty()) {
        return {};
    }
    const std::vector<Field> fields = recorded_fields(event, made.name);
    for (const bool fills : {false, true}) {
        for (const ftrace::PrintFormat& format : ftrace::print_formats()) {
            Printer printer{fields, pointers, fills};
            if (ftrace::is_format_of(format, made.name) && printer.print(format.pattern)) {
                made.text = printer.text;
                made.fields = printer.printed;
                return made;
            }
        }
    }
    return {};
}

} // namespace lttng_gpu::captures
