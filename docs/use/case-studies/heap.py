#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""heap.py objects|freeze|bytes [MEGABYTES]: children that read data of their parent.

The data are many small objects, the same with gc.freeze() before the forks, or one large object.
"""
import gc
import os
import sys

SIZE = 1000
FORKS = 5

layout = sys.argv[1]
count = int(sys.argv[2] if len(sys.argv) > 2 else 200) * 1000000 // SIZE
if layout == "bytes":
    data = memoryview(b"x" * (count * SIZE))
    records = (data[start:start + SIZE] for start in range(0, count * SIZE, SIZE))
else:
    records = [bytes(SIZE) for number in range(count)]
if layout == "freeze":
    gc.freeze()
for child in range(FORKS):
    pid = os.fork()
    if not pid:
        total = sum(record[-1] for record in records)
        os._exit(total)
    os.waitpid(pid, 0)
