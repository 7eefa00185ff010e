# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: quick
"""Commands that cannot be executed, and how those that can be end."""
import os
import signal

from support import Case, needs, needs_root

SOME_STATUSES = (0, 1, 2, 3, 77, 124, 125, 126, 127, 128, 137, 255)


def write(path, content, mode=0o755):
    with open(path, "wb") as file:
        file.write(content)
    os.chmod(path, mode)


class NotExecutable(Case):
    def refused(self, command, status, *words):
        self.assert_fails(self.forktax("run", command), status, *words)
        self.assert_fails(self.forktax("compare", "-n1", command), status, *words)

    def test_not_found(self):
        self.refused("no-such-command", 127, "no-such-command", "not found")
        self.refused("./no/such/command", 127, "not found")

    def test_below_a_file(self):
        write("file", b"")
        self.refused("./file/command", 127, "not found")

    def test_empty_name(self):
        self.assert_fails(self.forktax("run", ""), 127, "not found")

    def test_directory(self):
        os.mkdir("empty")
        self.assert_fails(self.forktax("run", "./empty"), 126, "directory")
        # To compare, it is one of saved runs.
        self.assert_fails(self.forktax("compare", "-n1", "./empty"), 125,
                          "no file in this directory is a saved run")

    def test_no_execute_permission(self):
        write("plain", b"#!/bin/sh\n", 0o644)
        self.refused("./plain", 126)

    def test_device(self):
        self.refused("/dev/null", 126)

    def test_in_path_without_permission(self):
        write("plain", b"#!/bin/sh\n", 0o644)
        result = self.forktax("run", "plain", env={**os.environ, "PATH": self.scratch})
        self.assert_fails(result, 126, "plain")

    def test_words_in_one(self):
        result = self.forktax("run", "ls -la")
        self.assert_fails(result, 127, "ls -la: command not found", "separate words")
        self.assertNotIn(b"separate", self.forktax("run", "no-such la").err)
        self.assertNotIn(b"separate", self.forktax("run", "no-such").err)

    @needs_root
    def test_script_without_interpreter(self):
        write("script", b"echo hello\n", 0o755)
        result = self.forktax("run", "./script")
        self.assert_fails(result, 126, "Exec format error", "sh ./script")

    @needs_root
    def test_bad_elf(self):
        write("bad", b"\x7fELF\x02\x01\x01")
        result = self.forktax("run", "./bad")
        self.assert_fails(result, 126, "./bad", "Exec format error")
        self.assertNotIn(b"sh ./bad", result.err)

    @needs_root
    def test_empty_file(self):
        write("empty", b"")
        self.assert_fails(self.forktax("run", "./empty"), 126, "Exec format error")

    @needs_root
    def test_missing_interpreter(self):
        write("script", b"#!/no/such/interpreter\n")
        self.assert_fails(self.forktax("run", "./script"), 127, "./script", "interpreter")

    @needs_root
    def test_argument_too_long(self):
        result = self.shell("$FORKTAX run true $(head -c 200000 /dev/zero | tr '\\0' x)")
        self.assertNotEqual(result.status, 0)  # refused by the kernel, before forktax is asked

    @needs_root
    def test_unknown_user(self):
        result = self.forktax("run", "-u", "no-such-user", "touch", "ran")
        self.assert_fails(result, 125, "no-such-user")
        self.assert_not_run()


@needs_root
class End(Case):
    def test_exit_statuses(self):
        for status in SOME_STATUSES:
            with self.subTest(status):
                result = self.forktax("run", "-q", "-o", "report", "sh", "-c", f"exit {status}")
                self.assertEqual(result, (status, b"", b""))

    def test_deaths_by_signal(self):
        for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGPIPE, signal.SIGTERM,
                       signal.SIGHUP, signal.SIGINT):
            with self.subTest(number):
                result = self.forktax("run", "sh", "-c", f"kill -{int(number)} $$")
                self.assertEqual(result.status, -number)
                self.assertIn(f"{number.name},".encode(), result.err.splitlines()[0])
                self.assertIn(b"total", result.err)

    def test_no_core_file_of_forktax(self):
        result = self.shell("ulimit -c unlimited; $FORKTAX run -q sh -c 'ulimit -c 0; kill -SEGV $$'")
        self.assertEqual(result.status, 128 + signal.SIGSEGV)
        self.assertEqual(os.listdir("."), [])

    def test_death_in_a_saved_run(self):
        self.trace("sh", "-c", "kill -KILL $$", status=-signal.SIGKILL)
        self.assertEqual(self.saved()["exit"], {"status": None, "signal": signal.SIGKILL})

    def test_strict_and_exact(self):
        self.trace("sh", "-c", "exit 0", options=["--strict"])
        self.trace("sh", "-c", "exit 9", options=["--strict"], status=9)

    @needs("perl")
    def test_duration_leaves_the_command_running(self):
        result = self.forktax("run", "--json", "-o", "run.json", "--duration", "0.2", "--strict", "--",
                              "perl", "-e", "close STDOUT; close STDERR; "
                              "select(undef, undef, undef, 0.1) until -e 'end'")
        self.assertEqual((result.status, result.err), (3, b""))
        run = self.saved()
        self.assertEqual((run["integrity"]["exact"], run["integrity"]["unfinished"]), (False, 1))
        self.assertIn("before the command", " ".join(run["integrity"]["notes"]))
        self.assertEqual(run["exit"], {"status": None, "signal": None})
        os.close(os.open("end", os.O_CREAT))
        self.assertEqual(os.wait()[1], 0)  # it has lived to its end, and is ours now
