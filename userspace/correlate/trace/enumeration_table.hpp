// SPDX-License-Identifier: MIT
//
// The enumerations of the traces' metadata: what the numbers of a field are called. A
// reader adds them when it meets the class of a wanted event, and marks the values of
// such fields with their number (FieldValue::enumeration()); so the names cost
// nothing per event, and two versions of one enumeration in one capture stay apart.
#pragma once

#include "raw_event.hpp"

#include <compare>
#include <map>
#include <string>
#include <vector>

namespace lttng_gpu::trace {

/// Values from `lower` to `upper`, both included, have the label.
struct Enumerator {
    std::uint64_t lower = 0; // the bits of a signed number when the enumeration is signed
    std::uint64_t upper = 0;
    std::string label;

    friend auto operator<=>(const Enumerator&, const Enumerator&) = default;
};

struct Enumeration {
    bool is_signed = false;
    /// In any order; where they overlap, the one that begins first counts.
    std::vector<Enumerator> enumerators;

    friend auto operator<=>(const Enumeration&, const Enumeration&) = default;
};

class EnumerationTable {
public:
    /// Its number, never 0. Equal ones, such as those of many processes, have one number.
    std::uint32_t add(Enumeration enumeration);

    /// Empty when the value is not of an enumeration, or of none of its ranges. Looks through
    /// all enumerators: not for every event. Valid as long as the table.
    std::string_view label_of(const FieldValue& value) const;

private:
    std::map<Enumeration, std::uint32_t> m_numbers;
    std::vector<const Enumeration*> m_enumerations; // by number, from 1
};

} // namespace lttng_gpu::trace
