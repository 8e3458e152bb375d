// SPDX-License-Identifier: MIT
//
// Whose fence it is, by the driver's name that fence events carry. Drivers state the names of
// theirs (EventFamily::fences). Fences are signaled more often than anything else happens, so names
// are compared as two words.
#pragma once

#include "../base/gpu_event.hpp"

#include "../trace/raw_event.hpp"

#include <array>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace lttng_gpu::model {

class FamilyState;

/// A fence as its event names it.
struct FenceEvent {
    const trace::RawEvent& event;
    JobKey key;
    std::string_view driver;
    std::string_view timeline;
};

using FenceHandler = void (*)(FamilyState&, const FenceEvent&);

/// Fences of one name, and what to do when one is made or emitted.
struct FenceSpec {
    std::string_view driver;
    FenceHandler on_init = nullptr; // null: nothing
    FenceHandler on_emit = nullptr;
    FenceOwner owner = FenceOwner::Other;
    /// Asked instead of comparing `driver`.
    bool (*is_own)(std::string_view driver, std::string_view timeline) = nullptr;
};

class FenceFamilies {
public:
    struct Entry {
        const FenceSpec* spec;
        FamilyState* family;
        std::uint64_t head = 0;
        std::uint64_t tail = 0;
    };

    /// `spec` and `family` must outlive this.
    void add(const FenceSpec& spec, FamilyState& family)
    {
        Entry entry{&spec, &family, head_of(spec.driver), tail_of(spec.driver)};
        (spec.is_own != nullptr ? m_asked : m_named[bucket_of(spec.driver)]).push_back(entry);
    }

    /// Out-fences of a CRTC, "CRTC:98:pixelvalve-2" (drm_crtc_create_fence()), or of a connector
    /// that writes back, "CONNECTOR:..." (drm_writeback_connector_init()), whatever the driver; and
    /// of displays that call them otherwise. A display shows what a job has made; it is no job.
    static bool is_display(std::string_view driver, std::string_view timeline)
    {
        const char first = timeline.empty() ? '\0' : timeline.front(); // most are told by that
        const bool is_named = first == 'C' || first == 'c' || first == '[';
        return (is_named && (timeline.starts_with("CRTC:") || timeline.starts_with("CONNECTOR:") ||
                             timeline.starts_with("[CRTC:") || timeline.starts_with("crtc-"))) ||
               driver == "vkms" || driver == "drm_crtc" || driver == "drm_writeback" ||
               (driver == "amdgpu" && timeline == "dm");
    }

    /// Null: of nobody.
    const Entry* find(std::string_view driver, std::string_view timeline) const
    {
        const std::uint64_t head = head_of(driver);
        const std::uint64_t tail = tail_of(driver);
        for (const Entry& entry : m_named[bucket_of(driver)]) {
            if (entry.head == head && entry.tail == tail &&
                (driver.size() <= longest_whole || entry.spec->driver == driver)) {
                return &entry;
            }
        }
        for (const Entry& entry : m_asked) {
            if (entry.spec->is_own(driver, timeline)) {
                return &entry;
            }
        }
        return nullptr;
    }

private:
    static constexpr std::size_t longest_whole = 16; // head and tail are all of it

    static std::size_t bucket_of(std::string_view text)
    {
        return std::min(text.size(), longest_whole + 1);
    }
    template <typename Word> static std::uint64_t load(const char* from)
    {
        Word word;
        std::memcpy(&word, from, sizeof word);
        return word;
    }
    static std::uint64_t head_of(std::string_view text)
    {
        if (text.size() >= 8) {
            return load<std::uint64_t>(text.data());
        }
        if (text.size() >= 4) {
            return load<std::uint32_t>(text.data());
        }
        std::uint64_t head = 0;
        for (const char letter : text) {
            head = head << 8U | static_cast<unsigned char>(letter);
        }
        return head;
    }
    static std::uint64_t tail_of(std::string_view text)
    {
        if (text.size() >= 8) {
            return load<std::uint64_t>(text.data() + text.size() - 8);
        }
        return text.size() >= 4 ? load<std::uint32_t>(text.data() + text.size() - 4) : 0;
    }

    std::array<std::vector<Entry>, longest_whole + 2> m_named; // by length
    std::vector<Entry> m_asked;
};

} // namespace lttng_gpu::model
