#!/bin/sh
# SPDX-License-Identifier: MIT
# OpenCL calls and the kernel's jobs in one recording: a program on the test GPU driver's own OpenCL driver
# (tests/gputest/opencl), which submits in each of the three ways of real drivers. What was recorded goes to
# opencl-jobs/WAY, and which command became which job to opencl-jobs/WAY.csv, for tests/end-to-end/opencl_kernel_jobs.py.
. ./tap.sh

recorded() {
    GPUTEST_CL_SUBMIT=$1 GPUTEST_CL_LOG=$PWD/opencl-jobs/$1.csv OCL_ICD_VENDORS=$PWD/icd LD_LIBRARY_PATH=$PWD/lib \
        ./lttng-gpu record -o /tmp/opencl-$1 --no-loss --no-report -- ./gputest-cl 2 40 && cp -r /tmp/opencl-$1 opencl-jobs/$1
}

modprobe gputest
rm -rf opencl-jobs icd
mkdir opencl-jobs icd
echo "$PWD/libgputest-opencl.so" >icd/gputest.icd
for way in direct flush thread; do
    ok "OpenCL commands that are submitted in the way '$way' are recorded" recorded $way
done
ok "the kernel log has no splat" no_splat
plan
