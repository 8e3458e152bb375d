// SPDX-License-Identifier: MIT
//
// See instrumentation.hpp.
#include "instrumentation.hpp"

#include "statements.hpp"

#include <algorithm>
#include <fnmatch.h>

namespace lttng_gpu::instrument {
namespace {

constexpr const char* kernel_parameter =
    "__global uint *lttng_gpu_buffer, __local uint *lttng_gpu_local";
constexpr const char* function_parameter = "__private lttng_gpu_recorder *lttng_gpu_r";

bool is_chosen(const Choice& choice, const std::string& kernel)
{
    return choice.kernels.empty() ||
           std::any_of(choice.kernels.begin(), choice.kernels.end(), [&](const auto& pattern) {
               return fnmatch(pattern.c_str(), kernel.c_str(), 0) == 0;
           });
}

/// Each of a program's variables would be there twice, once in the program as it is.
bool has_variables(const Program& program)
{
    for (const CXCursor& cursor : children(program.root())) {
        if (libclang.getCursorKind(cursor) != CXCursor_VarDecl || !program.is_in_file(cursor)) {
            continue;
        }
        const CXType type = libclang.getCursorType(cursor);
        // 2 is the number of the address space __constant for targets that have none of their own;
        // for SPIR it is 2, too.
        if (libclang.isConstQualifiedType(type) == 0 && libclang.getAddressSpace(type) != 2) {
            return true;
        }
    }
    return false;
}

CXCursor body_of(const Function& function)
{
    const auto parts = children(function.definition);
    for (const CXCursor& part : parts) {
        if (libclang.getCursorKind(part) == CXCursor_CompoundStmt) {
            return part;
        }
    }
    return libclang.getNullCursor();
}

/// `open` is of a pair of parentheses; what is put in follows what is there.
void add_last(const Program& program, Edits& edits, std::size_t open, std::size_t close,
              const std::string& text)
{
    const SourceText& source = program.text();
    const std::size_t first = source.skip_space(open + 1);
    const bool is_void = source.word(first) == "void" && source.is_blank(first + 4, close);
    if (is_void) {
        // `void` cannot be taken out by putting in: it becomes the first of two words of a comment.
        edits.insert(first, "/* ");
        edits.insert(first + 4, " */ " + text);
        return;
    }
    edits.insert(close, (first >= close ? "" : ", ") + text);
}

void add_parameter(const Program& program, Edits& edits, const Function& function)
{
    for (const CXCursor& declaration : function.declarations) {
        const std::size_t name = *program.place(declaration);
        const std::size_t open = program.text().skip_space(name + function.name.size());
        add_last(program, edits, open, *program.text().closing(open),
                 function.is_kernel ? kernel_parameter : function_parameter);
    }
}

void add_argument(const Program& program, Edits& edits, const Function& function)
{
    for (const CXCursor& call : function.calls) {
        const auto extent = program.extent(call);
        const std::size_t open = program.text().skip_space(extent->begin + function.name.size());
        add_last(program, edits, open, extent->end - 1, "lttng_gpu_r");
    }
}

/// Functions that get the recorder: those whose callers all have it, from the kernels down.
void drop_unreachable(std::map<std::string, Function>& functions, std::set<std::string>& changed)
{
    for (bool is_stable = false; !is_stable;) {
        is_stable = true;
        for (auto name = changed.begin(); name != changed.end();) {
            const Function& function = functions.at(*name);
            const bool has_all =
                function.is_kernel ||
                (!function.callers.empty() &&
                 std::all_of(function.callers.begin(), function.callers.end(),
                             [&](const auto& caller) { return changed.count(caller) != 0; }));
            is_stable &= has_all;
            name = has_all ? std::next(name) : changed.erase(name);
        }
    }
}

std::set<std::string> choose(const Program& program, const Choice& choice,
                             std::map<std::string, Function>& functions, Instrumented& result)
{
    std::set<std::string> changed;
    for (auto& [name, function] : functions) {
        if (function.is_kernel && !is_chosen(choice, name)) {
            continue;
        }
        Edits unused;
        Instrumented none;
        if (function.obstacle.empty() &&
            !Body{program, choice, function, none, unused}.instrument(body_of(function))) {
            function.obstacle = "in_macro";
        }
        if (function.obstacle.empty()) {
            changed.insert(name);
        } else {
            result.left.push_back({function.obstacle, name});
        }
    }
    drop_unreachable(functions, changed);
    return changed;
}

} // namespace

std::string Edits::applied_to(const std::string& text) const
{
    std::string edited;
    std::size_t from = 0;
    for (const auto& [offset, insertion] : m_insertions) {
        edited += text.substr(from, offset - from) + insertion;
        from = offset;
    }
    return edited + text.substr(from);
}

Instrumented instrument(const Program& program, const Choice& choice)
{
    Instrumented result;
    if (has_variables(program)) {
        result.left.push_back({"program_variables", ""});
        return result;
    }
    auto functions = find_functions(program);
    const std::set<std::string> changed = choose(program, choice, functions, result);
    Edits edits;
    for (const std::string& name : changed) {
        const Function& function = functions.at(name);
        add_parameter(program, edits, function);
        if (function.is_kernel) {
            result.kernels.push_back(name);
        } else {
            add_argument(program, edits, function);
        }
        Body{program, choice, function, result, edits}.instrument(body_of(function));
    }
    if (!result.kernels.empty()) {
        result.text = edits.applied_to(program.text().text());
    }
    return result;
}

} // namespace lttng_gpu::instrument
