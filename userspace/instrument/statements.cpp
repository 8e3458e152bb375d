// SPDX-License-Identifier: MIT
//
// See statements.hpp.
#include "statements.hpp"

namespace lttng_gpu::instrument {
namespace {

constexpr unsigned most_locations = 4094; // 4095 is the recorder's end

bool is_barrier(const std::string& name)
{
    return name == "barrier" || name == "work_group_barrier" || name == "sub_group_barrier";
}

bool is_statement(CXCursor cursor)
{
    return libclang.isStatement(libclang.getCursorKind(cursor)) != 0;
}

/// The statement that ends where this one does; the same one if none is in it.
std::optional<CXCursor> last_part(CXCursor statement)
{
    switch (libclang.getCursorKind(statement)) {
    case CXCursor_IfStmt:
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_SwitchStmt:
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt:
    case CXCursor_UnexposedStmt: {
        const auto parts = children(statement);
        return parts.empty() ? std::nullopt : std::optional{parts.back()};
    }
    default:
        return {};
    }
}

} // namespace

const char* name_of(Kind kind)
{
    switch (kind) {
    case Kind::Entry:
        return "entry";
    case Kind::Branch:
        return "branch";
    case Kind::Loop:
        return "loop";
    case Kind::Case:
        return "case";
    case Kind::Label:
        return "label";
    case Kind::Barrier:
        return "barrier";
    case Kind::Return:
        return "return";
    case Kind::Function:
        return "function";
    }
    return "";
}

bool Body::wants(Kind kind) const
{
    if (kind == Kind::Entry || x_points == Points::All) {
        return true;
    }
    switch (x_points) {
    case Points::Loops:
        return kind == Kind::Loop;
    case Points::Branches:
        return kind == Kind::Loop || kind == Kind::Branch || kind == Kind::Case;
    case Points::Functions:
        return kind == Kind::Function;
    case Points::All:
        break;
    }
    return true;
}

void Body::leave(const char* reason, CXCursor place)
{
    x_result.left.push_back(
        {reason, x_function.name + ":" + std::to_string(x_program.place_of(place).line)});
}

std::string Body::point(Kind kind, CXCursor place)
{
    if (x_result.locations.size() >= most_locations) {
        leave("too_many_points", place);
        return {};
    }
    const auto number = static_cast<unsigned>(x_result.locations.size());
    const auto [line, column] = x_program.place_of(place);
    x_result.locations.push_back({number, kind, x_function.name, line, column});
    return "lttng_gpu_point(lttng_gpu_r, " + std::to_string(number) + "u); ";
}

std::optional<std::size_t> Body::end_of(CXCursor statement) const
{
    if (libclang.getCursorKind(statement) == CXCursor_CompoundStmt) {
        const auto extent = x_program.extent(statement);
        const bool is_plain = extent && x_program.text().at(extent->end - 1) == '}';
        return is_plain ? std::optional{extent->end} : std::nullopt;
    }
    if (const auto part = last_part(statement)) {
        return end_of(*part);
    }
    const auto extent = x_program.extent(statement);
    if (!extent) {
        return {};
    }
    const SourceText& text = x_program.text();
    const CXCursorKind kind = libclang.getCursorKind(statement);
    if ((kind == CXCursor_NullStmt || kind == CXCursor_DeclStmt) &&
        text.at(extent->end - 1) == ';') {
        return extent->end;
    }
    const std::size_t semicolon = text.skip_space(extent->end);
    return text.at(semicolon) == ';' ? std::optional{semicolon + 1} : std::nullopt;
}

void Body::enter(CXCursor statement, Kind kind, CXCursor place)
{
    const auto extent = x_program.extent(statement);
    const auto end = extent ? end_of(statement) : std::nullopt;
    if (!end) {
        if (wants(kind)) {
            leave("point_in_macro", place);
        }
        return;
    }
    const bool is_compound = libclang.getCursorKind(statement) == CXCursor_CompoundStmt;
    if (is_compound && x_program.text().at(extent->begin) != '{') {
        leave("point_in_macro", place);
        return;
    }
    const std::string call = wants(kind) ? point(kind, place) : std::string{};
    if (is_compound) {
        x_edits.insert(extent->begin + 1, call.empty() ? "" : " " + call);
    } else {
        x_edits.insert(extent->begin, "{ " + call);
    }
    visit(statement, libclang.getNullCursor());
    if (!is_compound) {
        x_edits.insert(*end, " }");
    }
}

void Body::visit_if(CXCursor statement)
{
    const auto parts = children(statement);
    for (std::size_t number = 1; number < parts.size(); ++number) {
        enter(parts[number], Kind::Branch, parts[number]);
    }
}

/// A point takes the label's statement's place, and that one follows it: only where statements
/// follow one another.
void Body::visit_switched(CXCursor statement, CXCursor parent)
{
    const auto parts = children(statement);
    if (parts.empty()) {
        return;
    }
    const CXCursorKind kind = libclang.getCursorKind(statement);
    const bool is_label = kind == CXCursor_LabelStmt;
    const Kind point_kind = is_label ? Kind::Label : Kind::Case;
    const auto extent = x_program.extent(statement);
    const auto own = x_program.extent(parts.back());
    const bool is_in_row = libclang.getCursorKind(parent) == CXCursor_CompoundStmt;
    if (wants(point_kind)) {
        if (extent && own && is_in_row) {
            x_edits.insert(own->begin, point(point_kind, statement));
        } else {
            leave("point_in_macro", statement);
        }
    }
    visit(parts.back(), parent);
}

void Body::before_return(CXCursor statement)
{
    const auto extent = x_program.extent(statement);
    const auto end = extent ? end_of(statement) : std::nullopt;
    if (!end) {
        return;
    }
    std::string before = wants(Kind::Return) ? point(Kind::Return, statement) : std::string{};
    if (x_function.is_kernel) {
        before += "lttng_gpu_end(lttng_gpu_r); ";
    }
    if (!before.empty()) {
        x_edits.insert(extent->begin, "{ " + before);
        x_edits.insert(*end, " }");
    }
}

void Body::before_barrier(CXCursor call, CXCursor parent)
{
    const auto extent = x_program.extent(call);
    if (!wants(Kind::Barrier) || !is_barrier(spelling(call))) {
        return;
    }
    if (!extent) {
        leave("point_in_macro", call);
    } else if (libclang.getCursorKind(parent) != CXCursor_CompoundStmt) {
        leave("point_in_expression", call);
    } else {
        x_edits.insert(extent->begin, point(Kind::Barrier, call));
    }
}

void Body::visit(CXCursor statement, CXCursor parent)
{
    const auto parts = children(statement);
    switch (libclang.getCursorKind(statement)) {
    case CXCursor_IfStmt:
        visit_if(statement);
        return;
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
        if (!parts.empty()) {
            enter(parts.back(), Kind::Loop, statement);
        }
        return;
    case CXCursor_DoStmt:
        if (!parts.empty()) {
            enter(parts.front(), Kind::Loop, statement);
        }
        return;
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt:
        visit_switched(statement, parent);
        return;
    case CXCursor_ReturnStmt:
        before_return(statement);
        return;
    case CXCursor_CallExpr:
        before_barrier(statement, parent);
        return;
    default:
        break;
    }
    for (const CXCursor& part : parts) {
        if (is_statement(part) || libclang.getCursorKind(part) == CXCursor_CallExpr) {
            visit(part, statement);
        }
    }
}

bool Body::can_end(CXCursor compound) const
{
    bool can = true;
    walk(compound, [&](CXCursor cursor, CXCursor) {
        if (libclang.getCursorKind(cursor) == CXCursor_ReturnStmt) {
            can &= x_program.extent(cursor) && end_of(cursor);
        }
    });
    return can;
}

bool Body::instrument(CXCursor compound)
{
    const auto extent = x_program.extent(compound);
    const SourceText& text = x_program.text();
    if (!extent || text.at(extent->begin) != '{' || text.at(extent->end - 1) != '}' ||
        (x_function.is_kernel && !can_end(compound))) {
        return false;
    }
    std::string begin;
    if (x_function.is_kernel) {
        begin = " __local uint lttng_gpu_cursors[LTTNG_GPU_LOCAL_WORDS]; lttng_gpu_recorder "
                "lttng_gpu_own; "
                "__private lttng_gpu_recorder *lttng_gpu_r = &lttng_gpu_own; "
                "lttng_gpu_begin(lttng_gpu_r, lttng_gpu_cursors, lttng_gpu_buffer); " +
                point(Kind::Entry, x_function.definition);
    } else if (wants(Kind::Function)) {
        begin = " " + point(Kind::Function, x_function.definition);
    }
    x_edits.insert(extent->begin + 1, begin);
    visit(compound, libclang.getNullCursor());
    if (x_function.is_kernel) {
        x_edits.insert(extent->end - 1, " lttng_gpu_end(lttng_gpu_r); ");
    }
    return true;
}

} // namespace lttng_gpu::instrument
