// SPDX-License-Identifier: MIT
//
// Which functions a program has, who calls them, and which of them can get one parameter more.
#include "instrumentation.hpp"

namespace lttng_gpu::instrument {
namespace {

bool is_kernel(CXCursor function)
{
    bool found = false;
    for (const CXCursor& child : children(function)) {
        // libclang has no kind of its own for the attribute.
        if (libclang.isAttribute(libclang.getCursorKind(child)) != 0) {
            found |= spelling(child) == "kernel";
        }
    }
    return found;
}

/// The words before the name: `kernel` and `__kernel` are attributes that libclang 14 does not
/// show.
bool begins_with_kernel(const Program& program, CXCursor function)
{
    const auto extent = program.extent(function);
    const auto name = program.place(function);
    if (!extent || !name) {
        return false;
    }
    const SourceText& text = program.text();
    for (std::size_t at = text.skip_space(extent->begin); at < *name;) {
        const std::string word = text.word(at);
        if (word == "kernel" || word == "__kernel") {
            return true;
        }
        at = text.skip_space(at + std::max<std::size_t>(word.size(), 1));
    }
    return false;
}

/// The parenthesis that ends a declaration's parameters.
std::optional<std::size_t> end_of_parameters(const Program& program, CXCursor declaration)
{
    const auto name = program.place(declaration);
    if (!name) {
        return {};
    }
    const std::size_t open = program.text().skip_space(*name + spelling(declaration).size());
    return program.text().at(open) == '(' ? program.text().closing(open) : std::nullopt;
}

bool can_change_call(const Program& program, CXCursor call)
{
    const auto extent = program.extent(call);
    return extent && program.text().at(extent->end - 1) == ')';
}

std::string obstacle_of(const Program& program, const Function& function)
{
    unsigned definitions = 0;
    for (const CXCursor& declaration : function.declarations) {
        if (!program.extent(declaration) || !end_of_parameters(program, declaration)) {
            return "in_macro";
        }
        definitions += libclang.isCursorDefinition(declaration) != 0 ? 1 : 0;
    }
    if (definitions > 1) {
        return "overloaded";
    }
    if (function.is_kernel && !function.calls.empty()) {
        return "called_kernel";
    }
    for (const CXCursor& call : function.calls) {
        if (!can_change_call(program, call)) {
            return "called_in_macro";
        }
    }
    return {};
}

void note_calls(const Program& program, std::map<std::string, Function>& functions)
{
    for (auto& [caller, function] : functions) {
        if (libclang.Cursor_isNull(function.definition) != 0) {
            continue;
        }
        walk(function.definition, [&, caller = caller](CXCursor cursor, CXCursor) {
            if (libclang.getCursorKind(cursor) != CXCursor_CallExpr) {
                return;
            }
            const auto called = functions.find(spelling(cursor));
            if (called != functions.end()) {
                called->second.calls.push_back(cursor);
                called->second.callers.insert(caller);
            }
        });
    }
    for (auto& [name, function] : functions) {
        function.obstacle = obstacle_of(program, function);
    }
}

} // namespace

std::map<std::string, Function> find_functions(const Program& program)
{
    std::map<std::string, Function> functions;
    for (const CXCursor& cursor : children(program.root())) {
        if (libclang.getCursorKind(cursor) != CXCursor_FunctionDecl ||
            !program.is_in_file(cursor)) {
            continue;
        }
        Function& function = functions[spelling(cursor)];
        function.name = spelling(cursor);
        function.declarations.push_back(cursor);
        function.is_kernel |= is_kernel(cursor) || begins_with_kernel(program, cursor);
        if (libclang.isCursorDefinition(cursor) != 0) {
            function.definition = cursor;
        }
    }
    for (auto function = functions.begin(); function != functions.end();) {
        const bool is_defined = libclang.Cursor_isNull(function->second.definition) == 0;
        function = is_defined ? std::next(function) : functions.erase(function);
    }
    note_calls(program, functions);
    return functions;
}

} // namespace lttng_gpu::instrument
