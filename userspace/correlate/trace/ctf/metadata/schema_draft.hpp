// SPDX-License-Identifier: MIT
//
// A schema whose field classes are still drafts: what a metadata reader makes
// of the text, in the order of the text.
#pragma once

#include "field_draft.hpp"

namespace lttng_gpu::trace::ctf {

struct EventDraft {
    std::uint64_t id = 0;
    std::string name;
    FieldDraftPtr specific_context; // may be null, as the others
    FieldDraftPtr payload;
    std::string log_level;
    std::string model_uri;
};

struct StreamDraft {
    std::uint64_t id = 0;
    std::optional<std::size_t> clock; // CTF 2: index into the clocks
    FieldDraftPtr packet_context;
    FieldDraftPtr event_header;
    FieldDraftPtr common_context;
    std::vector<EventDraft> events;
};

struct SchemaDraft {
    /// CTF 1.8: names make the roles, and lose a leading underscore.
    bool is_tsdl = true;
    std::optional<std::array<std::uint8_t, 16>> uuid;
    std::string identity;
    FieldDraftPtr packet_header;
    std::vector<ClockClass> clocks;
    std::vector<StreamDraft> streams;
    Environment environment;
};

} // namespace lttng_gpu::trace::ctf
