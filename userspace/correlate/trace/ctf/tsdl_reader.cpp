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
    explicit TsdlReader(std::string_view text) : x_lexer(text), x_blocks(x_lexer, x_draft) {}

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

    TsdlLexer x_lexer;
    SchemaDraft x_draft;
    TsdlBlocks x_blocks;
    std::vector<Item> x_items;
    std::optional<ByteOrder> x_byte_order;
};

Expected<SchemaDraft> TsdlReader::read()
{
    find_items();
    find_byte_order();
    for_each(Block::Env, [&] { x_blocks.read_env(); });
    for_each(Block::Clock, [&] { x_blocks.read_clock(); });
    TsdlTypeParser types{x_lexer, x_byte_order.value_or(ByteOrder::Little), x_draft.clocks,
                         x_draft.environment};
    for_each(Block::Declaration, [&] { types.read_root_declaration(); });
    const auto read_each = [&](Block block, auto member) {
        for_each(block, [&] {
            const TsdlScope scope{types.types()};
            (x_blocks.*member)(types);
        });
    };
    read_each(Block::Trace, &TsdlBlocks::read_trace);
    read_each(Block::Stream, &TsdlBlocks::read_stream);
    read_each(Block::Event, &TsdlBlocks::read_event);
    if (x_lexer.failed()) {
        return Failure{*x_lexer.error()};
    }
    return std::move(x_draft);
}

/// Where blocks and declarations begin; goes over what is inside.
void TsdlReader::find_items()
{
    while (x_lexer.peek().kind != TokenKind::End) {
        const std::size_t at = x_lexer.peek().at;
        const Block block = take_block_name();
        if (block == Block::Declaration) {
            x_items.push_back({block, at});
        } else if (x_lexer.is_symbol("{")) {
            x_items.push_back({block, x_lexer.peek().at});
        } else {
            x_lexer.fail_here("\"{\"");
        }
        skip_item();
    }
}

Block TsdlReader::take_block_name()
{
    for (const auto& [name, block] : block_names) {
        if (x_lexer.take_word(name)) {
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
        const Token token = x_lexer.peek();
        if (token.kind == TokenKind::End) {
            x_lexer.fail_here(depth > 0 ? "\"}\"" : "\";\"");
            return;
        }
        if (depth == 0 && x_lexer.is_symbol("}")) {
            x_lexer.fail_here("\";\"");
            return;
        }
        x_lexer.take();
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
        const std::size_t at = x_lexer.peek().at;
        if (++traces > 1) {
            x_lexer.fail(at, "one trace block");
        }
        scan_for_byte_order();
        if (!x_byte_order) {
            x_lexer.fail(at, "a trace block with a byte_order");
        }
    });
    if (traces == 0) {
        x_lexer.fail_here("a trace block");
    }
}

void TsdlReader::scan_for_byte_order()
{
    std::size_t depth = 0;
    do {
        const bool is_byte_order = depth == 1 && x_lexer.is_word("byte_order");
        const Token token = x_lexer.take();
        if (is_byte_order && x_lexer.take_symbol("=")) {
            const TsdlValue value = read_value(x_lexer);
            const bool is_big = value.text == "be" || value.text == "network";
            if (!is_big && value.text != "le") {
                x_lexer.fail(value.at, "a byte order: le, be or network");
            }
            x_byte_order = is_big ? ByteOrder::Big : ByteOrder::Little;
        } else if (token.kind == TokenKind::Symbol) {
            depth += token.text == "{" ? 1 : 0;
            depth -= token.text == "}" ? 1 : 0;
        }
    } while (depth > 0 && x_lexer.peek().kind != TokenKind::End);
}

template <typename Read> void TsdlReader::for_each(Block block, const Read& read)
{
    for (const Item& item : x_items) {
        if (item.block == block && !x_lexer.failed()) {
            x_lexer.seek(item.at);
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
