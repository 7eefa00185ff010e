# SPDX-License-Identifier: GPL-2.0-or-later
# ctest: all
"""HTML pages (--html): where they may go, what stays of a failed one, what hostile names do to one."""
import os
import pty
import re
import subprocess
import sys

from support import TargetCase, needs_root
import support

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../golden")
EVIL = b"</script><script>alert(1)</script><img src=x onerror=alert(1)>&\"'\x1b[31m\xff\xc0\xaf\n\xe2\x80\xae"


class Pages(TargetCase):
    def page(self, source, path="page.html"):
        result = self.forktax("report", "--html", "-o", path, source)
        self.assertEqual(result, (0, b"", b""))
        with open(path, "rb") as file:
            return file.read()

    @needs_root
    def test_is_small(self):
        """Of a usual run 150 kB, of a start with all its calls 200; of 10^5 recorded faults 1 MB."""
        loop = support.SAMPLES + "/dynamic/forkloop"
        shell = "for i in 1 2 3; do (ls >/dev/null); done"
        for limit, words in (
                (50_000, ["run", "--", "sh", "-c", shell]),
                (150_000, ["explain", "--no-try", "--", loop, "-n", "100"]),
                (200_000, ["explain", "--startup", "--", "/bin/ls", "/"]),
                (1_000_000, ["explain", "--no-try", "--", loop, "-n", "256", "-t", "400"])):
            with self.subTest(words):
                result = self.forktax(*words[:1], "--html", "-o", "small.html", *words[1:])
                self.assertEqual(result.status, 0, result)
                self.assertLess(os.path.getsize("small.html"), limit)

    def test_is_refused_by_a_terminal(self):
        for command in (["report", "--html", GOLDEN + "/true.json"],
                        ["report", "--html", "-o", "-", GOLDEN + "/true.json"],
                        ["report", "--html", "-o", "/dev/stdout", GOLDEN + "/true.json"],
                        ["run", "--html", "-o", "-", "touch", "ran"],
                        ["explain", "--html", "touch", "ran"],
                        ["compare", "--html", "touch ran"],
                        ["bindnow", "--html", "touch", "ran"],
                        ["workers", "--html", "-p", "1"]):
            with self.subTest(command):
                ours, theirs = pty.openpty()
                try:
                    result = self.forktax(*command, stdout=theirs)
                finally:
                    os.close(theirs)
                self.assert_fails(result, 2, "terminal", "-o FILE.html")
                self.assert_not_run()
                os.set_blocking(ours, False)
                with self.assertRaises(OSError):  # nothing was written, and nobody holds it
                    os.read(ours, 1)
                os.close(ours)

    def test_run_asks_about_stderr(self):
        ours, theirs = pty.openpty()
        result = self.forktax("run", "--html", "touch", "ran", stderr=theirs)
        os.close(theirs)
        self.assertEqual((result.status, result.out), (2, b""))
        self.assertIn(b"-o FILE.html", os.read(ours, 4096))
        os.close(ours)
        self.assert_not_run()

    def test_goes_to_stdout(self):
        text = self.page(GOLDEN + "/true.json")
        self.assertEqual(self.forktax("report", "--html", GOLDEN + "/true.json"), (0, text, b""))
        self.assertEqual(self.forktax("report", "--html", "-o", "-", GOLDEN + "/true.json"), (0, text, b""))

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            for command in (["report", "--html", GOLDEN + "/true.json"],
                            ["report", "--html", "-o", "-", GOLDEN + "/true.json"]):
                self.assert_fails(self.forktax(*command, stdout=full), 125, "No space left")
        self.assert_fails(self.forktax("report", "--html", "-o", "/dev/full", GOLDEN + "/true.json"),
                          125, "/dev/full", "No space left")

    def test_no_half_page(self):
        with open("page.html", "w", encoding="utf-8") as file:
            file.write("as it was")
        result = self.shell(f"trap '' XFSZ; ulimit -f 8; $FORKTAX report --html -o page.html {GOLDEN}/anatomy.json")
        self.assert_fails(result, 125, "page.html", "too large")
        self.assertEqual(os.listdir("."), ["page.html"])
        with open("page.html", encoding="utf-8") as file:
            self.assertEqual(file.read(), "as it was")

    def test_log_that_begins_like_markup(self):
        """As one does that was cut: its first line is the end of a call."""
        with open("log", "wb") as file:
            file.write(b'<... read resumed>"", 1) = 0\nclose(3) = 0\n+++ exited with 0 +++\n')
        result = self.forktax("report", "--csv", "log")
        self.assertEqual(result.status, 0, result)
        self.assertIn(b",close", result.out)

    def test_is_one_form_of_several(self):
        for other in ("--json", "--csv", "--pprof"):
            self.assert_fails(self.forktax("report", "--html", other, GOLDEN + "/true.json"), 2, "--html")

    def assert_tame(self, text):
        """All markup is ours: what the names would add is not there."""
        text.decode("utf-8")
        self.assertIsNone(re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", text))
        self.assertNotIn("\u202e".encode(), re.sub(rb"<script.*?</script>", b"", text, flags=re.S))
        self.assertNotIn(b"<img", text)
        self.assertEqual(len(re.findall(rb"<script", text)), 1)
        self.assertEqual(len(re.findall(rb"</script", text)), 1)

    def test_hostile_names_in_a_file(self):
        page = self.page(GOLDEN + "/hostile.json")
        self.assert_tame(page)
        self.assertIn(b"NOT EXACT: 1 process still ran", page)

    @needs_root
    def test_hostile_names(self):
        evil = EVIL.replace(b"/", b"_")
        with open(support.SAMPLES + "/dynamic/true", "rb") as source, open(evil, "wb") as copy:
            copy.write(source.read())
        os.chmod(evil, 0o755)
        for options in ([], ["--show=tree,processes,executables", "--files", "--anatomy"]):
            result = self.forktax("run", "--html", "-o", "page.html", *options, b"sh", b"-c",
                                  b'"$0" "$@"; :', b"./" + evil, EVIL)
            self.assertEqual((result.status, result.err), (0, b""))
            with open("page.html", "rb") as file:
                self.assert_tame(file.read())

    def pool(self):
        """The pid of a process that has forked one worker; both end with the test."""
        code = "import os,sys; d=bytearray(1<<20); os.fork(); print(flush=True); sys.stdin.read()"
        process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE)
        self.addCleanup(process.communicate)
        process.stdout.readline()
        return str(process.pid)

    @needs_root
    def test_every_command_makes_one(self):
        true = self.sample("true")
        loop = self.sample("forkloop")
        for command in (["run", true], ["explain", "--no-try", loop, "2"], ["explain", "--no-try", true],
                        ["compare", "-n2", true, loop], ["bindnow", "-n2", loop],
                        ["bench", "fork", "-n2"], ["workers", "-p", self.pool()]):
            with self.subTest(command):
                options = 2 if command[0] == "bench" else 1
                result = self.forktax(*command[:options], "--html", "-o", "page.html", "-q",
                                      *command[options:])
                self.assertIn(result.status, (0, 1), result)
                with open("page.html", "rb") as file:
                    self.assert_tame(file.read())
                os.unlink("page.html")
