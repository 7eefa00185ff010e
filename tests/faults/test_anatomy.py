# SPDX-License-Identifier: GPL-2.0-or-later
"""`forktax run --anatomy` on bad days: no timer, no file, too many faults to wait."""
import collections
import ctypes
import errno
import os
import re
import resource
import shutil
import signal
import struct
import time

from support import Case, children, needs, needs_root, wait_until

PERF_EVENT_OPEN = 298

# Which of two names comes first is nobody's choice.
TRIES = 8


def refuse_perf_events():
    """For this process and its children: perf_event_open fails, as where perf is restricted."""
    libc = ctypes.CDLL(None, use_errno=True)
    steps = ((0x20, 0, 0, 0),                              # load the number of the system call
             (0x15, 0, 1, PERF_EVENT_OPEN),                # another one: skip the next step
             (0x06, 0, 0, 0x00050000 | errno.EACCES),
             (0x06, 0, 0, 0x7fff0000))
    code = b"".join(struct.pack("HBBI", *step) for step in steps)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(buffer))
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program):  # NO_NEW_PRIVS, SECCOMP
        raise OSError(ctypes.get_errno(), "prctl")


def allow_core_files():
    resource.setrlimit(resource.RLIMIT_CORE, [resource.getrlimit(resource.RLIMIT_CORE)[1]] * 2)


def is_elf(path):
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"\x7fELF"
    except OSError:
        return False


@needs_root
class ElfFiles(Case):
    def opened(self, *words):
        """ELF files that forktax itself opens, and how often."""
        environment = dict(os.environ, DEBUGINFOD_URLS="")
        result = self.forktax(*words, env=environment,
                              prefix=("strace", "-qq", "-o", "log", "-e", "trace=open,openat"))
        self.assertEqual(result.status, 0, result.err)
        with open("log", encoding="utf-8") as log:
            paths = re.findall(r'^open\w*\(.*?"(/[^"]+)".* = \d+$', log.read(), re.M)
        return collections.Counter(os.path.realpath(path) for path in paths if is_elf(path))

    # ctest: all
    @needs("strace")
    def test_elf_files_are_opened_once(self):
        """However many runs, whoever asks: names, bindings, advice, columns."""
        lazy, now = self.sample("forkloop"), self.sample("forkloop", "now")
        # What was built this moment is read each time, as its times do not tell the next change.
        for path in (lazy, now):
            self.assertTrue(wait_until(lambda: time.time() - os.stat(path).st_ctime > 4))
        own = self.opened("--version")
        # A traced run that counts by line of scripts reads whether its command is a script; those of explain do.
        for reads, words in (({}, ("run", "-q", "-o", "/dev/null", "--anatomy", lazy, "-n3")),
                             ({lazy: 3}, ("explain", "-q", "-o", "/dev/null", "--no-time", "--traced-runs=2", lazy,
                                          "-n3")),
                             ({lazy: 4, now: 4}, ("compare", "-q", "-o", "/dev/null", "--no-time", "--traced-runs=4",
                                                  f"{lazy} -n3", f"{now} -n3")),
                             ({}, ("bindnow", "-q", "-o", "/dev/null", "--no-time", lazy, "-n3"))):
            with self.subTest(words[0]):
                counts = self.opened(*words) - own
                counts.subtract({os.path.realpath(path): count for path, count in reads.items()})
                self.assertIn(os.path.realpath(lazy), counts)
                self.assertGreaterEqual(len(counts), 2)
                self.assertEqual({path: count for path, count in counts.items() if count > 1}, {})


@needs_root
class Anatomy(Case):
    def anatomy(self, *command, **popen):
        return self.trace(*command, options=["--anatomy"], **popen)

    def in_children(self, run, key="place"):
        """Faults by what `key` says of them, of children before any exec."""
        found = {}
        for row in run["anatomy"]:
            if row["phase"] == "child":
                found[row[key]] = found.get(row[key], 0) + row["faults"]
        return found

    def assert_note(self, run, words):
        notes = run["integrity"]["notes"]
        self.assertTrue(any(words in note for note in notes), notes)

    @staticmethod
    def name(pid):
        with open(f"/proc/{pid}/comm", "rb") as file:
            return file.read().strip()

    def test_more_faults_than_can_wait(self):
        run = self.anatomy(self.sample("manypages"))
        pages = self.in_children(run)
        self.assertGreaterEqual(pages["bss"], 3 * 448, pages)
        self.assertLessEqual(pages.get("unknown", 0), 3, pages)
        self.assertLessEqual(self.in_children(run, "ip_place").get("unknown", 0),
                             6 + sum(row["faults"] for row in run["anatomy"]
                                     if row["phase"] == "child" and row["actor"] == "kernel"))

    def test_names_that_execve_reads(self):
        """Pages of the old image, faulted on by the call that ends it: placed before they go."""
        run = self.anatomy(self.sample("vforkexec"))
        self.assertNotIn("unknown", {row["place"] for row in run["anatomy"]})
        read = [row for row in run["anatomy"]
                if row["phase"] == "child" and row["call"] == "execve"]
        self.assertEqual({row["place"] for row in read}, {"file"} if read else set())

    def test_without_perf_events(self):
        for _ in range(TRIES):  # on a busy machine it may have ended, as the notes then say
            run = self.anatomy(self.sample("forkloop"), "-n", "20", preexec_fn=refuse_perf_events)
            if not any("could be read" in note for note in run["integrity"]["notes"]):
                break
        self.assertFalse(run["sampling"]["durations"])
        self.assert_note(run, "could not be timed")
        self.assertEqual({row["timed"] for row in run["anatomy"]}, {0})
        sample = next(one for one in run["sampling"]["samples"] if one["group"] is not None)
        self.assertEqual((sample["children"], sample["child_missed"]), (20, 0))
        self.assertEqual(sum(self.in_children(run).values()), sample["child_faults"])
        self.assertNotIn("unknown", self.in_children(run))
        self.assertEqual([symbol["symbol"] for symbol in run["symbols"]], ["_exit"])

    def sample_of(self, run, is_root):
        return next(one for one in run["sampling"]["samples"]
                    if (one["group"] is None) == is_root)

    def assert_balanced(self, run):
        for sample in run["sampling"]["samples"]:
            self.assertEqual(sample["missed"], 0, sample)
        apart = sum(sample[key] for sample in run["sampling"]["samples"]
                    for key in ("unattributed", "unsampled", "beyond"))
        self.assertEqual(sum(row["faults"] for row in run["anatomy"]) + apart,
                         sum(sample["faults"] for sample in run["sampling"]["samples"]))

    def test_copies_for_children_outside_of_the_sample(self):
        """The parent's copies are left out on purpose, and not called missed."""
        run = self.anatomy(self.sample("forkloop"), "-n", "400")
        recorded = self.sample_of(run, False)["children"]
        self.assertLess(recorded, 400)
        self.assertGreaterEqual(self.sample_of(run, True)["unsampled"], 400 - recorded)
        self.assert_balanced(run)
        shown = self.forktax("report", "-v", "run.json").out.decode()
        self.assertIn("after forks of children outside the sample: only counted", shown)

    def test_more_faults_than_are_recorded_of_one_thread(self):
        script = """
import mmap, os
written = mmap.mmap(-1, 2000 * 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
read = mmap.mmap(-1, 270000 * 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
for memory in written, read:
    memory.madvise(mmap.MADV_NOHUGEPAGE)
def write():
    for page in range(2000):
        written[page * 4096] = 1
write()
read[::4096]
if os.fork() == 0:
    os._exit(0)
os.wait()
write()
"""
        run = self.anatomy("python3", "-c", script)
        self.assertGreaterEqual(self.sample_of(run, True)["beyond"], 270000 + 2000 - 2**18)
        self.assertGreaterEqual(self.sample_of(run, False)["parent_beyond"], 2000)
        self.assertLess(sum(row["faults"] for row in run["anatomy"] if row["phase"] == "parent"),
                        2000)
        self.assert_balanced(run)

    # ctest: all
    def test_more_rows_than_are_kept(self):
        """Faults beyond the limit have no row and make the run inexact; but they are counted, and the run can be read."""
        pages = 70000
        script = (f"import mmap, os\nfile = os.open('pages', os.O_RDWR | os.O_CREAT)\n"
                  f"os.ftruncate(file, {pages} * 4096)\n"
                  f"memory = mmap.mmap(file, {pages} * 4096, flags=mmap.MAP_PRIVATE)\n"
                  f"if not os.fork():\n"
                  f"    for i in range({pages}): memory[i * 4096] = 1\n"
                  f"    os._exit(0)\nos.wait()")
        result = self.forktax("run", "--anatomy", "--json", "-o", "run.json", "python3", "-c", script)
        self.assertEqual((result.status, result.err), (0, b""))
        run = self.saved()
        self.assert_balanced(run)
        note, = [note for note in run["integrity"]["notes"] if "faults are missing from the anatomy" in note]
        beyond = int(note.split()[0])
        self.assertFalse(run["integrity"]["exact"])
        self.assertEqual(run["integrity"]["unrecorded"], beyond)
        copied = [row for row in run["anatomy"] if row["class"] == "file_cow" and row["phase"] == "child"]
        self.assertGreaterEqual(sum(row["faults"] for row in copied), pages)
        placeless = sum(row["faults"] for row in run["anatomy"] if row["place"] == "unknown")
        self.assertTrue(beyond <= placeless < beyond + 100, (beyond, placeless))
        self.assertGreater(beyond, pages - 65536)
        self.assertEqual(self.forktax("report", "-q", "run.json").status, 0)

    def test_parent_that_execs_before_it_is_looked_at(self):
        script = "kill -STOP $PPID; (:) & exec sleep 1"
        process = self.start("run", "--anatomy", "--json", "-o", "run.json", "sh", "-c", script)
        self.assertTrue(wait_until(lambda: any(self.name(pid) == b"sleep" for pid in
                                               children(process.pid))))
        process.send_signal(signal.SIGCONT)
        self.assertEqual(self.finish(process).status, 0)
        run = self.saved()
        self.assertEqual([row["forks"] for row in run["fork_cost"]], [1])
        # What it was when it forked, by the kernel's records; nothing of what it has become.
        layout, = run["layouts"]
        self.assertTrue(layout["recorded"])
        files = {os.path.basename(vma["object"]) for vma in layout["vmas"]}
        self.assertIn("dash", files)
        self.assertNotIn("sleep", files)
        self.assert_note(run, "before its memory could be read")

    def test_program_that_is_gone(self):
        shutil.copy(self.sample("forkloop"), "gone")
        run = self.anatomy("sh", "-c", "./gone -n 5 && rm gone")
        self.assert_note(run, "gone: deleted")
        gone = [row for row in run["anatomy"] if (row["object"] or "").endswith("/gone")]
        self.assertTrue(gone)
        self.assertEqual({row["section"] for row in gone}, {None})
        self.assertTrue(next(one["changed"] for one in run["objects"]
                             if (one["path"] or "").endswith("/gone")))
        self.assertFalse(os.path.exists("gone"))

    @needs("perl")
    def test_crash_that_writes_a_core_file(self):
        """The fault that kills never completes: those that the kernel takes to write the file, without an
        event, must not pass for it."""
        script = ("for (1..3) { if (!fork) { unpack 'P1', pack 'Q', 8; exit } wait;"
                  " $dumped += ($? & 127) == 11 && $? >> 7 & 1 } exit 3 * !$dumped")

        if self.shell(f'perl -e "{script.replace("$", chr(92) + "$")}"', preexec_fn=allow_core_files).status:
            self.skipTest("no core files are written here")
        run = self.anatomy("perl", "-e", script, preexec_fn=allow_core_files)
        self.assertEqual([row for row in run["anatomy"] if row["timed"] != row["faults"]], [])
        self.assertNotIn("unknown", self.in_children(run))
        crashed = next(one for one in run["groups"] if one["children"] == 3)
        self.assertGreaterEqual(crashed["unattributed"]["total"], 3)

    @needs("bash")
    def test_crash_without_room_for_a_signal(self):
        """The kernel's own fault, on the stack that is full, never completes either."""
        script = "exec 2>/dev/null; ulimit -s 512; bash -c 'trap : SEGV; f() { f; }; f'; exit 0"
        run = self.anatomy("sh", "-c", script, preexec_fn=allow_core_files)
        self.assertEqual([row for row in run["anatomy"] if row["timed"] != row["faults"]], [])

    def test_names_inside_a_chroot(self):
        """The kernel reports paths as the process sees them; the parent was looked at from outside."""
        os.mkdir("jail")
        shutil.copy(self.sample("forkloop", "static"), "jail/loop")
        with open("jail/loop", "rb") as file:
            inode = os.fstat(file.fileno()).st_ino
        runs = [self.anatomy("chroot", "jail", "/loop", "-n", "500") for _ in range(TRIES)]
        looked_at = [run for run in runs if run["layouts"]]
        if not looked_at:
            self.skipTest("the parent always ended before it could be read")
        for run in looked_at:  # whichever name came first
            loop = next(one for one in run["objects"] if one["ino"] == inode)
            self.assertEqual((loop["path"], loop["changed"]), (os.path.realpath("jail/loop"), False))
            self.assertEqual(run["integrity"]["notes"], [])
