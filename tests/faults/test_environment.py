# SPDX-License-Identifier: GPL-2.0-or-later
"""Odd surroundings: deleted programs and directories, setuid, the environment, the terminal."""
import os
import re
import shutil
import stat
import subprocess

from support import NOBODY, Case, needs, needs_root


@needs_root
class Environment(Case):
    @needs("perl")
    def test_deleted_program(self):
        shutil.copy("/bin/true", "gone")
        # The descriptor stays open over the exec, for ld.so to read the program by.
        script = "$^F = 100; open F, '<gone'; unlink 'gone'; exec '/proc/self/fd/'.fileno(F); exit 9"
        run = self.trace("perl", "-e", script)
        self.assertEqual(run["totals"]["execs"], 2)
        self.assertEqual(self.forktax("report", "run.json").status, 0)

    def test_setuid_program(self):
        if os.statvfs(".").f_flag & os.ST_NOSUID:
            self.skipTest("set-user-id is off for this file system")
        shutil.copy(shutil.which("id"), "id")
        os.chown("id", NOBODY, -1)
        os.chmod("id", 0o755 | stat.S_ISUID)
        result = self.forktax("run", "--json", "-o", "run.json", "./id", "-u")
        self.assertEqual(result, (0, b"%d\n" % NOBODY, b""))
        run = self.saved()
        self.assertTrue(run["integrity"]["exact"])
        self.assertGreater(self.calls(run, "geteuid"), 0)

    def test_user(self):
        result = self.forktax("run", "-u", "nobody", "-o", "report", "sh", "-c", "id -u; id -G")
        self.assertEqual(result.status, 0, result)
        self.assertEqual(result.out.split()[0], b"%d" % NOBODY)
        self.assertNotIn(b"0", result.out.split())

    def test_no_more_capabilities_than_untraced(self):
        traced = self.forktax("run", "-o", "report", "grep", "Cap", "/proc/self/status")
        self.assertEqual(traced.out, self.shell("grep Cap /proc/self/status").out)

    def test_deleted_working_directory(self):
        os.mkdir("gone")
        os.chdir("gone")
        os.rmdir("../gone")
        result = self.forktax("run", "-o", f"{self.scratch}/report", "ls", "-A")
        os.chdir(self.scratch)
        self.assertEqual(result, (0, b"", b""))

    def test_environment_is_passed_on(self):
        environment = {**os.environ, "LD_PRELOAD": "libm.so.6", "FOO": "\x1b\n"}
        result = self.forktax("run", "-o", "report", "sh", "-c", "env -0; cat /proc/self/maps",
                              env=environment)
        self.assertEqual(result.status, 0)
        self.assertIn(b"LD_PRELOAD=libm.so.6\0", result.out)
        self.assertIn(b"FOO=\x1b\n\0", result.out)
        self.assertIn(b"/libm.so.6", result.out)

    def test_empty_environment(self):
        self.assertEqual(self.forktax("run", "/usr/bin/env", env={}).out, b"")

    def test_no_path_variable(self):
        self.assertEqual(self.forktax("run", "sh", "-c", "exit 6", env={}).status, 6)


@needs_root
class Looks(Case):
    def report(self, *options, **changes):
        environment = {**os.environ, **changes}
        for name in [name for name, value in changes.items() if value is None]:
            del environment[name]
        result = self.forktax("report", *options, "run.json", env=environment)
        self.assertEqual((result.status, result.err), (0, b""))
        return result.out

    def test_locale(self):
        self.trace("sh", "-c", "true & wait")
        for form in ("--json", "--csv"):
            outputs = {self.report(form, LC_ALL=locale)
                       for locale in ("C", "C.UTF-8", "de_DE.UTF-8", "tr_TR", "nonsense")}
            self.assertEqual(len(outputs), 1)

    @needs("localedef")
    def test_german_while_tracing(self):
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", "./de_DE.UTF-8"],
                              capture_output=True, check=False)
        if made.returncode:
            self.skipTest("no sources of the locale de_DE")
        environment = {**os.environ, "LOCPATH": self.scratch, "LC_ALL": "de_DE.UTF-8"}
        result = self.forktax("run", "--duration", "5.5", "true", env=environment)
        self.assertEqual(result.status, 0, result)
        self.assertRegex(result.err.splitlines()[0], rb"exit 0, \d+(\.\d+)? [mu]?s: ")

    def test_narrow(self):
        self.trace("sh", "-c", "true & wait")
        for columns in ("20", "1", "0", "-5", "x", "", "999999999999999999999"):
            with self.subTest(columns):
                self.assertIn(b"total", self.report(COLUMNS=columns))

    @needs("script")
    def test_colour(self):
        self.trace("true")
        for term, extra, coloured in (("xterm", "", None), ("xterm", "NO_COLOR=1", False),
                                      ("dumb", "", False)):
            result = self.shell(f"TERM={term} {extra} script -qec '$FORKTAX report run.json' /dev/null")
            self.assertEqual(result.status, 0)
            if coloured is False:
                self.assertIsNone(re.search(rb"\x1b\[[0-9;]*m", result.out), (term, extra))
        self.assertNotIn(b"\x1b", self.report())
