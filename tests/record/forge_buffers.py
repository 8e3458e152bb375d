#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""forge_buffers.py ATTACK PROGRAM: as a recorded command, runs a program with events, changes the buffers that LTTng shares with it (struct
lttng_crash_abi in frontend_types.h of lttng-ust), and kills it in the middle."""
import ctypes
import os
import re
import signal
import struct
import subprocess
import sys
import time

attack, program = sys.argv[1:]
process = subprocess.Popen([program, "1000000000000"], stdout=subprocess.DEVNULL)
buffers = []
while not buffers:
    time.sleep(0.1)
    with open(f"/proc/{process.pid}/maps") as maps:
        buffers = re.findall(r"^(\w+)-\w+ rw-s.* (/\S*lttng-gpu-record\S*/gpu\w*)", maps.read(), re.M)
time.sleep(0.2)
os.kill(process.pid, signal.SIGSTOP)
time.sleep(0.1)
with open(f"/proc/{process.pid}/mem", "r+b", buffering=0) as memory:
    for base, _ in buffers:
        begin = int(base, 16)
        memory.seek(begin)
        header = bytearray(memory.read(124))
        if attack == "huge":  # one sub-buffer of 64 GiB
            struct.pack_into("<Q", header, 16, 1 << 36)
            struct.pack_into("<QQQ", header, 96, 1 << 36, 1 << 36, 1)
        elif attack in ("many", "sparse"):  # each of one byte, and of all the same counts
            struct.pack_into("<I", header, 84, 0)
            struct.pack_into("<QQQ", header, 96, 1 << 40, 1, 1 << 40)
        memory.seek(begin)
        memory.write(header)
        if attack in ("many", "huge"):
            memory.seek(begin + struct.unpack_from("<I", header, 32)[0])
            memory.write(struct.pack("<Q", 1 << 40))
if attack in ("short", "sparse"):
    # Another process's descriptors, see pidfd_getfd(2).
    libc = ctypes.CDLL(None, use_errno=True)
    pidfd = os.pidfd_open(process.pid)
    for number in os.listdir(f"/proc/{process.pid}/fd"):
        if re.search(r"lttng-gpu-record.*/gpu", os.readlink(f"/proc/{process.pid}/fd/{number}")):
            file = libc.syscall(438, pidfd, int(number), 0)
            os.ftruncate(file, 200 if attack == "short" else 1 << 42)
print("forged", flush=True)
process.kill()
process.wait()
