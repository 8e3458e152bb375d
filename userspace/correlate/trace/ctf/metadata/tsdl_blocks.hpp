// SPDX-License-Identifier: MIT
//
// What stands inside the blocks of a TSDL text (CTF 1.8.3, section 7.3 and
// appendix C). tsdl_reader.cpp says where the blocks are and in which order to
// read them; each function here begins at the block's opening brace and fills
// the draft. Failures are kept in the lexer.
#pragma once

#include "schema_draft.hpp"
#include "tsdl_type_parser.hpp"

#include <unordered_map>
#include <unordered_set>

namespace lttng_gpu::trace::ctf {

class TsdlBlocks {
public:
    TsdlBlocks(TsdlLexer& lexer, SchemaDraft& draft) : m_lexer(lexer), m_draft(draft) {}

    void read_env();
    void read_clock();
    void read_trace(TsdlTypeParser& types);
    void read_stream(TsdlTypeParser& types);
    void read_event(TsdlTypeParser& types);

private:
    template <typename Assign, typename Type>
    void read_entries(TsdlTypeParser* types, const Assign& assign, const Type& type);
    template <typename Assign> void read_assignments(const Assign& assign);

    void read_clock_entry(ClockClass& clock, bool& is_absolute, std::string_view name);
    void add_stream(StreamDraft stream, std::size_t at);
    StreamDraft* find_stream(std::optional<std::uint64_t> id, std::size_t at);
    std::string read_text();
    std::int64_t read_signed();
    bool is_lttng() const;

    TsdlLexer& m_lexer;
    SchemaDraft& m_draft;
    std::unordered_map<std::uint64_t, std::size_t> m_streams;   // index by id
    std::vector<std::unordered_set<std::uint64_t>> m_event_ids; // of each stream
};

/// 36 characters with hyphens.
std::optional<std::array<std::uint8_t, 16>> uuid_value(std::string_view written);

} // namespace lttng_gpu::trace::ctf
