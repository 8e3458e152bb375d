/* SPDX-License-Identifier: MIT */
/*
 * A stand-in of CUDA, for tests without its toolkit: with clang as a CUDA compiler the words that kernels use, else an
 * implementation on the host, where each thread of a block is one of the host's and blocks follow one another.
 */
#pragma once

#include <cstddef>
#include <sys/types.h>

typedef struct lttng_gpu_stream *cudaStream_t;
typedef int cudaError_t;
enum { cudaSuccess = 0 };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };

#ifdef __CUDA__

#define __CUDACC__ 1
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __forceinline__ __inline__ __attribute__((always_inline))
#include <__clang_cuda_builtin_vars.h>
static __device__ unsigned atomicAdd(unsigned *place, unsigned value)
{
	unsigned before;
	asm volatile("atom.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(place), "r"(value) : "memory");
	return before;
}
static __device__ unsigned atomicExch(unsigned *place, unsigned value)
{
	unsigned before;
	asm volatile("atom.exch.b32 %0, [%1], %2;" : "=r"(before) : "l"(place), "r"(value) : "memory");
	return before;
}
static __device__ void __threadfence_block() { asm volatile("membar.cta;" ::: "memory"); }
static __device__ int __popc(unsigned value) { return __builtin_popcount(value); }
static __device__ int __clz(int value) { return value ? __builtin_clz(static_cast<unsigned>(value)) : 32; }
cudaError_t cudaMalloc(void **memory, std::size_t bytes);
cudaError_t cudaFree(void *memory);
cudaError_t cudaMemset(void *memory, int value, std::size_t bytes);
cudaError_t cudaMemcpy(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemsetAsync(void *memory, int value, std::size_t bytes, cudaStream_t stream);
cudaError_t cudaMemcpyAsync(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int *device);

#else

#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#define __CUDACC__ 1
#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __forceinline__ inline
#define LTTNG_GPU_NO_WARPS

struct dim3 {
	unsigned x = 1, y = 1, z = 1;
};
inline thread_local dim3 threadIdx, blockIdx, blockDim, gridDim;

class StandInBarrier {
public:
	void begin(unsigned count) { m_count = m_missing = count; }
	void wait()
	{
		std::unique_lock<std::mutex> lock{m_mutex};
		const unsigned round = m_round;
		if (--m_missing == 0) {
			m_missing = m_count;
			++m_round;
			m_changed.notify_all();
		}
		m_changed.wait(lock, [&] { return m_round != round; });
	}

private:
	std::mutex m_mutex;
	std::condition_variable m_changed;
	unsigned m_count = 0, m_missing = 0, m_round = 0;
};
inline StandInBarrier stand_in_barrier;

inline void __syncthreads() { stand_in_barrier.wait(); }
inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline unsigned atomicAdd(unsigned *place, unsigned value) { return __atomic_fetch_add(place, value, __ATOMIC_SEQ_CST); }
inline unsigned atomicExch(unsigned *place, unsigned value) { return __atomic_exchange_n(place, value, __ATOMIC_SEQ_CST); }
inline int __popc(unsigned value) { return __builtin_popcount(value); }
inline int __clz(int value) { return value ? __builtin_clz(static_cast<unsigned>(value)) : 32; }

inline cudaError_t cudaMalloc(void **memory, std::size_t bytes)
{
	*memory = std::malloc(bytes);
	return *memory ? cudaSuccess : 2;
}
inline cudaError_t cudaFree(void *memory)
{
	std::free(memory);
	return cudaSuccess;
}
inline cudaError_t cudaMemset(void *memory, int value, std::size_t bytes)
{
	std::memset(memory, value, bytes);
	return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void *memory, int value, std::size_t bytes, cudaStream_t)
{
	return cudaMemset(memory, value, bytes);
}
inline cudaError_t cudaMemcpy(void *to, const void *from, std::size_t bytes, cudaMemcpyKind)
{
	std::memcpy(to, from, bytes);
	return cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t)
{
	return cudaMemcpy(to, from, bytes, kind);
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }

inline thread_local int stand_in_device = 0;
inline cudaError_t cudaSetDevice(int device)
{
	stand_in_device = device;
	return cudaSuccess;
}
inline cudaError_t cudaGetDevice(int *device)
{
	*device = stand_in_device;
	return cudaSuccess;
}

template <class Kernel, class... Arguments> void stand_in_launch(unsigned blocks, unsigned threads, Kernel kernel, Arguments... arguments)
{
	for (unsigned block = 0; block < blocks; ++block) {
		std::vector<std::thread> running;
		stand_in_barrier.begin(threads);
		for (unsigned thread = 0; thread < threads; ++thread)
			running.emplace_back([=] {
				threadIdx = {thread, 0, 0};
				blockIdx = {block, 0, 0};
				blockDim = {threads, 1, 1};
				gridDim = {blocks, 1, 1};
				kernel(arguments...);
			});
		for (std::thread &thread : running)
			thread.join();
	}
}

#endif
