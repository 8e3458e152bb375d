// SPDX-License-Identifier: MIT
// placed [BLOCKS [DEVICES]]: a CUDA C++ program with points placed by hand, two launches on each device. Prints the sum of its
// results, of which each is how often the point `pass` was reached.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#include "lttng_gpu_device.h"

TRACE_POINTS(begin, pass, odd, done);

static __device__ int step(int value, TRACE_PARAMETER)
{
	if (value & 1)
		TRACE_POINT(odd);
	return value + 1;
}

__global__ void placed(int *out, int n, unsigned *trace)
{
	TRACE_KERNEL(trace);
	const int id = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x);
	int passes = 0;
	TRACE_POINT(begin);
	if (id >= n)
		return;
	while (passes < id % 13) {
		TRACE_POINT(pass);
		passes = step(passes, TRACE_ARGUMENT);
	}
	out[id] = passes;
	TRACE_POINT(done);
}

/* The results' sum; negative: an error. */
static long run(unsigned blocks)
{
	const unsigned threads = 64;
	const int n = static_cast<int>(blocks * threads) - 3;
	std::vector<int> results(blocks * threads);
	void *out = nullptr;
	if (cudaMalloc(&out, results.size() * sizeof(int)) != cudaSuccess)
		return -1;
	cudaMemset(out, 0, results.size() * sizeof(int));
	for (int round = 0; round < 2; ++round) {
		lttng_gpu::Launch launch{"placed"};
#if defined(__CUDA__) || defined(__NVCC__)
#ifndef LTTNG_GPU_TEST_DEVICE_ONLY
		placed<<<blocks, threads>>>(static_cast<int *>(out), n, launch.buffer());
#else
		(void)n;
#endif
#else
		stand_in_launch(blocks, threads, placed, static_cast<int *>(out), n, launch.buffer());
#endif
	}
	if (cudaMemcpy(results.data(), out, results.size() * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess)
		return -1;
	cudaFree(out);
	long sum = 0;
	for (const int result : results)
		sum += result;
	return sum;
}

int main(int count, char **words)
{
	const unsigned blocks = count > 1 ? static_cast<unsigned>(std::atoi(words[1])) : 4;
	const int devices = count > 2 ? std::atoi(words[2]) : 1;
	long sum = 0;
	for (int device = 0; device < devices; ++device) {
		const long found = cudaSetDevice(device) == cudaSuccess ? run(blocks) : -1;
		if (found < 0)
			return 1;
		sum += found;
	}
	std::printf("sum %ld\n", sum);
	return 0;
}
