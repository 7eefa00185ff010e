#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""workers.py COMMAND...: a pool of three workers that read what their master has loaded, and a command.

The master makes 100,000 dictionaries and forks. Each worker sums up three quarters of them, and fills
2 MiB of its own. The command is then executed with the pid of the master as its last argument.
"""
import os
import subprocess
import sys

records = [{"number": number, "name": str(number)} for number in range(100000)]
begin, work = os.pipe()
wait, ready = os.pipe()
for worker in range(3):
    if not os.fork():
        os.close(work)
        total = sum(len(record["name"]) for record in records[:75000])
        cache = bytearray(os.urandom(2 << 20))
        os.write(ready, b".")
        os.read(begin, 1)  # until the master ends
        os._exit(0)
for worker in range(3):
    os.read(wait, 1)
sys.exit(subprocess.run([*sys.argv[1:], str(os.getpid())], check=False).returncode)
