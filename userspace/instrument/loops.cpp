// SPDX-License-Identifier: MIT
//
// See loops.hpp.
#include "loops.hpp"

namespace lttng_gpu::instrument {
namespace {

/// Calls within calls; OpenCL C has no recursion.
constexpr unsigned most_depth = 16;
/// Of the recorder's words, beside the 1 with which a path begins.
constexpr unsigned bits_of_path = 30;
constexpr unsigned most_bits_of_pass = 15;

bool has_no_points(const Program& program, Points points, CXCursor code, unsigned depth);

/// Null: it is the language's own.
CXCursor definition_of(CXCursor call)
{
    const CXCursor called = libclang.getCursorReferenced(call);
    return libclang.Cursor_isNull(called) != 0 ? called : libclang.getCursorDefinition(called);
}

bool calls_without_points(const Program& program, Points points, CXCursor call, unsigned depth)
{
    const CXCursor definition = definition_of(call);
    if (libclang.Cursor_isNull(definition) != 0) {
        return !(wants(points, Kind::Barrier) && is_barrier(spelling(call))); // the language's own
    }
    return depth < most_depth && !wants(points, Kind::Function) && !wants(points, Kind::Return) &&
           has_no_points(program, points, definition, depth + 1);
}

bool has_no_points(const Program& program, Points points, CXCursor code, unsigned depth)
{
    const auto extent = program.extent(code);
    bool has_none = extent && program.placed_points(*extent).empty();
    walk(code, [&](CXCursor cursor, CXCursor) {
        switch (libclang.getCursorKind(cursor)) {
        case CXCursor_IfStmt:
            has_none &= !wants(points, Kind::Branch);
            break;
        case CXCursor_ForStmt:
        case CXCursor_WhileStmt:
        case CXCursor_DoStmt:
            has_none &= !wants(points, Kind::Loop);
            break;
        case CXCursor_CaseStmt:
        case CXCursor_DefaultStmt:
            has_none &= !wants(points, Kind::Case);
            break;
        case CXCursor_LabelStmt:
        case CXCursor_GotoStmt:
            has_none = false;
            break;
        case CXCursor_ReturnStmt:
            has_none &= depth > 0;
            break;
        case CXCursor_CallExpr:
            has_none &= calls_without_points(program, points, cursor, depth);
            break;
        default:
            break;
        }
    });
    return has_none;
}

/// Functions of the language that wait for nobody, and those of the program of which that is known.
bool calls_what_waits(CXCursor call)
{
    const std::string name = spelling(call);
    for (const char* part : {"atom", "fence", "wait", "pipe", "asm"}) {
        if (name.empty() || name.find(part) != std::string::npos) {
            return true;
        }
    }
    const CXCursor definition = definition_of(call);
    return libclang.Cursor_isNull(definition) == 0 && may_wait(definition);
}

} // namespace

bool wants(Points points, Kind kind)
{
    if (kind == Kind::Entry || kind == Kind::Point || points == Points::All) {
        return true;
    }
    switch (points) {
    case Points::Loops:
        return kind == Kind::Loop;
    case Points::Branches:
        return kind == Kind::Loop || kind == Kind::Branch || kind == Kind::Case;
    case Points::Functions:
        return kind == Kind::Function;
    case Points::All:
    case Points::Placed:
        break;
    }
    return false;
}

bool is_barrier(const std::string& name)
{
    return name == "barrier" || name == "work_group_barrier" || name == "sub_group_barrier";
}

bool may_wait(CXCursor code)
{
    bool may = false;
    walk(code, [&](CXCursor cursor, CXCursor) {
        const CXType type = libclang.getCursorType(cursor);
        may |= libclang.isVolatileQualifiedType(type) != 0 ||
               libclang.isVolatileQualifiedType(libclang.getPointeeType(type)) != 0;
        switch (libclang.getCursorKind(cursor)) {
        case CXCursor_GCCAsmStmt:
            may = true;
            break;
        case CXCursor_CallExpr:
            may |= calls_what_waits(cursor);
            break;
        default:
            break;
        }
    });
    return may;
}

bool is_left_at_its_end(CXCursor statement)
{
    bool is = true;
    walk(statement, [&](CXCursor cursor, CXCursor) {
        switch (libclang.getCursorKind(cursor)) {
        case CXCursor_ReturnStmt:
        case CXCursor_BreakStmt:
        case CXCursor_ContinueStmt:
        case CXCursor_GotoStmt:
        case CXCursor_LabelStmt:
            is = false;
            break;
        default:
            break;
        }
    });
    return is;
}

std::optional<PathLoop> as_path_loop(const Program& program, Points points, CXCursor loop)
{
    const auto extent = program.extent(loop);
    unsigned bits = 0;
    bool can_be = wants(points, Kind::Branch) && extent && program.placed_points(*extent).empty();
    walk(loop, [&](CXCursor cursor, CXCursor) {
        switch (libclang.getCursorKind(cursor)) {
        case CXCursor_IfStmt:
            bits += static_cast<unsigned>(children(cursor).size()) - 1;
            break;
        case CXCursor_ForStmt:
        case CXCursor_WhileStmt:
        case CXCursor_DoStmt:
        case CXCursor_SwitchStmt:
        case CXCursor_LabelStmt:
        case CXCursor_GotoStmt:
        case CXCursor_ReturnStmt:
            can_be = false;
            break;
        case CXCursor_CallExpr:
            can_be &= calls_without_points(program, points, cursor, 0);
            break;
        default:
            break;
        }
    });
    return can_be && bits > 0 && bits <= most_bits_of_pass
               ? std::optional{PathLoop{bits, bits_of_path / bits}}
               : std::nullopt;
}

bool is_plain_loop(const Program& program, Points points, CXCursor loop)
{
    return has_no_points(program, points, loop, 0);
}

} // namespace lttng_gpu::instrument
