// SPDX-License-Identifier: MIT
//
// Images, samplers and the commands on images.
#include "event_facts.hpp"
#include "sections.hpp"

#include <vector>

namespace conformance {

namespace {

constexpr size_t width = 32, height = 16, pixels = width * height;
const cl_image_format rgba = {CL_RGBA, CL_UNSIGNED_INT8};

cl_image_desc flat()
{
    cl_image_desc description = {};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = width;
    description.image_height = height;
    return description;
}

void formats(cl_context context)
{
    cl_uint count = 0;
    CALL("how many", clGetSupportedImageFormats, context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D,
         0, nullptr, &count);
    std::vector<cl_image_format> found(count);
    CALL("all", clGetSupportedImageFormats, context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D,
         count, found.data(), nullptr);
    line("%u formats, %s", count, digest(found).c_str());
    CALL("of no kind", clGetSupportedImageFormats, context, CL_MEM_READ_WRITE, 0x7777, 0, nullptr,
         &count);
    CALL("no context", clGetSupportedImageFormats, nullptr, 0, CL_MEM_OBJECT_IMAGE2D, 0, nullptr,
         &count);
}

void describe(cl_mem image)
{
    INFO(size_t, "element", clGetImageInfo, image, CL_IMAGE_ELEMENT_SIZE);
    INFO(size_t, "row", clGetImageInfo, image, CL_IMAGE_ROW_PITCH);
    INFO(size_t, "slice", clGetImageInfo, image, CL_IMAGE_SLICE_PITCH);
    INFO(size_t, "width", clGetImageInfo, image, CL_IMAGE_WIDTH);
    INFO(size_t, "height", clGetImageInfo, image, CL_IMAGE_HEIGHT);
    INFO(size_t, "depth", clGetImageInfo, image, CL_IMAGE_DEPTH);
    INFO(size_t, "array", clGetImageInfo, image, CL_IMAGE_ARRAY_SIZE);
    INFO(cl_uint, "levels", clGetImageInfo, image, CL_IMAGE_NUM_MIP_LEVELS);
    INFO(cl_uint, "type", clGetMemObjectInfo, image, CL_MEM_TYPE);
    INFO(cl_uint, "references", clGetMemObjectInfo, image, CL_MEM_REFERENCE_COUNT);
    INFO(cl_uint, "no such name", clGetImageInfo, image, 0xdead);
}

void creation(cl_context context)
{
    cl_image_desc description = flat();
    std::vector<cl_uint> content(pixels, 5);
    cl_mem made[5] = {
        MAKE("flat", clCreateImage, context, CL_MEM_READ_WRITE, &rgba, &description, nullptr),
        MAKE("flat of old", clCreateImage2D, context, CL_MEM_COPY_HOST_PTR, &rgba, width, height, 0,
             content.data()),
        MAKE("deep of old", clCreateImage3D, context, CL_MEM_READ_ONLY, &rgba, width, height, 4, 0,
             0, nullptr),
    };
    const cl_mem_properties none[] = {0};
    made[3] = MAKE("properties", clCreateImageWithProperties, context, none, CL_MEM_READ_WRITE,
                   &rgba, &description, nullptr);
    description.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
    description.image_array_size = 3;
    made[4] =
        MAKE("array", clCreateImage, context, CL_MEM_READ_WRITE, &rgba, &description, nullptr);
    for (cl_mem image : made) {
        if (!image)
            continue;
        describe(image);
        CALL("last", clReleaseMemObject, image);
    }
    const cl_image_format unknown = {0x7777, 0x7777};
    description = flat();
    MAKE("unknown format", clCreateImage, context, CL_MEM_READ_WRITE, &unknown, &description,
         nullptr);
    MAKE("no format", clCreateImage, context, CL_MEM_READ_WRITE, nullptr, &description, nullptr);
    MAKE("no description", clCreateImage, context, CL_MEM_READ_WRITE, &rgba, nullptr, nullptr);
    MAKE("no size", clCreateImage2D, context, CL_MEM_READ_WRITE, &rgba, 0, 0, 0, nullptr);
    MAKE("no context", clCreateImage, nullptr, CL_MEM_READ_WRITE, &rgba, &description, nullptr);
    CALL("no image", clGetImageInfo, nullptr, CL_IMAGE_WIDTH, 0, nullptr, nullptr);
}

void samplers(cl_context context)
{
    cl_sampler made[2] = {
        MAKE("of old", clCreateSampler, context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST),
        nullptr};
    const cl_sampler_properties list[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_TRUE, 0};
    made[1] = MAKE("listed", clCreateSamplerWithProperties, context, list);
    for (cl_sampler sampler : made) {
        if (!sampler)
            continue;
        CALL("once more", clRetainSampler, sampler);
        INFO(cl_uint, "references", clGetSamplerInfo, sampler, CL_SAMPLER_REFERENCE_COUNT);
        INFO(cl_bool, "normalised", clGetSamplerInfo, sampler, CL_SAMPLER_NORMALIZED_COORDS);
        INFO(cl_uint, "addressing", clGetSamplerInfo, sampler, CL_SAMPLER_ADDRESSING_MODE);
        INFO(cl_uint, "filter", clGetSamplerInfo, sampler, CL_SAMPLER_FILTER_MODE);
        CALL("back", clReleaseSampler, sampler);
        CALL("last", clReleaseSampler, sampler);
    }
    MAKE("no such mode", clCreateSampler, context, CL_FALSE, 0x7777, 0x7777);
    MAKE("no context", clCreateSampler, nullptr, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
    CALL("no sampler", clRetainSampler, nullptr);
    CALL("no sampler", clReleaseSampler, nullptr);
    CALL("no sampler", clGetSamplerInfo, nullptr, CL_SAMPLER_CONTEXT, 0, nullptr, nullptr);
}

void commands(const Context& context, cl_command_queue queue)
{
    cl_image_desc description = flat();
    cl_mem first =
        MAKE("first", clCreateImage, context, CL_MEM_READ_WRITE, &rgba, &description, nullptr);
    cl_mem second =
        MAKE("second", clCreateImage, context, CL_MEM_READ_WRITE, &rgba, &description, nullptr);
    cl_mem linear = context.buffer(pixels * 4);
    std::vector<cl_uint> content(pixels), result(pixels);
    for (size_t i = 0; i < pixels; ++i)
        content[i] = static_cast<cl_uint>(i * 2654435761u);
    const size_t origin[] = {0, 0, 0}, region[] = {width, height, 1}, part[] = {8, 4, 1};
    const cl_uint colour[] = {1, 2, 3, 4};
    cl_event events[7] = {};
    CALL("all", clEnqueueWriteImage, queue, first, CL_FALSE, origin, region, 0, 0, content.data(),
         0, nullptr, &events[0]);
    CALL("all", clEnqueueCopyImage, queue, first, second, origin, origin, region, 1, &events[0],
         &events[1]);
    CALL("a part", clEnqueueFillImage, queue, second, colour, origin, part, 1, &events[1],
         &events[2]);
    CALL("all", clEnqueueCopyImageToBuffer, queue, second, linear, origin, region, 0, 1, &events[2],
         &events[3]);
    CALL("all", clEnqueueCopyBufferToImage, queue, linear, first, 0, origin, region, 1, &events[3],
         &events[4]);
    CALL("all", clEnqueueReadImage, queue, first, CL_FALSE, origin, region, 0, 0, result.data(), 1,
         &events[4], &events[5]);
    const char* names[] = {"write", "copy", "fill", "to buffer", "from buffer", "read"};
    for (int i = 5; i >= 0; --i)
        finish(events[i], names[i]);
    line("%s", digest(result).c_str());
    size_t row = 0, slice = 0;
    cl_int error = 777;
    called("clEnqueueMapImage");
    void* mapped = clEnqueueMapImage(queue, first, CL_TRUE, CL_MAP_READ, origin, region, &row,
                                     &slice, 0, nullptr, &events[6], &error);
    line("map: %d, row %zu, slice %zu", error, row, slice);
    finish(events[6], "map");
    if (mapped) {
        line("%s", digest(mapped, width * 4).c_str());
        CALL("image", clEnqueueUnmapMemObject, queue, first, mapped, 0, nullptr, nullptr);
    }
    CALL("blocking", clEnqueueReadImage, queue, second, CL_TRUE, origin, region, 0, 0,
         result.data(), 0, nullptr, nullptr);
    line("%s", digest(result).c_str());
    const size_t outside[] = {width, 0, 0};
    CALL("outside", clEnqueueReadImage, queue, second, CL_TRUE, outside, region, 0, 0,
         result.data(), 0, nullptr, nullptr);
    CALL("no image", clEnqueueReadImage, queue, nullptr, CL_TRUE, origin, region, 0, 0,
         result.data(), 0, nullptr, nullptr);
    CALL("no queue", clEnqueueFillImage, nullptr, second, colour, origin, part, 0, nullptr,
         nullptr);
    CALL("at the end", clFinish, queue);
    for (cl_mem memory : {first, second, linear})
        CALL("last", clReleaseMemObject, memory);
}

} // namespace

void images(const Device& device)
{
    const Context context(device);
    formats(context);
    creation(context);
    samplers(context);
    for (cl_command_queue_properties properties :
         {0, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
        line("queue of properties %llx", (unsigned long long)properties);
        cl_command_queue queue = context.queue(properties);
        commands(context, queue);
        CALL("last", clReleaseCommandQueue, queue);
    }
}

} // namespace conformance
