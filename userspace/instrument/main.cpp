// SPDX-License-Identifier: MIT
//
// lttng-gpu-instrument: OpenCL C on standard input, the same with calls of the recorder on standard
// output. A program of its own, which the layer runs: the compiler's library never comes into the
// recorded program, whose driver may have another one. What it says is read by the layer:
//   lttng-gpu-instrument 1
//   left REASON NAME      what was left alone, any number
//   kernel NAME           each kernel that has the recorder
//   location NUMBER KIND LINE COLUMN FUNCTION
//   source BYTES          and then so many bytes; 0: nothing was changed
#include "instrumentation.hpp"

#include <cstdio>
#include <iostream>
#include <iterator>
#include <sstream>

namespace {

using namespace lttng_gpu::instrument;

const char recorder[] =
#include "recorder.inc"
    ;

struct Arguments {
    Choice choice;
    bool has_times = false;
    bool has_warps = false;
    bool has_reductions = false;
    bool is_bare = false; // without the recorder: for tests
    std::vector<std::string> compiler;
};

/// As compilers of OpenCL cut a text of options.
std::vector<std::string> words_of(const std::string& text)
{
    std::vector<std::string> words;
    std::string word;
    bool is_quoted = false;
    bool is_word = false;
    for (const char letter : text) {
        if (letter == '"') {
            is_quoted = !is_quoted;
            is_word = true;
        } else if ((letter == ' ' || letter == '\t' || letter == '\n') && !is_quoted) {
            if (is_word) {
                words.push_back(word);
            }
            word.clear();
            is_word = false;
        } else {
            word += letter;
            is_word = true;
        }
    }
    if (is_word) {
        words.push_back(word);
    }
    return words;
}

/// Only what decides how the text is read; the rest is the driver's.
void add_options(std::vector<std::string>& compiler, const std::string& options)
{
    const auto words = words_of(options);
    for (std::size_t number = 0; number < words.size(); ++number) {
        const std::string& word = words[number];
        const bool takes_one = word == "-D" || word == "-I" || word == "-U";
        if (takes_one && number + 1 < words.size()) {
            compiler.push_back(word + words[++number]);
        } else if (word.rfind("-D", 0) == 0 || word.rfind("-I", 0) == 0 ||
                   word.rfind("-U", 0) == 0 || word.rfind("-cl-std=", 0) == 0 ||
                   word == "-cl-fast-relaxed-math" || word == "-cl-finite-math-only" ||
                   word == "-cl-single-precision-constant") {
            compiler.push_back(word);
        }
    }
}

/// A device's extensions and optional features, separated by spaces, as clang's option: macros
/// follow from it. With OpenCL C 3.0 clang reads nothing where an extension and the feature that
/// is the same differ (clang's OpenCLOptions).
void add_extensions(std::vector<std::string>& compiler, const std::string& names)
{
    std::string option = "-cl-ext=-all";
    for (const std::string& name : words_of(names)) {
        option += ",+" + name;
        if (name == "cl_khr_fp64") {
            option += ",+__opencl_c_fp64";
        } else if (name == "cl_khr_3d_image_writes") {
            option += ",+__opencl_c_3d_image_writes,+__opencl_c_images";
        }
    }
    compiler.insert(compiler.end(), {"-Xclang", option});
}

void split(std::vector<std::string>& parts, const std::string& text)
{
    std::istringstream stream{text};
    for (std::string part; std::getline(stream, part, ',');) {
        if (!part.empty()) {
            parts.push_back(part);
        }
    }
}

bool set_points(Choice& choice, const std::string& name)
{
    const char* const names[] = {"loops", "branches", "functions", "all", "placed"};
    for (int number = 0; number < 5; ++number) {
        if (name == names[number]) {
            choice.points = static_cast<Points>(number);
            return true;
        }
    }
    return false;
}

const char usage[] =
    "usage: lttng-gpu-instrument [OPTIONS] <PROGRAM.cl\n"
    "Puts calls of the device recorder into an OpenCL C program. The OpenCL layer of lttng-gpu\n"
    "runs it for `lttng-gpu record --device-trace`.\n"
    "  --points WHICH     loops, branches, functions, all or placed\n"
    "  --kernels LIST     patterns of kernels, separated by commas; default: all\n"
    "  --options TEXT     the program's build options\n"
    "  --extensions TEXT  the device's extensions, and features of OpenCL C 3.0\n"
    "  --define TEXT      more macros (NAME=VALUE)\n"
    "  --warps            the device has warps (NVIDIA's PTX)\n"
    "  --reductions       and sums over them (compute capability 8)\n"
    "  --times            each record has a time\n"
    "  --each-pass        each pass of a loop is a point, and none is counted in a register\n"
    "  --bare             leave the recorder's own text out\n";

bool parse(int count, char** words, Arguments& arguments)
{
    arguments.compiler = {"-x",
                          "cl",
                          "-target",
                          "spir64-unknown-unknown",
                          "-Xclang",
                          "-finclude-default-header",
                          "-Xclang",
                          "-fdeclare-opencl-builtins",
                          "-Wno-everything"};
    for (int number = 1; number < count; ++number) {
        const std::string word = words[number];
        if (word == "--warps") {
            arguments.has_warps = true;
        } else if (word == "--reductions") {
            arguments.has_reductions = true;
        } else if (word == "--times") {
            arguments.has_times = true;
        } else if (word == "--each-pass") {
            arguments.choice.counts_loops = false;
        } else if (word == "--bare") {
            arguments.is_bare = true;
        } else if (number + 1 >= count) {
            return false;
        } else if (const std::string value = words[++number]; word == "--points") {
            if (!set_points(arguments.choice, value)) {
                return false;
            }
        } else if (word == "--kernels") {
            split(arguments.choice.kernels, value);
        } else if (word == "--options") {
            add_options(arguments.compiler, value);
        } else if (word == "--extensions") {
            add_extensions(arguments.compiler, value);
        } else if (word == "--define") {
            arguments.compiler.push_back("-D" + value);
        } else {
            return false;
        }
    }
    return true;
}

std::string one_line(std::string text)
{
    for (char& letter : text) {
        letter = letter == '\n' || letter == '\r' ? ' ' : letter;
    }
    return text;
}

void print(const Instrumented& made, const Arguments& arguments)
{
    std::string text;
    if (!made.text.empty()) {
        text = arguments.is_bare
                   ? ""
                   : std::string{arguments.has_warps ? "#define LTTNG_GPU_WARPS\n" : ""} +
                         (arguments.has_reductions ? "#define LTTNG_GPU_REDUX\n" : "") +
                         (arguments.has_times ? "#define LTTNG_GPU_TIMES\n" : "") + recorder +
                         "#line 1\n";
        text += made.text;
    }
    std::cout << "lttng-gpu-instrument 1\n";
    for (const LeftAlone& left : made.left) {
        std::cout << "left " << left.reason << " " << one_line(left.name) << "\n";
    }
    for (const std::string& kernel : made.kernels) {
        std::cout << "kernel " << kernel << "\n";
    }
    for (const Location& location : made.locations) {
        std::cout << "location " << location.number << " " << name_of(location.kind) << " "
                  << location.line << " " << location.column << " " << location.function << "\n";
    }
    std::cout << "source " << text.size() << "\n" << text << std::flush;
}

Instrumented made_of(const std::string& text, const Arguments& arguments)
{
    Instrumented made;
    std::string includes;
    if (!load_libclang(includes)) {
        made.left.push_back({"no_libclang", ""});
        return made;
    }
    std::vector<std::string> compiler = arguments.compiler;
    compiler.insert(compiler.end(), {"-isystem", includes});
    const Program program{text, compiler};
    if (!program.error().empty()) {
        made.left.push_back({"not_understood", program.error()});
        return made;
    }
    return instrument(program, arguments.choice);
}

} // namespace

int main(int count, char** words)
{
    if (count == 2 && std::string{words[1]} == "--help") {
        std::cout << usage;
        return 0;
    }
    Arguments arguments;
    if (!parse(count, words, arguments)) {
        std::cerr << usage;
        return 2;
    }
    const std::string text{std::istreambuf_iterator<char>{std::cin}, {}};
    print(made_of(text, arguments), arguments);
    return std::cout ? 0 : 1;
}
