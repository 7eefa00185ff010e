# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs one command under one tracer and says what that took."""
import glob
import json
import os
import re
import subprocess
import tempfile
import threading


class Failed(Exception):
    pass


class KernelMemory(threading.Thread):
    """The memory of a process's BPF maps, which no rusage shows: the most seen, in bytes."""

    def __init__(self, launcher):
        super().__init__(daemon=True)
        self.launcher = launcher
        self.done = threading.Event()
        self.most = 0

    def maps_of(self, pid):
        seen = {}
        for path in glob.glob(f"/proc/{pid}/fdinfo/*"):
            try:
                with open(path) as file:
                    text = file.read()
            except OSError:
                continue
            found = re.search(r"^memlock:\s*(\d+)", text, re.M)
            identity = re.search(r"^map_id:\s*(\d+)", text, re.M)
            if found and identity:
                seen[identity[1]] = int(found[1])
        return sum(seen.values())

    def run(self):
        while not self.done.wait(0.05):
            try:
                with open(f"/proc/{self.launcher}/task/{self.launcher}/children") as file:
                    pids = file.read().split()
            except OSError:
                continue
            self.most = max([self.most, *map(self.maps_of, pids)])

    def stop(self):
        self.done.set()
        self.join()
        return self.most


def own_clock(stderr):
    """What a target started with -T says of itself."""
    for line in stderr.splitlines():
        if line.startswith('{"schema":"forktax-sample-time/1"'):
            result = json.loads(line)
            return {"loop_ns": result["loop_ns"], "cpu_ns": result["cpu_ns"]}
    return {"loop_ns": None, "cpu_ns": None}


class Runner:
    def __init__(self, build):
        self.measure = f"{build}/tests/bench/bench-measure"
        self.scratch = tempfile.TemporaryDirectory(prefix="forktax-bench-")

    def path(self, name):
        return os.path.join(self.scratch.name, name)

    def inner_clock(self, target):
        """The command, timed from within the trace: for targets that do not time themselves."""
        return [self.measure, self.path("inner"), *target]

    def run(self, tool, target, watch_maps=False, around=()):
        """One sample. `loop_ns`, `cpu_ns`: of the target, by its own clock; `wall_ns`: of all."""
        output, measured, inner = (self.path(name) for name in ("report", "measured", "inner"))
        for path in (output, measured, inner):
            if os.path.exists(path):
                os.unlink(path)
        command = [self.measure, measured, *around, *tool.command(target, output)]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, errors="replace")
        watcher = KernelMemory(process.pid)
        if watch_maps:
            watcher.start()
        stderr = process.communicate()[1]
        maps = watcher.stop() if watch_maps else None
        if process.returncode:
            raise Failed(f"exit status {process.returncode}: {' '.join(command)}\n{stderr}")
        with open(measured) as file:
            wall, memory, _ = map(int, file.read().split())
        sample = {"tool": tool.name, "wall_ns": wall, "maxrss_bytes": memory * 1024,
                  "maps_bytes": maps, **own_clock(stderr), **tool.counted(output)}
        if sample["loop_ns"] is None and os.path.exists(inner):
            with open(inner) as file:
                sample["loop_ns"] = int(file.read().split()[0])
        return sample


def target_file(path):
    if not os.access(path, os.X_OK):
        raise Failed(f"{path} is not there; build the release preset with samples")
    return path


def save(path, result):
    with open(path, "w") as file:
        json.dump(result, file, indent=1)
        file.write("\n")
