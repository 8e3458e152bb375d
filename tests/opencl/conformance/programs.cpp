// SPDX-License-Identifier: MIT
//
// Programs: from source, binary, intermediate language and parts; built, compiled, linked, and
// wrongly so.
#include "sections.hpp"

#include <string>
#include <vector>

namespace conformance {

namespace {

const char* const source = "kernel void add(global int* values, int by)\n"
                           "{ values[get_global_id(0)] += by; }\n"
                           "kernel void clear(global int* values)\n"
                           "{ values[get_global_id(0)] = 0; }\n";

void CL_CALLBACK built(cl_program, void* count)
{
    static_cast<Count*>(count)->add();
}

// INFO's function has one argument less than clGetProgramBuildInfo.
cl_int build_info(cl_program program, cl_device_id device, cl_program_build_info name)
{
    cl_int value = 777;
    clGetProgramBuildInfo(program, device, name, sizeof value, &value, nullptr);
    return value;
}

void describe(cl_program program, cl_device_id device)
{
    INFO(cl_uint, "references", clGetProgramInfo, program, CL_PROGRAM_REFERENCE_COUNT);
    INFO(cl_uint, "devices", clGetProgramInfo, program, CL_PROGRAM_NUM_DEVICES);
    INFO(size_t, "kernels", clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS);
    char text[4096] = "";
    size_t size = 0;
    CALL("kernels' names", clGetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text,
         &size);
    line("\"%s\", %zu", text, size);
    text[0] = 0;
    CALL("source", clGetProgramInfo, program, CL_PROGRAM_SOURCE, sizeof text, text, &size);
    line("%s", digest(text, size).c_str());
    line("build %d, binary %d", build_info(program, device, CL_PROGRAM_BUILD_STATUS),
         build_info(program, device, CL_PROGRAM_BINARY_TYPE));
    text[0] = 0;
    CALL("options", clGetProgramBuildInfo, program, device, CL_PROGRAM_BUILD_OPTIONS, sizeof text,
         text, &size);
    line("\"%s\"", text);
    CALL("log", clGetProgramBuildInfo, program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    INFO(cl_uint, "no such name", clGetProgramInfo, program, 0xdead);
    CALL("no such name", clGetProgramBuildInfo, program, device, 0xdead, 0, nullptr, nullptr);
}

void from_binary(const Context& context, cl_program program)
{
    cl_device_id device = context.device().device;
    size_t size = 0;
    CALL("binary's size", clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size,
         nullptr);
    std::vector<unsigned char> binary(size);
    unsigned char* where = binary.data();
    CALL("the binary", clGetProgramInfo, program, CL_PROGRAM_BINARIES, sizeof where, &where,
         nullptr);
    const unsigned char* given = binary.data();
    cl_int each = 777;
    cl_program again =
        MAKE("the same", clCreateProgramWithBinary, context, 1, &device, &size, &given, &each);
    line("the device's status %d", each);
    if (again) {
        CALL("from binary", clBuildProgram, again, 1, &device, nullptr, nullptr, nullptr);
        line("build %d", build_info(again, device, CL_PROGRAM_BUILD_STATUS));
        CALL("last", clReleaseProgram, again);
    }
    const unsigned char rubbish[] = "rubbish";
    given = rubbish;
    size = sizeof rubbish;
    MAKE("rubbish", clCreateProgramWithBinary, context, 1, &device, &size, &given, &each);
    line("the device's status %d", each);
}

void in_parts(const Context& context)
{
    cl_device_id device = context.device().device;
    const char* texts[] = {"#include \"twice.h\"\n", "kernel void go(global int* v)\n",
                           "{ v[get_global_id(0)] = twice(21); }\n"};
    const char* header_text = "int twice(int value);\nint twice(int value) { return 2 * value; }\n";
    cl_program main_part =
        MAKE("three texts", clCreateProgramWithSource, context, 3, texts, nullptr);
    cl_program header =
        MAKE("header", clCreateProgramWithSource, context, 1, &header_text, nullptr);
    const char* name = "twice.h";
    static Count compiled, linked;
    CALL("with a header", clCompileProgram, main_part, 1, &device, "", 1, &header, &name, built,
         &compiled);
    line("%d callbacks", compiled.settled(1));
    cl_program whole =
        MAKE("one part", clLinkProgram, context, 1, &device, "", 1, &main_part, built, &linked);
    line("%d callbacks", linked.settled(1));
    if (whole) {
        line("build %d", build_info(whole, device, CL_PROGRAM_BUILD_STATUS));
        CALL("last", clReleaseProgram, whole);
    }
    CALL("nothing to include", clCompileProgram, main_part, 1, &device, "", 0, nullptr, nullptr,
         nullptr, nullptr);
    MAKE("no parts", clLinkProgram, context, 1, &device, "", 0, nullptr, nullptr, nullptr);
    MAKE("no context", clLinkProgram, nullptr, 1, &device, "", 1, &main_part, nullptr, nullptr);
    CALL("header", clReleaseProgram, header);
    CALL("main part", clReleaseProgram, main_part);
}

void wrong_source(const Context& context)
{
    cl_device_id device = context.device().device;
    const char* text = "kernel void wrong(global int* v) { v[0] = nothing_known; }\n";
    cl_program program = MAKE("wrong", clCreateProgramWithSource, context, 1, &text, nullptr);
    static Count ends;
    CALL("wrong, callback", clBuildProgram, program, 1, &device, "", built, &ends);
    line("%d callbacks", ends.settled(1));
    line("build %d", build_info(program, device, CL_PROGRAM_BUILD_STATUS));
    size_t size = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    line("%s", size > 20 ? "a log" : "no log");
    MAKE("of a failed build", clCreateKernel, program, "wrong");
    CALL("unknown option", clBuildProgram, program, 1, &device, "-no-such-option", nullptr,
         nullptr);
    CALL("last", clReleaseProgram, program);
    MAKE("no texts", clCreateProgramWithSource, context, 0, nullptr, nullptr);
    MAKE_IF_SURVIVED("an empty text", clCreateProgramWithSource, context, 1, nullptr, nullptr);
    MAKE("no context", clCreateProgramWithSource, nullptr, 1, &text, nullptr);
}

void other_origins(const Context& context)
{
    cl_device_id device = context.device().device;
    const unsigned char il[] = {3, 2, 0x23, 7, 0, 0, 1, 0};
    cl_program program = MAKE("no module", clCreateProgramWithIL, context, il, sizeof il);
    if (program) {
        const cl_int value = 1;
        CALL("not there", clSetProgramSpecializationConstant, program, 1, sizeof value, &value);
        CALL("last", clReleaseProgram, program);
    }
    MAKE("nothing", clCreateProgramWithIL, context, nullptr, 0);
    MAKE("no such kernel", clCreateProgramWithBuiltInKernels, context, 1, &device, "no.such.one");
    MAKE("no names", clCreateProgramWithBuiltInKernels, context, 1, &device, nullptr);
    MAKE("no context", clCreateProgramWithBuiltInKernels, nullptr, 1, &device, "x");
}

void no_program(cl_device_id device)
{
    CALL("no program", clRetainProgram, nullptr);
    CALL("no program", clReleaseProgram, nullptr);
    CALL("no program", clBuildProgram, nullptr, 1, &device, "", nullptr, nullptr);
    CALL("no program", clCompileProgram, nullptr, 1, &device, "", 0, nullptr, nullptr, nullptr,
         nullptr);
    CALL("no program", clGetProgramInfo, nullptr, CL_PROGRAM_CONTEXT, 0, nullptr, nullptr);
    CALL("no program", clGetProgramBuildInfo, nullptr, device, CL_PROGRAM_BUILD_STATUS, 0, nullptr,
         nullptr);
    CALL("no program", clSetProgramReleaseCallback, nullptr, built, nullptr);
    CALL("no program", clSetProgramSpecializationConstant, nullptr, 1, 0, nullptr);
}

} // namespace

void programs(const Device& device)
{
    const Context context(device);
    cl_program program = MAKE("good", clCreateProgramWithSource, context, 1,
                              const_cast<const char**>(&source), nullptr);
    static Count ends, released;
    CALL("its release", clSetProgramReleaseCallback, program, built, &released);
    CALL("good, callback", clBuildProgram, program, 1, &device.device, "-DUNUSED=1", built, &ends);
    line("%d callbacks", ends.settled(1));
    describe(program, device.device);
    CALL("data without function", clBuildProgram, program, 1, &device.device, "", nullptr, &ends);
    CALL("once more", clRetainProgram, program);
    INFO(cl_uint, "references", clGetProgramInfo, program, CL_PROGRAM_REFERENCE_COUNT);
    CALL("back", clReleaseProgram, program);
    from_binary(context, program);
    CALL("last", clReleaseProgram, program);
    line("%d releases told", released.value());
    in_parts(context);
    wrong_source(context);
    other_origins(context);
    no_program(device.device);
}

} // namespace conformance
