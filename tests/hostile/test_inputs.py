# SPDX-License-Identifier: GPL-2.0-or-later
"""What `report` and `compare` are told to read: what lies there instead of a report, and files made to harm."""
import json
import os
import subprocess

from limits import HostileCase
from support import needs_root

# Devices and files of the kernel that never end, that end at once, and what is no file.
PLACES = ("/dev/zero", "/dev/urandom", "/dev/full", "/dev/null", "/", "/proc/self/mem", "/proc/nothing", "/proc/kcore",
          "/sys/kernel", "", "x" * 300, "x/" * 3000, "\x1b[31m", "-\n", "*", "%s%n", "a.1", ".1", "1.")
HEAD = '{"schema":"forktax/1",'
# More than forktax reads of what it does not know; each would take much more memory than it has bytes.
DOCUMENTS = {
    "numbers in a member that nobody knows": lambda: HEAD + '"x":[' + "0," * (8 << 20) + "0]}",
    "empty arrays": lambda: HEAD + '"x":[' + "[]," * (8 << 20) + "0]}",
    "empty objects": lambda: HEAD + '"x":[' + "{}," * (8 << 20) + "0]}",
    "empty objects as processes": lambda: HEAD + '"processes":[' + "{}," * (8 << 20) + "{}]}",
    "empty arrays as processes": lambda: HEAD + '"processes":[' + "[]," * (8 << 20) + "[]]}",
    "numbers as a command": lambda: HEAD + '"command":[' + "0," * (8 << 20) + "0]}",
    "members that nobody knows": lambda: HEAD + ",".join(f'"{n}":{{}}' for n in range(1 << 20)) + "}",
    "no schema": lambda: '{"x":[' + "{}," * (8 << 20) + "{}]}",
    "another schema": lambda: '{"schema":"other/1","x":[' + "{}," * (8 << 20) + "{}]}",
    "no end": lambda: HEAD + '"x":[' + "{}," * (8 << 20),
    "no end of a text": lambda: HEAD + '"x":"' + "a" * (16 << 20),
    "blanks": lambda: HEAD + " " * (16 << 20) + '"x":0}',
    "open brackets": lambda: HEAD + '"x":' + "[" * (16 << 20),
    "open braces": lambda: '{"a":' * (4 << 20),
    "an array of documents": lambda: "[" + "{}," * (8 << 20) + "{}]",
    "one key": lambda: HEAD + ",".join(['"x":0'] * (1 << 20)) + "}",
}


def call_lines(count):
    return (f"{number} getpid() = {number}\n" for number in range(1000, 1000 + count))


def log(*parts):
    return lambda: "".join("".join(part) for part in parts)


START = '1 execve("/bin/x", ["x"], 0x0) = 0\n'
LOGS = {
    "40,000 processes that no line creates": log(call_lines(40000)),
    "as many, and lines without a pid": log(call_lines(40000), ("getpid() = 1\n" for _ in range(40000))),
    "as many, and halves of lines": log(call_lines(40000), (" rest) = 1\n" for _ in range(40000))),
    "as many, and an execve that goes on": log(call_lines(40000), ("1000 <... execve resumed>) = 0\n" for _ in range(40000))),
    "500,000 processes that no line creates": log(call_lines(500000)),
    "forks under way": log(START, (f"{n} fork( <unfinished ...>\n" for n in range(1000, 21000)), call_lines(60000)),
    "one fork under way, and lines that wait": log(
        START, "1 fork( <unfinished ...>\n", "2 fork( <unfinished ...>\n",
        (f"{2000 + n % 9000} getpid() = 1\n" for n in range(200000))),
    "threads of one process": log(
        START, (f"1 clone(flags=CLONE_VM|CLONE_THREAD) = {n}\n" for n in range(2, 40000)),
        (f"{n} execve(\"/bin/x\", [], 0 <unfinished ...>\n" for n in range(2, 40000)),
        ("1 <... execve resumed>) = 0\n" for _ in range(20000))),
    "children one by one": log(START, (
        f"1 fork() = {n}\n{n} getpid() = {n}\n{n} +++ exited with 0 +++\n" for n in range(2, 60000))),
    "children that never end": log(START, (f"1 fork() = {n}\n{n} getpid() = {n}\n" for n in range(2, 30000))),
    "names of calls": log(START, (f"1 call{n}() = 0\n" for n in range(200000))),
    "names of errors": log(START, (f"1 read(0) = -1 E{n:x} (x)\n" for n in range(200000))),
    "programs": log(START, (f'1 execve("/bin/{n}", ["x"], 0x0) = 0\n' for n in range(60000))),
    "a line of 64 MiB": log(START, "1 write(1, \"", ("x" * 65536 for _ in range(1024)), "\") = 1\n"),
    "one call without end": log(START, "1 read(0", ("x" * 65536 for _ in range(512))),
    "arguments": log('1 execve("/bin/x", [', ('"", ' for _ in range(200000)), '"x"], 0x0) = 0\n'),
    "openat of many files": log(START, (f'1 openat(AT_FDCWD, "/{n}", 0) = {n}\n' for n in range(100000))),
    "superseded threads": log(START, (f"{n} +++ superseded by execve in pid {n + 1} +++\n" for n in range(2, 100000))),
    "threads attached": log((f"strace: Process {n} attached\n{n} getpid() = 1\n" for n in range(2, 40000))),
    "times that go back": log((f"1 {100000 - n}.0 getpid() = 1\n" for n in range(90000))),
}


# Of these the JSON is written, too: processes, children, files.
WRITTEN = ("500,000 processes that no line creates", "children one by one", "openat of many files")


class Inputs(HostileCase):
    def test_places_that_are_no_reports(self):
        for place in PLACES:
            for words in (["report"], ["report", "--csv", "--show=processes"]):
                with self.call(f"{' '.join(words)} {place!r}"):
                    self.limited(*words, place, statuses=(2, 125))
            with self.call(f"compare {place!r}"):
                self.limited("compare", place, place, statuses=(2, 125, 126, 127))

    def test_documents(self):
        for name, make in DOCUMENTS.items():
            with open("document.json", "w", encoding="utf-8") as file:
                file.write(make())
            with self.call(name):
                self.assert_one_line(self.limited("report", "document.json", statuses=[125]).err)

    def test_logs(self):
        for name, make in LOGS.items():
            with open("log", "w", encoding="utf-8") as file:
                file.writelines(make())
            for words in (["report", "--json"], ["report", "--files", "--show=files,processes,tree"])[name not in WRITTEN:]:
                with self.call(f"{' '.join(words)}: {name}"):
                    self.limited(*words, "log", resident_mib=200)  # several tables at once

    def test_one_call_and_noise(self):
        """Among endless bytes without meaning, a few lines look like calls."""
        source = subprocess.Popen("echo '1 getpid() = 1'; exec timeout 100 cat /dev/urandom", shell=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        result = self.limited("report", "-", stdin=source.stdout, statuses=[125])
        source.stdout.close()
        self.assertIn(b"neither JSON nor a log of strace", result.err)

    def test_endless_pipes(self):
        for name, text in (("zeros", "cat /dev/zero"), ("lines", "yes"), ("blanks", "yes ''"), ("braces", "yes '{'"),
                           ("calls", "yes '1 getpid() = 1' | head -n 3000000"),
                           ("pids", "seq 1000 2000000 | sed 's/$/ getpid() = 1/'")):
            with self.call(name):
                source = subprocess.Popen(f"timeout 8 sh -c \"{text}\"", shell=True, stdout=subprocess.PIPE,
                                          stderr=subprocess.DEVNULL)
                self.limited("report", "-", stdin=source.stdout)
                source.stdout.close()
                source.wait()

    @needs_root
    def test_saved_runs_of_many_processes(self):
        """These are no harm: what forktax has saved, it reads again."""
        self.limited("run", "--json", "--show=processes", "-o", "run.json", "true", statuses=(0,))
        run = self.saved()
        first = run["processes"][0]
        run["processes"] = [{**first, "id": number, "pid": number} for number in range(1, 20001)]
        with open("many.json", "w", encoding="utf-8") as file:
            json.dump(run, file)
        result = self.limited("report", "--csv", "many.json", resident_mib=64)
        self.assertNotIn(b"does not know", result.err)
        with open("many.json", encoding="utf-8") as file:
            text = file.read()
        one = '{"id": 15000, '
        for new, why in ((one + "}", "not JSON: "), (one + one[1:], "appears twice"), ("{", '[14999]: "id" is missing'),
                         ('{"id": -7, ', '[14999]: "id" is -7'), ("7, " + one, "[14999]: is not of type object")):
            with self.call(f"among these processes: {new}"):
                with open("many.json", "w", encoding="utf-8") as file:
                    file.write(text.replace(one, new, 1))
                result = self.limited("report", "many.json", resident_mib=400, statuses=(125,))
                self.assertIn(why, result.err.decode())
