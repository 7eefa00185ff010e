# SPDX-License-Identifier: GPL-2.0-or-later
"""Logs of strace: what is none is refused, and the longest one needs no more memory than what lives in it."""
import os
import resource

from support import Case

BEGIN = '10 execve("/bin/sh", ["sh"], 0x7ffc /* 3 vars */) = 0 <0.000100>\n'
END = "10 exit_group(3) = ?\n10 +++ exited with 3 +++\n"

# A child with a few calls; %d are its pid.
CHILD = ("10 vfork( <unfinished ...>\n"
         '%d execve("/bin/true", ["true"], 0x7ffc /* 3 vars */ <unfinished ...>\n'
         "10 <... vfork resumed>) = %d <0.000300>\n"
         "%d <... execve resumed>) = 0 <0.000200>\n"
         + '%d openat(AT_FDCWD, "/lib/x86_64-linux-gnu/libc.so.6", O_RDONLY|O_CLOEXEC) = 3 <0.000004>\n' * 50
         + "%d exit_group(0) = ?\n%d +++ exited with 0 +++\n")
CHILDREN = 20000 # 95 MB

MEMORY_MOST = 64 << 20 # of addresses, libraries included


class Log(Case):
    def write(self, text, name="log"):
        with open(name, "w") as file:
            file.write(text)
        os.chmod(name, 0o644)

    def test_long(self):
        with open("log", "w") as file:
            file.write(BEGIN)
            for child in range(CHILDREN):
                file.write(CHILD % ((11 + child % 30000,) * CHILD.count("%d")))
            file.write(END)
        result = self.forktax("report", "--strict", "--json", "-o", "run.json", "log",
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS,
                                                                    (MEMORY_MOST, MEMORY_MOST)))
        self.assertEqual(result.status, 0, result.err)
        run = self.saved()
        self.assertEqual(run["totals"]["processes"], CHILDREN + 1)
        self.assertEqual(self.calls(run, "openat"), 50 * CHILDREN)
        self.assertEqual(run["groups"][0]["children"], CHILDREN)
        self.assertEqual(run["exit"]["status"], 3)

    def test_rubbish(self):
        for text in ("hello, world\n" * 9, "\0" * 9999, "\x7fELF\2\1\1\0\n\n\n", "[]", "execve(\n"):
            with self.subTest(text[:9]):
                self.write(text)
                self.assert_fails(self.forktax("report", "log"), 125, "neither JSON nor a log of strace")
        self.write("hello\n")
        self.assert_fails(self.forktax("compare", "log", "log"), 127, "log: command not found")

    def test_not_exact(self):
        self.write(BEGIN + "hello, world\n" + END)
        result = self.forktax("report", "--strict", "log")
        self.assertEqual(result.status, 3)
        self.assertIn(b"1 of 4 lines could not be read, the first is line 2", result.out)

    def test_no_end(self):
        """Nobody can wait for what is missing in a log."""
        self.write(BEGIN + "10 fork() = 11\n11 getpid() = 11\n" + END)
        result = self.forktax("report", "log")
        self.assertIn(b"1 process has no end in the log", result.out)
        self.assertNotIn(b"--follow-daemons", result.out)

    def test_files_that_no_call_opened(self):
        """What -y says of descriptors, of a child's first use too; a pid has no file."""
        self.write(BEGIN.replace("/sh", "/env") + "10 kill(2<x>, SIGTERM) = 0\n10 fork() = 11\n"
                   '11 write(1</dev/null>, "x", 1) = 1\n11 dup2(7</tmp/a b>, 1</dev/null>) = 1\n'
                   '11 write(1</tmp/a b>, "xy", 2) = 2\n11 write(2</tmp/c>, "1<x>", 4) = 4\n'
                   '11 sendfile(9</tmp/to>, 8</tmp/from>, NULL, 5) = 5\n'
                   '11 openat(6</tmp/d>, "e", O_RDONLY) = 3\n11 exit_group(0) = ?\n'
                   "11 +++ exited with 0 +++\n" + END)
        result = self.forktax("report", "--files", "--json", "-o", "run.json", "log")
        self.assertEqual(result.status, 0, result)
        files = {file["path"] for file in self.saved()["files"]["rows"]}
        self.assertEqual(files, {"/bin/env", "/dev/null", "/tmp/a b", "/tmp/c", "/tmp/to", "/tmp/from",
                                 "/tmp/d/e"})

    def test_files_of_processes(self):
        """Of `strace -ff`: NAME is no file, and one of them is the log of one process."""
        self.write(BEGIN.replace("10 ", "") + END.replace("10 ", ""), "log.10")
        self.write("getpid() = 11\n", "log.11")
        self.assert_fails(self.forktax("report", "log"), 125, "log: No such file or directory")
        result = self.forktax("report", "--json", "-o", "run.json", "log.10")
        self.assertEqual(result.status, 0, result.err)
        self.assertEqual(self.saved()["totals"]["processes"], 1)

    def test_pipe(self):
        result = self.shell(f"printf '%s' '{BEGIN + END}' | $FORKTAX report --strict -")
        self.assertEqual(result.status, 0, result.err)
        self.assertIn(b"exit 3", result.out)
