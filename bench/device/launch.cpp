// SPDX-License-Identifier: MIT
//
// device-launch PTX PROGRAM LOCAL_BYTES: launches once, through CUDA, what device-bench has had
// NVIDIA's OpenCL compile (its PTX=DIR), with the same data. For NVIDIA's profiler ncu, which knows
// no OpenCL. LOCAL_BYTES: of the recorder, 0 for an untraced kernel. Prints a checksum of the
// results and how many chunks of records there are.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "works.hpp"

namespace {

constexpr std::uint32_t chunks = 0x1ffffe;
constexpr std::size_t chunk_bytes = 256;

void check(CUresult result, const char* what)
{
    if (result == CUDA_SUCCESS)
        return;
    const char* name = nullptr;
    cuGetErrorName(result, &name);
    std::fprintf(stderr, "%s: %s\n", what, name != nullptr ? name : "unknown error");
    std::exit(1);
}

CUdeviceptr zeros(std::size_t bytes)
{
    CUdeviceptr made = 0;
    check(cuMemAlloc(&made, bytes), "cuMemAlloc");
    check(cuMemsetD8(made, 0, bytes), "cuMemsetD8");
    return made;
}

template <typename Value> CUdeviceptr copy_of(const std::vector<Value>& values)
{
    const CUdeviceptr made = zeros(values.size() * sizeof(Value));
    check(cuMemcpyHtoD(made, values.data(), values.size() * sizeof(Value)), "cuMemcpyHtoD");
    return made;
}

/// Where the local memory of OpenCL's kernel argument begins: behind what CUDA keeps for itself and
/// the kernel's own variables.
std::uint64_t local_offset(CUdevice device, CUfunction kernel)
{
    int reserved = 0, own = 0;
    check(cuDeviceGetAttribute(&reserved, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK,
                               device),
          "reserved shared memory");
    check(cuFuncGetAttribute(&own, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel), "shared memory");
    return static_cast<std::uint64_t>(reserved) + (static_cast<std::uint64_t>(own) + 15) / 16 * 16;
}

/// CUDA loads no kernel that has OpenCL's local memory as an argument: it becomes a number here,
/// which is the same in the code.
std::string for_cuda(std::string ptx)
{
    const std::string local = ".ptr .shared .align 4 ";
    for (std::size_t at; (at = ptx.find(local)) != std::string::npos;)
        ptx.erase(at, local.size());
    return ptx;
}

void launch(const Work& work, const std::string& ptx, unsigned local_bytes, CUdevice device)
{
    CUmodule module;
    CUfunction kernel;
    std::string log(4096, '\0');
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
    const CUresult loaded = cuModuleLoadDataEx(&module, ptx.c_str(), 2, options, values);
    check(loaded, loaded == CUDA_SUCCESS
                      ? ""
                      : ("cuModuleLoadDataEx: " + std::string{log.c_str()}).c_str());
    check(cuModuleGetFunction(&kernel, module, work.file.c_str()), "cuModuleGetFunction");
    CUdeviceptr out = zeros(4 * most_results), floats = copy_of(make_floats());
    CUdeviceptr graph = work.graph != nullptr ? copy_of(*work.graph) : zeros(4), buffer = 0;
    if (local_bytes > 0) {
        buffer = zeros((std::size_t{chunks} + 1) * chunk_bytes);
        check(cuMemcpyHtoD(buffer + 4, &chunks, 4), "cuMemcpyHtoD");
    }
    std::uint64_t local = local_offset(device, kernel);
    int first = work.first, second = work.second;
    // An untraced kernel has only the first five.
    void* arguments[] = {&out, &floats, &graph, &first, &second, &buffer, &local};
    const auto groups = static_cast<unsigned>(work.all_items() / group_items);
    check(cuLaunchKernel(kernel, groups, 1, 1, unsigned{group_items}, 1, 1, local_bytes, nullptr,
                         arguments, nullptr),
          "cuLaunchKernel");
    check(cuCtxSynchronize(), "the kernel");
    std::vector<std::uint32_t> results(work.all_items());
    check(cuMemcpyDtoH(results.data(), out, results.size() * 4), "cuMemcpyDtoH");
    std::uint64_t sum = 0;
    for (const std::uint32_t word : results)
        sum = sum * 31 + word;
    std::uint32_t taken = 0;
    if (buffer != 0)
        check(cuMemcpyDtoH(&taken, buffer, 4), "cuMemcpyDtoH");
    std::printf("results %016llx chunks %u\n", static_cast<unsigned long long>(sum), taken);
}

} // namespace

int main(int count, char** words)
{
    if (count != 4)
        return 2;
    std::ifstream file{words[1], std::ios::binary};
    const std::string ptx{std::istreambuf_iterator<char>{file}, {}};
    const Graphs graphs = make_graphs();
    CUdevice device;
    CUcontext context;
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    for (const Work& work : make_works(graphs)) {
        if (work.name == words[2]) {
            launch(work, for_cuda(ptx), static_cast<unsigned>(std::atoi(words[3])), device);
            return 0;
        }
    }
    std::fprintf(stderr, "no program is called %s\n", words[2]);
    return 2;
}
