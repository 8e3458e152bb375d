// SPDX-License-Identifier: MIT
//
// btf-layout: compares what a probe module relies on (a .layout file) with the BTF of one kernel
// build and writes the header that the probe is compiled with:
//   GPU_TRACEPOINT_<name> N        prototype number N of the .layout file holds; without it the
//                                  probe has no such event
//   GPU_HANDLER_<name> TYPE        of its handlers, which the probe's must have to the letter
//   GPU_RECREATED_<name> N         no tracepoint, but the function that a kprobe can stand in at
//   GPU_FUNCTION_<name> 1          the function exists with the expected arguments
//   GPU_OFFSET_<struct>_<field>    bytes; only when the field has the expected type
//   GPU_SIZE_<struct>              bytes
//   GPU_CONSTANT_<enumerator>
//   GPU_GROUP_<name> 1             nothing of that group is missing
//   GPU_KERNEL_TYPES "HASH"        of the kernel image's BTF: the probe refuses another kernel
//   GPU_DRIVER_FACTS               of all these, what the driver itself defines, as initialisers of
//                                  struct gpu_fact (modules/base/driver_facts.h): the probe asks
//                                  for each in the driver that is loaded
// Whatever differs is left out and said on standard error: a probe never reads what it does not
// know.
#include "kernel_types.hpp"
#include "layout_spec.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <map>

namespace {

using namespace lttng_gpu::layout;

constexpr int no_module_types = 3; // exit code: the module has no BTF, scripts/build-modules asks

class HeaderWriter {
public:
    HeaderWriter(const Spec& spec, const KernelTypes& types) : spec_(spec), types_(types) {}

    std::string write()
    {
        for (const Field& field : spec_.fields)
            write_field(field);
        for (const Number& number : spec_.numbers)
            write_number(number);
        for (const Callable& function : spec_.functions)
            write_function(function);
        for (const std::string& group : spec_.groups)
            if (group != "optional" && !problems_.count(group))
                body_ += fmt::format("#define GPU_GROUP_{} 1\n", group);
        for (const Callable& tracepoint : spec_.tracepoints) {
            const auto arguments = types_.find_tracepoint(tracepoint.name);
            if (arguments || !is_recreated(tracepoint.name))
                write_tracepoint(tracepoint, arguments);
        }
        for (const Recreated& recreated : spec_.recreated)
            if (!types_.find_tracepoint(recreated.event))
                write_recreated(recreated);
        return body_;
    }

    int events() const { return events_; }
    const std::vector<std::string>& left_out() const { return left_out_; }
    const std::vector<std::string>& facts() const { return facts_; }

private:
    bool is_recreated(const std::string& event) const
    {
        return std::any_of(spec_.recreated.begin(), spec_.recreated.end(),
                           [&](const Recreated& recreated) { return recreated.event == event; });
    }

    void complain(const std::string& what)
    {
        std::cerr << "btf-layout: " << (spec_.module.empty() ? "kernel" : spec_.module) << ": "
                  << what << '\n';
    }

    void write_field(const Field& field)
    {
        std::string problem;
        for (const std::string& path : field.paths) {
            const std::string spelled = field.structure + "." + path;
            try {
                const auto place = types_.find_member(field.structure, path);
                if (!place) {
                    problem = spelled + " does not exist";
                } else if (place->type != field.type) {
                    problem = fmt::format("{} is '{}', not '{}'", spelled, place->type, field.type);
                } else {
                    body_ += fmt::format("#define GPU_OFFSET_{}_{} {} /* {} */\n", field.structure,
                                         field.name, place->offset_bytes, field.type);
                    if (types_.is_of_module(field.structure))
                        add_fact("MEMBER", field.structure, path, field.type, place->offset_bytes);
                    return;
                }
            } catch (const std::runtime_error& error) {
                problem = spelled + ": " + error.what();
            }
        }
        if (field.group != "optional")
            problems_[field.group] = problem;
    }

    void write_number(const Number& number)
    {
        const bool is_size = number.kind == Number::size;
        std::optional<std::int64_t> value;
        std::string problem = number.name + " does not exist";
        try {
            if (is_size)
                value = types_.find_size(number.name);
            else
                value = types_.find_constant(number.name);
        } catch (const std::runtime_error& error) {
            problem = number.name + ": " + error.what();
        }
        if (value)
            write_found_number(is_size ? "SIZE" : "CONSTANT", number.name, *value);
        else if (number.group != "optional")
            problems_[number.group] = problem;
    }

    void write_found_number(const char* kind, const std::string& name, std::int64_t value)
    {
        body_ += fmt::format("#define GPU_{}_{} {}\n", kind, name, value);
        if (types_.is_of_module(name))
            add_fact(kind, name, "", "", value);
    }

    void write_function(const Callable& function)
    {
        std::optional<std::string> arguments;
        std::string problem = fmt::format("this kernel has no function {}", function.name);
        try {
            arguments = types_.find_function(function.name);
        } catch (const std::runtime_error& error) {
            problem = fmt::format("{}: {}", function.name, error.what());
        }
        if (arguments && *arguments == function.prototypes.front()) {
            body_ += fmt::format("#define GPU_FUNCTION_{} 1\n", function.name);
            add_function_fact(function.name, *arguments);
            return;
        }
        if (arguments)
            problem = fmt::format("{} takes {}, not {}", function.name, *arguments,
                                  function.prototypes.front());
        if (function.group != "optional")
            problems_[function.group] = problem;
        else if (arguments)
            complain(problem);
    }

    void add_fact(const char* kind, const std::string& name, const std::string& path,
                  const std::string& type, std::int64_t value)
    {
        facts_.push_back(fmt::format(R"({{ GPU_FACT_{}, "{}", "{}", "{}", {} }},)", kind, name,
                                     path, type, value));
    }

    void add_function_fact(const std::string& name, const std::string& arguments)
    {
        if (types_.is_of_module(name))
            add_fact("FUNCTION", name, "", arguments, 0);
    }

    std::string find_problem(const Callable& wanted, const std::optional<std::string>& arguments,
                             const std::string& absent, std::size_t& alternative) const
    {
        if (!arguments)
            return absent;
        const auto& known = wanted.prototypes;
        const auto match = std::find(known.begin(), known.end(), *arguments);
        if (match == known.end())
            return fmt::format("its prototype is {}, the probe knows {}", *arguments,
                               fmt::join(known, " and "));
        for (const std::string& group : wanted.needed_groups)
            if (const auto problem = problems_.find(group); problem != problems_.end())
                return problem->second;
        alternative = static_cast<std::size_t>(match - known.begin()) + 1;
        return {};
    }

    // Returns whether the probe can have it.
    bool write_event(const char* kind, const std::string& event, const Callable& wanted,
                     const std::optional<std::string>& arguments, const std::string& absent)
    {
        std::size_t alternative = 0;
        const std::string problem = find_problem(wanted, arguments, absent, alternative);
        if (problem.empty()) {
            body_ += fmt::format("#define GPU_{}_{} {}\n", kind, event, alternative);
            ++events_;
            return true;
        }
        complain(fmt::format("left out {}: {}", event, problem));
        left_out_.push_back(event);
        return false;
    }

    void write_tracepoint(const Callable& tracepoint, const std::optional<std::string>& arguments)
    {
        if (write_event("TRACEPOINT", tracepoint.name, tracepoint, arguments,
                        "this kernel has no such tracepoint")) {
            body_ += fmt::format("#define GPU_HANDLER_{} {}\n", tracepoint.name,
                                 types_.handler_type(tracepoint.name));
            add_fact("TRACEPOINT", tracepoint.name, "", *arguments, 0);
        }
    }

    void write_recreated(const Recreated& recreated)
    {
        const std::string& function = recreated.function.name;
        std::optional<std::string> arguments;
        std::string absent = fmt::format("this kernel has no function {} to hook", function);
        try {
            arguments = types_.find_function(function);
        } catch (const std::runtime_error& error) {
            absent = fmt::format("{}: {}", function, error.what());
        }
        if (write_event("RECREATED", recreated.event, recreated.function, arguments, absent)) {
            add_fact("NO_TRACEPOINT", recreated.event, "", "", 0);
            add_function_fact(function, *arguments);
        }
    }

    const Spec& spec_;
    const KernelTypes& types_;
    std::string body_;
    std::map<std::string, std::string> problems_;
    std::vector<std::string> left_out_;
    std::vector<std::string> facts_;
    int events_ = 0;
};

std::string make_header(const Spec& spec, const KernelTypes& types, const std::string& release)
{
    HeaderWriter writer(spec, types);
    const std::string body = writer.write();
    return fmt::format("/* SPDX-License-Identifier: GPL-2.0-only */\n"
                       "/* Generated by btf-layout for Linux {}; do not edit. */\n"
                       "{}"
                       "#define GPU_KERNEL_TYPES \"{}\"\n"
                       "#define GPU_EVENT_COUNT {}\n"
                       "#define GPU_LEFT_OUT \"{}\"\n"
                       "#define GPU_DRIVER_FACTS {}\n",
                       release, body, types.kernel_hash(), writer.events(),
                       fmt::join(writer.left_out(), " "), fmt::join(writer.facts(), " \\\n\t"));
}

} // namespace

int main(int argc, char** argv)
{
    CLI::App app{"Writes the layout header of a probe module from a kernel's BTF."};
    std::string kernel;
    std::string module;
    std::string release;
    std::string spec_path;
    std::string output;
    app.add_option("--kernel", kernel, "vmlinux or /sys/kernel/btf/vmlinux")->required();
    app.add_option("--module", module,
                   "uncompressed module (.ko); not for what is in the kernel image");
    app.add_option("--release", release, "kernel release, for the header's comment")->required();
    app.add_option("-o,--output", output, "header to write")->required();
    app.add_option("LAYOUT", spec_path, ".layout file")->required();
    CLI11_PARSE(app, argc, argv);
    try {
        std::ifstream text(spec_path);
        if (!text)
            throw std::runtime_error(spec_path + ": cannot be read");
        const Spec spec = read_spec(text);
        const std::string header = make_header(spec, KernelTypes(kernel, module), release);
        std::ofstream file(output);
        if (!(file << header) || !file.flush())
            throw std::runtime_error(output + ": cannot be written");
    } catch (const NoModuleTypes& error) {
        std::cerr << "btf-layout: " << error.what() << '\n';
        return no_module_types;
    } catch (const std::exception& error) {
        std::cerr << "btf-layout: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
