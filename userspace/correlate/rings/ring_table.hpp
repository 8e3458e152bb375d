// SPDX-License-Identifier: MIT
//
// The rings met so far. A ring is (trace, device, ring name), never the name
// alone: two GPUs both have a gfx_0.0.0. Facts learned about a ring on the way
// (its driver, whether it completes in order, which device it belongs to) are
// kept beside its name. Rings met lately are found by comparing a few words.
// Old kernels record the name as a pointer: that number tells rings apart as well as
// the name would. Other events may tell the name, which is then what is shown.
#pragma once

#include "../base/flat_table.hpp"
#include "../base/short_text.hpp"
#include "../base/stable_array.hpp"
#include "../base/string_pool.hpp"
#include "order_evidence.hpp"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace lttng_gpu::model {

struct Ring {
    TraceId trace;
    StringId device; // empty text: the event does not say
    StringId name;   // tells it apart; perhaps a number
    StringId driver;
    StringId shown;                   // the name for readers, not always unique
    bool is_number = false;           // the name is a pointer
    bool is_fifo = true;              // false: the driver promises no order on this name
    bool has_hardware_fences = false; // of jobs; without a device's name they tell devices apart
    bool is_split = false;            // jobs of this name turned out to be of rings with devices
    bool is_coarse = false;           // a part of the device; other events tell the ring in it
    // After the last event: pairs of jobs that were on the device together and kept their order,
    // those that did not, and when that was.
    std::uint64_t pairs_in_order = 0;
    std::uint64_t fifo_violations = 0;
    std::vector<OrderEvidence::Disorder> disorder = {};
    bool is_shared = false;      // by several schedulers, as their counts or numbers of jobs show
    bool is_order_known = false; // no start was inferred where the ring is not in order
    bool is_firmware_scheduled = false; // no event tells when a job starts
};

/// Where the name of a ring comes from whose events have a number only.
enum class NameSource : std::uint8_t {
    None,
    OtherEvent, // another event, which seems to be of a job on that ring
    OwnEvent,   // the event that has the number
};

class RingTable {
public:
    explicit RingTable(StringPool& strings) : m_strings{strings} {}

    /// Events without a device that name this ring are of that device: no other has such a ring.
    /// Before the first event.
    void set_only_device(TraceId trace, std::string_view name, std::string_view device)
    {
        m_only_devices[{trace, std::string{name}}] = device;
    }

    RingId intern(TraceId trace, std::string_view device, std::string_view name);
    /// Firmware decides when the jobs of this driver start, in what order it likes.
    /// Before the first event; `driver` outlives the table.
    void add_firmware_driver(std::string_view driver) { m_firmware_drivers.push_back(driver); }
    /// No start is inferred on the ring from now on.
    void set_firmware_scheduled(RingId ring)
    {
        at(ring).is_fifo = false;
        at(ring).is_firmware_scheduled = true;
    }
    void set_driver(RingId ring, std::string_view driver);
    /// The device's name became known; the ring stays the same unless there is
    /// one of that name already, then that is given back.
    RingId set_device(RingId ring, std::string_view device);
    /// Where the ring's name is a number: it is shown as `name`, numbered from the second ring of
    /// that name on. Of two different names it gets none, but the ring itself knows better than
    /// its neighbours. False: just now the names turned out to differ.
    bool tell_name(RingId ring, std::string_view name, NameSource source)
    {
        return !at(ring).is_number || take_name(ring, name, source);
    }
    /// Of one ring, some events may have the number and others the name.
    bool has_numbers_and_names() const { return m_has_numbers && m_has_names; }
    /// The same name on the same device, as far as both say it; a number has the name that was
    /// told of it, too.
    bool is_same_name(RingId first, RingId second) const;
    bool has_device(RingId ring) const { return at(ring).device != StringId{}; }

    Ring& at(RingId ring) { return m_rings[ring.value()]; }
    const Ring& at(RingId ring) const { return m_rings[ring.value()]; }
    const StableArray<Ring>& all() const { return m_rings; }
    std::string_view text(StringId id) const { return m_strings.at(id); }

private:
    /// As the trace has them; the pool's texts are made printable.
    struct Names {
        std::string device;
        std::string name;
        std::string driver;
        ShortText short_driver; // no text: it is longer
        std::string told;       // the name of a ring with a number
        NameSource source = NameSource::None;
        std::uint32_t place = 0; // among the rings of that name
        bool is_doubtful = false;
    };
    /// A ring met lately, in one of the two places that the hash of its names gives it.
    struct Known {
        ShortText device;
        ShortText name;
        TraceId trace;
        RingId ring;
    };
    static constexpr unsigned place_bits = 5;

    RingId intern_slowly(TraceId trace, std::string_view device, std::string_view name);
    RingId* find(std::uint64_t hash, TraceId trace, std::string_view device, std::string_view name);
    bool take_name(RingId ring, std::string_view name, NameSource source);
    void give_place(RingId ring);
    void show(RingId ring);
    void make_way(RingId named);
    bool is_called(RingId number, RingId named) const;

    StringPool& m_strings;
    StableArray<Ring> m_rings;
    StableArray<Names> m_names;
    FlatTable<TraceId, RingId> m_ids;
    std::array<std::array<Known, 2>, 1U << place_bits> m_known{}; // the latter of a pair first
    std::map<std::pair<TraceId, std::string>, std::string> m_only_devices;
    std::vector<std::string_view> m_firmware_drivers;
    bool m_has_numbers = false;
    bool m_has_names = false; // of rings with a driver
};

} // namespace lttng_gpu::model
