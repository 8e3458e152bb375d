// SPDX-License-Identifier: MIT
//
// Reads a .layout file. One statement a line, '#' begins a comment:
//   module NAME | kernel                    whose BTF is meant
//   tracepoint NAME (ARGUMENTS) [needs GROUP...]
//   recreated NAME from FUNCTION (ARGUMENTS) [needs GROUP...]
//                                           an event made by a kprobe, unless there is a tracepoint
//           or (ARGUMENTS)                  another accepted prototype of the statement above
//   function NAME (ARGUMENTS)               as much needed as its group
//   group NAME                              what follows; "optional" (as before the first group) is
//                                           needed by none, the probe asks whether it is there
//   field STRUCT.PATH[|PATH...] [as NAME] : TYPE
//   size STRUCT
//   constant ENUMERATOR
#include "layout_spec.hpp"

#include <regex>
#include <stdexcept>

namespace lttng_gpu::layout {
namespace {

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        if (end > begin)
            parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

Field make_field(const std::smatch& match, const std::string& group)
{
    Field field{match[1], split(match[2], '|'), match[3], match[4], group};
    if (field.name.empty())
        field.name = std::regex_replace(field.paths.front(), std::regex("\\."), "_");
    return field;
}

} // namespace

Spec read_spec(std::istream& text)
{
    static const std::regex module_line(R"(module (\S+))");
    static const std::regex callable_line(
        R"((tracepoint|function)\s+(\w+)\s*(\([^)]*\))(?:\s+needs\s+(.*\S))?\s*)");
    static const std::regex recreated_line(
        R"(recreated\s+(\w+)\s+from\s+(\w+)\s*(\([^)]*\))(?:\s+needs\s+(.*\S))?\s*)");
    static const std::regex or_line(R"(\s+or\s+(\([^)]*\))\s*)");
    static const std::regex group_line(R"(group (\w+))");
    static const std::regex field_line(
        R"(field (\w+)\.([\w.|]+)(?:\s+as\s+(\w+))?\s*:\s*(.*\S)\s*)");

    static const std::regex number_line(R"((size|constant)\s+(\w+)\s*)");

    Spec spec;
    std::vector<std::string>* prototypes = nullptr; // those of the last callable
    std::string line;
    std::string group = "optional";
    for (int number = 1; std::getline(text, line); ++number) {
        std::smatch match;
        if (line.find_first_not_of(" \t") == std::string::npos || line[0] == '#' ||
            line == "kernel")
            continue;
        if (std::regex_match(line, match, module_line))
            spec.module = match[1];
        else if (std::regex_match(line, match, callable_line)) {
            auto& callables = match[1] == "tracepoint" ? spec.tracepoints : spec.functions;
            callables.push_back({match[2], {match[3]}, split(match[4], ' '), group});
            prototypes = &callables.back().prototypes;
        } else if (std::regex_match(line, match, recreated_line)) {
            spec.recreated.push_back(
                {match[1], {match[2], {match[3]}, split(match[4], ' '), group}});
            prototypes = &spec.recreated.back().function.prototypes;
        } else if (std::regex_match(line, match, or_line) && prototypes)
            prototypes->push_back(match[1]);
        else if (std::regex_match(line, match, number_line))
            spec.numbers.push_back(
                {match[1] == "size" ? Number::size : Number::constant, match[2], group});
        else if (std::regex_match(line, match, group_line))
            spec.groups.insert(group = match[1]);
        else if (std::regex_match(line, match, field_line))
            spec.fields.push_back(make_field(match, group));
        else
            throw std::runtime_error("line " + std::to_string(number) +
                                     ": not understood: " + line);
    }
    return spec;
}

} // namespace lttng_gpu::layout
