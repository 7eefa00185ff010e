# SPDX-License-Identifier: GPL-2.0-or-later
"""serve.py FORKTAX SAMPLES WITNESS MODEL: what bench serve says of one request, in other words.

The same server is started by hand and asked by a client of our own: wait4 tells its faults and CPU
time, strace the calls of its children, and pagemap the pages that only one process maps.
"""
import json
import os
import re
import select
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time

from check import PATIENCE_S, Check, skip

PAGE = 4096
WORKERS, AT_ONCE, REQUESTS = 4, 4, 400
LINKAGES = {"dynamic": "dynamic", "static": "static", "dietlibc": "diet"}
PRESENT, EXCLUSIVE = 1 << 63, 1 << 56
LISTENS = "0A"  # state of a socket in /proc/net/tcp


class Server:
    """samples/server, started by hand."""

    def __init__(self, path, model, prefix=()):
        # A port that is known to be ours, and where one can connect at once.
        with socket.create_server(("127.0.0.1", 0), backlog=4096) as listener:
            self.port = listener.getsockname()[1]
            self.process = subprocess.Popen(
                [*prefix, path, "-m", model, "-w", str(WORKERS), "-L", str(listener.fileno())],
                stdin=subprocess.DEVNULL, start_new_session=True, pass_fds=[listener.fileno()])
        try:
            self.ask(WORKERS + AT_ONCE)
        except BaseException:
            self.__exit__()
            raise

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S)

    def ask(self, count):
        """That many requests, some at once."""
        for _ in range(0, count, AT_ONCE):
            connections = [self.connect() for _ in range(AT_ONCE)]
            for connection in connections:
                connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
            for connection in connections:
                answer = b""
                while part := connection.recv(1000):
                    answer += part
                assert answer.endswith(b"ok\n"), answer
                connection.close()

    def pids(self):
        found = [self.process.pid]
        for pid in found:
            with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
                found += map(int, file.read().split())
        return found

    def waiting(self):
        """Connections that nobody has accepted yet."""
        with open("/proc/net/tcp", encoding="ascii") as file:
            for line in file:
                _, local, _, state, queues = line.split()[:5]
                if state == LISTENS and local.endswith(f":{self.port:04X}"):
                    return int(queues.split(":")[1], 16)
        raise AssertionError("nobody listens")

    def threads(self):
        """State and CPU time of each of its threads."""
        found = {}
        for pid in self.pids():
            for tid in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{tid}/stat", encoding="utf-8") as file:
                    state = file.read().rpartition(")")[2].split()[0]
                with open(f"/proc/{pid}/task/{tid}/schedstat", encoding="ascii") as file:
                    found[tid] = state, file.read().split()[0]
        return found

    def settle(self):
        """Until all connections are accepted, and whoever serves them sleeps."""
        before, end = None, time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            try:
                now = self.threads()
            except (FileNotFoundError, ProcessLookupError):
                now = None  # one has ended meanwhile
            if now and now == before and not self.waiting():
                if all(state in "SZ" for state, _ in now.values()):
                    return
            before = now
            time.sleep(0.01)
        raise AssertionError(f"does not come to rest: {before}")

    def end(self, pid=None):
        """Its resource usage, that of all its processes included."""
        os.kill(pid or self.process.pid, signal.SIGTERM)
        ended = os.pidfd_open(self.process.pid)
        try:
            assert select.select([ended], [], [], PATIENCE_S)[0], "the server does not end"
        finally:
            os.close(ended)
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = status
        return usage

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        if self.process.returncode is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def used(path, model, requests):
    with Server(path, model) as server:
        server.ask(requests)
        usage = server.end()
    return usage.ru_minflt, usage.ru_utime + usage.ru_stime


def used_per_request(path, model):
    """(faults, CPU in ns) by wait4: the difference of two runs. Of three pairs the median of the
    faults; but whatever else the machine does only adds to CPU time, so there the least counts."""
    pairs = [(used(path, model, 2 * REQUESTS), used(path, model, 0)) for _ in range(3)]
    faults = statistics.median(most[0] - least[0] for most, least in pairs)
    cpu = min(most[1] for most, _ in pairs) - min(least[1] for _, least in pairs)
    return faults / 2 / REQUESTS, cpu * 1e9 / 2 / REQUESTS


def calls_of_children(path, model, requests):
    """Without calls that are made again because a signal came that only strace lets through: the
    end of a child, while its parent waits for the next request."""
    with tempfile.TemporaryDirectory() as scratch:
        log = os.path.join(scratch, "log")
        with Server(path, model, ["strace", "-f", "-qq", "-o", log]) as server:
            server.ask(requests)
            with open(log, encoding="utf-8", errors="replace") as file:
                root = int(file.read().split()[0])
            server.end(root)
        with open(log, encoding="utf-8", errors="replace") as file:
            text = file.read()
    calls = re.findall(r"^(\d+) +\w+\(", text, re.M)
    again = re.findall(r"^(\d+) .* = \? ERESTART", text, re.M)
    return sum(int(pid) != root for pid in calls) - sum(int(pid) != root for pid in again)


def exclusive_pages(pid):
    pages = 0
    try:
        with open(f"/proc/{pid}/maps", encoding="utf-8") as maps, \
                open(f"/proc/{pid}/pagemap", "rb") as pagemap:
            for line in maps:
                low, high = (int(part, 16) for part in line.split()[0].split("-"))
                if line.rstrip().endswith(("[vsyscall]", "[vvar]", "[vdso]", "[vvar_vclock]")):
                    continue
                pagemap.seek(low // PAGE * 8)
                entries = pagemap.read((high - low) // PAGE * 8)
                pages += sum(entry & PRESENT != 0 and entry & EXCLUSIVE != 0
                             for entry, in struct.iter_unpack("Q", entries))
    except ProcessLookupError:
        pass  # it has ended, and waits to be reaped
    return pages


def unshared_bytes(path, model):
    """Pages that one process maps and no other, while so many connections are open."""
    with Server(path, model) as server:
        connections = [server.connect() for _ in range(AT_ONCE)]
        server.settle()
        pages = sum(map(exclusive_pages, server.pids()))
        for connection in connections:
            connection.close()
        server.end()
    return pages * PAGE


def measure(forktax, samples, model, check):
    done = subprocess.run(
        [forktax, "bench", "serve", "--json", "--rounds=5", f"--count={REQUESTS}",
         f"--workers={WORKERS}", f"--concurrency={AT_ONCE}", f"--models={model}",
         "--linkages=dynamic,static,diet"], env={**os.environ, "FORKTAX_LOOPS": samples},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
    check.equal("status", done.returncode, 0)
    saved = json.loads(done.stdout)
    for cell in saved["cells"]:
        if cell["state"] == "measured":
            figures = {key: (min if key == "cpu_ns_per_op" else statistics.median)(values)
                       for key, values in cell["metrics"].items() if None not in values}
            yield saved["columns"][cell["column"]]["name"], figures, cell["per_op"]


def compare(check, path, model, figures, per_op):
    faults, cpu = used_per_request(path, model)
    said = figures["faults_per_op"]
    # Who comes first, parent or child, decides whether a shared page is copied once or twice.
    check.that(abs(said - faults) <= 0.05 * faults + 1,
               f"faults of a request: {said:.2f}, by wait4 {faults:.2f}")
    said = figures["cpu_ns_per_op"]
    check.that(cpu / 2 - 5000 < said < cpu * 2 + 5000,
               f"CPU of a request: {said:.0f} ns, by wait4 {cpu:.0f} ns")
    said, pages = figures["unshared_bytes"], unshared_bytes(path, model)
    # How many arenas malloc makes for threads depends on how many of them meet.
    if model != "threads":
        check.that(abs(said - pages) <= 0.2 * pages + 16 * PAGE,
                   f"unshared: {said:.0f} bytes, by pagemap {pages}")
    if per_op.get("syscalls") is None:
        print("left out: calls of a request: no traced run")
    elif model == "threads":
        check.equal("calls of children", per_op["syscalls"], 0)
        check.equal("what is not counted here", per_op.get("kernel_exec_ns"), None)
    elif shutil.which("strace"):
        calls = (calls_of_children(path, model, 80) - calls_of_children(path, model, 0)) / 80
        # Workers are caught at different places of their last request, and what ends meanwhile
        # is reaped with the next request or at the end; strace makes all of that last longer.
        check.that(abs(per_op["syscalls"] - calls) <= 1,
                   f"calls of a request's children: {per_op['syscalls']}, by strace {calls}")
    print(f"{check.context}: faults {figures['faults_per_op']:.2f} ({faults:.2f}), CPU "
          f"{figures['cpu_ns_per_op']:.0f} ({cpu:.0f}) ns, unshared "
          f"{figures['unshared_bytes']:.0f} ({pages})")


def main():
    forktax, samples, _, model = sys.argv[1:]
    check = Check()
    for linkage, figures, per_op in measure(forktax, samples, model, check):
        check.context = f"{model} {linkage}"
        compare(check, os.path.join(samples, LINKAGES[linkage], "server"), model, figures, per_op)
    if not check.done:
        skip("no server was built")
    check.finish()


main()
