// SPDX-License-Identifier: MIT
#include "tsdl_reader.hpp"

#include "tsdl_blocks.hpp"

namespace lttng_gpu::trace::ctf {
namespace {

enum class Block : std::uint8_t { Declaration, Trace, Env, Clock, Stream, Event, Callsite };

constexpr std::pair<std::string_view, Block> block_names[]{
    {"trace", Block::Trace},   {"env", Block::Env},     {"clock", Block::Clock},
    {"stream", Block::Stream}, {"event", Block::Event}, {"callsite", Block::Callsite},
};

class TsdlReader {
public:
    explicit TsdlReader(std::string_view text) : m_lexer(text), m_blocks(m_lexer, m_draft) {}

    Expected<SchemaDraft> read();

private:
    struct Item {
        Block block;
        std::size_t at; // its brace, or the declaration
    };

    void find_items();
    Block take_block_name();
    void skip_item();
    void find_byte_order();
    void scan_for_byte_order();
    template <typename Read> void for_each(Block block, const Read& read);

    TsdlLexer m_lexer;
    SchemaDraft m_draft;
    TsdlBlocks m_blocks;
    std::vector<Item> m_items;
    std::optional<ByteOrder> m_byte_order;
};

Expected<SchemaDraft> TsdlReader::read()
{
    find_items();
    find_byte_order();
    for_each(Block::Env, [&] { m_blocks.read_env(); });
    for_each(Block::Clock, [&] { m_blocks.read_clock(); });
    TsdlTypeParser types{m_lexer, m_byte_order.value_or(ByteOrder::Little), m_draft.clocks,
                         m_draft.environment};
    for_each(Block::Declaration, [&] { types.read_root_declaration(); });
    const auto read_each = [&](Block block, auto member) {
        for_each(block, [&] {
            const TsdlScope scope{types.types()};
            (m_blocks.*member)(types);
        });
    };
    read_each(Block::Trace, &TsdlBlocks::read_trace);
    read_each(Block::Stream, &TsdlBlocks::read_stream);
    read_each(Block::Event, &TsdlBlocks::read_event);
    if (m_lexer.failed()) {
        return Failure{*m_lexer.error()};
    }
    return std::move(m_draft);
}

/// Where blocks and declarations begin; goes over what is inside.
void TsdlReader::find_items()
{
    while (m_lexer.peek().kind != TokenKind::End) {
        const std::size_t at = m_lexer.peek().at;
        const Block block = take_block_name();
        if (block == Block::Declaration) {
            m_items.push_back({block, at});
        } else if (m_lexer.is_symbol("{")) {
            m_items.push_back({block, m_lexer.peek().at});
        } else {
            m_lexer.fail_here("\"{\"");
        }
        skip_item();
    }
}

Block TsdlReader::take_block_name()
{
    for (const auto& [name, block] : block_names) {
        if (m_lexer.take_word(name)) {
            return block;
        }
    }
    return Block::Declaration;
}

/// To behind the semicolon that is outside all braces.
void TsdlReader::skip_item()
{
    std::size_t depth = 0;
    while (true) {
        const Token token = m_lexer.peek();
        if (token.kind == TokenKind::End) {
            m_lexer.fail_here(depth > 0 ? "\"}\"" : "\";\"");
            return;
        }
        if (depth == 0 && m_lexer.is_symbol("}")) {
            m_lexer.fail_here("\";\"");
            return;
        }
        m_lexer.take();
        if (token.kind != TokenKind::Symbol) {
            continue;
        }
        if (token.text == ";" && depth == 0) {
            return;
        }
        depth += token.text == "{" ? 1 : 0;
        depth -= token.text == "}" ? 1 : 0;
    }
}

/// Of the trace block, whose types cannot be read before it is known.
void TsdlReader::find_byte_order()
{
    std::size_t traces = 0;
    for_each(Block::Trace, [&] {
        const std::size_t at = m_lexer.peek().at;
        if (++traces > 1) {
            m_lexer.fail(at, "one trace block");
        }
        scan_for_byte_order();
        if (!m_byte_order) {
            m_lexer.fail(at, "a trace block with a byte_order");
        }
    });
    if (traces == 0) {
        m_lexer.fail_here("a trace block");
    }
}

void TsdlReader::scan_for_byte_order()
{
    std::size_t depth = 0;
    do {
        const bool is_byte_order = depth == 1 && m_lexer.is_word("byte_order");
        const Token token = m_lexer.take();
        if (is_byte_order && m_lexer.take_symbol("=")) {
            const TsdlValue value = read_value(m_lexer);
            const bool is_big = value.text == "be" || value.text == "network";
            if (!is_big && value.text != "le") {
                m_lexer.fail(value.at, "a byte order: le, be or network");
            }
            m_byte_order = is_big ? ByteOrder::Big : ByteOrder::Little;
        } else if (token.kind == TokenKind::Symbol) {
            depth += token.text == "{" ? 1 : 0;
            depth -= token.text == "}" ? 1 : 0;
        }
    } while (depth > 0 && m_lexer.peek().kind != TokenKind::End);
}

template <typename Read> void TsdlReader::for_each(Block block, const Read& read)
{
    for (const Item& item : m_items) {
        if (item.block == block && !m_lexer.failed()) {
            m_lexer.seek(item.at);
            read();
        }
    }
}

} // namespace

Expected<SchemaDraft> read_tsdl(std::string_view text)
{
    return TsdlReader{text}.read();
}

} // namespace lttng_gpu::trace::ctf
