# SPDX-License-Identifier: GPL-2.0-or-later
"""forktax workers: processes that are no pool, or may not be looked at, or come and go."""
import contextlib
import json
import os
import signal
import subprocess
import sys
import time

import support
from support import NOBODY, TargetCase, children, is_alive, needs, needs_root, stat, wait_until

FLOW = os.path.join(os.path.dirname(__file__), "../golden/workers/flow.json")
# A pool of two workers that sleep, until stdin ends.
POOL = """
import os, sys
memory = bytearray(os.urandom(1 << 20))
for n in range(2):
    if not os.fork():
        sys.stdin.read()
        os._exit(0)
print("ready", flush=True)
sys.stdin.read()
"""
# A page that everybody has written to since the fork, and nothing else of its mapping is shared.
COPIED_PAGE = """
import mmap, os, sys
page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
page[0] = 1
for n in range(2):
    if not os.fork():
        page[1] = n
        print("ready", flush=True)
        sys.stdin.read()
        os._exit(0)
page[1] = 3
sys.stdin.read()
"""
# One of its workers stays; the others live for milliseconds. It writes a byte for each that has ended.
RESTLESS = """
import os, sys, time
log = os.open("ended", os.O_WRONLY | os.O_CREAT)
memory = bytearray(8 << 20)
pids = set()
if not os.fork():
    sys.stdin.read()
    os._exit(0)
print("ready", flush=True)
while True:
    while len(pids) < 6:
        pid = os.fork()
        if not pid:
            memory[0:4096] = b"x" * 4096
            time.sleep(0.003 * (1 + len(pids)))
            os._exit(0)
        pids.add(pid)
    pids.discard(os.wait()[0])
    os.write(log, b".")
"""
# Its worker lives until it has been seen.
SEEN = """
import os, time
if not os.fork():
    with open("writing", "w") as file:
        file.write(str(os.getpid()))
    os.rename("writing", "worker")
    while not os.path.exists("seen"):
        time.sleep(0.02)
    os._exit(3)
os.wait()
os._exit(3)
"""
# The last worker is forked by a process that has the master's memory (vfork) and ends at once.
FORKED_BY_VFORKED = """
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static char *memory;
static void work(int byte)
{
	if (!fork()) {
		usleep(300000);
		memset(memory, byte, 1 << 18);
		sleep(1);
		_exit(0);
	}
}
int main(void)
{
	memory = mmap(0, 1 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(memory, 1 << 20, MADV_NOHUGEPAGE);
	memset(memory, 1, 1 << 20);
	work(2);
	if (!vfork()) {
		work(3);
		_exit(0);
	}
	sleep(1);
}
"""
# Pages are filled by as many instructions, once a line has been read.
FILLED_BY_MUCH_CODE = """
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
enum { COUNT = 70000 };
int main(void)
{
	char *code = mmap(0, COUNT * 4, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *page = mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int i = 0; i < COUNT; i++)
		memcpy(code + 4 * i, "\\xc6\\x07\\x01\\xc3", 4); /* movb $1, (%rdi); ret */
	puts("ready");
	fflush(stdout);
	getchar();
	if (!fork()) {
		for (int i = 0; i < COUNT; i++) {
			((void (*)(char *))(code + 4 * i))(page);
			madvise(page, 4096, MADV_DONTNEED);
		}
		write(1, "filled\\n", 7);
		getchar();
		_exit(0);
	}
	getchar();
}
"""
# A worker fills 4 MiB and forks; the child copies the half, the worker gives back a quarter.
GIVEN_BACK_AFTER_FORK = """
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
enum { MIB = 1 << 20 };
int main(void)
{
	if (!fork()) {
		usleep(500000);
		char *memory = mmap(0, 4 * MIB, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		madvise(memory, 4 * MIB, MADV_NOHUGEPAGE);
		memset(memory, 1, 4 * MIB);
		if (!fork()) {
			usleep(300000);
			memset(memory, 3, 2 * MIB);
			sleep(2);
			_exit(0);
		}
		usleep(600000);
		madvise(memory, MIB, MADV_DONTNEED);
		sleep(2);
		_exit(0);
	}
	sleep(3);
}
"""
# The master gives up half of its memory as soon as it has forked.
GIVEN_UP_AT_ONCE = """
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
enum { MIB = 1 << 20 };
int main(void)
{
	char *memory = mmap(0, 4 * MIB, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(memory, 4 * MIB, MADV_NOHUGEPAGE);
	memset(memory, 1, 4 * MIB);
	for (int i = 0; i < 3; i++)
		if (!fork()) {
			sleep(3);
			_exit(0);
		}
	munmap(memory, 2 * MIB);
	sleep(3);
}
"""
# The worker reads a byte from stdin and writes to 16 pages. Without a C library, which few machines have.
OF_32_BIT = """
static char memory[1 << 16];
static int call(int number, int first, void *second, int third)
{
	int result;

	__asm__ volatile("int $0x80" : "=a"(result)
			 : "a"(number), "b"(first), "c"(second), "d"(third) : "memory");
	return result;
}
void _start(void)
{
	for (int i = 0; i < sizeof(memory); i++)
		memory[i] = 1;
	if (!call(2, 0, 0, 0)) {
		call(3, 0, memory, 1);
		for (int i = 0; i < sizeof(memory); i += 4096)
			((volatile char *)memory)[i]++;
	}
	for (;;)
		call(29, 0, 0, 0);
}
"""
AS_NOBODY = ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups"]


class Workers(TargetCase):
    def target(self, *command, **popen):
        process = subprocess.Popen(command, stdin=subprocess.PIPE, **popen)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdin.close)
        return process

    def python(self, program, *before, **popen):
        process = self.target(*before, sys.executable, "-c", program, stdout=subprocess.PIPE, **popen)
        self.addCleanup(process.stdout.close)
        self.assertIn(b"ready", process.stdout.readline())
        return process

    def refused(self, pid, *words, prefix=()):
        result = self.forktax("workers", "-p", str(pid), prefix=prefix)
        self.assert_fails(result, 125, *words)

    def test_alone(self):
        process = self.target("sleep", "60")
        self.refused(process.pid, f"process {process.pid} (sleep) is no pool", "was forked from it")

    def test_children_execute_something_else(self):
        process = self.target("sh", "-c", "sleep 60 & wait")
        child = wait_until(lambda: children(process.pid))[0]
        self.addCleanup(os.kill, child, signal.SIGKILL)
        wait_until(lambda: os.path.basename(os.readlink(f"/proc/{child}/exe")) == "sleep")
        self.refused(process.pid, "is no pool", "all executed another program")

    def test_pool_below_a_shell(self):
        """People know the pid of what they started."""
        process = self.python(POOL, "sh", "-c", 'exec 3<&0; "$@" <&3 & wait', "sh")
        master = children(process.pid)[0]
        result = self.forktax("workers", "-p", str(process.pid), "--json")
        self.assertEqual(result.status, 0, result)
        self.assert_one_line(result.err, f"process {process.pid} is in no pool", f"of process {master} (")
        self.assertEqual(json.loads(result.out)["master"]["pid"], master)

    def test_pools_below_a_shell(self):
        process = self.python(POOL, "sh", "-c", 'exec 3<&0; "$@" <&3 & "$@" <&3 & wait', "sh")
        wait_until(lambda: len(children(process.pid)) == 2)
        masters = children(process.pid)
        self.assertTrue(wait_until(lambda: all(len(children(master)) == 2 for master in masters)))
        result = self.forktax("workers", "-p", str(process.pid))
        self.assert_fails(result, 2, "is in no pool", *(f"{master} (" for master in masters))

    def test_missing(self):
        self.refused(2147483647, "there is no process 2147483647")

    def test_kernel_thread(self):
        with open("/proc/2/status", encoding="utf-8") as file:
            if "\nVmSize:" in file.read():
                self.skipTest("process 2 is no thread of the kernel")
        self.refused(2, "is a thread of the kernel")

    def test_zombie(self):
        process = self.target("true")
        wait_until(lambda: stat(process.pid)[0] == "Z")
        self.refused(process.pid, "has ended")

    def test_hostile_name(self):
        name = "evil) R 1\n\033[1m"
        os.symlink("/bin/sleep", name)
        process = self.target(f"./{name}", "60")
        result = self.forktax("workers", "-p", str(process.pid))
        self.assert_fails(result, 125, "is no pool")
        self.assertNotIn(b"\033", result.err)

    @needs_root
    @needs("setpriv")
    def test_of_another_user(self):
        process = self.target("sleep", "60")
        self.refused(process.pid, "it is root's, or has other rights", prefix=AS_NOBODY)

    @needs_root
    @needs("setpriv")
    def test_not_dumpable(self):
        dumb = "import ctypes; ctypes.CDLL(None).prctl(4, 0)\n" + POOL
        process = self.python(dumb, *AS_NOBODY)
        self.refused(process.pid, "not dumpable", prefix=AS_NOBODY)
        self.assertEqual(self.forktax("workers", "-p", str(process.pid)).status, 0)

    @needs_root
    @needs("setpriv")
    def test_workers_of_another_user(self):
        """As of many servers: the master is root's, its workers are not."""
        change = POOL.replace("if not os.fork():", f"if not os.fork():\n        os.setuid({NOBODY})")
        process = self.python(change)
        result = self.forktax("workers", "--json", "-p", str(process.pid))
        self.assertEqual(len(json.loads(result.out)["workers"]), 2)

    @needs_root
    @needs("unshare")
    def test_in_another_pid_namespace(self):
        process = self.python(POOL, "unshare", "--pid", "--fork", "--kill-child")
        pid = children(process.pid)[0]
        result = self.forktax("workers", "--json", "-p", str(pid))
        self.assertEqual(result.status, 0)
        found = json.loads(result.out)
        self.assertEqual(found["master"]["pid"], pid)
        self.assertEqual(len(found["workers"]), 2)

    @needs_root
    @needs("unshare")
    def test_inside_a_pid_namespace(self):
        """Where forktax itself is in it, pids are those of the namespace, of the state and of a watch."""
        with open("pool.py", "w", encoding="ascii") as file:
            file.write("import os, time\nmemory = bytearray(4 << 20)\nif not os.fork():\n"
                       "    while not os.path.exists('go') or not os.path.getsize('go'): time.sleep(0.01)\n"
                       "    memory[:1 << 20] = b'x' * (1 << 20)\n    time.sleep(30)\ntime.sleep(30)\n")
        script = ("python3 pool.py & sleep 0.5; $0 workers --json -p $! -o state; "
                  "$0 workers -q --json --duration 2s --ready-fd=9 -p $! -o flow 9>go; kill $!")
        self.target("unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c", script,
                    support.FORKTAX).wait(timeout=30)
        with open("state", encoding="utf-8") as file:
            state = json.load(file)
        with open("flow", encoding="utf-8") as file:
            flow = json.load(file)["flow"]
        pids = [state["master"]["pid"], *(one["pid"] for one in state["workers"])]
        self.assertEqual(len(pids), 2)
        self.assertLess(max(pids), 300)
        self.assertEqual([one["pid"] for one in flow["members"]], pids)
        self.assertGreaterEqual(flow["members"][1]["copies"], 256)
        self.assertTrue(flow["cross_check"]["matches"], flow["cross_check"])

    def test_pool_that_ends_while_it_is_looked_at(self):
        """At whatever moment: what was there is printed, or that it is gone, in a line."""
        outcomes = set()
        for step in range(26):
            process = self.python(POOL.replace("1 << 20", "16 << 20"), start_new_session=True)
            if step == 0:  # before
                os.killpg(process.pid, signal.SIGKILL)
            looking = self.start("workers", "--json", "-p", str(process.pid))
            if step == 25:  # after
                wait_until(lambda: stat(looking.pid)[0] == "Z")  # pylint: disable=cell-var-from-loop
            time.sleep(0.002 * step)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            result = self.finish(looking)
            outcomes.add(result.status)
            if result.status:
                self.assertEqual(result.status, 125)
                self.assert_one_line(result.err, f"{process.pid}")
                self.assertEqual(result.out, b"")
            else:
                found = json.loads(result.out)
                self.assertEqual(found["master"]["pid"], process.pid)
                complete = len(found["workers"]) == 2 and found["pool"]["cross_check"]["matches"]
                self.assertTrue(complete or not found["integrity"]["exact"])
        self.assertEqual(outcomes, {0, 125})

    @needs_root
    def test_pool_that_is_being_killed(self):
        """Whoever has been killed and has not got a CPU yet is no member that can be counted on."""
        cpus = sorted(os.sched_getaffinity(0))
        if len(cpus) < 2:
            self.skipTest("needs two CPUs")
        survivors = 0
        for _ in range(5):
            process = self.python(POOL, start_new_session=True)
            first, *others = children(process.pid)
            for pid in (process.pid, *others):
                os.sched_setaffinity(pid, cpus[:1])
            os.sched_setaffinity(first, cpus[1:])
            with self.busy(cpus[0]):
                os.killpg(process.pid, signal.SIGKILL)
                wait_until(lambda: stat(first)[0] == "Z")  # pylint: disable=cell-var-from-loop
                result = self.forktax("workers", "--json", "-p", str(process.pid),
                                      prefix=["taskset", "-c", str(cpus[1])])
                survivors += is_alive(process.pid)
            process.wait()
            if not result.status:
                self.assertFalse(json.loads(result.out)["integrity"]["exact"])
        if not survivors:
            self.skipTest("the pool had always ended before")

    @contextlib.contextmanager
    def busy(self, cpu):
        """Nobody else gets that CPU, for a second at most (but for what the kernel keeps back for others)."""
        hog = ("import os, time\nos.sched_setaffinity(0, [%d])\nend = time.monotonic() + 1\n"
               "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(5))\nprint('ready', flush=True)\n"
               "while time.monotonic() < end: pass\n" % cpu)
        process = self.target(sys.executable, "-c", hog, stdout=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        process.stdout.readline()
        try:
            yield
        finally:
            process.kill()
            process.wait()

    @needs_root
    @needs("gcc")
    def test_32_bit(self):
        """Its state, and its copies while it is watched."""
        with open("pool.c", "w", encoding="ascii") as file:
            file.write(OF_32_BIT)
        made = subprocess.run(["gcc", "-m32", "-w", "-O1", "-ffreestanding", "-fno-pic", "-no-pie",
                               "-fno-stack-protector", "-static", "-nostdlib", "-o", "pool", "pool.c"],
                              capture_output=True, check=False)
        if made.returncode:
            self.skipTest("gcc makes no 32-bit programs here")
        process = self.target("./pool", start_new_session=True)
        self.addCleanup(os.killpg, process.pid, signal.SIGKILL)
        time.sleep(0.3)
        result = self.forktax("workers", "--json", "-p", str(process.pid))
        self.assertEqual(result.status, 0)
        self.assertEqual(len(json.loads(result.out)["workers"]), 1)
        watcher = self.start("workers", "--json", "-v", "-p", str(process.pid), "--duration", "1h")
        self.assertIn(b"counting processes", self.next_line(watcher))
        process.stdin.write(b".")
        process.stdin.flush()
        time.sleep(0.5)
        watcher.send_signal(signal.SIGINT)
        flow = json.loads(self.finish(watcher).out)["flow"]
        pages = {one["page"] for one in flow["copies"] if one["member"] == 1}
        self.assertGreaterEqual(len(pages), 16)
        self.assertLess(max(pages), 1 << 32)
        self.assertTrue(flow["cross_check"]["matches"], flow["cross_check"])

    @needs_root
    def test_workers_that_come_and_go(self):
        """Every look succeeds; what moved meanwhile is reported."""
        process = self.python(RESTLESS)
        moved = 0
        for _ in range(10):
            result = self.forktax("workers", "--json", "-p", str(process.pid))
            self.assertEqual((result.status, result.err), (0, b""))
            found = json.loads(result.out)
            integrity = found["integrity"]
            motion = integrity["born"] + integrity["ended"] + (not found["pool"]["cross_check"]["matches"])
            moved += motion > 0
            self.assertEqual(integrity["exact"], not motion)
        self.assertTrue(is_alive(process.pid))
        self.assertGreater(moved, 0, "none of ten looks met a birth or a death")

    def test_little_of_unknown_origin(self):
        """A page is 4 KiB, and not 0.0 MiB."""
        process = self.python(COPIED_PAGE)
        def pages():
            found = json.loads(self.forktax("workers", "--json", "-p", str(process.pid)).out)
            self.what = [gap["what"] for gap in found["integrity"]["not_known"] if "inherited" in gap["what"]]
            return sum(worker["unknown_origin_pages"] for worker in found["workers"])
        unknown = wait_until(lambda: (count := pages()) >= 2 and count)
        self.assertLess(unknown, 256)
        self.assertEqual(self.what, [f"whether {4 * unknown} KiB that workers have for themselves were inherited"])

    def watched(self, *words, status=0, **how):
        result = self.forktax("workers", "-q", "--json", *words, **how)
        self.assertEqual((result.status, result.err), (status, b""))
        return json.loads(result.out)

    def begin_watch(self, process):
        """A watch of its pool, which counts from now on."""
        watcher = self.start("workers", "--json", "-p", str(process.pid), "--duration", "1h")
        self.assertIn(b"counting process", self.next_line(watcher))
        return watcher

    def end_watch(self, watcher):
        """What it has seen until now."""
        watcher.send_signal(signal.SIGINT)
        result = self.finish(watcher)
        self.assertEqual((result.status, result.err), (0, b""))
        return json.loads(result.out)["flow"]

    @needs_root
    def test_watch_while_workers_come_and_go(self):
        """Births and ends are reported, with what it copied; numbers that are unknown are null."""
        process = self.python(RESTLESS)
        marks = [os.path.getsize("ended")]
        watcher = self.begin_watch(process)
        marks.append(os.path.getsize("ended"))
        self.assertTrue(wait_until(lambda: os.path.getsize("ended") > marks[1] + 60))
        marks.append(os.path.getsize("ended"))
        flow = self.end_watch(watcher)
        marks.append(os.path.getsize("ended"))
        ended = [one for one in flow["members"][1:] if one["ended_ns"] is not None]
        # Up to six have ended that are not written down yet.
        self.assertGreaterEqual(len(ended), marks[2] - marks[1] - 6)
        self.assertLessEqual(len(ended), marks[3] - marks[0] + 6)
        self.assertTrue(all(one["born_ns"] is None or one["born_ns"] < one["ended_ns"]
                            for one in ended))
        self.assertTrue(flow["integrity"]["exact"], flow["integrity"])
        for one in ended:
            self.assertIsNone(one["shared_after"])
            if one["born_ns"] is not None and one["ended_ns"] < flow["duration_ns"] - 100000000:
                self.assertGreaterEqual(one["copies"], 1)
        self.assertTrue(is_alive(process.pid))

    @needs_root
    def test_watch_of_a_pool_that_ends(self):
        process = self.python(POOL)
        watcher = self.start("workers", "--json", "-p", str(process.pid), "--duration", "1h")
        self.assertIn(b"counting processes", self.next_line(watcher))
        process.stdin.close()
        process.wait()
        result = self.finish(watcher)
        self.assertEqual(result.status, 0)
        found = json.loads(result.out)
        self.assertEqual(len(found["flow"]["members"]), 3)
        self.assertIsNone(found["flow"]["cross_check"]["after_bytes"])
        for one in found["flow"]["members"]:
            self.assertIsNotNone(one["ended_ns"])

    @needs_root
    def test_watch_until_interrupted(self):
        """What was seen so far is shown."""
        process = self.python(POOL)
        watcher = self.start("workers", "-v", "-p", str(process.pid), "--duration", "1h")
        self.assertIn(b"counting processes", self.next_line(watcher))
        watcher.send_signal(signal.SIGINT)
        result = self.finish(watcher)
        self.assertEqual(result.status, 0)
        for words in (b"Pool of process", b"Still shared after"):
            self.assertIn(words, result.out)

    @needs_root
    def test_watch_of_what_forks_nothing(self):
        process = self.target("sleep", "60")
        result = self.forktax("workers", "-q", "-p", str(process.pid), "--duration", "0.2s")
        self.assert_fails(result, 125, "no pool was found: no forked child")
        result = self.forktax("workers", "--", "true")
        self.assert_fails(result, 125, "no pool was found: no forked child")

    @needs_root
    def test_watch_of_what_forks_helpers_alone(self):
        """They execute something else: that is no pool, however much they copy before."""
        program = ("import os, time\nmemory = bytearray(1 << 20)\n"
                   "for one in range(5):\n"
                   "    if not os.fork():\n"
                   "        memory[:1 << 19] = b'x' * (1 << 19)\n        os.execv('/bin/true', ['true'])\n"
                   "    os.wait()\n    time.sleep(0.1)\n")
        result = self.forktax("workers", "--", sys.executable, "-c", program)
        self.assert_fails(result, 125, "no pool was found: no forked child went on without executing")

    def looks_at(self, pid):
        """How often its memory was summed up: at the end of each reading of the pool."""
        with open("strace", encoding="utf-8") as log:
            return log.read().count(f'"/proc/{pid}/smaps_rollup"')

    @needs_root
    @needs("strace")
    def test_watch_of_a_command(self):
        """Its exit status is no matter of the report; one that is missing or refused is."""
        watcher = self.start("workers", "-q", "--json", "--", sys.executable, "-c", SEEN,
                             prefix=["strace", "-qq", "-o", "strace", "-e", "trace=openat"])
        self.assertTrue(wait_until(lambda: os.path.exists("worker")))
        with open("worker", encoding="ascii") as file:
            pid = int(file.read())
        # A pool is read three times at most before what was read counts.
        self.assertTrue(wait_until(lambda: self.looks_at(pid) > 3))
        with open("seen", "w", encoding="ascii"):
            pass
        result = self.finish(watcher)
        self.assertEqual((result.status, result.err), (0, b""))
        found = json.loads(result.out)
        self.assertEqual(len(found["flow"]["members"]), 2)
        self.assertEqual(len(found["workers"]), 1)  # seen while it lived
        self.assert_fails(self.forktax("workers", "--", "./missing"), 127, "not found")
        self.assert_fails(self.forktax("workers", "--", "/etc/passwd"), 126, "not executable")

    def compiled(self, program):
        with open("pool.c", "w", encoding="ascii") as file:
            file.write(program)
        made = subprocess.run(["gcc", "-w", "-o", "pool", "pool.c"], capture_output=True,
                              check=False)
        self.assertEqual(made.returncode, 0, made.stderr)
        return "./pool"

    def test_watch_of_no_duration(self):
        """A saved file may say so: then there is no rate."""
        with open(FLOW, encoding="utf-8") as file:
            found = json.load(file)
        found["flow"]["duration_ns"] = 0
        found["flow"]["members"][3]["ended_ns"] = None
        with open("saved", "w", encoding="utf-8") as file:
            json.dump(found, file)
        result = self.forktax("report", "-v", "saved")
        self.assertEqual(result.status, 0)
        self.assertNotRegex(result.out, rb"\b(inf|nan)\b")
        self.assertRegex(result.out, rb"write_alpha")

    def first_screen(self, filled):
        """Of the saved watch, had its workers so many pages more of new memory, and the watch not seen these; in one line."""
        with open(FLOW, encoding="utf-8") as file:
            found = json.load(file)
        worker = found["workers"][0]
        for one in (worker, worker["mappings"][-1]):
            one["private_pages"] += filled
            one["new_pages"] += filled
        with open("saved", "w", encoding="utf-8") as file:
            json.dump(found, file)
        result = self.forktax("report", "saved")
        self.assertEqual(result.status, 0)
        return b" ".join(result.out.split())

    def test_cause_is_named_for_half_of_the_growth_at_least(self):
        """Copies that are not the largest part of what workers have for themselves are no cause of that."""
        growth, copies, filled = 80, 68, 42
        self.assertIn(b"Likely cause: 33.8 % of the 68 copies while the pool was watched",
                      self.first_screen(2 * copies - growth))
        self.assertNotIn(b"Likely cause", self.first_screen(2 * copies - growth + 1))
        self.assertNotIn(b"Before the watch", self.first_screen(2 * (copies + filled) - growth))
        late = self.first_screen(2 * (copies + filled) - growth + 2)
        self.assertIn(b"Before the watch: ", late)
        self.assertIn(b"that workers have for themselves. The watch saw 272 KiB of copies and ", late)
        self.assertIn(b"watch the pool from its first fork on, with COMMAND that starts it: forktax workers --duration 30s "
                      b"-- COMMAND", late)

    @needs_root
    @needs("gcc")
    def test_watch_of_a_worker_forked_by_a_vforked_process(self):
        """Its parent is whose memory it inherits."""
        pool = self.compiled(FORKED_BY_VFORKED)
        members = self.watched("--duration", "0.8s", "--", pool)["flow"]["members"]
        self.assertEqual([one["parent"] for one in members], [None, 0, 0])
        self.assertGreaterEqual(min(one["copies"] for one in members[1:]), 64)

    @needs_root
    @needs("gcc")
    def test_watch_of_more_code_than_is_kept(self):
        """Its new memory is in the sums, and nothing is exact."""
        process = self.target(self.compiled(FILLED_BY_MUCH_CODE), stdout=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), b"ready\n")
        watcher = self.begin_watch(process)
        process.stdin.write(b"\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), b"filled\n")
        process.stdout.close()
        flow = self.end_watch(watcher)
        integrity = flow["integrity"]
        filed = sum(one["filled"] for one in flow["members"])
        self.assertGreater(integrity["unattributed"], 4000)
        self.assertFalse(integrity["exact"])
        self.assertGreaterEqual(filed + integrity["unattributed"], 70000)
        self.assertLess(filed + integrity["unattributed"], 70200)
        self.assertEqual(flow["cross_check"]["filled_bytes"], 4096 * (filed + integrity["unattributed"]))
        self.assertTrue(flow["cross_check"]["matches"], flow["cross_check"])

    @needs_root
    @needs("gcc")
    def test_watch_of_what_a_worker_gives_back_after_it_forked(self):
        """It is given back once."""
        pool = self.compiled(GIVEN_BACK_AFTER_FORK)
        reconciled = self.watched("--duration", "2s", "--", pool)["flow"]["cross_check"]
        self.assertAlmostEqual(reconciled["given_back_bytes"], 1 << 20, delta=16 << 10)
        self.assertTrue(reconciled["matches"], reconciled)

    @needs_root
    @needs("gcc")
    @needs("chrt")
    def test_watch_of_what_a_master_gives_up_while_it_is_first_read(self):
        """Its workers have it still: it was there at the first fork. The master runs before forktax can look."""
        pool = self.compiled(GIVEN_UP_AT_ONCE)
        found = self.watched("--duration", "1s", "--", "chrt", "-f", "20", pool,
                             prefix=["taskset", "-c", "0"])["flow"]
        reconciled = found["cross_check"]
        self.assertLess(found["members"][0]["shared_before"], 700)
        self.assertGreaterEqual(found["members"][1]["shared_before"], 1024)
        self.assertAlmostEqual(reconciled["before_bytes"], 4 << 20, delta=200 << 10)
        self.assertAlmostEqual(reconciled["given_back_bytes"], 0, delta=16 << 10)
        self.assertTrue(reconciled["matches"], reconciled)

    @needs_root
    def test_watch_too_short_for_a_state(self):
        found = self.watched("--", sys.executable, "-c",
                             "import os, time\nif not os.fork(): time.sleep(0.02); os._exit(0)\n"
                             "os.wait()")
        self.assertIsNone(found["master"])
        self.assertIsNone(found["pool"])
        self.assertIsNone(found["flow"]["state_ns"])
        with open("saved", "w", encoding="utf-8") as file:
            json.dump(found, file)
        result = self.forktax("report", "-v", "saved")
        self.assertEqual(result.status, 0)
        self.assertIn(b"had ended before its state could be read", result.out)

    @needs_root
    @needs("setpriv")
    def test_watch_by_an_ordinary_user(self):
        process = self.python(POOL, *AS_NOBODY)
        result = self.forktax("workers", "-p", str(process.pid), "--duration", "1s", prefix=AS_NOBODY)
        self.assert_fails(result, 125, "CAP_BPF")

    def test_usage(self):
        for words, message in (((), "give a process"), (("-p", "1", "true"), "not both"),
                               (("-p", "1", "--duration", "0"), "must be a time"),
                               (("-p", "1", "--ready-fd", "1"), "--duration"),
                               (("-p", "x"), "must be a process id")):
            self.assert_fails(self.forktax("workers", *words), 2, message)
