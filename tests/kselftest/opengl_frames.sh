#!/bin/sh
# SPDX-License-Identifier: MIT
# An OpenGL program on virtio_gpu (virgl), with the OpenGL layer and the kernel's events in one recording, which goes to
# opengl-frames/trace for tests/end-to-end/opengl_frames.py. Then beside a slow one, without frames, whose own times from
# before its draws to the return of glFinish go to sharer.txt (opengl-frames/two). Its pixels are compared without the layer, with
# it, and recorded. Then a program for which a thread of Mesa's submits (opengl-frames/helper; which round each of its submissions was
# of: helper.txt). And where the share has PoCL, a program that uses OpenCL, too, at the same time (opengl-frames/with-opencl, its own
# times: with-opencl.txt).
. ./tap.sh

recorded() {
    LD_LIBRARY_PATH=$PWD/lib ./lttng-gpu record -o /tmp/opengl-frames --no-report --api gl -- kmscube --count=60 <>/tmp/opengl-silence >kmscube.log 2>&1
    code=$?
    cat kmscube.log
    grep Rendered kmscube.log && [ $code = 0 ] && cp -r /tmp/opengl-frames opengl-frames/trace
}

two_recorded() {
    cat >two.sh <<'END'
(for round in $(seq 20); do echo 2; done) | ./gl-sharer >opengl-frames/sharer.txt &
kmscube --count=60
code=$?
wait $! && exit $code
END
    LD_LIBRARY_PATH=$PWD/lib ./lttng-gpu record -o /tmp/opengl-two --no-report --api gl -- sh ./two.sh <>/tmp/opengl-silence >kmscube-two.log 2>&1
    code=$?
    cat kmscube-two.log
    grep Rendered kmscube-two.log && [ $code = 0 ] && cp -r /tmp/opengl-two opengl-frames/two
}

# Its first frames have sums of their pixels. It turns by a fixed angle with each.
summed() { # summed NAME VARIABLE... COMMAND...
    name=$1
    shift
    env FRAMES_FILE=$PWD/opengl-frames/$name.sums FRAMES_LAST=12 LD_LIBRARY_PATH=$PWD/lib "$@" <>/tmp/opengl-silence >$name.log 2>&1
    code=$?
    cat $name.log
    [ $code = 0 ] && [ $(sort -u opengl-frames/$name.sums | wc -l) = 12 ]
}

same_pixels() {
    summed plain LD_PRELOAD=$PWD/frames.so kmscube --count=60 &&
        summed loaded LD_PRELOAD="$PWD/liblttng-gpu-gl.so $PWD/frames.so" kmscube --count=60 &&
        summed recorded LD_PRELOAD=$PWD/frames.so ./lttng-gpu record -o /tmp/opengl-sums --no-report --api gl --api-times -- kmscube --count=60 &&
        [ $(cut -d' ' -f3 opengl-frames/plain.sums | sort -u | wc -l) = 12 ] &&
        diff opengl-frames/plain.sums opengl-frames/loaded.sums && diff opengl-frames/plain.sums opengl-frames/recorded.sums
}

helper_recorded() {
    LD_LIBRARY_PATH=$PWD/lib ./lttng-gpu record -o /tmp/opengl-helper --no-report --api gl -- \
        ./gl-rounds 160 >opengl-frames/helper.txt && cp -r /tmp/opengl-helper opengl-frames/helper
}

with_opencl_recorded() {
    mkdir -p opengl-frames/icd
    echo "$PWD/pocl/lib/x86_64-linux-gnu/libpocl.so.2" >opengl-frames/icd/pocl.icd
    OCL_ICD_VENDORS=$PWD/opengl-frames/icd LD_LIBRARY_PATH=$PWD/lib:$PWD/pocl/lib/x86_64-linux-gnu ./lttng-gpu record -o /tmp/opengl-opencl --no-report --api opencl,gl -- \
        ./cl-and-gl 10 >opengl-frames/with-opencl.txt && cp -r /tmp/opengl-opencl opengl-frames/with-opencl
}

modprobe virtio-gpu
rm -rf opengl-frames
mkdir opengl-frames
# The layer is beside the program in this test only: the others run without it.
cp gl/*.so .
mkfifo /tmp/opengl-silence
ok "kmscube is recorded with its frames and its jobs" recorded
ok "and beside a slow program that draws, too" two_recorded
# What takes one version of Mesa is in one guest only, and so is what would be the same in all of them.
if grep -q trixie /etc/os-release; then
    ok "kmscube draws the same pixels with the layer, and recorded with times" same_pixels
    ok "and a program for which a thread of Mesa's submits" helper_recorded
fi
[ ! -d pocl ] || ok "and with OpenCL on PoCL in the same program" with_opencl_recorded
ok "the kernel log has no splat" no_splat
rm liblttng-gpu-gl*.so
plan
