# SPDX-License-Identifier: GPL-2.0-or-later
"""Kernel trace events of a process and of all that it creates, from a tracefs instance of our own.

The events are read as the ring buffers hold them (binary): a name in a text line may look like
anything. Nothing may be lost: the buffers do not overwrite, and their own counters of what did not
fit, and of what was written, are checked after reading.
"""
import contextlib
import heapq
import os
import re
import struct
import subprocess
import time

from check import skip

TRACEFS = "/sys/kernel/tracing"
PREFIX = "forktax-conformance-"  # then the pid of the test

# Event: the fields that are kept, after its flags and the id of the thread in which it happened.
EVENTS = {
    "raw_syscalls/sys_enter": ["id"],
    "raw_syscalls/sys_exit": ["id", "ret"],
    "exceptions/page_fault_user": ["address", "error_code"],
    "exceptions/page_fault_kernel": ["address", "error_code"],
    "task/task_newtask": ["pid", "clone_flags"],
    "sched/sched_process_fork": ["child_pid"],
    "sched/sched_process_exec": ["pid", "old_pid"],
    "sched/sched_process_exit": ["comm"],
    "signal/signal_generate": ["sig", "code", "pid"],
    "signal/signal_deliver": ["sig"],
}

# Every event takes the next number, whatever CPU it is on: an order that no clock can spoil.
CLOCK = "counter"

# Of the header of a page (include/linux/ring_buffer.h): time stamp, length of the data and flags.
PAGE_HEADER = struct.Struct("<QQ")
DATA_LENGTH = (1 << 30) - 1
WORD = struct.Struct("<I")
PADDING, TIME_EXTEND, TIME_STAMP = 29, 30, 31

# Room for the events: two million system calls, and at least a quarter of them on each CPU.
BUFFERS_KIB, LEAST_KIB = 192 << 10, 48 << 10

FIELD = re.compile(r"field:[^;]*?(\w+)(?:\[\w*\])?;\s*offset:(\d+);\s*size:(\d+);\s*signed:(\d);")
INTEGERS = {1: "B", 2: "H", 4: "I", 8: "Q"}


def mount():
    if not os.path.isdir(os.path.join(TRACEFS, "instances")):
        subprocess.run(["mount", "-t", "tracefs", "none", TRACEFS], check=False,
                       capture_output=True)
    if not os.path.isdir(os.path.join(TRACEFS, "instances")):
        skip("no tracefs")


def remove_left():
    """Instances of tests that were killed: their buffers are memory."""
    directory = os.path.join(TRACEFS, "instances")
    for name in os.listdir(directory):
        if name.startswith(PREFIX) and not os.path.exists(f"/proc/{name.split('-')[-2]}"):
            with contextlib.suppress(OSError):
                os.rmdir(os.path.join(directory, name))


def kib_per_cpu():
    return max(BUFFERS_KIB // os.cpu_count(), LEAST_KIB)


class Format:
    """Where an event's fields are, as the kernel states it."""

    def __init__(self, event, wanted):
        self.name = event.rpartition("/")[2]
        path = os.path.join(TRACEFS, "events", event, "format")
        try:
            with open(path, encoding="ascii") as file:
                text = file.read()
        except OSError:
            skip(f"this kernel has no event {event}")
        self.id = int(re.search(r"^ID: (\d+)", text, re.M).group(1))
        fields = {name: (int(at), int(size), int(signed))
                  for name, at, size, signed in FIELD.findall(text)}
        wanted = ["common_flags", "common_pid", *wanted]
        self.unpack = self.unpacker([fields[name] for name in wanted])

    @staticmethod
    def unpacker(fields):
        """unpack_from of the given fields, which are in ascending order."""
        code, end = "<", 0
        for at, size, signed in fields:
            kind = INTEGERS.get(size, f"{size}s")
            code += f"{at - end}x" + (kind.lower() if signed else kind)
            end = at + size
        return struct.Struct(code).unpack_from


class Instance:
    """An instance that traces one process and its descendants, or what a filter lets through; removed at
    the end."""

    def __init__(self, events=None):
        mount()
        remove_left()
        self.path = os.path.join(TRACEFS, "instances",
                                 f"{PREFIX}{os.getpid()}-{time.monotonic_ns()}")
        self.traced = events or EVENTS
        self.formats = [Format(event, wanted) for event, wanted in self.traced.items()]
        os.mkdir(self.path)
        try:
            for name, value in (("tracing_on", "0"), ("trace_clock", CLOCK),
                                ("options/overwrite", "0"), ("options/event-fork", "1"),
                                ("buffer_size_kb", str(kib_per_cpu()))):
                self.write(name, value)
        except BaseException:
            os.rmdir(self.path)
            raise

    def write(self, name, value):
        with open(os.path.join(self.path, name), "w", encoding="ascii") as file:
            file.write(value)

    def start(self, pid=None, filters=None):
        """Of one process and its descendants, or all; what the filters of events let through."""
        if pid:
            self.write("set_event_pid", str(pid))
        for event in self.traced:
            if filters and event in filters:
                self.write(f"events/{event}/filter", filters[event])
            self.write(f"events/{event}/enable", "1")
        self.write("tracing_on", "1")

    def stop(self):
        self.write("tracing_on", "0")
        for event in self.traced:
            self.write(f"events/{event}/enable", "0")

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.stop()
        os.rmdir(self.path)

    def cpus(self):
        return sorted(os.listdir(os.path.join(self.path, "per_cpu")))

    def stats(self, cpu):
        with open(os.path.join(self.path, "per_cpu", cpu, "stats"), encoding="ascii") as file:
            return {key: int(value) for key, value in re.findall(r"^([\w ]+): (\d+)$", file.read(),
                                                                re.M)}

    def events(self):
        """All events in order: (number, name, flags, thread id, fields...). To be called once."""
        return heapq.merge(*(self.events_of(cpu) for cpu in self.cpus()))

    def events_of(self, cpu):
        stats, count = self.stats(cpu), 0
        for loss in ("overrun", "commit overrun", "dropped events"):
            if stats[loss]:
                raise RuntimeError(f"{cpu}: {loss}: {stats[loss]}: the ring buffer is too small")
        for event in self.decode(self.pages(cpu)):
            count += 1
            yield event
        if count != stats["entries"]:
            raise RuntimeError(f"{cpu}: {count} events read of {stats['entries']}")

    def pages(self, cpu):
        path = os.path.join(self.path, "per_cpu", cpu, "trace_pipe_raw")
        raw = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            while True:
                try:
                    page = os.read(raw, 1 << 16)
                except BlockingIOError:
                    return
                if not page:
                    return
                yield page
        finally:
            os.close(raw)

    def decode(self, pages):
        formats = {each.id: (each.name, each.unpack) for each in self.formats}
        word = WORD.unpack_from
        for page in pages:
            now, length = PAGE_HEADER.unpack_from(page)
            at, end = PAGE_HEADER.size, PAGE_HEADER.size + (length & DATA_LENGTH)
            while at < end:
                header, = word(page, at)
                kind, delta = header & 31, header >> 5
                at += 4
                if kind > 28:
                    if kind == PADDING:
                        if not delta:
                            break
                        at += word(page, at)[0]
                        continue
                    far, = word(page, at)
                    at += 4
                    now = (now if kind == TIME_EXTEND else 0) + delta + (far << 27)
                    continue
                now += delta
                size = 4 * kind
                if not kind:
                    size, = word(page, at)
                    size, at = size - 4, at + 4
                name, unpack = formats[page[at] | page[at + 1] << 8]
                yield (now, name, *unpack(page, at))
                at += size
