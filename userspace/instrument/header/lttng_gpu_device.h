/* SPDX-License-Identifier: MIT */
/*
 * lttng_gpu_device.h: points in kernels that are placed by hand, for `lttng-gpu record --device-trace`.
 *
 * OpenCL C: TRACE_POINT(name); anywhere in a kernel, or in a function that it calls. Without the recording it is nothing.
 *
 * CUDA C++ (C++17), in one file with all points:
 *   TRACE_POINTS(begin, pass, done);                      their names, at file scope
 *   __global__ void kernel(..., unsigned *trace)
 *   {
 *           TRACE_KERNEL(trace);                          first, where all threads of the block are
 *           TRACE_POINT(begin);
 *   }
 *   lttng_gpu::Launch launch{"kernel", stream};           before
 *   kernel<<<grid, block, 0, stream>>>(..., launch.buffer());
 *   launch.finish();                                      waits for the stream
 * A __device__ function with points has the parameter TRACE_PARAMETER, and gets TRACE_ARGUMENT for it. Without the recording
 * the buffer is null, and a point is a comparison. -DLTTNG_GPU_TIMES: each record has a time. Link with -ldl where that is needed.
 */
#ifndef LTTNG_GPU_DEVICE_H
#define LTTNG_GPU_DEVICE_H

#ifndef __cplusplus

#ifndef TRACE_POINT
#define TRACE_POINT(name) ((void)0)
#endif

#else

#include <cstddef>
#include <cstdint>

/* What liblttng-gpu-device.so has for programs that place points; `record` says where it is. */
extern "C" {
struct lttng_gpu_device_runtime_2 {
	/* Names separated by commas, whose numbers are 0, 1 and so on. */
	std::uint64_t (*program)(const char *names);
	/* 0: this one is not recorded. `device`: a number that no other device of the process has, not 0. `bytes`: of the buffer. */
	std::uint64_t (*launch)(std::uint64_t program, const char *kernel, std::uint64_t stream, std::uint64_t device, int warps,
				int times, std::size_t *bytes);
	/* The buffer's words, as many as were used; `status` is an error's number, or 0; `completed`: CLOCK_MONOTONIC, ns. */
	void (*finish)(std::uint64_t launch, const std::uint32_t *words, std::size_t count, int warps, int times, int status,
		       std::uint64_t completed);
};
/* Of programs that were built with an older header: without the device. */
struct lttng_gpu_device_runtime_1 {
	std::uint64_t (*program)(const char *names);
	std::uint64_t (*launch)(std::uint64_t program, const char *kernel, std::uint64_t stream, int warps, int times,
				std::size_t *bytes);
	void (*finish)(std::uint64_t launch, const std::uint32_t *words, std::size_t count, int warps, int times, int status,
		       std::uint64_t completed);
};
/* The structure of that version; null: it is not known, or nothing is recorded. */
typedef const void *lttng_gpu_device_runtime_function(std::uint32_t version);
}

#ifndef LTTNG_GPU_RUNTIME_TYPES_ONLY

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <time.h>
#include <vector>

#ifdef __CUDACC__

typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned short ushort;
typedef unsigned char uchar;

#define LTTNG_GPU_GLOBAL volatile
#define LTTNG_GPU_PLAIN
#define LTTNG_GPU_LOCAL volatile
#define LTTNG_GPU_SETTLED const
#define LTTNG_GPU_PRIVATE
#define LTTNG_GPU_INLINE static __device__ __forceinline__
#define LTTNG_GPU_RARE static __device__ __forceinline__
#define LTTNG_GPU_ADD(place, value) atomicAdd(const_cast<uint *>(place), value)
#define LTTNG_GPU_SWAP(place, value) atomicExch(const_cast<uint *>(place), value)
#define LTTNG_GPU_FENCE() __threadfence_block()
#define LTTNG_GPU_BARRIER() __syncthreads()
#define LTTNG_GPU_POPCOUNT(value) static_cast<uint>(__popc(value))
#define LTTNG_GPU_LOWEST(value) (31u - static_cast<uint>(__clz(static_cast<int>((value) & (0u - (value))))))
#define LTTNG_GPU_WIDTH(value) (32u - static_cast<uint>(__clz(static_cast<int>(value))))
#define LTTNG_GPU_ITEM() (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))
#define LTTNG_GPU_ITEMS() (blockDim.x * blockDim.y * blockDim.z)
#define LTTNG_GPU_GROUP() (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z))
#define LTTNG_GPU_SIZE(i) ((i) == 0u ? blockDim.x : (i) == 1u ? blockDim.y : blockDim.z)
#define LTTNG_GPU_GROUPS(i) ((i) == 0u ? gridDim.x : (i) == 1u ? gridDim.y : gridDim.z)
#ifndef LTTNG_GPU_NO_WARPS
#define LTTNG_GPU_WARPS
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define LTTNG_GPU_REDUX
#endif
#include "lttng_gpu_recorder.h"

/* Ends the recording of a thread wherever it leaves the kernel. */
struct lttng_gpu_scope {
	__device__ lttng_gpu_scope(unsigned *words, unsigned *buffer) : recorder()
	{
		recorder.buffer = buffer;
		if (buffer)
			lttng_gpu_begin(&recorder, words, buffer, LTTNG_GPU_NOTHING);
	}
	__device__ ~lttng_gpu_scope()
	{
		if (recorder.buffer)
			lttng_gpu_end(&recorder);
	}
	lttng_gpu_recorder recorder;
};

#define TRACE_POINTS(...)                                   \
	namespace lttng_gpu_points {                        \
	enum lttng_gpu_numbers : unsigned { __VA_ARGS__ };  \
	}                                                   \
	static const char *const lttng_gpu_point_names = #__VA_ARGS__; \
	static const ::lttng_gpu::Points lttng_gpu_points_told{lttng_gpu_point_names}
#define TRACE_KERNEL(trace)                                                                       \
	__shared__ unsigned lttng_gpu_words[LTTNG_GPU_LOCAL_HEAD + 32u * LTTNG_GPU_LOCAL_WARP];   \
	lttng_gpu_scope lttng_gpu_own(lttng_gpu_words, trace);                                    \
	lttng_gpu_recorder *const lttng_gpu_r = &lttng_gpu_own.recorder;                          \
	(void)lttng_gpu_r
#define TRACE_POINT(name) \
	((void)(lttng_gpu_r->buffer ? lttng_gpu_point(lttng_gpu_r, lttng_gpu_points::name) : (void)0))
#define TRACE_PARAMETER lttng_gpu_recorder *lttng_gpu_r
#define TRACE_ARGUMENT lttng_gpu_r

#endif /* __CUDACC__ */

namespace lttng_gpu {

/* Null: nothing is recorded. */
inline const lttng_gpu_device_runtime_2 *runtime()
{
	static const lttng_gpu_device_runtime_2 *const found = [] {
		const char *path = secure_getenv("LTTNG_GPU_DEVICE_RUNTIME");
		void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
		void *function = library ? dlsym(library, "lttng_gpu_device_runtime") : nullptr;
		const void *known = function ? reinterpret_cast<lttng_gpu_device_runtime_function *>(function)(2) : nullptr;
		return static_cast<const lttng_gpu_device_runtime_2 *>(known);
	}();
	return found;
}

/* The points of one file. */
class Points {
public:
	explicit Points(const char *names)
	{
		if (const auto *found = runtime())
			program() = found->program(names);
	}
	static std::uint64_t &program()
	{
		static std::uint64_t number = 0;
		return number;
	}
};

#ifdef __CUDACC__

/* One launch of a kernel with points. */
class Launch {
public:
	explicit Launch(const char *kernel, cudaStream_t stream = nullptr) : m_stream(stream)
	{
		std::size_t bytes = 0;
		const auto *found = runtime();
		m_launch = found ? found->launch(Points::program(), kernel, reinterpret_cast<std::uintptr_t>(stream), device(),
						 has_warps, has_times, &bytes)
				 : 0;
		m_chunks = static_cast<std::uint32_t>(std::min<std::size_t>(bytes / chunk_bytes, 0x1ffffe));
		m_chunks -= m_chunks != 0;
		void *memory = nullptr;
		if (!m_launch || !m_chunks || cudaMalloc(&memory, (std::size_t{m_chunks} + 1) * chunk_bytes) != cudaSuccess)
			return;
		m_buffer = static_cast<unsigned *>(memory);
		cudaMemsetAsync(m_buffer, 0, (std::size_t{m_chunks} + 1) * chunk_bytes, stream);
		cudaMemcpyAsync(m_buffer + 1, &m_chunks, sizeof(m_chunks), cudaMemcpyHostToDevice, stream);
	}
	Launch(const Launch &) = delete;
	Launch &operator=(const Launch &) = delete;
	~Launch() { finish(); }

	/* For the kernel; null: it records nothing. */
	unsigned *buffer() const { return m_buffer; }

	void finish()
	{
		if (!m_launch)
			return;
		std::vector<std::uint32_t> words(chunk_bytes / 4);
		int status = m_buffer ? static_cast<int>(cudaStreamSynchronize(m_stream)) : -1;
		timespec now = {};
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (!status)
			status = copy(words);
		if (!status) {
			words.resize((std::size_t{std::min(words[0], m_chunks)} + 1) * (chunk_bytes / 4));
			status = copy(words);
		}
		runtime()->finish(m_launch, words.data(), status ? 0 : words.size(), has_warps, has_times, status,
				  static_cast<std::uint64_t>(now.tv_sec) * 1000000000u + static_cast<std::uint64_t>(now.tv_nsec));
		cudaFree(m_buffer);
		m_buffer = nullptr;
		m_launch = 0;
	}

private:
	static constexpr std::size_t chunk_bytes = 256;
#ifdef LTTNG_GPU_NO_WARPS
	static constexpr int has_warps = 0;
#else
	static constexpr int has_warps = 1;
#endif
#ifdef LTTNG_GPU_TIMES
	static constexpr int has_times = 1;
#else
	static constexpr int has_times = 0;
#endif

	/* On which the kernel is launched: streams of all devices can have one handle. */
	static std::uint64_t device()
	{
		int number = 0;
		return cudaGetDevice(&number) == cudaSuccess ? static_cast<std::uint64_t>(number) + 1 : 0;
	}
	int copy(std::vector<std::uint32_t> &words) const
	{
		return static_cast<int>(cudaMemcpy(words.data(), m_buffer, words.size() * 4, cudaMemcpyDeviceToHost));
	}

	cudaStream_t m_stream;
	std::uint64_t m_launch = 0;
	std::uint32_t m_chunks = 0;
	unsigned *m_buffer = nullptr;
};

#endif /* __CUDACC__ */

} // namespace lttng_gpu

#endif /* LTTNG_GPU_RUNTIME_TYPES_ONLY */
#endif /* __cplusplus */

#endif
