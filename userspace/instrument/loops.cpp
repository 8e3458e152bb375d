// SPDX-License-Identifier: MIT
//
// See loops.hpp.
#include "loops.hpp"

namespace lttng_gpu::instrument {
namespace {

/// Calls within calls; OpenCL C has no recursion.
constexpr unsigned most_depth = 16;

bool has_no_points(const Program& program, Points points, CXCursor code, unsigned depth);

bool calls_without_points(const Program& program, Points points, CXCursor call, unsigned depth)
{
    const CXCursor called = libclang.getCursorReferenced(call);
    if (libclang.Cursor_isNull(called) != 0 || !program.is_in_file(called)) {
        return !(wants(points, Kind::Barrier) && is_barrier(spelling(call)));
    }
    const CXCursor definition = libclang.getCursorDefinition(called);
    return libclang.Cursor_isNull(definition) == 0 && depth < most_depth &&
           !wants(points, Kind::Function) && !wants(points, Kind::Return) &&
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

bool is_plain_loop(const Program& program, Points points, CXCursor loop)
{
    return has_no_points(program, points, loop, 0);
}

} // namespace lttng_gpu::instrument
