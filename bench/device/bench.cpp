// SPDX-License-Identifier: MIT
//
// device-bench FOLDER ROUNDS [VARIANT...]: what recording inside of kernels costs on an NVIDIA GPU,
// and how small the records are, against the algorithm of ECL-Tracer at the same points (FOLDER:
// the recorder, ecl.cl, and per program NAME.cl, NAME.rolled.cl, and NAME.bare.cl and NAME.each.cl,
// which lttng-gpu-instrument made). VARIANT: rolled, ours, times, each, ecl, raw, FILE.h (another
// recorder in FOLDER),
// @PROGRAM. Environment: PTX=DIR: what the driver makes of each is written to
// DIR/PROGRAM.VARIANT.ptx. One row for each program. Times have the kernel, the copy of results and
// records, and the writing of the records to a file.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "records.hpp"
#include "works.hpp"

namespace {

constexpr std::uint32_t chunks = 0x1ffffe;
constexpr std::size_t chunk_bytes = 256;

struct Device {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue;
    cl_mem out, floats, graph, buffer;
    std::uint32_t* copied; // the host's, which the device reads fast: records are copied to it
};

void check(cl_int error, const char* what)
{
    if (error != CL_SUCCESS) {
        std::fprintf(stderr, "%s: %d\n", what, error);
        std::exit(1);
    }
}

std::string text_of(const std::string& path)
{
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
}

/// What NVIDIA's compiler says that the kernel needs of each work-item's registers; 0: nothing.
int registers_in(const std::string& log)
{
    const std::size_t at = log.find("Used ");
    return at == std::string::npos ? 0 : std::atoi(log.c_str() + at + 5);
}

struct Built {
    cl_kernel kernel;
    cl_program program;
    int registers;
};

Built build(const Device& on, const std::string& text, const std::string& name)
{
    cl_int error;
    const char* source = text.c_str();
    const cl_program program = clCreateProgramWithSource(on.context, 1, &source, nullptr, &error);
    check(error, "clCreateProgramWithSource");
    const cl_int built = clBuildProgram(program, 1, &on.device, "-cl-nv-verbose", nullptr, nullptr);
    std::vector<char> log(65536);
    clGetProgramBuildInfo(program, on.device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(),
                          nullptr);
    if (built != CL_SUCCESS) {
        std::fprintf(stderr, "%s: %s\n", name.c_str(), log.data());
        std::exit(1);
    }
    const cl_kernel kernel = clCreateKernel(program, name.c_str(), &error);
    check(error, "clCreateKernel");
    return {kernel, program, registers_in(log.data())};
}

struct Sample {
    double kernel_ns;
    double all_ns;
    double copy_ns;  // of the records
    double write_ns; // of them, too
};

struct Variant {
    std::string name;
    Built built;
    std::size_t local_bytes; // 0: it is not traced
    std::vector<Sample> samples{};
    std::uint64_t bytes = 0;
    std::uint64_t lost = 0;
    std::vector<std::uint32_t> words{};
    std::vector<int> results{};
};

void run(const Device& on, const Work& work, Variant& variant, std::FILE* file)
{
    static std::size_t used = (std::size_t{chunks} + 1) * chunk_bytes;
    const std::size_t items = work.all_items();
    const cl_int zero = 0;
    clEnqueueFillBuffer(on.queue, on.out, &zero, 4, 0, items * 4, 0, nullptr, nullptr);
    clSetKernelArg(variant.built.kernel, 0, sizeof on.out, &on.out);
    clSetKernelArg(variant.built.kernel, 1, sizeof on.floats, &on.floats);
    clSetKernelArg(variant.built.kernel, 2, sizeof on.graph, &on.graph);
    clSetKernelArg(variant.built.kernel, 3, sizeof work.first, &work.first);
    clSetKernelArg(variant.built.kernel, 4, sizeof work.second, &work.second);
    if (variant.local_bytes > 0) {
        // What any variant wrote since the buffer was last empty.
        clEnqueueFillBuffer(on.queue, on.buffer, &zero, 4, 0, used, 0, nullptr, nullptr);
        clEnqueueWriteBuffer(on.queue, on.buffer, CL_TRUE, 4, 4, &chunks, 0, nullptr, nullptr);
        clSetKernelArg(variant.built.kernel, 5, sizeof on.buffer, &on.buffer);
        clSetKernelArg(variant.built.kernel, 6, variant.local_bytes, nullptr);
    }
    clFinish(on.queue);
    variant.results.resize(items);
    const auto begin = std::chrono::steady_clock::now();
    cl_event event;
    const std::size_t group = group_items;
    check(clEnqueueNDRangeKernel(on.queue, variant.built.kernel, 1, nullptr, &items, &group, 0,
                                 nullptr, &event),
          variant.name.c_str());
    check(clEnqueueReadBuffer(on.queue, on.out, CL_TRUE, 0, items * 4, variant.results.data(), 0,
                              nullptr, nullptr),
          "read");
    const auto results_end = std::chrono::steady_clock::now();
    auto copied = results_end;
    if (variant.local_bytes > 0) {
        std::uint32_t head[64];
        check(clEnqueueReadBuffer(on.queue, on.buffer, CL_TRUE, 0, sizeof head, head, 0, nullptr,
                                  nullptr),
              "read");
        variant.bytes = std::uint64_t{std::min(head[0], chunks)} * chunk_bytes;
        used = variant.bytes + chunk_bytes;
        variant.lost = head[2];
        if (variant.bytes > 0)
            check(clEnqueueReadBuffer(on.queue, on.buffer, CL_TRUE, chunk_bytes, variant.bytes,
                                      on.copied, 0, nullptr, nullptr),
                  "read");
        copied = std::chrono::steady_clock::now();
        std::rewind(file);
        std::fwrite(on.copied, 1, variant.bytes, file);
        std::fflush(file);
    }
    const auto end = std::chrono::steady_clock::now();
    if (variant.local_bytes > 0)
        variant.words.assign(on.copied, on.copied + variant.bytes / 4);
    cl_ulong times[2] = {};
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, 8, &times[0], nullptr);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 8, &times[1], nullptr);
    clReleaseEvent(event);
    using Ns = std::chrono::duration<double, std::nano>;
    variant.samples.push_back({double(times[1] - times[0]), Ns(end - begin).count(),
                               Ns(copied - results_end).count(), Ns(end - copied).count()});
}

double median(const Variant& variant, double Sample::*member)
{
    std::vector<double> values;
    for (const Sample& sample : variant.samples)
        values.push_back(sample.*member);
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

std::string replaced(std::string text, const std::string& what, const std::string& with)
{
    const std::size_t at = text.find(what);
    if (at == std::string::npos) {
        std::fprintf(stderr, "the recorder has no %s\n", what.c_str());
        std::exit(1);
    }
    return text.replace(at, what.size(), with);
}

std::vector<Variant> variants_of(const Device& on, const std::string& folder,
                                 const std::string& file, const std::vector<std::string>& wanted)
{
    const std::string bare = text_of(folder + "/" + file + ".bare.cl");
    const std::string each = text_of(folder + "/" + file + ".each.cl");
    // As the layer says of a device of compute capability 8 or later.
    const std::string device = "#define LTTNG_GPU_WARPS\n#define LTTNG_GPU_REDUX\n";
    const std::string recorder = device + text_of(folder + "/lttng_gpu_recorder.h");
    const std::string same = "location == r->location && lanes == r->lanes";
    const std::string raw = replaced(replaced(recorder, same, "0"), same, "0");
    constexpr std::size_t ours = (4 + group_items) * 4;
    const auto wants = [&](const char* name) {
        return std::all_of(wanted.begin(), wanted.end(),
                           [](const auto& word) { return word[0] == '@'; }) ||
               std::find(wanted.begin(), wanted.end(), name) != wanted.end();
    };
    std::vector<Variant> variants{
        {"base", build(on, text_of(folder + "/" + file + ".cl"), file), 0}};
    const auto add = [&](const char* name, const std::string& text, std::size_t bytes) {
        if (wants(name))
            variants.push_back({name, build(on, text, file), bytes});
    };
    // Untraced, with loops that the compiler may not unroll.
    add("rolled", text_of(folder + "/" + file + ".rolled.cl"), 0);
    for (const std::string& name : wanted) // other recorders, to compare
        if (name.ends_with(".h"))
            add(name.c_str(), device + text_of(folder + "/" + name) + bare, ours);
    add("ours", recorder + bare, ours);
    add("times", "#define LTTNG_GPU_TIMES\n" + recorder + bare, ours);
    add("each", recorder + each, ours);
    add("ecl", text_of(folder + "/ecl.cl") + each, 8 * 96 * 4);
    add("raw", raw + each, ours);
    return variants;
}

void print_ends(const Work& work, const std::vector<Variant>& variants)
{
    const Variant* ours = nullptr;
    const Variant* raw = nullptr;
    for (const Variant& variant : variants) {
        ours = variant.name == "ours" ? &variant : ours;
        raw = variant.name == "raw" ? &variant : raw;
    }
    if (ours == nullptr) {
        std::printf("\n");
        return;
    }
    const bool is_small = raw != nullptr && raw->lost == 0 && raw->bytes < (64U << 20);
    Streams told{is_small}, expected{is_small};
    const std::uint64_t packed = read_records(ours->words, told);
    std::printf(" | events %llu, 8 bytes each: to ours copied %.1f, in the trace %.1f",
                static_cast<unsigned long long>(told.events),
                8.0 * double(told.events) / double(ours->bytes),
                8.0 * double(told.events) / double(packed));
    for (const Variant& variant : variants)
        if (variant.name == "ecl")
            std::printf(", to ecl %.1f", 8.0 * double(told.events) / double(variant.bytes));
    if (raw != nullptr) {
        Raw plain;
        read_records(raw->words, plain);
        print_compressed(plain.words);
        if (is_small)
            read_records(raw->words, expected);
        const char* equal = told.streams == expected.streams     ? "yes"
                            : told.of_lanes == expected.of_lanes ? "in each lane"
                                                                 : "NO";
        std::printf(" | equal to raw: %s", work.races ? "races"
                                           : is_small ? equal
                                                      : "raw is too large");
    }
    std::printf("\n");
    std::fflush(stdout);
}

void write_ptx(const std::string& path, cl_program program)
{
    std::size_t bytes = 0;
    check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr),
          "CL_PROGRAM_BINARY_SIZES");
    std::string ptx(bytes, '\0');
    char* data = ptx.data();
    check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof data, &data, nullptr),
          "CL_PROGRAM_BINARIES");
    if (!(std::ofstream{path, std::ios::binary} << ptx.c_str() << std::flush)) {
        std::fprintf(stderr, "%s cannot be written\n", path.c_str());
        std::exit(1);
    }
}

void measure(const Device& on, const std::string& folder, const Work& work, int rounds,
             std::FILE* file, const std::vector<std::string>& wanted)
{
    std::vector<Variant> variants = variants_of(on, folder, work.file, wanted);
    if (const char* ptx = std::getenv("PTX"))
        for (const Variant& variant : variants)
            write_ptx(std::string{ptx} + "/" + work.name + "." + variant.name + ".ptx",
                      variant.built.program);
    for (int round = 0; round <= rounds; ++round) {
        for (Variant& variant : variants) {
            run(on, work, variant, file);
            if (round == 0)
                variant.samples.clear();
        }
    }
    const double kernel = median(variants[0], &Sample::kernel_ns),
                 all = median(variants[0], &Sample::all_ns);
    std::printf("%-16s base %8.3f/%8.3f ms r%d", work.name.c_str(), kernel / 1e6, all / 1e6,
                variants[0].built.registers);
    for (std::size_t number = 1; number < variants.size(); ++number) {
        const Variant& variant = variants[number];
        std::printf(" | %s %.3f/%.3f (copy %.3f write %.3f ms) r%d%s%s", variant.name.c_str(),
                    median(variant, &Sample::kernel_ns) / kernel,
                    median(variant, &Sample::all_ns) / all, median(variant, &Sample::copy_ns) / 1e6,
                    median(variant, &Sample::write_ns) / 1e6, variant.built.registers,
                    variant.lost > 0 ? " lossy" : "",
                    work.races || variant.results == variants[0].results ? "" : " RESULTS DIFFER");
    }
    print_ends(work, variants);
}

} // namespace

int main(int count, char** words)
{
    std::signal(SIGPIPE, SIG_IGN); // of compressors that are not there
    if (count < 3)
        return 2;
    const Graphs graphs = make_graphs();
    cl_int error;
    cl_platform_id platform;
    Device on{};
    check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &on.device, nullptr), "clGetDeviceIDs");
    on.context = clCreateContext(nullptr, 1, &on.device, nullptr, nullptr, &error);
    on.queue = clCreateCommandQueue(on.context, on.device, CL_QUEUE_PROFILING_ENABLE, &error);
    check(error, "clCreateCommandQueue");
    std::vector<float> floats = make_floats();
    on.out = clCreateBuffer(on.context, CL_MEM_READ_WRITE, 4 * most_results, nullptr, &error);
    on.floats =
        clCreateBuffer(on.context, CL_MEM_COPY_HOST_PTR, floats.size() * 4, floats.data(), &error);
    on.graph =
        clCreateBuffer(on.context, CL_MEM_READ_ONLY,
                       std::max(graphs.road.size(), graphs.power.size()) * 4, nullptr, &error);
    on.buffer = clCreateBuffer(on.context, CL_MEM_READ_WRITE,
                               (std::size_t{chunks} + 1) * chunk_bytes, nullptr, &error);
    check(error, "clCreateBuffer");
    const std::size_t most = (std::size_t{chunks} + 1) * chunk_bytes;
    const cl_mem host = clCreateBuffer(on.context, CL_MEM_ALLOC_HOST_PTR, most, nullptr, &error);
    check(error, "clCreateBuffer");
    on.copied = static_cast<std::uint32_t*>(clEnqueueMapBuffer(
        on.queue, host, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, most, 0, nullptr, nullptr, &error));
    check(error, "clEnqueueMapBuffer");
    std::FILE* file = std::tmpfile();
    for (const Work& work : make_works(graphs)) {
        if (!is_chosen(work.name, {words + 3, words + count}))
            continue;
        if (work.graph != nullptr)
            check(clEnqueueWriteBuffer(on.queue, on.graph, CL_TRUE, 0, work.graph->size() * 4,
                                       work.graph->data(), 0, nullptr, nullptr),
                  "write");
        measure(on, words[1], work, std::atoi(words[2]), file, {words + 3, words + count});
    }
    return 0;
}
