// SPDX-License-Identifier: MIT
//
// How to read one event class of a babeltrace2 trace: worked out once when the
// class is first met, so that reading an event is a walk over member indices.
#pragma once

#include "../enumeration_table.hpp"
#include "../event_source.hpp"

#include <babeltrace2/babeltrace.h>
#include <unordered_map>

namespace lttng_gpu::trace {

/// The last two stand for the patterns "$name" and "*", which have no index.
enum class Bt2FieldKind {
    None,
    Unsigned,
    Signed,
    Boolean,
    BitArray,
    SingleReal,
    DoubleReal,
    Text,
    Numbers, // a list, which the reader of messages keeps
    EventName,
    EveryLeaf
};

Bt2FieldKind kind_of(bt_field_class_type type);

/// Of the numbers of a list, as NumberList has them.
void read_numbers(const bt_field* field, std::vector<std::uint64_t>& numbers);

/// The value of a field of that kind; none for the kinds without a value of their own.
FieldValue read_leaf(const bt_field* field, Bt2FieldKind kind);

/// One member of a structure field, by index.
struct Bt2Member {
    std::uint64_t index = 0;
    Bt2FieldKind kind = Bt2FieldKind::None;
    std::uint32_t enumeration = 0; // see FieldValue
};

/// A context member lies in the common or in the specific context.
struct Bt2ContextMember {
    Bt2Member member;
    bool is_specific = false;
};

struct Bt2EventPlan {
    std::optional<std::size_t> wanted; // empty: nobody wants this class
    bool has_clock = false;
    std::string_view name; // the class's own
    std::vector<Bt2Member> fields;
    Bt2ContextMember pid;
    Bt2ContextMember tid;
    Bt2ContextMember procname;
    Bt2ContextMember pid_ns;
    Bt2ContextMember vpid;
    Bt2ContextMember vtid;
};

/// The member named `name` of a structure class; kind None when there is none.
Bt2Member find_member(const bt_field_class* structure, const char* name);

/// The value of a member, none when the kind is None.
FieldValue read_member(const bt_field* structure, Bt2Member member);

class Bt2Plans {
public:
    Bt2Plans(std::vector<WantedEvent> wanted, EnumerationTable* enumerations);

    const Bt2EventPlan& plan_for(const bt_event_class* event_class);

private:
    Bt2EventPlan make_plan(const bt_event_class* event_class) const;
    Bt2Member find_field(const bt_field_class* payload, const std::string& name) const;

    std::optional<std::size_t> wanted_index(std::string_view name) const;

    std::vector<WantedEvent> m_wanted;
    EnumerationTable* m_enumerations;
    std::unordered_map<std::string, std::size_t> m_index_by_name;
    std::unordered_map<const bt_event_class*, Bt2EventPlan> m_plans;
    const bt_event_class* m_last_class = nullptr; // neighbours are often of one class
    const Bt2EventPlan* m_last_plan = nullptr;
};

} // namespace lttng_gpu::trace
