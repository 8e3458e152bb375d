// SPDX-License-Identifier: MIT
//
// Reads a recipe. One statement a line, '#' begins a comment:
//   module NAME | kernel               whose tracepoints and types; what it lacks, the kernel has
//   fire TRACEPOINT [as LTTNG_EVENT]   begins an event; one tracepoint may be fired in several ways
//   recreated                          where the kernel lacks the tracepoint, the probe may still
//                                      offer the event (from a kprobe), which is not tested here
//   args NAME...                       names of the arguments; another such line is for a prototype
//                                      with another number of them
//   PATH = NUMBER | "text" | null | symbol [MODULE:]NAME
//   PATH = &STRUCT[.member] [* COUNT]  a pointer into fresh objects
//   PATH = &NAME[.path]                a pointer to what exists
//   PATH                               a pointer to a fresh object of its own type (text for char)
//   within PATH STRUCT NAME            names the object that the pointer leads into, or that the
//                                      path lies in
//   expect FIELD = PATH | NUMBER | "text" | &NAME[.path]
//   renamed KERNEL_FIELD FIELD REASON
//   omit KERNEL_FIELD REASON
// PATH is ARG or NAME and members with '.', array elements with [N]; it goes through pointers, and
// creates what they lack. Before a statement of an event may stand:
//   ?                                  skip it when this kernel has no such member or structure
//   if WHAT / unless WHAT              WHAT is a type, a function or STRUCT.member of this kernel
// What is not set is random; bools are 0 or 1.
#include "recipe.hpp"

#include <regex>
#include <stdexcept>

namespace lttng_gpu::firing {
namespace {

const std::string path_pattern = R"(\w+(?:\.\w+|\[\d+\])*)";

std::string without_comment(const std::string& line)
{
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"')
            quoted = !quoted;
        else if (line[i] == '#' && !quoted)
            return line.substr(0, i);
    }
    return line;
}

std::string trim(const std::string& text)
{
    const auto begin = text.find_first_not_of(" \t");
    return begin == std::string::npos
               ? std::string()
               : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<std::string> split(const std::string& text)
{
    static const std::regex word(R"(\S+)");
    return {std::sregex_token_iterator(text.begin(), text.end(), word), {}};
}

Value read_value(const std::string& text)
{
    static const std::regex number(R"(-?(?:0[xX][0-9a-fA-F]+|\d+))");
    static const std::regex quoted(R"re("([^"]*)")re");
    static const std::regex symbol(R"(symbol\s+([\w.:]+))");
    static const std::regex address("&(" + path_pattern + R"()(?:\s*\*\s*(\d+))?)");
    static const std::regex path(path_pattern);

    std::smatch match;
    Value value;
    if (text == "null") {
        value.kind = Value::null;
    } else if (std::regex_match(text, number)) {
        value.kind = Value::number;
        value.digits = text;
    } else if (std::regex_match(text, match, quoted)) {
        value.kind = Value::text;
        value.words = match[1];
    } else if (std::regex_match(text, match, symbol)) {
        value.kind = Value::symbol;
        value.words = match[1];
    } else if (std::regex_match(text, match, address)) {
        value.kind = Value::address;
        value.words = match[1];
        if (match[2].matched)
            value.count = static_cast<unsigned>(std::stoul(match[2]));
    } else if (std::regex_match(text, path)) {
        value.kind = Value::content;
        value.words = text;
    } else {
        throw std::runtime_error("not a value: " + text);
    }
    return value;
}

void read_prefixes(std::string& line, Statement& statement)
{
    static const std::regex condition(R"((if|unless)\s+([\w.]+)\s+(.*))");
    std::smatch match;
    if (std::regex_match(line, match, condition)) {
        statement.condition_negated = match[1] == "unless";
        statement.condition = match[2];
        line = std::string(match[3]);
    }
    if (line.front() == '?') {
        statement.optional = true;
        line = trim(line.substr(1));
    }
}

Statement read_statement(std::string line)
{
    static const std::regex within("within\\s+(" + path_pattern + R"()\s+(\w+)\s+(\w+))");
    static const std::regex expect(R"(expect\s+(\w+)\s*=\s*(.+))");
    static const std::regex renamed(R"(renamed\s+(\w+)\s+(\w+)\s+(.+))");
    static const std::regex omit(R"(omit\s+(\w+)\s+(.+))");
    static const std::regex assign("(" + path_pattern + R"()(?:\s*=\s*(.+))?)");

    Statement statement;
    read_prefixes(line, statement);
    std::smatch match;
    if (std::regex_match(line, match, within)) {
        statement.kind = Statement::within;
        statement.path = match[1];
        statement.structure = match[2];
        statement.name = match[3];
    } else if (std::regex_match(line, match, expect)) {
        statement.kind = Statement::expect;
        statement.path = match[1];
        statement.value = read_value(match[2]);
        if (statement.value.kind == Value::null || statement.value.count != 1)
            throw std::runtime_error("nothing that a field can have: " + std::string(match[2]));
    } else if (std::regex_match(line, match, renamed)) {
        statement.kind = Statement::renamed;
        statement.path = match[1];
        statement.name = match[2];
        statement.reason = match[3];
    } else if (std::regex_match(line, match, omit)) {
        statement.kind = Statement::omit;
        statement.path = match[1];
        statement.reason = match[2];
    } else if (std::regex_match(line, match, assign)) {
        statement.path = match[1];
        if (match[2].matched)
            statement.value = read_value(match[2]);
        if (statement.value.kind == Value::content)
            throw std::runtime_error("not a value: " + statement.value.words);
    } else {
        throw std::runtime_error("not understood: " + line);
    }
    return statement;
}

void read_line(const std::string& line, Recipe& recipe)
{
    static const std::regex module_line(R"(module\s+([\w-]+))");
    static const std::regex fire(R"(fire\s+(\w+)(?:\s+as\s+(\w+))?)");
    static const std::regex args(R"(args((?:\s+[A-Za-z_]\w*)*))");

    std::smatch match;
    if (line == "kernel") {
        recipe.module.clear();
    } else if (std::regex_match(line, match, module_line)) {
        recipe.module = match[1];
    } else if (std::regex_match(line, match, fire)) {
        recipe.events.push_back({});
        recipe.events.back().tracepoint = match[1];
        recipe.events.back().recorded_as = match[2].matched ? match[2] : match[1];
    } else if (recipe.events.empty()) {
        throw std::runtime_error("belongs to no event, there is no 'fire' before it: " + line);
    } else if (line == "recreated") {
        recipe.events.back().recreated = true;
    } else if (std::regex_match(line, match, args)) {
        recipe.events.back().arguments.push_back(split(match[1]));
    } else {
        recipe.events.back().statements.push_back(read_statement(line));
    }
}

} // namespace

Recipe read_recipe(std::istream& text)
{
    Recipe recipe;
    std::string line;
    for (int number = 1; std::getline(text, line); ++number) {
        line = trim(without_comment(line));
        if (line.empty())
            continue;
        const std::size_t events = recipe.events.size();
        const std::size_t statements = events ? recipe.events.back().statements.size() : 0;
        try {
            read_line(line, recipe);
        } catch (const std::exception& error) {
            throw std::runtime_error("line " + std::to_string(number) + ": " + error.what());
        }
        if (recipe.events.size() > events)
            recipe.events.back().line = number;
        else if (events && recipe.events.back().statements.size() > statements)
            recipe.events.back().statements.back().line = number;
    }
    return recipe;
}

} // namespace lttng_gpu::firing
