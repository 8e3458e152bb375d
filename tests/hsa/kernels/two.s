/* SPDX-License-Identifier: MIT */
/* Two kernels of a gfx900, for their names: the stand-in executes no code. */
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

.macro kernel name
.text
.p2align 8
.globl \name
.type \name,@function
\name:
	s_endpgm
.size \name, . - \name
.rodata
.p2align 6
.amdhsa_kernel \name
	.amdhsa_next_free_vgpr 1
	.amdhsa_next_free_sgpr 1
.end_amdhsa_kernel
.endm

kernel add_numbers
kernel scale_numbers

.amdgpu_metadata
---
amdhsa.version: [1, 0]
amdhsa.kernels:
  - .name: add_numbers
    .symbol: add_numbers.kd
    .kernarg_segment_size: 16
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 1
    .max_flat_workgroup_size: 256
  - .name: scale_numbers
    .symbol: scale_numbers.kd
    .kernarg_segment_size: 16
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 1
    .max_flat_workgroup_size: 256
...
.end_amdgpu_metadata
